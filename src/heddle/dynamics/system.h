#pragma once

#include <heddle/dynamics/constraint.h>
#include <heddle/dynamics/force_term.h>

#include <memory>
#include <span>
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

  int particle_count() const { return static_cast<int>(mass_.size()); }
  std::span<const double> mass() const { return mass_; }  // kg
  std::span<const std::unique_ptr<ForceTerm>> terms() const { return terms_; }
  const MatrixPattern& pattern() const { return pattern_; }
  /// Grows when a term is added: whatever was made from the pattern or the constant Jacobians is then out of
  /// date.
  int revision() const { return revision_; }

  double kinetic_energy(const Configuration& q) const;
  double potential_energy(const Configuration& q) const;  // of the conservative terms

  /// Sum of all forces.
  void force(const Configuration& q, std::span<Vec3> force) const;

  /// matrix = M + stiffness_scale K + damping_scale D of the implicit terms whose Jacobian is constant.
  void constant_matrix(double stiffness_scale, double damping_scale, BlockMatrix& matrix) const;

  /// out.matrix = M + stiffness_scale K + damping_scale D over the implicit terms, where `constant` is what
  /// constant_matrix gave for the same scales; out.force = sum of all terms; external = the part from
  /// outside; out.stiffness_velocity = K v.
  void linearise(const Configuration& q, const BlockMatrix& constant, const Linearisation& out,
                 std::span<Vec3> external) const;

  void constrain(const State& state, double dt, VelocityFilter& filter) const;

 private:
  void bind_terms();

  std::vector<double> mass_;
  std::vector<std::unique_ptr<ForceTerm>> terms_;
  std::vector<std::unique_ptr<Constraint>> constraints_;
  MatrixPattern pattern_;
  int revision_ = 0;
};

}  // namespace heddle
