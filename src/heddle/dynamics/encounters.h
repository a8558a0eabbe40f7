#pragma once

#include <heddle/dynamics/moving_particle.h>

#include <array>
#include <span>

namespace heddle {

/// Impulses that surfaces give each other at one moment.
struct Push {
  std::array<int, 4> particles{};  // numbers beyond the last particle move as told
  std::array<Vec3, 4> impulses{};  // N s
};

/// Keeps surfaces from meeting while particles move each in its own time.
class Encounters {
 public:
  virtual ~Encounters() = default;
  /// Before particles move for a time dt (s) from the same instant: looks for what may meet. The triangles
  /// are elements, of whose events meet() will be told.
  virtual void begin(std::span<const Triangle> triangles, std::span<const MovingParticle> particles,
                     double dt) = 0;
  /// After an event of a triangle at a time (s) since begin(): finds the next push from pair `next` of the
  /// triangle on, 0 at first, and moves that on; false if there is none. Pushes are to be given before the
  /// next is asked for.
  virtual bool meet(int triangle, double time, std::span<const MovingParticle> particles, int& next,
                    Push& push) = 0;
};

}  // namespace heddle
