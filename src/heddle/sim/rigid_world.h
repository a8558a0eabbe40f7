#pragma once

#include <heddle/magnetics/magnet_system.h>
#include <heddle/rigid/rigid_system.h>
#include <heddle/scene/scene_description.h>
#include <heddle/sim/model.h>

#include <memory>

namespace heddle {

/// The rigid bodies of a scene with all that drives them.
class RigidWorld {
 public:
  struct MagneticBody {
    int body = -1;  // or
    int obstacle = -1;
  };
  /// Magnets and what they belong to, coils and how they move.
  struct Magnets {
    std::vector<Magnet> magnets;
    std::vector<MagneticBody> owners;
    std::vector<Coil> coils;
    std::vector<Motion> coil_motions;
    std::vector<Animated<double>> currents;
  };

  RigidWorld(RigidSystem system, std::vector<Motion> obstacles, Magnets magnets);

  /// Finds how bodies move from `begin` on, without what particles do to them.
  void begin(const State& begin, double dt);
  RigidSystem& system() { return system_; }
  const RigidSystem& system() const { return system_; }
  /// Of the last step begun; null if nothing is magnetic.
  const MagnetSystem* magnets() const { return magnets_.get(); }

 private:
  void find_magnetic_loads(const State& begin);

  RigidSystem system_;
  std::vector<Motion> obstacles_;
  std::unique_ptr<MagnetSystem> magnets_;
  std::vector<MagneticBody> owners_;
  std::vector<Motion> coil_motions_;
  std::vector<Animated<double>> currents_;
  std::vector<ToldPose> told_;
  std::vector<BodyImpulse> loads_;
};

/// Prepares the bodies of a scene, adds them to the model, and their states to `state`. Null if there are
/// none.
std::unique_ptr<RigidWorld> make_rigid_world(const SceneDescription& scene, Model& model, State& state,
                                             Diagnostics& diagnostics);

}  // namespace heddle
