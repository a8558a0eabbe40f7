#include <heddle/strands/strand_contact.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

PairPoints points_of(const Strands& strands, const StrandPair& pair) {
  const auto &a = strands.segments[at(pair[0])].ends, &b = strands.segments[at(pair[1])].ends;
  return {strands.nodes[at(a[0])].x, strands.nodes[at(a[1])].x, strands.nodes[at(b[0])].x,
          strands.nodes[at(b[1])].x};
}

double smaller_radius(const Strands& strands, const StrandPair& pair) {
  return std::min(strands.radius(pair[0]), strands.radius(pair[1]));
}

/// Most pairs are not near: the distance of their middles says so at once.
bool is_far(const PairPoints& x, double thickness) {
  const Vec3 between = x[0] + x[1] - x[2] - x[3];
  const double reach = (x[1] - x[0]).norm() + (x[3] - x[2]).norm() + 2 * thickness;
  return between.squaredNorm() > reach * reach;
}

/// Of the smaller radius.
double depth_of(const Strands& strands, const StrandPair& pair) {
  const PairPoints x = points_of(strands, pair);
  const double thickness = strands.radius(pair[0]) + strands.radius(pair[1]);
  if (is_far(x, thickness)) return -1;
  return (thickness - edge_edge_proximity(x).distance) / smaller_radius(strands, pair);
}

/// Joins sets of numbers.
class Unions {
 public:
  explicit Unions(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  void unite(int a, int b) { parent_[at(root(a))] = root(b); }

 private:
  std::vector<int> parent_;
};

}  // namespace

void StrandContact::find_touches(const Strands& strands, bool first_round, StrandContactReport& report) {
  const std::vector<StrandPair>& pairs = search_.pairs();
  const double least = first_round ? 0 : options_.tolerance;
  const size_t nodes = strands.nodes.size();
  is_touch_.resize(pairs.size() + nodes * planes_.size(), 0);
  const auto add = [&](size_t number, double depth, const StrandTouch& touch) {
    if (depth <= least || is_touch_[number]) return;
    is_touch_[number] = 1;
    touches_.push_back(touch);
    if (first_round) {
      report.first += depth;
      report.deepest_before = std::max(report.deepest_before, depth);
    }
  };
  for (size_t k = 0; k < pairs.size(); ++k) {
    if (is_touch_[k]) continue;
    StrandTouch touch{.segments = pairs[k]};
    const auto& [s, t] = pairs[k];
    touch.friction = 0.5 * (strands.materials[at(strands.segments[at(s)].material)].friction +
                            strands.materials[at(strands.segments[at(t)].material)].friction);
    add(k, depth_of(strands, pairs[k]), touch);
  }
  for (size_t p = 0; p < planes_.size(); ++p)
    for (size_t i = 0; i < nodes; ++i) {
      const StrandNode& node = strands.nodes[i];
      if (node.held) continue;
      const double gap = planes_[p].normal.dot(node.x - planes_[p].point) - node.radius;
      add(pairs.size() + p * nodes + i, -gap / node.radius,
          {.node = static_cast<int>(i), .plane = static_cast<int>(p), .friction = planes_[p].friction});
    }
}

/// Touches that share nodes which can move.
int StrandContact::sort_zones(const Strands& strands) {
  Unions unions(strands.nodes.size());
  const auto first_free = [&](const StrandTouch& touch) {
    if (touch.node >= 0) return touch.node;
    for (const int s : touch.segments)
      for (const int end : strands.segments[at(s)].ends)
        if (!strands.nodes[at(end)].held) return end;
    return strands.segments[at(touch.segments[0])].ends[0];
  };
  for (const StrandTouch& touch : touches_) {
    if (touch.node >= 0) continue;
    const int first = first_free(touch);
    for (const int s : touch.segments)
      for (const int end : strands.segments[at(s)].ends)
        if (!strands.nodes[at(end)].held) unions.unite(end, first);
  }
  std::vector<int> zone_of(strands.nodes.size(), -1);
  zones_.clear();
  for (size_t k = 0; k < touches_.size(); ++k) {
    int& zone = zone_of[at(unions.root(first_free(touches_[k])))];
    if (zone < 0) {
      zone = static_cast<int>(zones_.size());
      zones_.emplace_back();
    }
    zones_[at(zone)].push_back(static_cast<int>(k));
  }
  return static_cast<int>(zones_.size());
}

/// The displacement by friction that answers a slip, both of the first side relative to the second.
Vec3 StrandContact::drag(StrandTouch& touch, const Vec3& slip, double depth, int iteration) const {
  if (touch.friction == 0) return Vec3::Zero();
  if (options_.friction == StrandFriction::published) {
    const double length = slip.norm(), most = touch.friction * std::max(depth, 0.0);
    if (length == 0) return Vec3::Zero();
    return -std::ldexp(std::min(most, length) / length, -iteration) * slip;
  }
  Vec3 wanted = touch.dragged - slip;
  const double length = wanted.norm(), most = touch.friction * touch.pushed;
  if (length > most) wanted *= length > 0 ? most / length : 0;
  const Vec3 change = wanted - touch.dragged;
  touch.dragged = wanted;
  return change;
}

