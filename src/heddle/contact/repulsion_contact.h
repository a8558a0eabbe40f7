#pragma once

#include <heddle/contact/surface_contact.h>
#include <heddle/core/describe.h>

#include <array>
#include <memory>
#include <vector>

namespace heddle {

/// Scene parameters of contact by repulsion of particles.
struct RepulsionContact {
  double distance = 0.75;  // 1, of the mean edge length
  double stiffness = 10;   // N/m
  double damping = 1e-3;   // N s/m

  static void describe(Describer<RepulsionContact>& d);
};

/// Particles of cloth that come nearer than a share of the mesh size repel each other by stiff damped springs
/// (Boxerman 2003, 3.4.2). Layers float at that distance, and what is faster or stronger than the springs
/// passes through.
class ContactByRepulsion : public SurfaceContact {
 public:
  /// `reference`: the rest shape, m; particles that are near there do not repel each other.
  ContactByRepulsion(const RepulsionContact& parameters, CollisionSurface surface,
                     std::span<const Vec3> reference);

  const CollisionSurface& surface() const override { return surface_; }
  SurfaceContactScope scope() const override { return {.self = true, .obstacles = false}; }
  void begin_step(std::span<const Vec3> begin, bool may_intersect, const HeldParticles& held) override;
  bool predict(std::span<const Vec3> begin, std::span<const Vec3> end, double dt) override;
  std::span<PairSpring> springs() override { return springs_; }
  SurfaceContactReport resolve(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                               std::span<PlaneContact> planes) override;
  const SurfaceContactReport& report() const override { return report_; }

 private:
  using Voxel = std::array<int, 3>;
  Voxel voxel_of(const Vec3& x) const;
  /// Particles by the voxels that they are in.
  void sort_into_voxels(std::span<const Vec3> x);
  /// Particles after `i` that are nearer to it than the distance and were not at rest.
  void find_near(std::span<const Vec3> x, int i, std::vector<std::array<int, 2>>& pairs) const;
  void add_springs(std::span<const Vec3> x, const std::array<int, 2>& pair, double dt);

  RepulsionContact parameters_;
  CollisionSurface surface_;
  std::vector<Vec3> reference_;
  double distance_ = 0;  // m
  SurfaceContactReport report_;
  std::vector<std::pair<Voxel, int>> occupied_;         // voxel and particle, ascending
  std::vector<std::vector<std::array<int, 2>>> found_;  // by chunk of particles
  std::vector<PairSpring> springs_;
};

}  // namespace heddle
