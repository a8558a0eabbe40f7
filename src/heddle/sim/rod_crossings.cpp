#include <heddle/sim/rod_crossings.h>

#include <heddle/geometry/proximity.h>

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Which segments are at each point.
std::vector<std::vector<int>> segments_at(const CurveNet& net) {
  std::vector<std::vector<int>> out(net.points.size());
  for (int s = 0; s < net.segment_count(); ++s)
    for (const int point : net.segments[at(s)]) out[at(point)].push_back(s);
  return out;
}

bool share_a_point(const std::array<int, 2>& a, const std::array<int, 2>& b) {
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

/// They share a point, or one segment lies between them.
bool are_neighbours(const CurveNet& net, const std::vector<std::vector<int>>& around, int a, int b) {
  if (share_a_point(net.segments[at(a)], net.segments[at(b)])) return true;
  for (const int point : net.segments[at(a)])
    for (const int between : around[at(point)])
      if (share_a_point(net.segments[at(between)], net.segments[at(b)])) return true;
  return false;
}

double distance_of(const CurveNet& net, int a, int b) {
  const auto &p = net.segments[at(a)], &q = net.segments[at(b)];
  return edge_edge_proximity(
             {net.points[at(p[0])], net.points[at(p[1])], net.points[at(q[0])], net.points[at(q[1])]})
      .distance;
}

}  // namespace

std::optional<Crossing> find_crossing(const CurveNet& net, double radius) {
  const auto around = segments_at(net);
  const auto low = [&](int s) {
    return std::min(net.points[at(net.segments[at(s)][0])][0], net.points[at(net.segments[at(s)][1])][0]);
  };
  const auto high = [&](int s) {
    return std::max(net.points[at(net.segments[at(s)][0])][0], net.points[at(net.segments[at(s)][1])][0]);
  };
  std::vector<int> order(net.segments.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return low(a) < low(b); });
  std::optional<Crossing> nearest;
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size() && low(order[j]) < high(order[i]) + 2 * radius; ++j) {
      const int a = std::min(order[i], order[j]), b = std::max(order[i], order[j]);
      const double distance = distance_of(net, a, b);
      if (distance >= (nearest ? nearest->distance : 2 * radius) || are_neighbours(net, around, a, b))
        continue;
      nearest = Crossing{{a, b}, distance, net.points[at(net.segments[at(a)][0])]};
    }
  return nearest;
}

}  // namespace heddle
