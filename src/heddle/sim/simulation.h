#pragma once

#include <heddle/constraints/strain_limiter.h>
#include <heddle/parallel/scheduler.h>
#include <heddle/sim/magnet_world.h>
#include <heddle/sim/model.h>
#include <heddle/sim/rigid_world.h>

#include <array>
#include <memory>
#include <optional>

namespace heddle {

/// A vertex that a person holds with the mouse in a live run.
struct Grab {
  int particle = 0;
  Vec3 target = Vec3::Zero();  // m

  /// Of the hand, m/s: a mouse can jump, a hand cannot.
  Vec3 velocity(const State& state, double dt) const {
    constexpr double kFastest = 3;
    const Vec3 wanted = (target - state.x[static_cast<size_t>(particle)]) / dt;
    return wanted.norm() > kFastest ? Vec3(kFastest * wanted.normalized()) : wanted;
  }
};

/// A scene that runs: the constant model, the state that changes, and the machinery that takes one to the
/// next.
struct Simulation {
  Model model;
  State state;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<ObstacleContact> contact;
  std::unique_ptr<SurfaceContact> surface_contact;  // null if nothing can meet
  std::unique_ptr<RigidWorld> rigid;                // null if there are no bodies
  std::unique_ptr<MagnetWorld> magnets;             // null if nothing is magnetic
  std::unique_ptr<StrainLimiter> limiter;           // null if no strain is limited
  std::optional<Grab> grab;
};

}  // namespace heddle
