#pragma once

#include <heddle/dynamics/force_term.h>

#include <functional>

namespace heddle {

/// A moment about the direction of a segment, N m, that may change with time; d3 is turned by it and nothing
/// else.
class RodTorque final : public ForceTerm {
 public:
  using Moment = std::function<double(double time)>;

  /// `component` of the turning particle that is the angle about d3, and the share of the particle that is
  /// one radian, see corde.h.
  RodTorque(int turning, int component, double unscale, Moment moment)
      : turning_(turning), component_(component), unscale_(unscale), moment_(std::move(moment)) {}

  std::string_view name() const override { return "rod_torque"; }
  bool is_conservative() const override { return false; }
  bool is_external() const override { return true; }
  void add_force(const Configuration& q, std::span<Vec3> force) const override {
    force[static_cast<size_t>(turning_)][component_] += unscale_ * moment_(q.time);
  }

 private:
  int turning_, component_;
  double unscale_;
  Moment moment_;
};

}  // namespace heddle
