#pragma once

#include <heddle/magnetics/dipole_list.h>
#include <heddle/magnetics/placed_magnet.h>

namespace heddle {

/// How two magnets are taken to act on each other.
struct PairOptions {
  FrontOptions front;
  /// Cells that are next to each other are split into parts, of unequal number in the two bodies: equal
  /// lattices of dipoles in contact attract each other by 42 % too much however fine they are.
  bool contact_parts = true;
};

/// Memory that a caller keeps for many pairs.
struct PairScratch {
  std::vector<int> first_front, second_front;
  DipoleList second, parts;
};

/// Distance (m) below which cells of the two bodies do not come as long as they do not overlap; nearer ones
/// act as if that far apart (Thomaszewski 2010, 6.3.1).
double closest_distance(const PlacedMagnet& a, const PlacedMagnet& b);

/// What the second does to the first: plain sums over the cells of both fronts (the source projects forces on
/// the arm to the centre in (6.13), which is not a sum of forces), torque about the origin of the first.
Wrench pair_load(const PlacedMagnet& first, const PlacedMagnet& second, const PairOptions& options,
                 PairScratch& scratch);

/// What the first does to the second in return, about the origin of the second.
Wrench reaction(const Wrench& load, const PlacedMagnet& first, const PlacedMagnet& second);

}  // namespace heddle
