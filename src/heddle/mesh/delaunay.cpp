#include <heddle/core/check.h>
#include <heddle/mesh/delaunay.h>

#include <algorithm>

namespace heddle {

namespace {

__extension__ using Wide = __int128;

constexpr int kNone = -1;

/// Twice the signed area of (a, b, c).
int64_t orientation(const LatticePoint& a, const LatticePoint& b, const LatticePoint& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Is p strictly inside the circle through the counter-clockwise triangle (a, b, c)? With coordinates up to
/// 2^28 the determinant stays below 2^120.
bool in_circle(const LatticePoint& a, const LatticePoint& b, const LatticePoint& c, const LatticePoint& p) {
  const int64_t ax = a[0] - p[0], ay = a[1] - p[1], bx = b[0] - p[0], by = b[1] - p[1];
  const int64_t cx = c[0] - p[0], cy = c[1] - p[1];
  const int64_t a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
  const Wide determinant = static_cast<Wide>(a2) * (bx * cy - by * cx) +
                           static_cast<Wide>(b2) * (cx * ay - cy * ax) +
                           static_cast<Wide>(c2) * (ax * by - ay * bx);
  return determinant > 0;
}

/// Bowyer-Watson: each new point removes the triangles whose circle holds it and is joined to the hole's rim.
/// With exact predicates the hole is always star-shaped about the point.
class Triangulation {
 public:
  explicit Triangulation(std::span<const LatticePoint> points)
      : points_(points), starts_(points.size(), Link{}), ends_(points.size(), Link{}) {
    faces_.reserve(2 * points.size());
    faces_.push_back({{0, 1, 2}, {kNone, kNone, 1}, 0});
    faces_.push_back({{0, 2, 3}, {0, kNone, kNone}, 0});
  }

  void insert(int vertex) {
    ++round_;
    carve(vertex);
    fill(vertex);
    last_ = free_.front();
  }

  std::vector<Triangle> triangles() const {
    std::vector<Triangle> result;
    result.reserve(faces_.size());
    for (const Face& face : faces_) {
      Triangle t = face.vertices;
      std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
      result.push_back(t);
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  struct Face {
    Triangle vertices;
    std::array<int, 3> neighbours;  // across the edge from corner i to corner i + 1
    int round;                      // the insertion that removed it
  };
  struct RimEdge {
    int from, to, outer;
  };
  struct Link {
    int face = kNone;
    int round = 0;
  };

  const LatticePoint& point(int vertex) const { return points_[static_cast<size_t>(vertex)]; }
  Face& face(int index) { return faces_[static_cast<size_t>(index)]; }

  /// Walks towards the point; on a Delaunay triangulation this ends.
  int locate(const LatticePoint& p) {
    int current = last_;
    for (size_t i = 0; i < 3;) {
      const Face& here = face(current);
      const LatticePoint& a = point(here.vertices[i]);
      const LatticePoint& b = point(here.vertices[(i + 1) % 3]);
      if (orientation(a, b, p) >= 0) {
        ++i;
        continue;
      }
      current = here.neighbours[i];
      HEDDLE_CHECK(current != kNone);
      i = 0;
    }
    return current;
  }

  /// Collects in free_ the triangles to remove and in rim_ the edges around them.
  void carve(int vertex) {
    const LatticePoint& p = point(vertex);
    free_.assign(1, locate(p));
    rim_.clear();
    face(free_[0]).round = round_;
    for (size_t next = 0; next < free_.size(); ++next) {
      const Face here = face(free_[next]);
      for (size_t i = 0; i < 3; ++i) {
        const int outer = here.neighbours[i];
        if (outer != kNone && face(outer).round == round_) continue;
        if (outer != kNone && circle_holds(face(outer), p)) {
          face(outer).round = round_;
          free_.push_back(outer);
        } else {
          rim_.push_back({here.vertices[i], here.vertices[(i + 1) % 3], outer});
        }
      }
    }
  }

  bool circle_holds(const Face& candidate, const LatticePoint& p) const {
    const auto [a, b, c] = candidate.vertices;
    return in_circle(point(a), point(b), point(c), p);
  }

  /// Joins the rim to the vertex, reusing the places of the removed triangles.
  void fill(int vertex) {
    size_t used = 0;
    for (const RimEdge& edge : rim_) {
      // On the border of the rectangle: the edge is split, not joined.
      if (edge.outer == kNone && orientation(point(edge.from), point(edge.to), point(vertex)) == 0) continue;
      if (used == free_.size()) {
        free_.push_back(static_cast<int>(faces_.size()));
        faces_.emplace_back();
      }
      const int index = free_[used++];
      face(index) = {{edge.from, edge.to, vertex}, {edge.outer, kNone, kNone}, 0};
      if (edge.outer != kNone) relink(face(edge.outer), edge, index);
      starts_[static_cast<size_t>(edge.from)] = {index, round_};
      ends_[static_cast<size_t>(edge.to)] = {index, round_};
    }
    HEDDLE_CHECK_EQ(used, free_.size());
    for (const int index : free_) {
      Face& here = face(index);
      here.neighbours[1] = current(starts_[static_cast<size_t>(here.vertices[1])]);
      here.neighbours[2] = current(ends_[static_cast<size_t>(here.vertices[0])]);
    }
  }

  int current(const Link& link) const { return link.round == round_ ? link.face : kNone; }

  static void relink(Face& outer, const RimEdge& edge, int index) {
    for (size_t i = 0; i < 3; ++i)
      if (outer.vertices[i] == edge.to && outer.vertices[(i + 1) % 3] == edge.from)
        outer.neighbours[i] = index;
  }

  std::span<const LatticePoint> points_;
  std::vector<Face> faces_;
  std::vector<Link> starts_, ends_;  // per vertex: the new triangle whose rim edge starts or ends there
  std::vector<int> free_;
  std::vector<RimEdge> rim_;
  int round_ = 0;
  int last_ = 0;
};

}  // namespace

std::vector<Triangle> delaunay_in_rectangle(std::span<const LatticePoint> points) {
  HEDDLE_CHECK_LE(size_t{4}, points.size());
  for (const LatticePoint& p : points)
    HEDDLE_CHECK(std::min(p[0], p[1]) >= 0 && std::max(p[0], p[1]) <= kLatticeLimit);
  Triangulation triangulation(points);
  for (int vertex = 4; vertex < static_cast<int>(points.size()); ++vertex) triangulation.insert(vertex);
  return triangulation.triangles();
}

namespace {

/// Bits of both coordinates interleaved: points near in this order are near in the plane.
uint64_t morton_key(const LatticePoint& p) {
  uint64_t key = 0;
  for (int bit = 0; bit < 29; ++bit) {
    key |= (static_cast<uint64_t>(p[0]) >> bit & 1) << (2 * bit);
    key |= (static_cast<uint64_t>(p[1]) >> bit & 1) << (2 * bit + 1);
  }
  return key;
}

}  // namespace

void sort_along_curve(std::span<LatticePoint> points) {
  std::vector<std::pair<uint64_t, LatticePoint>> keyed;
  keyed.reserve(points.size());
  for (const LatticePoint& p : points) keyed.emplace_back(morton_key(p), p);
  std::sort(keyed.begin(), keyed.end());
  for (size_t i = 0; i < points.size(); ++i) points[i] = keyed[i].second;
}

}  // namespace heddle
