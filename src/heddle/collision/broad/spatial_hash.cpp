#include <heddle/collision/broad/primitive_pairs.h>
#include <heddle/collision/broad/spatial_hash.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace heddle {

namespace {

constexpr int kBucketChunk = 512;
constexpr std::int64_t kCellsPerTriangle = 12;  // more on average, and the cells are made larger
constexpr double kLargestCell = 1e9;            // cells along one direction must be countable

size_t at(int i) {
  return static_cast<size_t>(i);
}

size_t bucket_of(const std::array<int, 3>& cell, size_t buckets) {
  std::uint64_t h = 0;
  for (const int i : cell) h = (h ^ static_cast<std::uint32_t>(i)) * 0x9e3779b97f4a7c15ULL;
  return static_cast<size_t>(h >> 32) & (buckets - 1);
}

template <class Visit>
void for_cells(const std::array<int, 3>& low, const std::array<int, 3>& high, const Visit& visit) {
  for (int x = low[0]; x <= high[0]; ++x)
    for (int y = low[1]; y <= high[1]; ++y)
      for (int z = low[2]; z <= high[2]; ++z) visit(std::array<int, 3>{x, y, z});
}

}  // namespace

SpatialHash::Cell SpatialHash::cell_of(const std::array<float, 3>& corner) const {
  Cell cell;
  for (size_t i = 0; i < 3; ++i) cell[i] = static_cast<int>(std::floor(corner[i] / cell_size_));
  return cell;
}

SpatialHash::Cell SpatialHash::lowest_cell(const KDop<6>& box) const {
  return cell_of({box.low(0), box.low(1), box.low(2)});
}

SpatialHash::Cell SpatialHash::highest_cell(const KDop<6>& box) const {
  return cell_of({box.high(0), box.high(1), box.high(2)});
}

std::int64_t SpatialHash::count_cells() const {
  std::int64_t count = 0;
  for (const KDop<6>& box : bounds_) {
    const Cell low = lowest_cell(box), high = highest_cell(box);
    std::int64_t cells = 1;
    for (size_t i = 0; i < 3; ++i) cells *= std::int64_t{high[i]} - low[i] + 1;
    count += cells;
    if (count > std::int64_t{1} << 40) break;
  }
  return count;
}

/// The mean size of the boxes, doubled until no triangle mix makes the table long.
void SpatialHash::choose_cell_size() {
  double sum = 0.0, farthest = 0.0;
  for (const KDop<6>& box : bounds_) {
    sum += extent(box) / 3.0;
    for (size_t i = 0; i < 3; ++i)
      farthest = std::max({farthest, double{std::abs(box.low(i))}, double{std::abs(box.high(i))}});
  }
  cell_size_ = std::max({1.5 * sum / static_cast<double>(bounds_.size()), farthest / kLargestCell, 1e-30});
  while (count_cells() > kCellsPerTriangle * static_cast<std::int64_t>(bounds_.size())) cell_size_ *= 2.0;
}

void SpatialHash::update(std::span<const Vec3> begin, std::span<const Vec3> end,
                         std::span<const double> radii) {
  vertex_bounds_.update(begin, end, radii);
  bounds_.resize(at(surface_.leaf_count()));
  parallel_for(surface_.leaf_count(),
               [&](int t) { bounds_[at(t)] = vertex_bounds_.of_triangle(surface_.corners(t)); });
  if (bounds_.empty()) return;
  choose_cell_size();
  fill_table();
}

/// Counting sort of (cell, triangle) by bucket.
void SpatialHash::fill_table() {
  const size_t buckets = std::bit_ceil(2 * bounds_.size());
  starts_.assign(buckets + 1, 0);
  const auto for_entries = [&](const auto& visit) {
    for (int t = 0; t < surface_.leaf_count(); ++t)
      for_cells(lowest_cell(bounds_[at(t)]), highest_cell(bounds_[at(t)]), [&](const Cell& cell) {
        visit(bucket_of(cell, buckets), Entry{cell, t});
      });
  };
  for_entries([&](size_t bucket, const Entry&) { ++starts_[bucket + 1]; });
  for (size_t i = 0; i < buckets; ++i) starts_[i + 1] += starts_[i];
  cursors_.assign(starts_.begin(), starts_.end() - 1);
  entries_.resize(at(starts_.back()));
  for_entries([&](size_t bucket, const Entry& entry) { entries_[at(cursors_[bucket]++)] = entry; });
}

void SpatialHash::search_bucket(size_t bucket, CandidatePairs& out, BroadPhaseReport& counts) const {
  for (int i = starts_[bucket]; i < starts_[bucket + 1]; ++i)
    for (int j = i + 1; j < starts_[bucket + 1]; ++j) {
      const Entry &a = entries_[at(i)], &b = entries_[at(j)];
      if (a.cell != b.cell || !surface_.may_meet(a.triangle, b.triangle)) continue;
      const KDop<6>&box_a = bounds_[at(a.triangle)], &box_b = bounds_[at(b.triangle)];
      ++counts.volume_tests;
      if (!overlap(box_a, box_b)) continue;
      const std::array<float, 3> corner{std::max(box_a.low(0), box_b.low(0)),
                                        std::max(box_a.low(1), box_b.low(1)),
                                        std::max(box_a.low(2), box_b.low(2))};
      if (cell_of(corner) != a.cell) continue;
      ++counts.triangle_pairs;
      add_primitive_pairs(surface_, vertex_bounds_, a.triangle, b.triangle, box_a, box_b, out);
    }
}

void SpatialHash::find(CandidatePairs& out) {
  out.clear();
  if (bounds_.empty()) return;
  const int buckets = static_cast<int>(starts_.size()) - 1, chunks = chunk_count(buckets, kBucketChunk);
  found_.resize(at(chunks));
  counts_.assign(at(chunks), {});
  for_chunks(
      buckets,
      [&](int begin, int end, int chunk) {
        found_[at(chunk)].clear();
        for (int bucket = begin; bucket < end; ++bucket)
          search_bucket(at(bucket), found_[at(chunk)], counts_[at(chunk)]);
      },
      kBucketChunk);
  report_.volume_tests = report_.triangle_pairs = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const CandidatePairs& found = found_[at(chunk)];
    out.vertex_triangle.insert(out.vertex_triangle.end(), found.vertex_triangle.begin(),
                               found.vertex_triangle.end());
    out.edge_edge.insert(out.edge_edge.end(), found.edge_edge.begin(), found.edge_edge.end());
    report_.volume_tests += counts_[at(chunk)].volume_tests;
    report_.triangle_pairs += counts_[at(chunk)].triangle_pairs;
  }
}

}  // namespace heddle
