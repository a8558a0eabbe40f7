#include <heddle/contact/surface_pairs.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

PairPoints PrimitivePair::points(std::span<const Vec3> positions) const {
  return {positions[at(vertices[0])], positions[at(vertices[1])], positions[at(vertices[2])],
          positions[at(vertices[3])]};
}

Proximity proximity(const PrimitivePair& pair, const PairPoints& x) {
  return pair.vertex_triangle ? vertex_triangle_proximity(x) : edge_edge_proximity(x);
}

bool are_boxes_apart(const PrimitivePair& pair, const PairPoints& x, double distance) {
  const Vec3& inner = pair.vertex_triangle ? x[0] : x[1];  // the second point of the first part, or the first
  const Vec3& outer = pair.vertex_triangle ? x[1] : x[2];  // the first point of the second part
  const Vec3 low_a = x[0].cwiseMin(inner), high_a = x[0].cwiseMax(inner);
  const Vec3 low_b = outer.cwiseMin(x[2]).cwiseMin(x[3]), high_b = outer.cwiseMax(x[2]).cwiseMax(x[3]);
  return ((low_b - high_a).array() > distance).any() || ((low_a - high_b).array() > distance).any();
}

std::optional<Contact> first_meeting(const PrimitivePair& pair, const PairPoints& begin,
                                     const PairPoints& end, double separation, double core) {
  return pair.vertex_triangle ? vertex_triangle_time(begin, end, separation, core)
                              : edge_edge_time(begin, end, separation, core);
}

bool is_inside(const Proximity& near) {
  constexpr double kBorder = 1e-6;
  return std::all_of(near.weights.begin(), near.weights.end(),
                     [](double weight) { return std::abs(weight) > kBorder; });
}

SurfacePairs::SurfacePairs(CollisionSurface surface, std::vector<Skin> skins, std::span<const Vec3> reference,
                           FrictionTable frictions)
    : surface_(std::move(surface)), skins_(std::move(skins)), frictions_(std::move(frictions)) {
  HEDDLE_CHECK_EQ(static_cast<int>(skins_.size()), surface_.vertex_count);
  HEDDLE_CHECK_EQ(reference.size(), skins_.size());
  broad_ = make_broad_phase("bvh", surface_, reference);
  for (const Skin& skin : skins_) {
    radii_.push_back(skin.radius);
    has_cores_ = has_cores_ || skin.core > 0;
  }
  spacing_.assign(reference.size(), HUGE_VAL);
  for (const auto& [a, b] : surface_.edges) {
    const double length = (reference[at(b)] - reference[at(a)]).norm();
    for (const int i : {a, b}) spacing_[at(i)] = std::min(spacing_[at(i)], length);
  }
}

void SurfacePairs::search(std::span<const Vec3> begin, std::span<const Vec3> end) {
  // Only motion relative to each other matters; without what all have in common the volumes are smaller.
  const int n = vertex_count();
  const Vec3 common = ordered_sum(n, Vec3(Vec3::Zero()), partial_,
                                  [&](int first, int last) {
                                    Vec3 sum = Vec3::Zero();
                                    for (int i = first; i < last; ++i) sum += end[at(i)] - begin[at(i)];
                                    return sum;
                                  }) /
                      n;
  relative_end_.resize(at(n));
  parallel_for(n, [&](int i) { relative_end_[at(i)] = end[at(i)] - common; });
  broad_->update(begin, relative_end_, radii_);
  find();
}

void SurfacePairs::search_around(std::span<const Vec3> x, std::span<const double> reach) {
  reaching_.resize(radii_.size());
  parallel_for(vertex_count(), [&](int i) { reaching_[at(i)] = radii_[at(i)] + reach[at(i)]; });
  broad_->update(x, x, reaching_);
  find();
}

void SurfacePairs::find() {
  const auto start = std::chrono::steady_clock::now();
  broad_->find(candidates_);
  work_.add({std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
             broad_->report().busy});
}

int SurfacePairs::candidate_count() const {
  return static_cast<int>(candidates_.vertex_triangle.size() + candidates_.edge_edge.size());
}

PrimitivePair SurfacePairs::candidate(int k) const {
  const auto vertex_triangles = static_cast<int>(candidates_.vertex_triangle.size());
  if (k < vertex_triangles) {
    const VertexTriangle& pair = candidates_.vertex_triangle[at(k)];
    const Triangle& t = surface_.triangles[at(pair.triangle)];
    return {{pair.vertex, t[0], t[1], t[2]}, true};
  }
  const EdgeEdge& pair = candidates_.edge_edge[at(k - vertex_triangles)];
  const Edge &a = surface_.edges[at(pair.first)], &b = surface_.edges[at(pair.second)];
  return {{a[0], a[1], b[0], b[1]}, false};
}

template <class Property>
double SurfacePairs::sum_of_sides(const PrimitivePair& pair, const Property& property) const {
  const auto of = [&](int i) { return property(pair.vertices[at(i)]); };
  return pair.vertex_triangle ? of(0) + std::max({of(1), of(2), of(3)})
                              : std::max(of(0), of(1)) + std::max(of(2), of(3));
}

double SurfacePairs::reduction(const PrimitivePair& pair) const {
  constexpr double kLower = 1.2;  // times the margin: the thickness is below the radius
  if (!has_cores_ || !(is_told(pair.vertices[0]) || is_told(pair.vertices[3]))) return 0;
  return kLower * kRodMargin * sum_of_sides(pair, [&](int i) { return skins_[at(i)].core; });
}

double SurfacePairs::thickness(const PrimitivePair& pair) const {
  return sum_of_sides(pair, [&](int i) { return radii_[at(i)]; }) - reduction(pair);
}

double SurfacePairs::core(const PrimitivePair& pair) const {
  if (!has_cores_) return 0;
  return sum_of_sides(pair, [&](int i) { return skins_[at(i)].core; }) - reduction(pair);
}

double SurfacePairs::core(const PrimitivePair& pair, const PairPoints& begin) const {
  constexpr double kLoss = 1e-3;  // of the distance that a step may take where there is too little
  const double whole = core(pair);
  if (whole == 0) return 0;
  const double distance = proximity(pair, begin).distance;
  return distance > whole ? whole : (1 - kLoss) * distance;
}

double SurfacePairs::stiffness(const PrimitivePair& pair) const {
  const auto of = [&](int i) { return skins_[at(pair.vertices[at(i)])].stiffness; };
  return std::min(of(0), of(3));
}

Friction SurfacePairs::friction(const PrimitivePair& pair) const {
  return frictions_.between(skin(pair.vertices[0]).roughness, skin(pair.vertices[3]).roughness);
}

}  // namespace heddle
