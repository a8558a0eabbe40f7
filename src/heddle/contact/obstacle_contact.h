#pragma once

#include <heddle/contact/body_coupling.h>
#include <heddle/contact/friction.h>
#include <heddle/contact/mesh_proximity.h>
#include <heddle/contact/pair_contact.h>
#include <heddle/dynamics/brake.h>
#include <heddle/dynamics/state.h>
#include <heddle/dynamics/velocity_filter.h>
#include <heddle/geometry/shapes.h>
#include <heddle/geometry/signed_distance.h>
#include <heddle/math/animated.h>
#include <heddle/mesh/solid.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// A solid that moves as told and is not moved by anything, or a body.
struct Obstacle {
  std::string name;
  ShapeVariant shape;
  Motion motion;
  Roughness roughness;
  int body = -1;                            // its number, if it is one; the motion then does not count
  std::shared_ptr<const Solid> solid = {};  // instead of the shape, if there is one
};

/// What a particle brings into a contact.
struct ContactSurface {
  double clearance = 0;  // m, distance of the particle from the solid when it touches
  Roughness roughness;
  bool is_in_space = true;  // false: it turns, and touches nothing
  double margin = 0;        // m, of the clearance, given up where obstacles leave no room for it
};

/// Contact of particles with obstacles. A touching particle cannot move into the obstacle: the solver gets
/// the normal velocity as a constraint, and the force it needed decides what follows: pulling contacts let
/// go; those that need more tangential force than Coulomb's cone allows begin to slide, with the friction
/// force opposing them; those that turn back are braked, and stick once they are slow. What the constraints
/// did not foresee is projected out after the step, so that no particle ends inside an obstacle. Particles
/// near a mesh touch it on the side where they are; that none passes through is the matter of contact of
/// surfaces.
class ObstacleContact {
 public:
  /// Meshes count as obstacles after the shapes.
  ObstacleContact(std::vector<Obstacle> obstacles, std::vector<ContactSurface> surfaces,
                  std::vector<double> mass, std::vector<MeshObstacle> meshes = {},
                  FrictionTable frictions = {}, std::vector<BodyLink> links = {});

  std::span<const Obstacle> obstacles() const { return obstacles_; }

  /// The velocity (m/s) of a particle that a hand moves, without what would lead it into an obstacle.
  Vec3 deflect(const State& state, double dt, int particle, Vec3 velocity);

  /// How bodies move in the steps that follow, as foreseen; before anything else in a step.
  void set_bodies(std::span<const BodyMotion> motions) { bodies_.set_motions(motions); }
  /// Takes the forces between particles and bodies from a solve, as BodyCoupling::take_forces.
  double take_body_forces(std::span<const Vec3> begin, std::span<const Vec3> end, double dt,
                          std::span<Vec3> reaction) {
    return bodies_.take_forces(brakes_, begin, end, dt, reaction);
  }
  /// Where bodies end now that it is known what particles give to them.
  void set_body_ends(std::span<const BodyMotion> motions);
  /// Adds what planes of bodies gave to particles.
  void take_body_impulses(std::span<const PlaneContact> planes, const State& state);
  /// What bodies got in this step so far.
  std::span<const BodyImpulse> body_impulses() const { return bodies_.impulses(); }

  /// Finds the particles that touch or will touch within the step; `acceleration` (m/s2) is what drives them.
  void detect(const State& state, double dt, const Vec3& acceleration);
  /// Adds the constraints, and the friction of sliding contacts to `load` (N per particle) or brakes(). What
  /// bodies hold gets brakes instead of constraints.
  void respond(const State& state, double dt, VelocityFilter& filter, std::span<Vec3> load);
  std::span<Brake> brakes() { return brakes_; }
  /// Whether all that touches some obstacle slides in one direction.
  bool glides() const;
  /// Leaves particles to something else that keeps them away, for this step; ascending.
  void leave(std::span<const int> particles);
  /// The same, but shapes still hold them.
  void leave_to_pass_meshes(std::span<const int> particles);
  /// Obstacles do not rub them, ascending, in this step.
  void smooth(std::span<const int> particles);
  /// Looks at what the solve made of the contacts. Particles that it led from `begin` into an obstacle touch
  /// it. Contacts that pull are let go. Where the sticking contacts with an obstacle would together need more
  /// friction than there is, those beyond their own limit begin to slide; a sheet must not hang on a few
  /// vertices. True if anything changed: the step should be solved again.
  bool revise(std::span<const Vec3> reaction, std::span<const Vec3> begin, std::span<const Vec3> end,
              double dt);
  /// Turns the constraint forces of the step into the contacts of the next one and removes what is left of
  /// penetration from positions and velocities; `begin` are the positions before the step. Returns the work
  /// that this did on the particles, J.
  double correct(std::span<const Vec3> reaction, std::span<const Vec3> begin, double dt, State& state);

