#pragma once

#include <heddle/dynamics/constraint.h>

#include <functional>
#include <optional>

namespace heddle {

/// A frame of a rod segment that turns as told.
class FrameHold final : public Constraint {
 public:
  struct Held {
    int frame = 0;
    int turning = 0;  // particle
    /// The particle holds rotation vectors divided by this; without it, angles about d3, which follows the
    /// segment.
    std::optional<Vec3> unscale;
  };
  /// Directors at a time (s).
  using Frame = std::function<Quat(double time)>;

  /// After `release` (s) it is free.
  FrameHold(Held held, Frame frame, std::optional<double> release)
      : held_(held), frame_(std::move(frame)), release_(release) {}

  std::string_view name() const override { return "frame_hold"; }
  void constrain(const State& state, double dt, VelocityFilter& filter) const override;

 private:
  Held held_;
  Frame frame_;
  std::optional<double> release_;
};

}  // namespace heddle
