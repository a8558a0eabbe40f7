#include <heddle/mesh/tube.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace heddle {

namespace {

constexpr int kSides = TubeSkin::kSides, kRings = TubeSkin::kRings;

size_t at(int i) {
  return static_cast<size_t>(i);
}

int segment_count(const TubeRow& row) {
  return static_cast<int>(row.frames.size());
}

int ring_count(const TubeRow& row) {
  return segment_count(row) * kRings + (row.closed ? 0 : 1);
}

/// A row of points and frames that can be asked beyond its ends.
class RowNow {
 public:
  RowNow(const TubeRow& row, std::span<const Vec3> positions, std::span<const Quat> frames)
      : row_(row), positions_(positions), frames_(frames) {}

  Vec3 point(int i) const {
    const int n = static_cast<int>(row_.nodes.size());
    if (row_.closed) return positions_[at(row_.nodes[at((i % n + n) % n)])];
    if (i < 0) return 2 * point(0) - point(-i);
    if (i >= n) return 2 * point(n - 1) - point(2 * (n - 1) - i);
    return positions_[at(row_.nodes[at(i)])];
  }
  /// At the middle of a segment.
  const Quat& frame(int k) const {
    const int n = segment_count(row_);
    k = row_.closed ? (k % n + n) % n : std::clamp(k, 0, n - 1);
    return frames_[at(row_.frames[at(k)])];
  }

 private:
  const TubeRow& row_;
  std::span<const Vec3> positions_;
  std::span<const Quat> frames_;
};

/// A place on the smooth curve, with the directors there.
struct CurvePlace {
  Vec3 centre, d1, d2;
};

/// Catmull and Rom's spline through the points; frames halfway between those of two segments.
CurvePlace place_at(const RowNow& row, int ring) {
  const int k = ring / kRings;
  const double f = static_cast<double>(ring % kRings) / kRings;
  const Vec3 a = row.point(k - 1), b = row.point(k), c = row.point(k + 1), d = row.point(k + 2);
  const Vec3 from = 0.5 * (c - a), to = 0.5 * (d - b);
  const double g = 1 - f;
  const Vec3 centre = (1 + 2 * f) * g * g * b + f * g * g * from + f * f * (3 - 2 * f) * c - f * f * g * to;
  const Vec3 tangent =
      (6 * f * f - 6 * f) * (b - c) + (3 * f * f - 4 * f + 1) * from + (3 * f * f - 2 * f) * to;
  const int left = f < 0.5 ? k - 1 : k;
  const Quat turned = row.frame(left).slerp(f < 0.5 ? f + 0.5 : f - 0.5, row.frame(left + 1));
  const Vec3 t = tangent.norm() > 0 ? Vec3(tangent.normalized()) : Vec3(turned * Vec3::UnitZ());
  const Vec3 d1 = turned * Vec3::UnitX();
  const Vec3 across = d1 - t * t.dot(d1);
  const Vec3 unit = across.norm() > 0 ? Vec3(across.normalized()) : Vec3(t.unitOrthogonal());
  return {centre, unit, t.cross(unit)};
}

}  // namespace

TubeSkin::TubeSkin(std::vector<TubeRow> rows, double radius) : rows_(std::move(rows)), radius_(radius) {
  for (const TubeRow& row : rows_) add_row(row);
}

void TubeSkin::add_ring_faces(int ring, int next, int frame) {
  for (int j = 0; j < kSides; ++j) {
    const int k = (j + 1) % kSides;
    triangles_.push_back({ring + j, ring + k, next + k});
    triangles_.push_back({ring + j, next + k, next + j});
    const bool stripe = j == 0 || j == kSides - 1;
    stripe_.insert(stripe_.end(), 2, stripe ? 1 : 0);
    face_frame_.insert(face_frame_.end(), 2, frame);
  }
}

void TubeSkin::add_cap(int ring, int centre, bool first, int frame) {
  for (int j = 0; j < kSides; ++j) {
    const int k = (j + 1) % kSides;
    triangles_.push_back(first ? Triangle{centre, ring + k, ring + j} : Triangle{centre, ring + j, ring + k});
    stripe_.push_back(0);
    face_frame_.push_back(frame);
  }
}

void TubeSkin::add_row(const TubeRow& row) {
  const int begin = vertex_count(), rings = ring_count(row);
  const int n = static_cast<int>(row.nodes.size());
  for (int r = 0; r < rings; ++r)
    vertex_node_.insert(vertex_node_.end(), kSides, row.nodes[at(((r + kRings / 2) / kRings) % n)]);
  for (int r = 0; r < segment_count(row) * kRings; ++r)
    add_ring_faces(begin + kSides * r, begin + kSides * ((r + 1) % rings), row.frames[at(r / kRings)]);
  if (row.closed) return;
  const int centres = vertex_count();
  vertex_node_.push_back(row.nodes.front());
  vertex_node_.push_back(row.nodes.back());
  add_cap(begin, centres, true, row.frames.front());
  add_cap(begin + kSides * (rings - 1), centres + 1, false, row.frames.back());
}

TubeLines TubeSkin::centre_lines() const {
  TubeLines out;
  std::map<int, int> point_of_node;
  int vertex = 0, face = 0;
  for (const TubeRow& row : rows_) {
    std::vector<int> points;
    for (const int node : row.nodes) {
      const auto [entry, is_new] = point_of_node.try_emplace(node, static_cast<int>(out.rings.size()));
      if (is_new) out.rings.push_back(vertex + kSides * kRings * static_cast<int>(points.size()));
      points.push_back(entry->second);
    }
    for (int s = 0; s < segment_count(row); ++s) {
      out.lines.push_back({points[at(s)], points[at(s + 1) % points.size()]});
      out.faces.push_back(face + 2 * kSides * kRings * s + kSides);
    }
    const int caps = row.closed ? 0 : 2;
    vertex += kSides * ring_count(row) + caps;
    face += 2 * kSides * kRings * segment_count(row) + caps * kSides;
  }
  return out;
}

std::vector<Vec3> TubeSkin::vertices(std::span<const Vec3> positions, std::span<const Quat> frames) const {
  std::vector<Vec3> out;
  out.reserve(vertex_node_.size());
  for (const TubeRow& row : rows_) {
    const RowNow now(row, positions, frames);
    for (int r = 0; r < ring_count(row); ++r) {
      const CurvePlace place = place_at(now, r);
      for (int j = 0; j < kSides; ++j) {
        const double angle = 2 * std::numbers::pi * j / kSides;
        out.push_back(place.centre + radius_ * (std::cos(angle) * place.d1 + std::sin(angle) * place.d2));
      }
    }
    if (row.closed) continue;
    out.push_back(now.point(0));
    out.push_back(now.point(segment_count(row)));
  }
  return out;
}

}  // namespace heddle
