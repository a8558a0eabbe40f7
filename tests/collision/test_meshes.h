#pragma once

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/collision/surface.h>

#include <string>
#include <vector>

namespace heddle {

/// A surface in motion, with the positions its tree is built for.
struct CollisionCase {
  std::string name;
  CollisionSurface surface;
  std::vector<Vec3> reference, begin, end;  // m
  double margin = 0.0;                      // m

  std::unique_ptr<BroadPhase> make(std::string_view broad_phase,
                                   const BroadPhaseOptions& options = {}) const {
    return make_broad_phase(broad_phase, surface, reference, options);
  }
};

/// Triangles of a sheet of nx * ny cells, counter-clockwise seen from +z; vertices row after row along x.
CollisionBody sheet_body(int nx, int ny, bool kinematic = false);
/// Its flat positions: cells of side `cell` in the plane z = 0, from the origin.
std::vector<Vec3> sheet_positions(int nx, int ny, double cell);
/// The sheet bent along x into `folds` layers that lie `gap` apart, with round turns.
std::vector<Vec3> folded(std::span<const Vec3> flat, double length, int folds, double gap);

/// Nothing, one triangle, flat, folded, crumpled, a closed ball pushed in, a concave patch that closes up in
/// its plane, a helix that lies above itself, triangles without area, bodies that move and stand, with and
/// without motion.
std::vector<CollisionCase> collision_cases();
CollisionCase flat_case(int cells);
CollisionCase folded_case(int cells, int folds);
CollisionCase crumpled_case(int cells, std::uint64_t seed, double amplitude, double motion);

/// Every pair whose distance at some of the sampled moments is at most the margin of the case, sorted.
CandidatePairs near_pairs(const CollisionCase& c);
/// The same pairs in ascending order.
CandidatePairs sorted(CandidatePairs pairs);

}  // namespace heddle
