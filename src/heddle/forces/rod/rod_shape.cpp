#include <heddle/forces/rod/rod_shape.h>

#include <heddle/core/check.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Finds the rods of a net: rows of segments between nodes where not exactly two meet, and rings.
class Rows {
 public:
  Rows(size_t points, const std::vector<SegmentEnds>& segments)
      : segments_(segments), incident_(points), seen_(segments.size(), 0) {
    for (size_t s = 0; s < segments.size(); ++s)
      for (const int node : segments[s]) incident_[at(node)].push_back(static_cast<int>(s));
  }

  /// Nodes of each row in order; a ring ends where it begins.
  std::vector<std::vector<int>> find() {
    std::vector<std::vector<int>> rows;
    for (size_t node = 0; node < incident_.size(); ++node)
      if (incident_[node].size() != 2)
        for (const int segment : incident_[node])
          if (!seen_[at(segment)]) rows.push_back(walk(static_cast<int>(node), segment));
    for (size_t s = 0; s < segments_.size(); ++s)
      if (!seen_[s]) rows.push_back(walk(segments_[s][0], static_cast<int>(s)));
    return rows;
  }

 private:
  std::vector<int> walk(int node, int segment) {
    std::vector<int> row{node};
    while (!seen_[at(segment)]) {
      seen_[at(segment)] = 1;
      const SegmentEnds& ends = segments_[at(segment)];
      node = ends[0] == node ? ends[1] : ends[0];
      row.push_back(node);
      const std::vector<int>& here = incident_[at(node)];
      if (here.size() != 2) break;
      segment = here[0] == segment ? here[1] : here[0];
    }
    return row;
  }

  const std::vector<SegmentEnds>& segments_;
  std::vector<std::vector<int>> incident_;
  std::vector<char> seen_;
};

}  // namespace

RodShape rods_along(std::vector<Vec3> points, const std::vector<SegmentEnds>& segments, double twist) {
  RodShape shape;
  shape.nodes = std::move(points);
  for (const std::vector<int>& row : Rows(shape.nodes.size(), segments).find()) {
    const bool closed = row.front() == row.back();
    shape.rows.push_back({static_cast<int>(shape.segments.size()), static_cast<int>(row.size()) - 1, closed});
    std::vector<Vec3> edges;
    for (size_t k = 1; k < row.size(); ++k) {
      shape.segments.push_back({row[k - 1], row[k]});
      edges.push_back(shape.nodes[at(row[k])] - shape.nodes[at(row[k - 1])]);
      shape.rest_lengths.push_back(edges.back().norm());
    }
    std::vector<Quat> frames = transported_frames(edges, closed);
    shape.rest_frames.insert(shape.rest_frames.end(), frames.begin(), frames.end());
    if (twist != 0) add_twist(edges, closed, twist, frames);
    shape.frames.insert(shape.frames.end(), frames.begin(), frames.end());
  }
  return shape;
}

RodShape rod_through(std::vector<Vec3> points, bool closed, double twist) {
  HEDDLE_CHECK_GT(points.size(), size_t{1});
  const int n = static_cast<int>(points.size());
  std::vector<SegmentEnds> segments;
  for (int i = 0; i + (closed ? 0 : 1) < n; ++i) segments.push_back({i, (i + 1) % n});
  return rods_along(std::move(points), segments, twist);
}

}  // namespace heddle
