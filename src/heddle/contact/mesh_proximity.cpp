#include <heddle/contact/mesh_proximity.h>

#include <heddle/geometry/proximity.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::array<Vec3, 3> corners(const Triangle& t, const std::vector<Vec3>& x) {
  return {x[at(t[0])], x[at(t[1])], x[at(t[2])]};
}

}  // namespace

MeshProximity::Key MeshProximity::cell_of(const Vec3& x, int level) const {
  const double size = std::ldexp(cell_, level);
  const auto cell = [&](int axis) { return static_cast<int>(std::floor(x[axis] / size)); };
  return {level, cell(0), cell(1), cell(2)};
}

int MeshProximity::level_of(double extent) const {
  constexpr double kWidest = 4;  // cells along a triangle
  int level = 0;
  while (extent + 2 * reach_ > kWidest * std::ldexp(cell_, level)) ++level;
  return level;
}

void MeshProximity::sort_into_cells() {
  const auto extent = [&](const Triangle& t) {
    const auto [a, b, c] = corners(t, begin_);
    return std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
  };
  double sum = 0;
  for (const Triangle& t : surface_->triangles) sum += extent(t);
  cell_ = 2 * reach_ + sum / static_cast<double>(std::max<size_t>(1, surface_->triangles.size()));
  cells_.clear();
  for (int t = 0; t < static_cast<int>(surface_->triangles.size()); ++t) {
    const Triangle& triangle = surface_->triangles[at(t)];
    const auto [a, b, c] = corners(triangle, begin_);
    const int level = level_of(extent(triangle));
    const Key low = cell_of(a.cwiseMin(b).cwiseMin(c) - Vec3::Constant(reach_), level),
              high = cell_of(a.cwiseMax(b).cwiseMax(c) + Vec3::Constant(reach_), level);
    for (int i = low[1]; i <= high[1]; ++i)
      for (int j = low[2]; j <= high[2]; ++j)
        for (int k = low[3]; k <= high[3]; ++k) cells_.push_back({{level, i, j, k}, t});
  }
  std::sort(cells_.begin(), cells_.end());
  levels_.clear();
  for (const auto& [key, triangle] : cells_)
    if (levels_.empty() || levels_.back() != key[0]) levels_.push_back(key[0]);
}

void MeshProximity::update(double begin, double end) {
  dt_ = end - begin;
  std::vector<Vec3> places = surface_->positions(begin);
  if (places != begin_ || cells_.empty()) {  // what stands still is sorted once
    begin_ = std::move(places);
    sort_into_cells();
  }
  end_ = surface_->positions(end);
}

void MeshProximity::look_in(const Key& key, const Vec3& x, Proximity& best, int& triangle) const {
  auto entry = std::lower_bound(cells_.begin(), cells_.end(), std::pair<Key, int>{key, 0});
  for (; entry != cells_.end() && entry->first == key; ++entry) {
    const auto [a, b, c] = corners(surface_->triangles[at(entry->second)], begin_);
    const Proximity found = vertex_triangle_proximity({x, a, b, c});
    if (!(found.distance < best.distance)) continue;
    best = found;
    triangle = entry->second;
  }
}

std::optional<MeshProximity::Near> MeshProximity::nearest(const Vec3& x) const {
  Proximity best;
  best.distance = reach_;
  int triangle = -1;
  for (const int level : levels_) look_in(cell_of(x, level), x, best, triangle);
  if (triangle < 0) return std::nullopt;
  const auto before = corners(surface_->triangles[at(triangle)], begin_),
             after = corners(surface_->triangles[at(triangle)], end_);
  Near near{best.distance, best.normal, Vec3::Zero()};
  bool inside = true;
  for (size_t k = 0; k < 3; ++k) {
    near.velocity -= best.weights[k + 1] / dt_ * (after[k] - before[k]);
    inside &= best.weights[k + 1] < 0;
  }
  // Over a face the normal turns with it; over an edge or a corner it is the direction to the point.
  const Vec3 turned = (after[1] - after[0]).cross(after[2] - after[0]);
  if (inside && turned.norm() > 0)
    near.normal = std::copysign(1.0, best.normal.dot((before[1] - before[0]).cross(before[2] - before[0]))) *
                  turned.normalized();
  return near;
}

}  // namespace heddle
