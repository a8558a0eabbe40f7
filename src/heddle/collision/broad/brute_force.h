#pragma once

#include <heddle/collision/broad/broad_phase.h>

namespace heddle {

/// All pairs of primitives whose boxes, in double precision, meet. Slow and simple: what the others are
/// tested against.
class BruteForce final : public BroadPhase {
 public:
  explicit BruteForce(const CollisionSurface& surface) : surface_(surface) {}

  using BroadPhase::update;
  void update(std::span<const Vec3> begin, std::span<const Vec3> end, std::span<const double> radii) override;
  void find(CandidatePairs& out) override;
  const BroadPhaseReport& report() const override { return report_; }

 private:
  using Box = Eigen::AlignedBox3d;
  bool may_meet(int vertex_a, int vertex_b) const;

  const CollisionSurface& surface_;
  std::vector<Box> vertices_, edges_, triangles_;
  std::vector<char> used_, kinematic_;  // by vertex
  BroadPhaseReport report_;
};

}  // namespace heddle
