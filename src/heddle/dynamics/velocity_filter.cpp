#include <heddle/dynamics/velocity_filter.h>

#include <algorithm>

namespace heddle {

void VelocityFilter::clear() {
  for (const Entry& entry : entries_) slot_[static_cast<size_t>(entry.particle)] = -1;
  entries_.clear();
}

VelocityFilter::Entry& VelocityFilter::entry_of(int particle) {
  int& slot = slot_[static_cast<size_t>(particle)];
  if (slot < 0) {
    slot = static_cast<int>(entries_.size());
    entries_.push_back({.particle = particle});
  }
  return entries_[static_cast<size_t>(slot)];
}

void VelocityFilter::fix(int particle, const Vec3& velocity) {
  Entry& entry = entry_of(particle);
  entry.free.setZero();
  entry.velocity = velocity;
}

void VelocityFilter::prescribe(int particle, const Vec3& normal, double speed) {
  Entry& entry = entry_of(particle);
  // Only the part of the direction that is still free can be prescribed; nearly dependent ones are dropped.
  const Vec3 direction = entry.free * normal;
  constexpr double kSmallestIndependentPart = 0.05;
  const double length = direction.norm();
  if (length < kSmallestIndependentPart) return;
  const Vec3 unit = direction / length;
  entry.velocity += unit * ((speed - entry.velocity.dot(normal)) / length);
  entry.free -= unit * unit.transpose();
}

void VelocityFilter::impose(std::span<Vec3> velocity) const {
  for (const Entry& entry : entries_) {
    Vec3& v = velocity[static_cast<size_t>(entry.particle)];
    v = entry.free * v + entry.velocity;
  }
}

BlockProjection VelocityFilter::projection() const {
  BlockProjection projection;
  for (const Entry& entry : entries_) projection.add(entry.particle, entry.free);
  return projection;
}

std::vector<int> VelocityFilter::fixed_particles() const {
  std::vector<int> particles;
  for (const Entry& entry : entries_)
    if (entry.free.isZero()) particles.push_back(entry.particle);
  std::sort(particles.begin(), particles.end());
  return particles;
}

}  // namespace heddle
