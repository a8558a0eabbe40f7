#pragma once

#include <heddle/geometry/oriented_box.h>
#include <heddle/magnetics/dipole.h>
#include <heddle/magnetics/magnet.h>

namespace heddle {

/// A magnet somewhere in space with its present magnetisation. Lengths in m, in space.
struct PlacedMagnet {
  const Magnet* magnet = nullptr;
  RigidTransform pose;
  OrientedBox box;
  double radius = 0;          // of the ball about the centre of the box that holds it
  std::vector<Vec3> places;   // of all cells
  std::vector<Vec3> moments;  // of all cells, A m2

  PlacedMagnet() = default;
  /// With the moments of a permanent magnet, or none.
  PlacedMagnet(const Magnet& of, const RigidTransform& at);

  std::span<const Cell> cells() const { return magnet->cells.cells(); }
  int leaf_count() const { return magnet->cells.leaf_count(); }
  size_t leaf_cell(int leaf) const {
    return static_cast<size_t>(magnet->cells.leaves()[static_cast<size_t>(leaf)]);
  }
  const Vec3& leaf_place(int leaf) const { return places[leaf_cell(leaf)]; }
  const Vec3& leaf_moment(int leaf) const { return moments[leaf_cell(leaf)]; }
  /// As many as leaves; cells above get the sums.
  void magnetise(std::span<const Vec3> leaf_moments);
};

/// Which cells of a magnet stand for it, seen from another one.
struct FrontOptions {
  bool adaptive = true;
  /// A cell is fine enough if the other magnet is at least this many of its edges away, and if its edges are
  /// about equal: r_0 of Thomaszewski 2010, (6.19), in edges of the finest cells.
  double opening = 2;
};

/// Puts the cells together, each leaf in exactly one of them; replaces the content of `front`.
void choose_front(const PlacedMagnet& of, const PlacedMagnet& seen_from, const FrontOptions& options,
                  std::vector<int>& front);

}  // namespace heddle
