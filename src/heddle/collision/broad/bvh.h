#pragma once

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/collision/broad/bvh_tree.h>
#include <heddle/collision/broad/contours.h>
#include <heddle/collision/broad/traversal.h>
#include <heddle/collision/broad/vertex_bounds.h>
#include <heddle/geometry/kdop.h>
#include <heddle/geometry/normal_cone.h>

namespace heddle {

/// A tree of k-DOPs (Thomaszewski 2010, 2.4.1): its structure stays, its volumes follow the motion.
template <int K>
class Bvh final : public BroadPhase {
 public:
  Bvh(const CollisionSurface& surface, std::span<const Vec3> reference, const BroadPhaseOptions& options);

  using BroadPhase::update;
  void update(std::span<const Vec3> begin, std::span<const Vec3> end, std::span<const double> radii) override;
  void find(CandidatePairs& out) override;
  const BroadPhaseReport& report() const override { return report_; }

  // For Traversal.
  void visit(VolumeTest test, TestTask& task) const;
  int children(VolumeTest test, std::array<VolumeTest, 3>& out) const;

 private:
  void build(std::span<const Vec3> reference);
  void refit();
  void refit_node(int node);
  NormalCone triangle_cone(int triangle) const;
  std::span<const Vec3> end() const { return end_.empty() ? begin_ : end_; }
  double surface_measure() const;
  bool is_flat(int node, TestTask& task) const;
  bool is_flat_together(VolumeTest& test, TestTask& task) const;
  double patch_distance(int node) const;

  const CollisionSurface& surface_;
  BroadPhaseOptions options_;
  BvhTree tree_;
  Contours contours_;
  VertexBounds<K> vertex_bounds_;
  std::vector<KDop<K>> bounds_;         // by node
  std::vector<NormalCone> cones_;       // by node
  std::vector<Vec3> begin_, end_;       // m; end_ is empty if nothing moves
  std::vector<double> body_distances_;  // m, twice the largest radius of each body
  Traversal<Bvh> traversal_{*this};
  BroadPhaseReport report_;
  double built_size_ = 0.0;  // m^2, surface_measure() after the last build
};

extern template class Bvh<6>;
extern template class Bvh<8>;
extern template class Bvh<14>;
extern template class Bvh<18>;

}  // namespace heddle
