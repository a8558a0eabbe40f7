#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// What the page may do to a running simulation. The server's threads call it at any time, so an
/// implementation takes notes and returns at once.
class LiveControl {
 public:
  virtual ~LiveControl() = default;

  virtual void pause(bool on) = 0;
  virtual bool paused() const = 0;
  /// Advances a paused simulation by one step.
  virtual void step() = 0;
  /// Pulls a vertex of a cloth towards `target` (m) until release(); both indices are valid in the model.
  virtual void grab(int object, int vertex, const Vec3& target) = 0;
  virtual void release() = 0;
};

}  // namespace heddle
