#include <heddle/core/random.h>
#include <heddle/mesh/delaunay.h>
#include <heddle/mesh/generators.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace heddle {

namespace {

// All geometry happens on an integer lattice so that a seed gives the same mesh on every machine, whatever
// its compiler does with floating point.
constexpr int64_t kUnitsPerEdge = 4096;
// Smallest distance of two interior points; measured to give a mean edge of kUnitsPerEdge.
constexpr int64_t kSpacing = kUnitsPerEdge * 7 / 10;
constexpr int kAttempts = 30;

/// Poisson-disc samples of a rectangle (Bridson 2007): no two nearer than kSpacing, no gap where another fits
/// except by bad luck. Border points come first and are equally spaced.
class PoissonDisc {
 public:
  PoissonDisc(int64_t width, int64_t height, uint64_t seed)
      : width_(width),
        height_(height),
        random_(seed),
        columns_(width / kCell + 1),
        rows_(height / kCell + 1) {
    cells_.assign(static_cast<size_t>(columns_ * rows_), kEmpty);
  }

  std::vector<LatticePoint> sample() {
    add_border();
    // A thin rectangle may have no room next to its border; then the border is all there is.
    while (!active_.empty()) grow();
    return std::move(points_);
  }

 private:
  // A square of this edge holds at most one point: its diagonal is below kSpacing.
  static constexpr int64_t kCell = kSpacing * 7 / 10;
  static constexpr int kEmpty = -1;

  void add(const LatticePoint& p) {
    const int index = static_cast<int>(points_.size());
    points_.push_back(p);
    active_.push_back(index);
    cell(p[0] / kCell, p[1] / kCell) = index;
  }

  int& cell(int64_t i, int64_t j) { return cells_[static_cast<size_t>(j * columns_ + i)]; }

  void add_border() {
    const int64_t nx = segments(width_), ny = segments(height_);
    for (const LatticePoint& corner : {LatticePoint{0, 0}, {width_, 0}, {width_, height_}, {0, height_}})
      add(corner);
    for (int64_t i = 1; i < nx; ++i)
      for (const int64_t y : {int64_t{0}, height_}) add({width_ * i / nx, y});
    for (int64_t j = 1; j < ny; ++j)
      for (const int64_t x : {int64_t{0}, width_}) add({x, height_ * j / ny});
  }

  static int64_t segments(int64_t length) {
    return std::max<int64_t>(1, (length + kUnitsPerEdge / 2) / kUnitsPerEdge);
  }

  /// Tries to add a point around a random active one, which retires if none fits.
  void grow() {
    const size_t chosen = static_cast<size_t>(random_.below(static_cast<int64_t>(active_.size())));
    const LatticePoint centre = points_[static_cast<size_t>(active_[chosen])];
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const LatticePoint p = around(centre);
      if (!fits(p)) continue;
      return add(p);
    }
    active_[chosen] = active_.back();
    active_.pop_back();
  }

  /// Uniform in the ring between one and two spacings.
  LatticePoint around(const LatticePoint& centre) {
    for (;;) {
      const int64_t x = random_.below(4 * kSpacing + 1) - 2 * kSpacing;
      const int64_t y = random_.below(4 * kSpacing + 1) - 2 * kSpacing;
      const int64_t distance2 = x * x + y * y;
      if (distance2 >= kSpacing * kSpacing && distance2 <= 4 * kSpacing * kSpacing)
        return {centre[0] + x, centre[1] + y};
    }
  }

  bool fits(const LatticePoint& p) {
    // Half a spacing from the border keeps the triangles along it well shaped.
    const int64_t margin = kSpacing / 2;
    if (p[0] < margin || p[1] < margin || p[0] > width_ - margin || p[1] > height_ - margin) return false;
    const int64_t i = p[0] / kCell, j = p[1] / kCell;
    for (int64_t v = std::max<int64_t>(0, j - 2); v <= std::min(rows_ - 1, j + 2); ++v)
      for (int64_t u = std::max<int64_t>(0, i - 2); u <= std::min(columns_ - 1, i + 2); ++u) {
        const int other = cell(u, v);
        if (other != kEmpty && distance2(points_[static_cast<size_t>(other)], p) < kSpacing * kSpacing)
          return false;
      }
    return true;
  }

  static int64_t distance2(const LatticePoint& a, const LatticePoint& b) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
  }

  int64_t width_, height_;
  Random random_;
  int64_t columns_, rows_;
  std::vector<int> cells_;
  std::vector<LatticePoint> points_;
  std::vector<int> active_;
};

int64_t lattice_length(double length, double edge_length) {
  return std::max<int64_t>(kUnitsPerEdge / 2, std::llround(length / edge_length * kUnitsPerEdge));
}

}  // namespace

TriangleMesh make_mesh(const Irregular& irregular) {
  const int64_t width = lattice_length(irregular.size.x(), irregular.edge_length);
  const int64_t height = lattice_length(irregular.size.y(), irregular.edge_length);
  HEDDLE_CHECK_LE(std::max(width, height), kLatticeLimit);
  std::vector<LatticePoint> points =
      PoissonDisc(width, height, static_cast<uint64_t>(irregular.seed)).sample();
  sort_along_curve(std::span(points).subspan(4));
  TriangleMesh mesh;
  mesh.flat = true;
  mesh.positions.reserve(points.size());
  mesh.uv.reserve(points.size());
  for (const LatticePoint& p : points) {
    mesh.uv.emplace_back(
        (static_cast<double>(p[0]) / static_cast<double>(width) - 0.5) * irregular.size.x(),
        (static_cast<double>(p[1]) / static_cast<double>(height) - 0.5) * irregular.size.y());
    mesh.positions.emplace_back(mesh.uv.back().x(), mesh.uv.back().y(), 0.0);
  }
  mesh.triangles = delaunay_in_rectangle(points);
  return mesh;
}

}  // namespace heddle
