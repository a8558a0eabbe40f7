#pragma once

#include <heddle/dynamics/state.h>
#include <heddle/dynamics/velocity_filter.h>

#include <string_view>

namespace heddle {

/// Prescribes velocities for a step from state.time to state.time + dt.
class Constraint {
 public:
  virtual ~Constraint() = default;
  virtual std::string_view name() const = 0;
  virtual void constrain(const State& state, double dt, VelocityFilter& filter) const = 0;
};

}  // namespace heddle
