#pragma once

#include <heddle/dynamics/constraint.h>
#include <heddle/dynamics/force_term.h>
#include <heddle/dynamics/turning.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// Masses, force terms and constraints: all that an integrator may see of a scene.
class System {
 public:
  System(std::vector<double> mass, std::vector<std::unique_ptr<ForceTerm>> terms,
         std::vector<std::unique_ptr<Constraint>> constraints);

  /// Extends the system from outside, between steps.
  void add(std::unique_ptr<ForceTerm> term);
  void add(std::unique_ptr<Constraint> constraint);
  void add(std::unique_ptr<Turning> turning);

  int particle_count() const { return static_cast<int>(mass_.size()); }
  std::span<const double> mass() const { return mass_; }  // kg
  std::span<const std::unique_ptr<ForceTerm>> terms() const { return terms_; }
  /// Particles that turn instead of being in space, ascending.
  std::span<const int> turning_particles() const { return turning_particles_; }
  /// To be called after every step that stands.
  void take_up_turns(State& state) const;
  const MatrixPattern& pattern() const { return pattern_; }
  /// From now on matrices need not be symmetric: some exact Jacobians are not.
  void keep_both_triangles();
  /// Grows when a term is added: whatever was made from the pattern or the constant Jacobians is then out of
  /// date.
  int revision() const { return revision_; }

  double kinetic_energy(const Configuration& q) const;
  double potential_energy(const Configuration& q) const;  // of the conservative terms
  double inner_energy(const Configuration& q) const;      // of those that act between particles

  /// Sum of all forces.
  void force(const Configuration& q, std::span<Vec3> force) const;
  /// The same; `external` receives the part from outside.
  void force(const Configuration& q, std::span<Vec3> force, std::span<Vec3> external) const;

  /// kg per particle; the same for each element that acts on it, so that they add up to its mass.
  std::span<const double> element_mass() const { return element_mass_; }

  /// matrix = M + stiffness_scale K + damping_scale D of the implicit terms whose Jacobian is constant,
  /// except those that `held` names.
  void constant_matrix(double stiffness_scale, double damping_scale, BlockMatrix& matrix,
                       std::span<const std::string> held = {}) const;

  /// out.matrix = M + stiffness_scale K + damping_scale D over the implicit terms, where `constant` is what
  /// constant_matrix gave for the same scales; out.force = sum of all terms; external = the part from
  /// outside; out.stiffness_velocity = K v. Terms that `held` names give their force only. If elements may
  /// stay explicit, `constant` must be M alone.
  void linearise(const Configuration& q, const BlockMatrix& constant, const Linearisation& out,
                 std::span<Vec3> external, std::span<const std::string> held = {}) const;

  void constrain(const State& state, double dt, VelocityFilter& filter) const;

 private:
  void bind_terms();

  std::vector<double> mass_;
  std::vector<std::unique_ptr<ForceTerm>> terms_;
  std::vector<std::unique_ptr<Constraint>> constraints_;
  std::vector<std::unique_ptr<Turning>> turnings_;
  std::vector<int> turning_particles_;
  MatrixPattern pattern_;
  bool keeps_both_triangles_ = false;
  std::vector<double> element_mass_;
  int revision_ = 0;
};

}  // namespace heddle
