#include <heddle/core/random.h>
#include <heddle/mesh/delaunay.h>
#include <heddle/mesh/generators.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace heddle {

namespace {

// Points lie on an integer lattice, see irregular.cpp; roots of integers are the same on every machine.
constexpr int64_t kUnitsPerEdge = 4096;  // of the shortest
/// Smallest distance of two interior points by the mean edge there; measured.
constexpr double kSpacing = 0.7;
constexpr int kAttempts = 30;

/// Poisson-disc samples (Bridson 2007) whose distance grows with that from a place.
class GradedDisc {
 public:
  GradedDisc(const Graded& graded, int64_t width, int64_t height)
      : width_(width),
        height_(height),
        finest_(kUnitsPerEdge),
        longest_(graded.edge_length / graded.finest_edge * kUnitsPerEdge),
        growth_(graded.growth),
        place_{place(graded.place[0], graded.size[0], width), place(graded.place[1], graded.size[1], height)},
        cell_(static_cast<int64_t>(longest_)),
        columns_(width / cell_ + 1),
        random_(static_cast<uint64_t>(graded.seed)),
        cells_(static_cast<size_t>(columns_ * (height / cell_ + 1))) {}

  std::vector<LatticePoint> sample() {
    for (const LatticePoint& corner : {LatticePoint{0, 0}, {width_, 0}, {width_, height_}, {0, height_}})
      add(corner);
    for (const int64_t y : {int64_t{0}, height_})
      for (const int64_t x : along(width_, [&](double t) { return edge_at(t, static_cast<double>(y)); }))
        add({x, y});
    for (const int64_t x : {int64_t{0}, width_})
      for (const int64_t y : along(height_, [&](double t) { return edge_at(static_cast<double>(x), t); }))
        add({x, y});
    while (!active_.empty()) grow();
    return std::move(points_);
  }

 private:
  static double place(double at, double size, int64_t length) {
    return (at / size + 0.5) * static_cast<double>(length);
  }

  double edge_at(double x, double y) const {
    const double dx = x - place_[0], dy = y - place_[1];
    return std::min(longest_, finest_ + growth_ * std::sqrt(dx * dx + dy * dy));
  }
  double spacing(const LatticePoint& p) const {
    return kSpacing * edge_at(static_cast<double>(p[0]), static_cast<double>(p[1]));
  }

  /// Places on a border, an edge apart where they are, without its ends.
  template <class Edge>
  static std::vector<int64_t> along(int64_t length, const Edge& edge) {
    std::vector<double> marks;
    double t = 0;
    while (t < static_cast<double>(length)) {
      marks.push_back(t);
      t += edge(t);
    }
    // The last step overshoots: all are drawn together a little.
    std::vector<int64_t> out;
    for (size_t k = 1; k < marks.size(); ++k)
      out.push_back(std::llround(marks[k] * static_cast<double>(length) / t));
    return out;
  }

  void add(const LatticePoint& p) {
    const int index = static_cast<int>(points_.size());
    points_.push_back(p);
    active_.push_back(index);
    cells_[cell_of(p)].push_back(index);
  }

  size_t cell_of(const LatticePoint& p) const {
    return static_cast<size_t>(p[1] / cell_ * columns_ + p[0] / cell_);
  }

  void grow() {
    const auto chosen = static_cast<size_t>(random_.below(static_cast<int64_t>(active_.size())));
    const LatticePoint centre = points_[static_cast<size_t>(active_[chosen])];
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const LatticePoint p = around(centre);
      if (fits(p)) return add(p);
    }
    active_[chosen] = active_.back();
    active_.pop_back();
  }

  /// Uniform in the ring between one and two spacings.
  LatticePoint around(const LatticePoint& centre) {
    const auto near = static_cast<int64_t>(spacing(centre));
    for (;;) {
      const int64_t x = random_.below(4 * near + 1) - 2 * near, y = random_.below(4 * near + 1) - 2 * near;
      const int64_t distance2 = x * x + y * y;
      if (distance2 >= near * near && distance2 <= 4 * near * near) return {centre[0] + x, centre[1] + y};
    }
  }

  bool fits(const LatticePoint& p) const {
    if (p[0] <= 0 || p[1] <= 0 || p[0] >= width_ || p[1] >= height_) return false;
    const double own = spacing(p);
    // Half a spacing from the border keeps the triangles along it well shaped.
    if (static_cast<double>(std::min({p[0], p[1], width_ - p[0], height_ - p[1]})) < 0.5 * own) return false;
    const int64_t rows = static_cast<int64_t>(cells_.size()) / columns_;
    for (int64_t v = std::max<int64_t>(0, p[1] / cell_ - 1); v <= std::min(rows - 1, p[1] / cell_ + 1); ++v)
      for (int64_t u = std::max<int64_t>(0, p[0] / cell_ - 1); u <= std::min(columns_ - 1, p[0] / cell_ + 1);
           ++u)
        for (const int other : cells_[static_cast<size_t>(v * columns_ + u)]) {
          const LatticePoint& q = points_[static_cast<size_t>(other)];
          const auto dx = static_cast<double>(q[0] - p[0]), dy = static_cast<double>(q[1] - p[1]);
          const double least = std::min(own, spacing(q));
          if (dx * dx + dy * dy < least * least) return false;
        }
    return true;
  }

  int64_t width_, height_;
  double finest_, longest_, growth_;
  std::array<double, 2> place_;
  int64_t cell_, columns_;
  Random random_;
  std::vector<std::vector<int>> cells_;
  std::vector<LatticePoint> points_;
  std::vector<int> active_;
};

}  // namespace

TriangleMesh make_mesh(const Graded& graded) {
  const auto lattice = [&](double length) {
    return std::max<int64_t>(kUnitsPerEdge, std::llround(length / graded.finest_edge * kUnitsPerEdge));
  };
  const int64_t width = lattice(graded.size.x()), height = lattice(graded.size.y());
  std::vector<LatticePoint> points = GradedDisc(graded, width, height).sample();
  sort_along_curve(std::span(points).subspan(4));
  TriangleMesh mesh;
  mesh.flat = graded.height == 0;
  for (const LatticePoint& p : points) {
    const double s = 2 * static_cast<double>(p[0]) / static_cast<double>(width) - 1,
                 t = 2 * static_cast<double>(p[1]) / static_cast<double>(height) - 1;
    mesh.uv.emplace_back(0.5 * s * graded.size.x(), 0.5 * t * graded.size.y());
    mesh.positions.emplace_back(mesh.uv.back().x(), mesh.uv.back().y(),
                                graded.height * (1 - s * s) * (1 - t * t));
  }
  mesh.triangles = delaunay_in_rectangle(points);
  if (!mesh.flat) mesh.uv.clear();
  return mesh;
}

}  // namespace heddle
