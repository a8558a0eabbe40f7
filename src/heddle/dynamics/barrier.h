#pragma once

#include <heddle/dynamics/pair_spring.h>
#include <heddle/math/block_matrix.h>

#include <span>
#include <vector>

namespace heddle {

/// Keeps surfaces apart while an integrator looks for the end of a step. The particles are at positions where
/// nothing intersects and move from one such to the next.
class Barrier {
 public:
  virtual ~Barrier() = default;
  /// The forces between surfaces at these positions (m, per particle), and how they change near them: springs
  /// whose gaps are those of now.
  virtual std::span<const PairSpring> springs(std::span<const Vec3> x) = 0;
  /// Tells obstacles what they gave at the positions that springs() saw last, in a step of `dt` (s).
  virtual void finish(double dt) = 0;
  /// Changes the ends of a straight motion so that it meets nothing.
  virtual void clip(std::span<const Vec3> from, std::span<Vec3> to) = 0;
  /// Parts of the particles (their numbers in `parts`), in groups that are far from each other and from all
  /// that moves as told, so that the momentum of a group is its own. Parts near the latter are left out.
  virtual std::vector<std::vector<int>> groups_alone(std::span<const RowRange> parts) const = 0;
};

}  // namespace heddle
