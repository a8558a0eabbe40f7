#pragma once

#include <heddle/core/memory.h>
#include <heddle/math/types.h>

#include <span>
#include <vector>

namespace heddle {

/// Projects block vectors onto the directions that constraints leave free; most particles are free.
class BlockProjection {
 public:
  void clear() {
    particles_.clear();
    free_.clear();
  }
  /// `free` is the symmetric projector of this particle: 0 if it is fixed.
  void add(int particle, const Mat3& free) {
    particles_.push_back(particle);
    free_.push_back(free);
  }
  void apply(std::span<Vec3> values) const {
    for (size_t k = 0; k < particles_.size(); ++k) {
      Vec3& value = values[static_cast<size_t>(particles_[k])];
      value = free_[k] * value;
    }
  }
  bool operator==(const BlockProjection&) const = default;
  std::span<const int> particles() const { return particles_; }
  const Mat3& free(size_t k) const { return free_[k]; }
  size_t bytes() const { return bytes_of(particles_, free_); }

 private:
  std::vector<int> particles_;
  std::vector<Mat3> free_;
};

}  // namespace heddle