  /// After correct(): the half-spaces outside the obstacles that particles near them must stay in, ordered by
  /// obstacle and particle.
  void find_planes(const State& state, double dt, std::vector<PlaneContact>& planes);
  /// Particles that something else moves, ascending; known after respond().
  std::span<const int> held() const { return pinned_; }
  /// One of them that the step leads from outside into an obstacle with a shape, or -1.
  int entering(std::span<const Vec3> begin, std::span<const Vec3> end) const;
  /// Particles that began the step inside an obstacle, ascending; known after detect().
  std::span<const int> inside() const { return inside_; }
  /// Particles between obstacles that leave them no room, ascending; known after detect(). They are let go
  /// until the obstacles part.
  std::span<const int> pinched() const { return pinched_; }
  /// Particles that an obstacle pressed on in the last step and that still touch it, ascending; known after
  /// detect().
  std::span<const int> resting() const { return resting_; }

 private:
  struct Poses {
    RigidTransform begin, end;
    double reach = 0;  // bounding radius
  };
  struct Touch {
    int particle = 0;
    int obstacle = 0;
    bool is_new = true;
    bool is_active = false;        // touches or is foreseen to
    bool leaves_together = false;  // out of the obstacle, with others
    bool sticking = false;
    double gap = 0;            // m, at the beginning of the step
    double closing_speed = 0;  // m/s, closes the gap within the step
    Friction friction;
    double normal_force = 0;               // N, from the last step
    Vec3 place = Vec3::Zero();             // m, of the particle at the beginning
    Vec3 normal = Vec3::UnitZ();           // out of the obstacle, at the end of the step
    Vec3 surface_velocity = Vec3::Zero();  // of the obstacle, m/s
    Vec3 slip = Vec3::Zero();              // unit direction, or zero if it is not known
    double slip_speed = 0;                 // m/s, at the beginning of the step
    bool is_let_go() const { return !is_new && normal_force == 0; }
    bool is_braked() const { return !is_new && !sticking && slip.isZero() && normal_force > 0; }
  };
  /// What the contacts with an obstacle need together so that those that stick do. On a flat support the
  /// stresses within a sheet cancel in the sum, and what is left has to come from friction. On a curved one
  /// they do not, and the sum says nothing.
  struct Support {
    Vec3 holding = Vec3::Zero();   // N, friction in this step
    Vec3 stopping = Vec3::Zero();  // N, what it would take besides to stop those that move
    double limit = 0;              // N
    Vec3 momentum = Vec3::Zero();  // kg m/s, along the obstacle, of those that move
    double mass = 0, energy = 0;   // of the same; kg, J
    Vec3 normals = Vec3::Zero();
    int count = 0, sticking = 0;
    bool is_flat() const { return normals.norm() > 0.999 * count; }
    bool slides() const { return is_flat() && holding.norm() > limit; }
    bool holds() const { return is_flat() && (holding + stopping).norm() <= limit; }
    /// As a whole: its parts differ by so little that they do not rub one by one.
    bool glides() const;
  };
  void find_supports(std::span<const Vec3> reaction, std::span<const Vec3> begin, std::span<const Vec3> end,
                     double dt);
  /// The force against which a contact slides or is braked at a velocity (m/s), N.
  static Vec3 rubbing(const Touch& touch, const Vec3& velocity);
  static double brake_strength(const Touch& touch);  // N s/m
  void add_brakes(const Touch& touch);
  int body_of(int obstacle) const {
    return obstacle < static_cast<int>(obstacles_.size()) ? obstacles_[static_cast<size_t>(obstacle)].body
                                                          : -1;
  }
  void hold_by_body(const Touch& touch, int body, std::span<Vec3> load);
  /// Takes from a particle and the body that they came out of each other what only that needed.
  void end_exit(const Touch& touch, State& state);
  /// Of a change of velocity, if a body shares in it; the rest is the body's.
  double share_of_particle(int particle, int obstacle, const Vec3& place, const Vec3& normal) const;
  SurfacePoint surface_point(int obstacle, const Vec3& local) const;
  bool is_deep(const Touch& touch) const;
  double clearance(int particle) const {
    const auto i = static_cast<size_t>(particle);
    return surfaces_[i].clearance - yield_[i];
  }
  /// Between obstacles that face each other particles come as near to both as their margins allow.
  void yield_between(std::span<Touch> of_one_particle, double dt);
  /// True if both contacts could only be kept at a speed that no cloth bears.
  static bool leave_no_room(const Touch& a, const Touch& b);
  void let_pinched_go();
  /// What is deep in an obstacle comes out of it on one side, upwards if it does not agree on another: each
  /// vertex on its own would leave the cloth in the obstacle where they part.
  void find_exits(const State& state, double dt, const Vec3& up);
  /// How far it is out of an obstacle in the direction of its exit, m.
  double way_out(const Vec3& x, int obstacle, const RigidTransform& pose) const;
  void find_poses(const State& state, double dt);
  bool probe(const State& state, int particle, int obstacle, double dt, Touch& touch) const;
  bool probe_mesh(const State& state, int particle, int obstacle, double dt, Touch& touch) const;
  bool probe_any(const State& state, int particle, int obstacle, double dt, Touch& touch) const;
  /// Takes over what the last step knew of a contact.
  static void recall(const ParticleContact& known, const State& state, Touch& touch);
  /// Whether a particle touches the obstacle now or soon; false if it is too far away to matter.
  bool foresee(const State& state, double dt, const Vec3& acceleration, Touch& touch) const;
  /// Fills active_ and near_.
  void find_touches(const State& state, double dt, const Vec3& acceleration);
  int obstacle_count() const { return static_cast<int>(obstacles_.size() + meshes_.size()); }
  /// How hard the obstacle pressed in this step, N, without what it took to come out of it.
  double pressing_force(const Touch& touch, const Vec3& reaction, double dt) const;
  /// Lets contacts go that pull, if they pull much: true, and the step should be solved again.
  bool release(std::span<const Vec3> reaction, double dt);
  /// Adds contacts that were not foreseen: true if there were any.
  bool add_missed(std::span<const Vec3> begin, std::span<const Vec3> end, double dt);
  ParticleContact resolve(const Touch& touch, const Vec3& reaction, double dt, State& state) const;
  ParticleContact resolve_with_body(const Touch& touch, const Vec3& reaction, double dt, State& state);
  void project(double dt, State& state);
  struct PushedOut {
    bool presses = false;
    ParticleContact contact;
    Vec3 impulse = Vec3::Zero();  // N s, on the particle
  };
  PushedOut push_out(int particle, int obstacle, double dt, State& state) const;
  std::optional<PlaneContact> plane_between(const State& state, int particle, int obstacle, double dt) const;
  /// Of shapes and meshes.
  Friction pair_friction(int particle, int obstacle) const;
  double kinetic_energy(const State& state);

  std::vector<Obstacle> obstacles_;
  std::vector<ContactSurface> surfaces_;
  std::vector<double> mass_;
  std::vector<MeshObstacle> meshes_;
  FrictionTable frictions_;
  std::vector<MeshProximity> mesh_proximity_;
  BodyCoupling bodies_;
  std::vector<int> held_by_body_;
  std::vector<Poses> poses_;
  std::vector<Touch> active_;
  std::vector<Touch> near_;  // that may come to touch
  std::vector<Brake> brakes_;
  std::vector<Support> supports_;          // by obstacle, of the last solve
  std::vector<ParticleContact> released_;  // recorded without force, so that they are not held again at once
  std::vector<std::vector<PlaneContact>> planes_;  // scratch of find_planes, by obstacle and chunk
  std::vector<double> partial_;
  std::vector<double> yield_;  // m, by particle, what its clearance lacks in this step
  std::vector<int> inside_, pinched_, leaving_, resting_;
  std::vector<Vec3> exits_;  // by obstacle, unit
  std::vector<int> pinned_;  // particles that something else moves, ascending
};

}  // namespace heddle
