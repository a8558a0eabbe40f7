#include <heddle/contact/impact_zones.h>

#include <heddle/math/rigid_transform.h>
#include <heddle/math/symmetric_eigen.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// A rigid motion that starts at the beginning of the step.
struct RigidMotion {
  Vec3 centre = Vec3::Zero();    // m
  Vec3 velocity = Vec3::Zero();  // m/s, of the centre
  Vec3 spin = Vec3::Zero();      // rad/s

  /// Mean velocity of a point over the step.
  Vec3 at(const Vec3& point, double dt) const {
    constexpr double kDegrees = 180 / std::numbers::pi;
    const Vec3 arm = point - centre;
    return velocity + (rotation_from_degrees(kDegrees * dt * spin) * arm - arm) / dt;
  }
};

/// Points on a line have no inertia about it and do not spin about it.
Vec3 spin_of(const Mat3& inertia, const Vec3& momentum) {
  constexpr double kNoInertia = 1e-9;
  return pseudo_inverse(inertia, kNoInertia) * momentum;
}

/// The rigid motion with the momenta of these particles.
template <class Mass>
RigidMotion common_motion(std::span<const int> particles, const Bodies& bodies, const Mass& mass) {
  RigidMotion motion;
  double total = 0;
  for (const int i : particles) {
    total += mass(i);
    motion.centre += mass(i) * bodies.begin[at(i)];
    motion.velocity += mass(i) * bodies.velocity[at(i)];
  }
  motion.centre /= total;
  motion.velocity /= total;
  Mat3 inertia = Mat3::Zero();
  Vec3 momentum = Vec3::Zero();
  for (const int i : particles) {
    const Vec3 arm = bodies.begin[at(i)] - motion.centre;
    momentum += mass(i) * arm.cross(bodies.velocity[at(i)]);
    inertia += mass(i) * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  motion.spin = spin_of(inertia, momentum);
  return motion;
}

}  // namespace

void ImpactZones::clear(int vertex_count) {
  parent_.resize(at(vertex_count));
  std::iota(parent_.begin(), parent_.end(), 0);
  joined_.clear();
}

int ImpactZones::root(int vertex) const {
  while (parent_[at(vertex)] != vertex) vertex = parent_[at(vertex)];
  return vertex;
}

void ImpactZones::join(std::span<const int> vertices) {
  int lowest = root(vertices[0]);
  for (const int vertex : vertices) lowest = std::min(lowest, root(vertex));
  for (const int vertex : vertices) {
    parent_[at(root(vertex))] = lowest;
    joined_.push_back(vertex);
  }
}

int ImpactZones::zone_count() const {
  std::vector<int> roots;
  for (const int vertex : joined_) roots.push_back(root(vertex));
  std::sort(roots.begin(), roots.end());
  return static_cast<int>(std::unique(roots.begin(), roots.end()) - roots.begin());
}

void ImpactZones::stiffen(const Bodies& bodies) const {
  std::map<int, std::vector<int>> zones;
  for (const int vertex : joined_) zones[root(vertex)].push_back(vertex);
  for (auto& [root, zone] : zones) {
    std::sort(zone.begin(), zone.end());
    zone.erase(std::unique(zone.begin(), zone.end()), zone.end());
    stiffen(zone, bodies);
  }
}

void ImpactZones::stiffen(std::span<const int> zone, const Bodies& bodies) {
  std::vector<int> led;
  for (const int i : zone)
    if (bodies.inverse_mass[at(i)] == 0) led.push_back(i);
  const RigidMotion motion =
      led.empty() ? common_motion(zone, bodies, [&](int i) { return 1 / bodies.inverse_mass[at(i)]; })
                  : common_motion(led, bodies, [](int) { return 1.0; });
  for (const int i : zone)
    if (bodies.inverse_mass[at(i)] > 0) bodies.velocity[at(i)] = motion.at(bodies.begin[at(i)], bodies.dt);
}

}  // namespace heddle
