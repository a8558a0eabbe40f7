#include <heddle/sim/rod_contact.h>

#include <algorithm>
#include <numbers>
#include <utility>

namespace heddle {

namespace {

/// Half a turn about a bend of no inner radius, with some room.
constexpr double kHalfTurn = 1.05 * std::numbers::pi;
/// How far overlaps at joints of nets reach along the rods, in radii.
constexpr double kJoint = 20;
/// Rods in contact press as hard as when stretched by this, before their margin is half used up.
constexpr double kStrain = 1e-3;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Way along the rods, m, from a segment to those around it that are nearer than a limit.
class WayAlong {
 public:
  explicit WayAlong(const RodPart& rod) : rod_(rod), segments_at_(at(rod.place.node_count)) {
    for (int s = 0; s < segment_count(); ++s)
      for (const int end : rod.place.segments[at(s)].ends) segments_at_[at(local(end))].push_back(s);
    way_.assign(rod.place.segments.size(), HUGE_VAL);
  }

  int segment_count() const { return static_cast<int>(rod_.place.segments.size()); }
  int local(int particle) const { return particle - rod_.place.first_particle; }

  /// Pairs of the way and the segment.
  const std::vector<std::pair<double, int>>& around(int segment, double limit) {
    found_.clear();
    way_[at(segment)] = 0;
    std::vector<std::pair<double, int>> open;  // at the far ends of segments
    for (const int end : rod_.place.segments[at(segment)].ends) open.emplace_back(0, local(end));
    while (!open.empty()) {
      const auto nearest = std::min_element(open.begin(), open.end());
      const auto [way, node] = *nearest;
      open.erase(nearest);
      for (const int next : segments_at_[at(node)]) {
        if (way >= way_[at(next)]) continue;
        way_[at(next)] = way;
        found_.emplace_back(way, next);
        const double beyond = way + rod_.rest_lengths[at(next)];
        if (beyond >= limit) continue;
        for (const int end : rod_.place.segments[at(next)].ends)
          if (local(end) != node) open.emplace_back(beyond, local(end));
      }
    }
    way_[at(segment)] = HUGE_VAL;
    for (const auto& [way, other] : found_) way_[at(other)] = HUGE_VAL;
    return found_;
  }

 private:
  const RodPart& rod_;
  std::vector<std::vector<int>> segments_at_;  // by node
  std::vector<double> way_;                    // by segment
  std::vector<std::pair<double, int>> found_;
};

double distance_of(const RodPart& rod, int a, int b, std::span<const Vec3> x) {
  const auto &p = rod.place.segments[at(a)].ends, &q = rod.place.segments[at(b)].ends;
  return edge_edge_proximity({x[at(p[0])], x[at(p[1])], x[at(q[0])], x[at(q[1])]}).distance;
}

}  // namespace

Skin rod_skin(const RodPart& rod) {
  const double margin = kRodMargin * rod.radius;
  return {.radius = rod.radius + margin,
          .core = rod.radius,
          .stiffness = kStrain * rod.stretch_stiffness / (2 * margin)};
}

CollisionBody rod_body(const RodPart& rod, std::span<const Vec3> x) {
  CollisionBody body;
  body.vertex_count = rod.place.node_count + static_cast<int>(rod.place.segments.size());
  const double thickness = 2 * rod_skin(rod).radius, limit = kHalfTurn * rod.radius;
  WayAlong along(rod);
  for (int s = 0; s < along.segment_count(); ++s) {
    const auto& ends = rod.place.segments[at(s)].ends;
    body.segments.push_back({along.local(ends[0]), along.local(ends[1])});
    for (const auto& [way, other] : along.around(s, kJoint * rod.radius))
      if (other > s && (way < limit || distance_of(rod, s, other, x) < thickness))
        body.close_segments.push_back({s, other});
  }
  return body;
}

RodOverlapCounter::RodOverlapCounter(const Model& model, std::span<const Vec3> x) {
  std::vector<CollisionBody> bodies;
  for (const ClothPart& cloth : model.cloths) {
    bodies.push_back({.vertex_count = cloth.particle_count, .triangles = cloth.triangles});
    radius_.resize(radius_.size() + at(cloth.particle_count), 0);
  }
  for (const RodPart& rod : model.rods) {
    bodies.push_back(rod_body(rod, x));
    radius_.resize(radius_.size() + at(rod.place.node_count), rod.radius);
    radius_.resize(radius_.size() + rod.place.segments.size(), 0);
  }
  surface_ = std::make_unique<const CollisionSurface>(make_collision_surface(bodies));
  for (const double radius : radius_) reach_.push_back((1 + kRodMargin) * radius);
  broad_ = make_broad_phase("hash", *surface_, x.first(radius_.size()));
}

RodOverlaps RodOverlapCounter::count(std::span<const Vec3> x) {
  const auto own = x.first(radius_.size());
  broad_->update(own, own, reach_);
  broad_->find(candidates_);
  RodOverlaps overlaps{.deepest = -HUGE_VAL};
  const auto look = [&](const std::array<int, 2>& particles, const PairPoints& points, const Proximity& near,
                        double first, double second) {
    if (first == 0 && second == 0) return;
    const double smaller = first == 0 ? second : second == 0 ? first : std::min(first, second);
    const double depth = (first + second - near.distance) / smaller;
    if (near.distance < (1 + kRodMargin) * (first + second)) ++overlaps.contacts;
    if (depth > overlaps.deepest) {
      overlaps.deepest = depth;
      overlaps.place = points[0];
      overlaps.particles = particles;
    }
    if (depth > RodOverlaps::kOverlap) ++(first > 0 && second > 0 ? overlaps.rods : overlaps.cloth);
  };
  for (const auto& [vertex, triangle] : candidates_.vertex_triangle) {
    const Triangle& t = surface_->triangles[at(triangle)];
    const PairPoints points{x[at(vertex)], x[at(t[0])], x[at(t[1])], x[at(t[2])]};
    look({vertex, t[0]}, points, vertex_triangle_proximity(points), radius_[at(vertex)], 0);
  }
  for (const auto& [first, second] : candidates_.edge_edge) {
    const Edge &a = surface_->edges[at(first)], &b = surface_->edges[at(second)];
    const PairPoints points{x[at(a[0])], x[at(a[1])], x[at(b[0])], x[at(b[1])]};
    look({a[0], b[0]}, points, edge_edge_proximity(points), radius_[at(a[0])], radius_[at(b[0])]);
  }
  return overlaps;
}

}  // namespace heddle
