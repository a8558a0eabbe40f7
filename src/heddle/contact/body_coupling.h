#pragma once

#include <heddle/dynamics/brake.h>
#include <heddle/dynamics/state.h>

#include <optional>
#include <span>
#include <vector>

namespace heddle {

/// A particle that is tied to a body.
struct BodyLink {
  int particle = 0;
  int body = 0;
  Vec3 place = Vec3::Zero();      // m, in the coordinates of the body
  std::optional<double> release;  // s
};

/// Particles that press on bodies within a step. Each gets its share of the body, an equal part of its mass
/// and inertia that nothing but the particle moves, and that share takes part in the solve as a brake: a body
/// of any mass may hang on cloth of any stiffness. What the shares got is the body's in the end, so momentum
/// is kept. (R. Tonge, F. Benevolenski and A. Voroshilov, Mass splitting for jitter-free parallel rigid body
/// simulation, 2012.)
class BodyCoupling {
 public:
  explicit BodyCoupling(std::vector<BodyLink> links);

  /// How bodies move in the steps that follow, as foreseen.
  void set_motions(std::span<const BodyMotion> motions) { motions_.assign(motions.begin(), motions.end()); }
  const BodyMotion& motion(int body) const { return motions_[static_cast<size_t>(body)]; }
  bool is_linked(int particle, int body) const;

  /// Before each solve: how many particles of each body will be held besides those that links hold.
  void begin_solve(std::span<const int> held_by_body, const State& state, double dt,
                   std::vector<Brake>& brakes);
  /// Lets the particle go with the body's share at a velocity `target` (m/s) of the body: along a unit
  /// normal, or in all directions. `place` of contact in m.
  void hold_along(int particle, int body, const Vec3& place, const Vec3& normal, const Vec3& target,
                  std::vector<Brake>& brakes);
  void hold(int particle, int body, const Vec3& place, const Vec3& target, std::vector<Brake>& brakes);
  /// The last brakes, from `first` on, are friction with the body.
  void note_friction(int body, const Vec3& place, size_t first, const std::vector<Brake>& brakes);
  /// A force (N) on the particle that the body gives.
  void note_load(int body, const Vec3& place, const Vec3& force);
  /// kg, of the share along a normal.
  double share_along(int body, const Vec3& place, const Vec3& normal) const;

  /// After a solve that led from `begin` to `end` (m): adds the forces of holds to `reaction` (N) and notes
  /// what the bodies got. The work of the brakes on the particles, J.
  double take_forces(std::span<const Brake> brakes, std::span<const Vec3> begin, std::span<const Vec3> end,
                     double dt, std::span<Vec3> reaction);
  /// Besides: an impulse (N s) that a particle got from the body.
  void note_impulse(int body, const Vec3& place, const Vec3& on_particle);
  /// Of a point of the body with what it got so far, m/s.
  Vec3 velocity(int body, const Vec3& place) const;
  /// By body.
  std::span<const BodyImpulse> impulses() const { return impulses_; }

 private:
  struct Given {
    size_t brake = 0;
    int body = 0;
    Vec3 place = Vec3::Zero();
    bool holds = true;
  };
  struct Load {
    int body = 0;
    Vec3 place = Vec3::Zero();
    Vec3 force = Vec3::Zero();
  };
  Mat3 compliance(int body, const Vec3& place) const;  // 1/kg

  std::vector<BodyLink> links_;  // ascending by particle and body
  std::vector<BodyMotion> motions_;
  std::vector<int> counts_;  // of particles that are held, by body
  double dt_ = 0;
  std::vector<Given> given_;
  std::vector<Load> loads_;
  std::vector<BodyImpulse> impulses_;
};

}  // namespace heddle
