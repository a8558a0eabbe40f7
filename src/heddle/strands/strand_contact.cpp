#include <heddle/strands/strand_contact.h>

#include <heddle/geometry/proximity.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Of the processor, so that other programs hardly matter.
double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

PairPoints points_of(const Strands& strands, const StrandPair& pair) {
  const auto &a = strands.segments[at(pair[0])].ends, &b = strands.segments[at(pair[1])].ends;
  return {strands.nodes[at(a[0])].x, strands.nodes[at(a[1])].x, strands.nodes[at(b[0])].x,
          strands.nodes[at(b[1])].x};
}

double smaller_radius(const Strands& strands, const StrandPair& pair) {
  return std::min(strands.radius(pair[0]), strands.radius(pair[1]));
}

/// The nearest points of two segments, as edge_edge_proximity() has them, in a fourth of its time and to
/// fewer digits: this is what contact of strands spends most of its time with.
Proximity quick_proximity(const PairPoints& x) {
  const Vec3 u = x[1] - x[0], v = x[3] - x[2], r = x[0] - x[2];
  const double a = u.squaredNorm(), e = v.squaredNorm(), b = u.dot(v), c = u.dot(r), f = v.dot(r);
  const double flat = a * e - b * b;
  double s = flat > 1e-12 * a * e ? std::clamp((b * f - c * e) / flat, 0.0, 1.0) : 0.5;
  const double t = std::clamp((b * s + f) / e, 0.0, 1.0);
  s = std::clamp((b * t - c) / a, 0.0, 1.0);
  const Vec3 between = r + s * u - t * v;
  const double square = between.squaredNorm();
  if (square < 1e-12 * (a + e)) return edge_edge_proximity(x);
  const double distance = std::sqrt(square);
  return {{1 - s, s, t - 1, -t}, distance, between / distance};
}

/// m, how far two segments are from touching; for those that are far a smaller number.
double gap_of(const Strands& strands, const StrandPair& pair) {
  const PairPoints x = points_of(strands, pair);
  const double thickness = strands.radius(pair[0]) + strands.radius(pair[1]);
  // Most pairs are not near: the distance of their middles says so at once.
  const double between = 0.5 * (x[0] + x[1] - x[2] - x[3]).norm();
  const double far = between - 0.5 * ((x[1] - x[0]).norm() + (x[3] - x[2]).norm()) - thickness;
  return far > 0 ? far : quick_proximity(x).distance - thickness;
}

