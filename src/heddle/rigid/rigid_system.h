#pragma once

#include <heddle/dynamics/state.h>
#include <heddle/rigid/impulse_sweep.h>
#include <heddle/rigid/joint.h>

#include <memory>

namespace heddle {

/// The poses of what moves as told, in a step.
struct ToldPose {
  RigidTransform begin, end;
};

/// Rigid bodies that fall, turn, collide and are joined. A step is begin(), as if nothing else were there,
/// and finish(), with what particles gave to the bodies meanwhile.
class RigidSystem {
 public:
  RigidSystem(std::vector<RigidBody> bodies, std::vector<RigidObstacle> obstacles,
              std::vector<RigidJoint> joints, const Vec3& gravity);

  std::span<const RigidBody> bodies() const { return bodies_; }
  std::span<const RigidJoint> joints() const { return joints_; }
  int body_count() const { return static_cast<int>(bodies_.size()); }

  /// Finds how bodies move from `begin` on under `loads` (N and N m about the centres of mass; empty: none).
  void begin(const State& begin, double dt, std::span<const BodyImpulse> loads,
             std::span<const ToldPose> obstacles);
  /// After begin(): what particles see.
  std::span<const BodyMotion> motions() const { return motions_; }
  /// Takes up what particles gave, or nothing if it is empty, and writes the bodies of `state`.
  void finish(std::span<const BodyImpulse> impulses, State& state);
  /// Poses at the end if finish() were called with these impulses, without solving contacts again.
  void foresee(std::span<const BodyImpulse> impulses);

  /// How far the fastest body goes in the step begun, in its own inner sizes; those that are alone do not
  /// count.
  double longest_way() const;

  double kinetic_energy(const State& state) const;    // J
  double potential_energy(const State& state) const;  // J, of weight
  /// Of the body's own coordinates.
  RigidTransform pose(const BodyState& body, int number) const {
    return {body.rotation, body.x - body.rotation * bodies_[static_cast<size_t>(number)].centre};
  }
  Vec3 angular_velocity(const BodyState& body, int number) const;  // rad/s
  /// The angular momentum of a body that turns like this (rad/s), kg m2/s.
  Vec3 angular_momentum(const Vec3& angular_velocity, const Quat& rotation, int number) const;

 private:
  BodyInertia inertia_of(const BodyState& body, int number) const;
  void find_free_velocities(std::span<const BodyImpulse> loads);
  void make_contact_rows(std::span<const ToldPose> obstacles);
  ContactRow contact_row(const SolidContact& contact, std::span<const ToldPose> obstacles) const;
  void warm_contacts();
  void make_joint_rows(std::span<const ToldPose> obstacles);
  JointSide side_of(int number, const RigidTransform& in_own, std::span<const ToldPose> obstacles) const;
  void solve(std::span<const BodyImpulse> impulses);
  BodyState moved(int number) const;
  void remember(State& state) const;

  std::vector<RigidBody> bodies_;
  std::vector<SolidTouch> obstacle_touches_;
  std::vector<RigidJoint> joints_;
  Vec3 gravity_;
  std::unique_ptr<BodyCollider> collider_;

  // Of the step begun.
  State begin_;  // bodies only
  double dt_ = 0;
  std::vector<BodyInertia> inertias_;
  std::vector<BodyVelocity> start_, free_, end_, pushes_;
  std::vector<char> is_free_flight_;
  std::vector<RigidTransform> poses_;
  std::vector<SolidContact> contacts_;
  std::vector<ContactRow> contact_rows_;
  std::vector<JointRow> joint_rows_;
  std::vector<BodyMotion> motions_;
};

}  // namespace heddle