double StrandContact::correct_plane(Strands& strands, std::span<const Vec3> before, StrandTouch& touch,
                                    int iteration) const {
  StrandNode& node = strands.nodes[at(touch.node)];
  const StrandPlane& plane = planes_[at(touch.plane)];
  const double depth = node.radius - plane.normal.dot(node.x - plane.point);
  if (depth > 0) {
    node.x += depth * plane.normal;
    touch.pushed += depth;
  }
  const Vec3 way = node.x - before[at(touch.node)];
  node.x += drag(touch, way - plane.normal.dot(way) * plane.normal, depth, iteration);
  return depth / node.radius;
}

double StrandContact::correct_pair(Strands& strands, std::span<const Vec3> before, StrandTouch& touch,
                                   int iteration) const {
  const auto &a = strands.segments[at(touch.segments[0])].ends,
             &b = strands.segments[at(touch.segments[1])].ends;
  const std::array<int, 4> ends{a[0], a[1], b[0], b[1]};
  const Proximity near = edge_edge_proximity(points_of(strands, touch.segments));
  const double depth = strands.radius(touch.segments[0]) + strands.radius(touch.segments[1]) - near.distance;
  const std::array<double, 4>& w = near.weights;
  touch.place = {w[1], -w[3]};
  if (depth <= 0 && touch.pushed == 0) return -1;
  const auto mass = [&](size_t k) { return strands.nodes[at(ends[k])].mass; };
  const auto held = [&](size_t k) { return strands.nodes[at(ends[k])].held; };
  // (6.5), where a segment that is held altogether has no end of mass.
  double share = 0.5;
  const bool first_held = held(0) && held(1), second_held = held(2) && held(3);
  if (first_held && second_held) return -1;
  const double first = mass(0) * w[0] + mass(1) * w[1], second = -(mass(2) * w[2] + mass(3) * w[3]);
  share = first_held ? 0 : second_held ? 1 : second / (first + second);
  Vec3 way = Vec3::Zero();
  for (size_t k = 0; k < 4; ++k) way += w[k] * (strands.nodes[at(ends[k])].x - before[at(ends[k])]);
  Vec3 change = Vec3::Zero();
  if (depth > 0) {
    change = depth * near.normal;
    touch.pushed += depth;
  }
  change += drag(touch, way - near.normal.dot(way) * near.normal, depth, iteration);
  for (size_t k = 0; k < 4; ++k)
    if (!held(k)) strands.nodes[at(ends[k])].x += w[k] * (k < 2 ? share : 1 - share) * change;
  return depth / smaller_radius(strands, touch.segments);
}

double StrandContact::correct(Strands& strands, std::span<const Vec3> before, StrandTouch& touch,
                              int iteration) const {
  return touch.node >= 0 ? correct_plane(strands, before, touch, iteration)
                         : correct_pair(strands, before, touch, iteration);
}

StrandContactReport StrandContact::resolve(Strands& strands, std::span<const Vec3> before) {
  StrandContactReport report;
  auto start = std::chrono::steady_clock::now();
  search_.update(strands);
  touches_.clear();
  is_touch_.clear();
  find_touches(strands, true, report);
  if (!touches_.empty()) report.first /= static_cast<double>(touches_.size());
  report.detection_seconds = seconds_since(start);
  start = std::chrono::steady_clock::now();
  // What sticks needs a few turns for friction, too.
  const int least = options_.friction == StrandFriction::sticking ? 4 : 1;
  for (size_t seen = 0; touches_.size() > seen && report.rounds < options_.rounds; ++report.rounds) {
    seen = touches_.size();
    const int zones = sort_zones(strands);
    if (report.rounds == 0) report.zones = zones;
    report.deepest = 0;
    for (const std::vector<int>& zone : zones_) {
      double worst = HUGE_VAL;
      int k = 0;
      for (; k < options_.iterations && (k < least || worst > options_.tolerance); ++k) {
        worst = 0;
        for (const int touch : zone)
          worst = std::max(worst, correct(strands, before, touches_[at(touch)], k + 1));
      }
      report.iterations = std::max(report.iterations, k);
      report.deepest = std::max(report.deepest, worst);
    }
    find_touches(strands, false, report);
  }
  report.contacts = static_cast<int>(touches_.size());
  report.response_seconds = seconds_since(start);
  return report;
}

double StrandContact::deepest(const Strands& strands) {
  search_.update(strands);
  double deepest = -1;
  for (const StrandPair& pair : search_.pairs()) deepest = std::max(deepest, depth_of(strands, pair));
  return deepest;
}

double deepest_overlap(const Strands& strands, std::span<const int> segments) {
  const StrandWays ways(strands);
  double deepest = -1;
  for (const int s : segments) {
    const std::vector<int> near = ways.near_along(strands, s);
    for (int t = 0; t < strands.segment_count(); ++t)
      if (std::find(near.begin(), near.end(), t) == near.end())
        deepest = std::max(deepest, depth_of(strands, {s, t}));
  }
  return deepest;
}

}  // namespace heddle