/// Of the smaller radius.
double depth_of(const Strands& strands, const StrandPair& pair) {
  return -gap_of(strands, pair) / smaller_radius(strands, pair);
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

void StrandContact::add_touch(size_t number, double depth, bool first_round, const StrandTouch& touch,
                              StrandContactReport& report) {
  if (depth <= (first_round ? 0 : options_.tolerance) || is_touch_[number]) return;
  is_touch_[number] = 1;
  touches_.push_back(touch);
  if (!first_round) return;
  report.first += depth;
  report.deepest_before = std::max(report.deepest_before, depth);
}

void StrandContact::add_travel(const Strands& strands) {
  double most = 0;
  seen_.resize(strands.nodes.size());
  for (size_t i = 0; i < seen_.size(); ++i) {
    most = std::max(most, (strands.nodes[i].x - seen_[i]).squaredNorm());
    seen_[i] = strands.nodes[i].x;
  }
  travel_ += std::sqrt(most);
}

void StrandContact::find_touches(const Strands& strands, bool first_round, StrandContactReport& report) {
  const std::vector<StrandPair>& pairs = search_.pairs();
  const size_t nodes = strands.nodes.size();
  is_touch_.resize(pairs.size() + nodes * planes_.size(), 0);
  add_travel(strands);
  for (size_t k = 0; k < pairs.size(); ++k) {
    if (travel_ < clear_until_[k] || is_touch_[k]) continue;
    const double gap = gap_of(strands, pairs[k]);
    clear_until_[k] = travel_ + 0.5 * std::max(gap, 0.0);
    if (gap >= 0) continue;
    const auto& [s, t] = pairs[k];
    const auto &a = strands.segments[at(s)].ends, &b = strands.segments[at(t)].ends;
    StrandTouch touch{.segments = pairs[k],
                      .ends = {a[0], a[1], b[0], b[1]},
                      .thickness = strands.radius(s) + strands.radius(t),
                      .radius = smaller_radius(strands, pairs[k])};
    touch.friction = 0.5 * (strands.materials[at(strands.segments[at(s)].material)].friction +
                            strands.materials[at(strands.segments[at(t)].material)].friction);
    add_touch(k, -gap / smaller_radius(strands, pairs[k]), first_round, touch, report);
  }
  for (size_t p = 0; p < planes_.size(); ++p)
    for (size_t i = 0; i < nodes; ++i) {
      const StrandNode& node = strands.nodes[i];
      const double gap = planes_[p].normal.dot(node.x - planes_[p].point) - node.radius;
      if (gap >= 0 || node.held) continue;
      add_touch(pairs.size() + p * nodes + i, -gap / node.radius, first_round,
                {.node = static_cast<int>(i), .plane = static_cast<int>(p), .friction = planes_[p].friction},
                report);
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
  const std::array<StrandNode*, 4> n{&strands.nodes[at(touch.ends[0])], &strands.nodes[at(touch.ends[1])],
                                     &strands.nodes[at(touch.ends[2])], &strands.nodes[at(touch.ends[3])]};
  const Proximity near = quick_proximity({n[0]->x, n[1]->x, n[2]->x, n[3]->x});
  const double depth = touch.thickness - near.distance;
  const std::array<double, 4>& w = near.weights;
  touch.place = {w[1], -w[3]};
  if (depth <= 0 && touch.pushed == 0) return -1;
  // (6.5), where a segment that is held altogether bears everything.
  const bool first_held = n[0]->held && n[1]->held, second_held = n[2]->held && n[3]->held;
  if (first_held && second_held) return -1;
  const double first = n[0]->mass * w[0] + n[1]->mass * w[1],
               second = -(n[2]->mass * w[2] + n[3]->mass * w[3]);
  const double share = first_held ? 0 : second_held ? 1 : second / (first + second);
  Vec3 change = Vec3::Zero();
  if (depth > 0) {
    change = depth * near.normal;
    touch.pushed += depth;
  }
  if (touch.friction > 0) {
    Vec3 way = Vec3::Zero();
    for (size_t k = 0; k < 4; ++k) way += w[k] * (n[k]->x - before[at(touch.ends[k])]);
    change += drag(touch, way - near.normal.dot(way) * near.normal, depth, iteration);
  }
  for (size_t k = 0; k < 4; ++k)
    if (!n[k]->held) n[k]->x += w[k] * (k < 2 ? share : 1 - share) * change;
  return depth / touch.radius;
}

double StrandContact::correct(Strands& strands, std::span<const Vec3> before, StrandTouch& touch,
                              int iteration) const {
  return touch.node >= 0 ? correct_plane(strands, before, touch, iteration)
                         : correct_pair(strands, before, touch, iteration);
}

StrandContactReport StrandContact::resolve(Strands& strands, std::span<const Vec3> before) {
  StrandContactReport report;
  auto start = std::clock();
  search_.update(strands);
  if (searches_ != search_.searches()) {
    searches_ = search_.searches();
    travel_ = 0;
    clear_until_.assign(search_.pairs().size(), 0);
    seen_.clear();
    for (const StrandNode& node : strands.nodes) seen_.push_back(node.x);
  }
  touches_.clear();
  is_touch_.assign(search_.pairs().size(), 0);
  find_touches(strands, true, report);
  if (!touches_.empty()) report.first /= static_cast<double>(touches_.size());
  report.detection_seconds = seconds_since(start);
  start = std::clock();
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

int StrandContact::near_pairs(const Strands& strands, double share) {
  search_.update(strands);
  int count = 0;
  for (const StrandPair& pair : search_.pairs()) count += depth_of(strands, pair) > -share ? 1 : 0;
  return count;
}

double StrandContact::deepest_of(const Strands& strands, std::span<const int> segments) const {
  const StrandWays ways(strands);
  double deepest = -1;
  for (const int s : segments) {
    const std::vector<int> near = ways.near_along(strands, s);
    for (int t = 0; t < strands.segment_count(); ++t)
      if (std::find(near.begin(), near.end(), t) == near.end())
        deepest = std::max(deepest, depth_of(strands, {s, t}));
    for (const int end : strands.segments[at(s)].ends)
      for (const StrandPlane& plane : planes_) {
        const StrandNode& node = strands.nodes[at(end)];
        const double gap = plane.normal.dot(node.x - plane.point) - node.radius;
        if (!node.held) deepest = std::max(deepest, -gap / node.radius);
      }
  }
  return deepest;
}

}  // namespace heddle
