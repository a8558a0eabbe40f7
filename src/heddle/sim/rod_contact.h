#pragma once

#include <heddle/contact/surface_pairs.h>
#include <heddle/sim/model.h>

#include <span>

namespace heddle {

/// What the nodes of a rod bring into contact, without roughness and mass: the radius is hard.
Skin rod_skin(const RodPart& rod);

/// The rod as contact sees it. Segments that are nearer to each other along the rod than half a turn as tight
/// as its thickness allows cannot be kept apart and are not tested, nor are those around joints of nets that
/// overlap as they start. `x` are the positions of all particles at the start, m.
CollisionBody rod_body(const RodPart& rod, std::span<const Vec3> x);

/// How deep rods reach into each other and into cloth.
struct RodOverlaps {
  double deepest = 0;              // 1, of the smaller radius, over all pairs; negative: nothing touches
  int rods = 0;                    // pairs of segments that overlap by more than kOverlap
  int cloth = 0;                   // pairs of rod and cloth that do
  int contacts = 0;                // pairs that are nearer than the margin
  Vec3 place = Vec3::Zero();       // m, of the deepest
  std::array<int, 2> particles{};  // of the deepest, one of each side

  /// Of the smaller radius.
  static constexpr double kOverlap = 1e-3;
};

/// Measures distances anew, with a search of its own (a hash); for tests, checks and metrics.
class RodOverlapCounter {
 public:
  explicit RodOverlapCounter(const Model& model, std::span<const Vec3> x);
  RodOverlaps count(std::span<const Vec3> x);

 private:
  std::unique_ptr<const CollisionSurface> surface_;  // which the search refers to
  std::vector<double> radius_;                       // m, by particle, zero unless it is a node of a rod
  std::vector<double> reach_;                        // m
  std::unique_ptr<BroadPhase> broad_;
  CandidatePairs candidates_;
};

}  // namespace heddle
