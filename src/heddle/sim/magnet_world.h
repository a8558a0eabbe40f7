#pragma once

#include <heddle/io/snapshot.h>
#include <heddle/magnetics/magnet_system.h>
#include <heddle/scene/scene_description.h>
#include <heddle/sim/model.h>
#include <heddle/sim/riding_magnets.h>

#include <memory>
#include <span>

namespace heddle {

using Riders = std::vector<std::unique_ptr<RidingMagnets>>;

/// The magnets and coils of a scene and what they belong to.
class MagnetWorld {
 public:
  /// A body or an obstacle.
  struct Owner {
    int body = -1;  // or
    int obstacle = -1;
  };
  /// As many owners as magnets, motions and currents as coils; riders have magnets of their own.
  struct Parts {
    std::vector<Magnet> magnets;
    std::vector<Owner> owners;
    std::vector<Coil> coils;
    std::vector<Motion> coil_motions;
    std::vector<Animated<double>> currents;
    Riders riders;
  };
  explicit MagnetWorld(Parts parts);

  /// Puts all where they are in a state, magnetises them, and finds what they do to each other.
  void update(const Model& model, const State& state);
  // Of the last update.
  /// On the bodies, about their centres of mass.
  std::span<const BodyImpulse> body_loads() const { return body_loads_; }
  bool moves_particles() const { return !riders_.empty(); }
  /// On the particles, N (of turning ones N m); empty if none is magnetic. Always the same list.
  std::shared_ptr<const std::vector<Vec3>> particle_forces() const { return particle_forces_; }
  /// As frames show them.
  void draw(const Model& model, Snapshot& snapshot) const;

 private:
  std::vector<RigidTransform> poses_of(const Model& model, const State& state) const;
  void push_bodies(std::span<const RigidTransform> poses, const State& state);
  void push_particles(const State& state);
  void draw_riders(Snapshot& snapshot) const;

  Riders riders_;
  MagnetSystem system_;
  std::vector<Owner> owners_;
  std::vector<std::vector<Vec3>> wires_;  // m, of the coils, in their own coordinates
  std::vector<Motion> coil_motions_;
  std::vector<Animated<double>> currents_;
  std::vector<RigidTransform> coil_poses_;
  std::vector<double> present_currents_;  // A
  std::vector<BodyImpulse> body_loads_;
  std::shared_ptr<std::vector<Vec3>> particle_forces_;
};

/// Null if nothing is magnetic. All parts of the model are complete.
std::unique_ptr<MagnetWorld> make_magnet_world(const SceneDescription& scene, const Model& model,
                                               const State& state, Riders riders, Diagnostics& diagnostics);

}  // namespace heddle
