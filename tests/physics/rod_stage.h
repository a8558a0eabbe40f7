#pragma once

#include <heddle/dynamics/integrator.h>
#include <heddle/forces/rod/rod.h>

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace heddle::test {

/// Rods without a scene: a system, a state, and particles that stay where they are.
struct RodStage {
  std::unique_ptr<System> system;
  State state;
  RodPlace place;
  std::vector<int> held;  // particles

  /// Holds both nodes and the frame of a segment.
  void clamp(int segment);
  void pin(int node) { held.push_back(place.first_particle + node); }
  /// Steps of dt (s) until a time (s); false if one of them failed.
  bool run(Integrator& integrator, double dt, double until);
  double energy() const;                          // J, kinetic and potential
  double energy_of(std::string_view term) const;  // J
  const Vec3& node(int i) const { return state.x[static_cast<size_t>(place.first_particle + i)]; }
  Vec3& node(int i) { return state.x[static_cast<size_t>(place.first_particle + i)]; }

  /// Second derivative of the energy by everything that is not held and means anything.
  Eigen::MatrixXd stiffness() const;
};

RodStage make_stage(const RodShape& shape, const RodSection& section, const RodForm& form = {},
                    const Vec3& gravity = Vec3::Zero());

/// A straight rod along x from the origin.
RodShape straight(double length, int segments, double twist = 0);

std::unique_ptr<Integrator> newton_euler();
std::unique_ptr<Integrator> explicit_euler(int turning_substeps = 1);

}  // namespace heddle::test
