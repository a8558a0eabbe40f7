#include <heddle/contact/repulsion_contact.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

double mean_edge_length(const CollisionSurface& surface, std::span<const Vec3> x) {
  double sum = 0;
  for (const Edge& edge : surface.edges) sum += (x[at(edge[1])] - x[at(edge[0])]).norm();
  return surface.edges.empty() ? 0 : sum / static_cast<double>(surface.edges.size());
}

}  // namespace

void RepulsionContact::describe(Describer<RepulsionContact>& d) {
  d.type("repulsion", "contact",
         "Damped springs between particles of cloth that come near each other; layers float apart, and fast "
         "cloth passes through.");
  d.parameter("distance", &RepulsionContact::distance,
              {.unit = "1",
               .doc = "Distance that particles keep, as a share of the mean edge length.",
               .minimum = 0.01,
               .maximum = 0.9});
  d.parameter("stiffness", &RepulsionContact::stiffness,
              {.unit = "N/m", .doc = "Stiffness of the springs.", .minimum = 0, .maximum = 1e6});
  d.parameter("damping", &RepulsionContact::damping,
              {.unit = "N s/m",
               .doc = "Damping of all relative motion of two particles that are near; acts like friction.",
               .minimum = 0,
               .maximum = 1e3});
}

ContactByRepulsion::ContactByRepulsion(const RepulsionContact& parameters, CollisionSurface surface,
                                       std::span<const Vec3> reference)
    : parameters_(parameters),
      surface_(std::move(surface)),
      reference_(reference.begin(), reference.end()),
      distance_(parameters.distance * mean_edge_length(surface_, reference)) {}

void ContactByRepulsion::begin_step(std::span<const Vec3> begin, bool may_intersect,
                                    const HeldParticles& held) {
  springs_.clear();
}

ContactByRepulsion::Voxel ContactByRepulsion::voxel_of(const Vec3& x) const {
  const Vec3 scaled = (x / distance_).array().floor();
  return {static_cast<int>(scaled.x()), static_cast<int>(scaled.y()), static_cast<int>(scaled.z())};
}

void ContactByRepulsion::sort_into_voxels(std::span<const Vec3> x) {
  occupied_.resize(x.size());
  parallel_for(static_cast<int>(x.size()), [&](int i) { occupied_[at(i)] = {voxel_of(x[at(i)]), i}; });
  std::sort(occupied_.begin(), occupied_.end());
}

void ContactByRepulsion::find_near(std::span<const Vec3> x, int i,
                                   std::vector<std::array<int, 2>>& pairs) const {
  const Voxel centre = voxel_of(x[at(i)]);
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy) {
      const Voxel first{centre[0] + dx, centre[1] + dy, centre[2] - 1};
      const Voxel last{first[0], first[1], centre[2] + 1};
      auto place = std::lower_bound(occupied_.begin(), occupied_.end(), std::pair(first, 0));
      for (; place != occupied_.end() && place->first <= last; ++place) {
        const int j = place->second;
        if (j <= i || (x[at(j)] - x[at(i)]).norm() >= distance_) continue;
        if ((reference_[at(j)] - reference_[at(i)]).norm() >= distance_) pairs.push_back({i, j});
      }
    }
}

void ContactByRepulsion::add_springs(std::span<const Vec3> x, const std::array<int, 2>& pair, double dt) {
  const auto [i, j] = pair;
  const Vec3 between = x[at(i)] - x[at(j)];
  const double gap = between.norm();
  const Vec3 normal = gap > 0 ? Vec3(between / gap) : Vec3(Vec3::UnitZ());
  PairSpring spring{.particles = {i, j, i, j}, .weights = {1, -1, 0, 0}};
  spring.normal = normal;
  spring.gap = gap;
  spring.target = distance_;
  spring.strength = parameters_.stiffness * dt * dt;
  springs_.push_back(spring);
  // The damper: springs that want the particles to stay where they are to each other.
  spring.gap = spring.target = 0;
  spring.strength = parameters_.damping * dt;
  for (const Vec3& axis : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())}) {
    spring.normal = axis;
    if (spring.strength > 0) springs_.push_back(spring);
  }
}

bool ContactByRepulsion::predict(std::span<const Vec3> begin, std::span<const Vec3> end, double dt) {
  springs_.clear();
  sort_into_voxels(begin);
  const int n = static_cast<int>(begin.size());
  found_.resize(at(chunk_count(n)));
  for_chunks(n, [&](int first, int last, int chunk) {
    found_[at(chunk)].clear();
    for (int i = first; i < last; ++i) find_near(begin, i, found_[at(chunk)]);
  });
  report_ = {};
  for (const auto& part : found_)
    for (const auto& pair : part) add_springs(begin, pair, dt), ++report_.contacts;
  return !springs_.empty();
}

SurfaceContactReport ContactByRepulsion::resolve(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                                                 std::span<PlaneContact> planes) {
  return report_;
}

}  // namespace heddle
