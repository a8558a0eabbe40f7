#include <heddle/mesh/nearest_face.h>

#include <heddle/core/check.h>

#include <algorithm>
#include <limits>

namespace heddle {

namespace {

constexpr int kLeaf = 4;

size_t at(int i) {
  return static_cast<size_t>(i);
}

double distance2(const Vec3& low, const Vec3& high, const Vec3& point) {
  return (point - point.cwiseMax(low).cwiseMin(high)).squaredNorm();
}

}  // namespace

NearestFace::NearestFace(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                         std::vector<int> faces)
    : positions_(positions), triangles_(triangles), faces_(std::move(faces)) {
  HEDDLE_CHECK(!faces_.empty());
  build(0, static_cast<int>(faces_.size()));
}

Vec3 NearestFace::centre(int face) const {
  const Triangle& t = triangles_[at(face)];
  return (positions_[at(t[0])] + positions_[at(t[1])] + positions_[at(t[2])]) / 3;
}

void NearestFace::build(int first, int last) {
  const size_t own = nodes_.size();
  Node node{positions_[at(triangles_[at(faces_[at(first)])][0])], Vec3::Zero(), first, last};
  node.high = node.low;
  for (int k = first; k < last; ++k)
    for (const int i : triangles_[at(faces_[at(k)])]) {
      node.low = node.low.cwiseMin(positions_[at(i)]);
      node.high = node.high.cwiseMax(positions_[at(i)]);
    }
  nodes_.push_back(node);
  if (last - first <= kLeaf) return;
  int axis = 0;
  (node.high - node.low).maxCoeff(&axis);
  const int middle = (first + last) / 2;
  std::nth_element(faces_.begin() + first, faces_.begin() + middle, faces_.begin() + last, [&](int a, int b) {
    return std::pair(centre(a)[axis], a) < std::pair(centre(b)[axis], b);
  });
  build(first, middle);
  nodes_[own].right = static_cast<int>(nodes_.size());
  build(middle, last);
}

void NearestFace::search(size_t index, const Vec3& point, Found& best) const {
  const Node& node = nodes_[index];
  if (node.right < 0) {
    for (int k = node.first; k < node.last; ++k) {
      const Triangle& t = triangles_[at(faces_[at(k)])];
      const Proximity found = vertex_triangle_proximity(
          {point, positions_[at(t[0])], positions_[at(t[1])], positions_[at(t[2])]});
      if (found.distance < best.proximity.distance) best = {faces_[at(k)], found};
    }
    return;
  }
  std::array<size_t, 2> children{index + 1, at(node.right)};
  std::array<double, 2> distances{};
  for (size_t i = 0; i < 2; ++i)
    distances[i] = distance2(nodes_[children[i]].low, nodes_[children[i]].high, point);
  const size_t nearer = distances[1] < distances[0] ? 1 : 0;
  for (const size_t i : {nearer, 1 - nearer})
    if (distances[i] < best.proximity.distance * best.proximity.distance) search(children[i], point, best);
}

NearestFace::Found NearestFace::find(const Vec3& point) const {
  Found best;
  best.proximity.distance = std::numeric_limits<double>::infinity();
  search(0, point, best);
  return best;
}

}  // namespace heddle
