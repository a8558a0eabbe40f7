#pragma once

#include <heddle/mesh/solid.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace heddle {

/// What becomes of cells at the boundary of a body.
enum class BoundaryCells {
  /// A cell stands for the part of its box that is inside, and lies at the middle of that part.
  cut,
  /// Cells are equal; those nearer to the boundary than half their diameter are left out, which leaves a
  /// layer
  /// without magnetism around the body (Thomaszewski 2010, 6.3.2).
  layer
};

/// How a body is cut into cells.
struct CellOptions {
  double density = 8e6;  // cells per m3, at least, in the finest level
  BoundaryCells boundary = BoundaryCells::cut;
};

/// A part of a body that acts like a dipole. Lengths in m, in the coordinates of the body.
struct Cell {
  Vec3 place = Vec3::Zero();       // of the dipole: the middle of the leaves
  Vec3 box_centre = Vec3::Zero();  // of the box that was bisected
  Vec3 half = Vec3::Zero();        // of the edges of that box
  double volume = 0;               // m3, that it stands for
  double size = 0;                 // m, edge of a cube as large as its box
  int next = 0;                    // the cell after its children, which follow it
  int first_leaf = 0, last_leaf = 0;

  bool is_leaf(int own) const { return next == own + 1; }
};

/// A body as cells on several levels: each level stands for all of the body. Built by bisection of the
/// longest axis of the bounding box until the finest level is dense enough and, of three levels from there,
/// its boxes are most like cubes, as the laws of induction take them to be; cells outside are left out
/// (Thomaszewski 2010, 6.3.2).
class CellTree {
 public:
  /// More leaves are refused.
  static constexpr int kMostLeaves = 100000;

  /// `name` is shown with errors: too many cells, or none.
  static Result<CellTree> build(const Solid& solid, const CellOptions& options, const std::string& name);

  /// Cells in the order of a depth-first walk; the first is the whole body.
  std::span<const Cell> cells() const { return cells_; }
  std::span<const int> leaves() const { return leaves_; }  // indices of cells
  int leaf_count() const { return static_cast<int>(leaves_.size()); }
  /// m, shortest edge of the boxes of leaves: dipoles of bodies that do not overlap rarely come nearer.
  double leaf_diameter() const { return leaf_diameter_; }
  /// m, edge of a cube as large as the largest leaf.
  double leaf_size() const { return leaf_size_; }

  /// Parts of a leaf: middles of n x n x n boxes within its box that lie inside the body, m; n is 2 or 3. A
  /// body of one leaf has one part.
  std::span<const Vec3> parts(int leaf, int n) const;

 private:
  friend class CellTreeBuilder;
  struct Parts {
    std::vector<int> offsets{0};
    std::vector<Vec3> places;
  };
  std::vector<Cell> cells_;
  std::vector<int> leaves_;
  double leaf_diameter_ = 0, leaf_size_ = 0;
  std::array<Parts, 2> parts_;
};

}  // namespace heddle
