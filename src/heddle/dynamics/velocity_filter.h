#pragma once

#include <heddle/math/block_projection.h>
#include <heddle/math/types.h>

#include <span>
#include <vector>

namespace heddle {

/// Velocities that constraints prescribe at the end of the step, particle by particle and direction by
/// direction. Unprescribed directions stay free for the solver.
class VelocityFilter {
 public:
  explicit VelocityFilter(int particle_count = 0) : slot_(static_cast<size_t>(particle_count), -1) {}

  void clear();
  /// All three components; wins over anything prescribed along single directions.
  void fix(int particle, const Vec3& velocity);
  /// The component along the unit vector `normal`.
  void prescribe(int particle, const Vec3& normal, double speed);

  /// Sets the prescribed components of all constrained particles.
  void impose(std::span<Vec3> velocity) const;
  BlockProjection projection() const;
  /// Particles whose three components are prescribed, ascending.
  std::vector<int> fixed_particles() const;
  int constrained_count() const { return static_cast<int>(entries_.size()); }

 private:
  struct Entry {
    int particle = 0;
    Mat3 free = Mat3::Identity();
    Vec3 velocity = Vec3::Zero();  // the prescribed components
  };
  Entry& entry_of(int particle);

  std::vector<int> slot_;
  std::vector<Entry> entries_;
};

}  // namespace heddle
