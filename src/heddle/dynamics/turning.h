#pragma once

#include <heddle/dynamics/state.h>

#include <span>

namespace heddle {

/// Particles that are not in space but turn a segment of a rod: their position is how far it has turned since
/// the end of the last step (rad), their mass a moment of inertia (kg m2), forces on them are moments (N m).
/// Integrators treat them like all others.
class Turning {
 public:
  virtual ~Turning() = default;
  /// Ascending.
  virtual std::span<const int> particles() const = 0;
  /// After a step: turns the frames as far as the particles and positions say, and sets the particles to
  /// zero.
  virtual void take_up(State& state) const = 0;
};

}  // namespace heddle
