#pragma once

#include <heddle/dynamics/turning.h>

#include <array>
#include <vector>

namespace heddle {

/// A segment of a rod among the particles and frames of a state.
struct RodSegment {
  std::array<int, 2> ends{};  // particles
  int turning = 0;            // particle
  int frame = 0;
};

/// The frame of a segment as its ends and turning particle have it now, where d3 is its direction and x[0] of
/// the turning particle the angle about it.
Quat exact_frame(const RodSegment& segment, const Configuration& q);

/// Frames that follow the directions of their segments.
class ExactTurning final : public Turning {
 public:
  explicit ExactTurning(std::vector<RodSegment> segments);
  std::span<const int> particles() const override { return particles_; }
  void take_up(State& state) const override;

 private:
  std::vector<RodSegment> segments_;
  std::vector<int> particles_;
};

/// Frames that turn freely, see corde.h.
class CordeTurning final : public Turning {
 public:
  CordeTurning(std::vector<RodSegment> segments, const Vec3& unscale);
  std::span<const int> particles() const override { return particles_; }
  void take_up(State& state) const override;

 private:
  std::vector<RodSegment> segments_;
  std::vector<int> particles_;
  Vec3 unscale_;
};

}  // namespace heddle
