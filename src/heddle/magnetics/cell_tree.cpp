#include <heddle/magnetics/cell_tree.h>

#include <heddle/core/text.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Middles of n x n x n boxes within a box, those inside the solid.
std::vector<Vec3> inner_parts(const Solid& solid, const Vec3& centre, const Vec3& half, int n,
                              bool is_inside) {
  std::vector<Vec3> parts;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const Vec3 step((2.0 * i + 1) / n - 1, (2.0 * j + 1) / n - 1, (2.0 * k + 1) / n - 1);
        const Vec3 place = centre + half.cwiseProduct(step);
        if (is_inside || solid.distance(place) < 0) parts.push_back(place);
      }
  return parts;
}

}  // namespace

class CellTreeBuilder {
 public:
  CellTreeBuilder(const Solid& solid, const CellOptions& options) : solid_(solid), options_(options) {}

  /// Cells per m3.
  double highest_density() const {
    constexpr double kMostBoxes = 1 << 22;  // thin bodies leave most of them empty
    return std::min(kMostBoxes / solid_.bounds().volume(),
                    CellTree::kMostLeaves / solid_.properties().volume);
  }

  CellTree build() {
    const BoundingBox& box = solid_.bounds();
    const Vec3 edge = choose_levels(box.sizes());
    tree_.leaf_diameter_ = edge.minCoeff();
    add(box.center(), 0.5 * box.sizes(), 0);
    share_volume();
    return std::move(tree_);
  }

 private:
  static int longest(const Vec3& edge) {
    int axis = 0;
    // Edges that differ by rounding only count as equal, so that a cube is cut along x, y, z in turn.
    for (int k = 1; k < 3; ++k)
      if (edge[k] > edge[axis] * (1 + 1e-9)) axis = k;
    return axis;
  }

  /// How often to bisect; returns the edges of leaves.
  Vec3 choose_levels(Vec3 edge) {
    int level = 0;
    for (; edge.prod() * options_.density > 1 + 1e-9; ++level) edge[longest(edge)] *= 0.5;
    Vec3 best = edge;
    levels_ = level;
    for (int more = 1; more < 3; ++more) {
      edge[longest(edge)] *= 0.5;
      const auto ratio = [](const Vec3& e) { return e.maxCoeff() / e.minCoeff(); };
      if (ratio(edge) > ratio(best) * (1 - 1e-9)) continue;
      best = edge;
      levels_ = level + more;
    }
    return best;
  }

  /// Adds the cell and what is below it; nothing if there is none of the body in it.
  void add(const Vec3& centre, const Vec3& half, int level) {
    if (solid_.distance(centre) > half.norm()) return;
    const auto own = static_cast<int>(tree_.cells_.size());
    Cell cell;
    cell.box_centre = centre;
    cell.half = half;
    cell.size = std::cbrt(8 * half.prod());
    cell.first_leaf = tree_.leaf_count();
    tree_.cells_.push_back(cell);
    if (level == levels_) {
      if (!finish_leaf(own)) tree_.cells_.pop_back();
      return;
    }
    const int axis = longest(half);
    Vec3 part = half;
    part[axis] *= 0.5;
    for (const double side : {-1.0, 1.0}) add(centre + side * part[axis] * Vec3::Unit(axis), part, level + 1);
    if (static_cast<int>(tree_.cells_.size()) == own + 1) return tree_.cells_.pop_back();
    tree_.cells_[at(own)].next = static_cast<int>(tree_.cells_.size());
    tree_.cells_[at(own)].last_leaf = tree_.leaf_count();
  }

  bool finish_leaf(int own) {
    Cell& cell = tree_.cells_[at(own)];
    const double depth = -solid_.distance(cell.box_centre);
    const bool is_inside = depth >= cell.half.norm();
    const bool is_layered = options_.boundary == BoundaryCells::layer;
    if (is_layered && depth < cell.half.minCoeff() * (1 - 1e-9)) return false;
    cell.place = cell.box_centre;
    cell.volume = 8 * cell.half.prod();
    if (!is_layered && !is_inside) {
      constexpr int kSamples = 5;
      const std::vector<Vec3> inner = inner_parts(solid_, cell.box_centre, cell.half, kSamples, false);
      if (inner.empty()) return false;
      Vec3 sum = Vec3::Zero();
      for (const Vec3& place : inner) sum += place;
      cell.place = sum / static_cast<double>(inner.size());
      cell.volume *= static_cast<double>(inner.size()) / (kSamples * kSamples * kSamples);
    }
    for (const int n : {2, 3}) {
      CellTree::Parts& parts = tree_.parts_[at(n - 2)];
      // A body that is one cell, as a ball may be, is a dipole and nothing else.
      std::vector<Vec3> inner;
      if (levels_ > 0) inner = inner_parts(solid_, cell.box_centre, cell.half, n, is_inside);
      if (inner.empty()) inner.push_back(cell.place);
      parts.places.insert(parts.places.end(), inner.begin(), inner.end());
      parts.offsets.push_back(static_cast<int>(parts.places.size()));
    }
    cell.next = own + 1;
    tree_.leaves_.push_back(own);
    cell.last_leaf = tree_.leaf_count();
    return true;
  }

  /// Scales the leaves to the volume of the body and sums them up, children after parents.
  void share_volume() {
    double sum = 0, largest = 0;
    for (const int leaf : tree_.leaves_) {
      sum += tree_.cells_[at(leaf)].volume;
      largest = std::max(largest, tree_.cells_[at(leaf)].volume);
    }
    const double scale = solid_.properties().volume / sum;
    tree_.leaf_size_ = std::cbrt(scale * largest);
    for (Cell& cell : tree_.cells_) {
      double volume = 0;
      Vec3 first = Vec3::Zero();
      for (int k = cell.first_leaf; k < cell.last_leaf; ++k) {
        const Cell& leaf = tree_.cells_[at(tree_.leaves_[at(k)])];
        const double own = leaf.volume * scale;  // of leaves, which come after all that they belong to
        volume += own;
        first += own * leaf.place;
      }
      cell.volume = volume;
      cell.place = first / volume;
    }
  }

  const Solid& solid_;
  const CellOptions& options_;
  int levels_ = 0;
  CellTree tree_;
};

Result<CellTree> CellTree::build(const Solid& solid, const CellOptions& options, const std::string& name) {
  CellTreeBuilder builder(solid, options);
  const double most = builder.highest_density();
  if (options.density > most)
    return failure({name},
                   short_number_text(options.density) + " cells per m3 are too many for a magnet of " +
                       short_number_text(solid.properties().volume) + " m3",
                   "use at most " + short_number_text(0.99 * most) + " cells per m3");
  CellTree tree = builder.build();
  if (tree.leaves_.empty())
    return failure({name}, "no cell fits into the magnet",
                   "use a higher density than " + short_number_text(options.density) + " cells per m3");
  return tree;
}

std::span<const Vec3> CellTree::parts(int leaf, int n) const {
  const Parts& parts = parts_[at(n - 2)];
  const auto first = at(parts.offsets[at(leaf)]), last = at(parts.offsets[at(leaf) + 1]);
  return std::span(parts.places).subspan(first, last - first);
}

}  // namespace heddle
