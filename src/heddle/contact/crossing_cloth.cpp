#include <heddle/contact/crossing_cloth.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// What comes nearer than this share of the thickness, or than this share of the distance that it had, runs
/// into the obstacle.
constexpr double kEntered = 0.01, kLeft = 0.5;

}  // namespace

void CrossingCloth::begin_step(const HeldParticles& held) {
  const size_t n = at(pairs_->vertex_count());
  held_.assign(n, 0);
  inside_.assign(n, 0);
  for (const int i : held.moved) held_[at(i)] = 1;
  for (const int i : held.inside) inside_[at(i)] = 1;
  is_any_held_ = !held.moved.empty();
  is_any_inside_ = !held.inside.empty();
  passes_.clear();
  entering_ = -1;
}

bool CrossingCloth::admit(const std::array<int, 2>& triangles) {
  const CollisionSurface& surface = pairs_->surface();
  const Triangle& cloth = surface.triangles[at(triangles[0])];
  const size_t known = passes_.size();
  for (const int i : cloth)
    if (is_held(i)) passes_.push_back({i, surface.triangle_body[at(triangles[1])]});
  const bool has_held = passes_.size() > known;
  if (has_held) sort_passes();
  return has_held || std::any_of(cloth.begin(), cloth.end(), [&](int i) { return is_inside(i); });
}

int CrossingCloth::obstacle_of(const PrimitivePair& pair) const {
  const auto& bodies = pairs_->surface().bodies;
  for (const int i : pair.vertices) {
    if (!pairs_->is_told(i)) continue;
    const auto after = std::upper_bound(
        bodies.begin(), bodies.end(), i,
        [](int vertex, const CollisionBodyRange& body) { return vertex < body.first_vertex; });
    return static_cast<int>(after - bodies.begin()) - 1;
  }
  return -1;
}

bool CrossingCloth::is_told(const PrimitivePair& pair) const {
  return std::all_of(pair.vertices.begin(), pair.vertices.end(),
                     [&](int i) { return pairs_->is_told(i) || is_held(i); });
}

CrossingCloth::Way CrossingCloth::way_of(const PrimitivePair& pair, std::span<const Vec3> begin,
                                         std::span<const Vec3> end) const {
  const PairPoints x0 = pair.points(begin), x1 = pair.points(end);
  const double entered = kEntered * pairs_->thickness(pair), start = proximity(pair, x0).distance;
  if (start > 0 && first_meeting(pair, x0, x1, std::min(entered, kLeft * start))) return Way::into;
  return start < entered ? Way::along : Way::apart;
}

void CrossingCloth::look(std::span<const Vec3> begin, std::span<const Vec3> end) {
  entering_ = -1;
  if (!is_any_held_) return;
  meeting_.clear();
  pairs_->collect(
      [&](const PrimitivePair& pair, std::vector<Meeting>& out) {
        if (!is_told(pair)) return;
        const int body = obstacle_of(pair);
        if (body < 0) return;
        const Way way = way_of(pair, begin, end);
        if (way == Way::apart) return;
        for (const int i : pair.vertices)
          if (is_held(i)) out.push_back({{i, body}, way});
      },
      found_, meeting_);
  for (const auto& [pass, way] : meeting_) {
    passes_.push_back(pass);
    if (way == Way::into && entering_ < 0) entering_ = pass.vertex;
  }
  sort_passes();
}

void CrossingCloth::sort_passes() {
  std::sort(passes_.begin(), passes_.end());
  passes_.erase(std::unique(passes_.begin(), passes_.end()), passes_.end());
}

bool CrossingCloth::may_cross(const PrimitivePair& pair) const {
  if (!is_any_held_ && !is_any_inside_) return false;
  const auto any = [&](const auto& is) {
    return std::any_of(pair.vertices.begin(), pair.vertices.end(), is);
  };
  const bool has_held = any([&](int i) { return is_held(i); });
  const bool has_inside = any([&](int i) { return is_inside(i); });
  if (!has_held && !has_inside) return false;
  const int body = obstacle_of(pair);
  if (body < 0) return false;
  return has_inside || is_told(pair) || any([&](int i) {
           return is_held(i) && std::binary_search(passes_.begin(), passes_.end(), Pass{i, body});
         });
}

}  // namespace heddle
