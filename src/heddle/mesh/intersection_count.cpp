#include <heddle/core/check.h>
#include <heddle/geometry/triangles_intersect.h>
#include <heddle/mesh/intersection_count.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {

struct Bounds {
  Vec3 low, high;
};

bool overlap(const Bounds& a, const Bounds& b) {
  return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
}

class Counter {
 public:
  Counter(std::span<const Vec3> positions, std::span<const Triangle> triangles,
          const IntersectionOptions& options)
      : positions_(positions), triangles_(triangles), options_(options) {}

  Intersections count();

 private:
  using Pairs = std::vector<std::array<int, 2>>;

  void sort_boxes();
  void find_pairs(size_t i, Pairs& found) const;
  bool intersect(int s, int t) const;
  TrianglePoints corners(const Triangle& triangle) const;

  std::span<const Vec3> positions_;
  std::span<const Triangle> triangles_;
  IntersectionOptions options_;
  int axis_ = 0;               // along which boxes are sorted
  std::vector<int> order_;     // triangles by the lower ends of their boxes
  std::vector<Bounds> boxes_;  // in this order
};

/// The axis along which the triangles are spread most.
int sweep_axis(const std::vector<Bounds>& boxes) {
  Vec3 sum = Vec3::Zero(), sum2 = Vec3::Zero();
  const Vec3 origin = boxes.front().low;
  for (const Bounds& box : boxes) {
    const Vec3 x = box.low - origin;
    sum += x;
    sum2 += x.cwiseAbs2();
  }
  int axis = 0;
  (sum2 - sum.cwiseAbs2() / static_cast<double>(boxes.size())).maxCoeff(&axis);
  return axis;
}

TrianglePoints Counter::corners(const Triangle& triangle) const {
  const auto at = [&](size_t k) { return positions_[static_cast<size_t>(triangle[k])]; };
  return {at(0), at(1), at(2)};
}

void Counter::sort_boxes() {
  std::vector<Bounds> boxes(triangles_.size());
  for (size_t i = 0; i < boxes.size(); ++i) {
    const auto [a, b, c] = corners(triangles_[i]);
    HEDDLE_CHECK((a + b + c).allFinite());
    boxes[i] = {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
  }
  axis_ = sweep_axis(boxes);
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  const auto low = [&](int i) { return boxes[static_cast<size_t>(i)].low[axis_]; };
  std::sort(order_.begin(), order_.end(),
            [&](int i, int j) { return low(i) != low(j) ? low(i) < low(j) : i < j; });
  boxes_.reserve(boxes.size());
  for (const int i : order_) boxes_.push_back(boxes[static_cast<size_t>(i)]);
}

bool Counter::intersect(int s, int t) const {
  Triangle a = triangles_[static_cast<size_t>(s)], b = triangles_[static_cast<size_t>(t)];
  size_t shared = 0;  // these vertices are moved to the front of both
  for (size_t i = 0; i < 3; ++i) {
    const auto same = std::find(b.begin() + static_cast<std::ptrdiff_t>(shared), b.end(), a[i]);
    if (same == b.end()) continue;
    std::swap(*same, b[shared]);
    std::swap(a[i], a[shared]);
    ++shared;
  }
  switch (shared) {
    case 0:
      return triangles_intersect(corners(a), corners(b));
    case 1:
      return triangles_intersect_beyond_vertex(corners(a), corners(b));
    case 2:
      return triangles_intersect_beyond_edge(corners(a), corners(b));
    default:
      return true;
  }
}

/// All pairs of the i-th box with later ones.
void Counter::find_pairs(size_t i, Pairs& found) const {
  const Bounds& box = boxes_[i];
  const int s = order_[i];
  const double end = box.high[axis_];
  for (size_t j = i + 1; j < boxes_.size() && boxes_[j].low[axis_] <= end; ++j) {
    if (!overlap(box, boxes_[j])) continue;
    const int t = order_[j];
    if (std::min(s, t) >= options_.first_obstacle_triangle) continue;
    if (!options_.between_cloths && std::max(s, t) < options_.first_obstacle_triangle) continue;
    if (intersect(s, t)) found.push_back({std::min(s, t), std::max(s, t)});
  }
}

Intersections Counter::count() {
  if (triangles_.empty()) return {};
  sort_boxes();
  const int items = static_cast<int>(boxes_.size());
  constexpr int kChunk = 256;
  std::vector<Pairs> parts(static_cast<size_t>(chunk_count(items, kChunk)));
  for_chunks(
      items,
      [&](int begin, int end, int chunk) {
        for (int i = begin; i < end; ++i)
          find_pairs(static_cast<size_t>(i), parts[static_cast<size_t>(chunk)]);
      },
      kChunk);
  Intersections result;
  for (const Pairs& part : parts) result.pairs.insert(result.pairs.end(), part.begin(), part.end());
  std::sort(result.pairs.begin(), result.pairs.end());
  result.count = static_cast<std::int64_t>(result.pairs.size());
  result.pairs.resize(std::min(result.pairs.size(), static_cast<size_t>(std::max(options_.max_pairs, 0))));
  return result;
}

}  // namespace

Intersections count_intersections(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                  const IntersectionOptions& options) {
  return Counter(positions, triangles, options).count();
}

}  // namespace heddle
