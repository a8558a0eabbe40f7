#pragma once

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/collision/broad/vertex_bounds.h>

#include <array>

namespace heddle {

/// A grid of cubes, of which only the occupied ones are kept, in a table (Eurographics 2002 tutorial, 3.4).
/// Boxes of triangles that meet are tested in the one cube that holds the lower corner of their common part.
class SpatialHash final : public BroadPhase {
 public:
  explicit SpatialHash(const CollisionSurface& surface) : surface_(surface) {}

  using BroadPhase::update;
  void update(std::span<const Vec3> begin, std::span<const Vec3> end, std::span<const double> radii) override;
  void find(CandidatePairs& out) override;
  const BroadPhaseReport& report() const override { return report_; }

 private:
  using Cell = std::array<int, 3>;
  struct Entry {
    Cell cell;
    int triangle;
  };

  Cell cell_of(const std::array<float, 3>& corner) const;
  Cell lowest_cell(const KDop<6>& box) const;
  Cell highest_cell(const KDop<6>& box) const;
  void choose_cell_size();
  std::int64_t count_cells() const;
  void fill_table();
  void search_bucket(size_t bucket, CandidatePairs& out, BroadPhaseReport& counts) const;

  const CollisionSurface& surface_;
  VertexBounds<6> vertex_bounds_;
  std::vector<KDop<6>> bounds_;  // by triangle
  double cell_size_ = 1.0;       // m
  std::vector<Entry> entries_;   // by bucket, then by triangle
  std::vector<int> starts_, cursors_;
  std::vector<CandidatePairs> found_;  // by chunk of buckets
  std::vector<BroadPhaseReport> counts_;
  BroadPhaseReport report_;
};

}  // namespace heddle
