#include <heddle/mesh/curves.h>
#include <heddle/mesh/tied_knots.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kMostSegments = 1000000;

size_t at(int i) {
  return static_cast<size_t>(i);
}

ParameterOptions length_above_zero(std::string doc) {
  return {.unit = "m", .doc = std::move(doc), .minimum = 0.0, .above_minimum = true};
}

ParameterOptions segment_count(std::string doc, double least = 1) {
  return {.unit = "1", .doc = std::move(doc), .minimum = least, .maximum = kMostSegments};
}

CurveNet make(const StraightCurve& c) {
  std::vector<Vec3> points;
  for (int i = 0; i <= c.segments; ++i) points.push_back(c.from + (c.to - c.from) * i / c.segments);
  return joined(std::move(points), false);
}

CurveNet make(const HelixCurve& c) {
  std::vector<Vec3> points;
  for (int i = 0; i <= c.segments; ++i) {
    const double turn = c.turns * i / c.segments;
    points.emplace_back(c.radius * std::cos(kTurn * turn), c.radius * std::sin(kTurn * turn), c.pitch * turn);
  }
  return joined(std::move(points), false);
}

CurveNet make(const RingCurve& c) {
  std::vector<Vec3> points;
  for (int i = 0; i < c.segments; ++i) {
    const double angle = kTurn * i / c.segments;
    points.emplace_back(c.radius * std::cos(angle), c.radius * std::sin(angle), 0);
  }
  return joined(std::move(points), true);
}

CurveNet make(const PointsCurve& c) {
  return c.segments > 0 ? resampled(c.points, c.closed, c.segments) : joined(c.points, c.closed);
}

/// Adds a row of new points between two points of a net.
void add_row(int from, int to, int segments, CurveNet& net) {
  const Vec3 a = net.points[at(from)], b = net.points[at(to)];
  int last = from;
  for (int k = 1; k <= segments; ++k) {
    int next = to;
    if (k < segments) {
      next = static_cast<int>(net.points.size());
      net.points.push_back(a + (b - a) * k / segments);
    }
    net.segments.push_back({last, next});
    last = next;
  }
}

CurveNet make(const NetCurve& c) {
  CurveNet net;
  const auto [nx, ny] = c.meshes;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i)
      net.points.emplace_back(c.size[0] * (static_cast<double>(i) / nx - 0.5),
                              c.size[1] * (static_cast<double>(j) / ny - 0.5), 0);
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const int here = j * (nx + 1) + i;
      if (i < nx) add_row(here, here + 1, c.segments, net);
      if (j < ny) add_row(here, here + nx + 1, c.segments, net);
    }
  return net;
}

CurveNet make(const StarCurve& c) {
  CurveNet net;
  net.points.emplace_back(0, 0, 0);
  for (int k = 0; k < c.rays; ++k) {
    const double angle = kTurn * k / c.rays;
    const int tip = static_cast<int>(net.points.size());
    net.points.emplace_back(c.length * std::cos(angle), c.length * std::sin(angle), 0);
    add_row(0, tip, c.segments, net);
  }
  return net;
}

CurveNet make(const SpheroidCurve& c) {
  CurveNet net;
  net.points = {Vec3(0, 0, c.radii[1]), Vec3(0, 0, -c.radii[1])};
  for (int k = 0; k < c.meridians; ++k) {
    const double around = kTurn * k / c.meridians;
    int last = 0;
    for (int i = 1; i <= c.segments; ++i) {
      const double down = std::numbers::pi * i / c.segments;
      const int next = i == c.segments ? 1 : static_cast<int>(net.points.size());
      if (next != 1)
        net.points.emplace_back(c.radii[0] * std::sin(down) * std::cos(around),
                                c.radii[0] * std::sin(down) * std::sin(around), c.radii[1] * std::cos(down));
      net.segments.push_back({last, next});
      last = next;
    }
  }
  return net;
}

/// Closed knots by t from 0 to 2 pi.
Vec3 closed_knot(const KnotCurve& c, double t) {
  if (c.kind == "figure_eight") {
    const double r = 2 + std::cos(2 * t);
    return {r * std::cos(3 * t), r * std::sin(3 * t), std::sin(4 * t)};
  }
  const auto [p, q] = c.kind == "torus" ? c.torus : std::array{2, 3};
  const double r = 2 + std::cos(q * t);
  return {r * std::cos(p * t), r * std::sin(p * t), std::sin(q * t)};
}

/// The long trefoil of polynomials (Shastri 1992) between straight ends along x; the scales make its loop
/// round and wide.
std::vector<Vec3> overhand_points(int count) {
  constexpr double kEnd = 2.3, kTail = 15;
  const auto point = [](double t) {
    return Vec3(0.25 * (std::pow(t, 5) - 10 * t), 1.3 * (std::pow(t, 4) - 4 * t * t),
                1.5 * (t * t * t - 3 * t));
  };
  std::vector<Vec3> points;
  for (int i = 0; i <= count; ++i) points.push_back(point(kEnd * (2.0 * i / count - 1)));
  const Vec3 first = (points[0] - points[1]).normalized(),
             last = (points[at(count)] - points[at(count - 1)]).normalized();
  points.insert(points.begin(), points.front() + kTail * first);
  points.push_back(points.back() + kTail * last);
  return points;
}

CurveNet make(const KnotCurve& c) {
  constexpr int kFine = 40;  // points for each segment
  const bool closed = c.kind != "overhand";
  std::vector<Vec3> points;
  if (closed)
    for (int i = 0; i < kFine * c.segments; ++i)
      points.push_back(closed_knot(c, kTurn * i / (kFine * c.segments)));
  else
    points = overhand_points(kFine * c.segments);
  Vec3 low = points.front(), high = low;
  for (const Vec3& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  const double scale = c.size / (high - low).maxCoeff();
  for (Vec3& point : points) point = scale * (point - 0.5 * (low + high));
  return resampled(points, closed, c.segments);
}

CurveNet make(const TiedCurve& c) {
  std::vector<Vec3> points = tied_knot_points(c.kind, c.strand, 0.5 * c.standing / c.radius);
  double length = 0;
  for (Vec3& point : points) point *= 2 * c.radius;
  for (size_t i = 1; i < points.size(); ++i) length += (points[i] - points[i - 1]).norm();
  // In tight bends segments are shorter than their share of the way.
  constexpr double kCorners = 1.4;
  const int finest = static_cast<int>(length / (2 * kCorners * c.radius));
  return resampled(points, false, c.segments > 0 ? c.segments : std::max(1, finest));
}

CurveNet make(const ChainCurve& c) {
  constexpr int kFine = 40;  // points for each segment
  CurveNet net;
  const double straight = c.length - 2 * c.radius, way = kTurn * c.radius + 2 * straight,
               step = c.length - 2 * c.radius / 3;
  for (int link = 0; link < c.links; ++link) {
    std::vector<Vec3> points;
    for (int i = 0; i < kFine * c.segments; ++i) {
      const double s = way * i / (kFine * c.segments), half = 0.5 * way;
      const double sign = s < half ? 1 : -1, along = s < half ? s : s - half;
      const double angle = (along - straight) / c.radius;
      const Vec2 flat = along < straight
                            ? Vec2(along - 0.5 * straight, -c.radius)
                            : Vec2(0.5 * straight + c.radius * std::sin(angle), -c.radius * std::cos(angle));
      const Vec2 own = sign * flat;
      const double x = own[0] + step * (link - 0.5 * (c.links - 1));
      points.push_back(link % 2 == 0 ? Vec3(x, own[1], 0) : Vec3(x, 0, own[1]));
    }
    const CurveNet ring = resampled(points, true, c.segments);
    const int first = static_cast<int>(net.points.size());
    net.points.insert(net.points.end(), ring.points.begin(), ring.points.end());
    for (const auto& [a, b] : ring.segments) net.segments.push_back({first + a, first + b});
  }
  return net;
}

/// Each ring goes through four of the next rows, which lean the other way. Of all such patterns this is the
/// one whose rings keep farthest from each other, 0.49 of their radius.
CurveNet make(const MailCurve& c) {
  constexpr double kAcross = 2.5, kAlong = 0.65, kLean = kTurn / 12;  // radii, radii, rad
  CurveNet net;
  for (int row = 0; row < c.rings[1]; ++row)
    for (int column = 0; column < c.rings[0]; ++column) {
      const int first = static_cast<int>(net.points.size());
      const double lean = row % 2 == 0 ? kLean : -kLean;
      const Vec3 centre(kAcross * (column + 0.5 * (row % 2) - 0.5 * (c.rings[0] - 1)),
                        kAlong * (row - 0.5 * (c.rings[1] - 1)), 0);
      for (int i = 0; i < c.segments; ++i) {
        const double angle = kTurn * i / c.segments;
        const Vec3 own(std::cos(angle), std::sin(angle) * std::cos(lean), std::sin(angle) * std::sin(lean));
        net.points.push_back(c.radius * (centre + own));
        net.segments.push_back({first + i, first + (i + 1) % c.segments});
      }
    }
  return net;
}

using Maker = CurveNet (*)(const Entity&);

template <class T>
std::pair<const TypeDescription*, Maker> entry() {
  return {&description_of<T>(), [](const Entity& entity) { return make(entity.as<T>()); }};
}

const std::vector<std::pair<const TypeDescription*, Maker>>& entries() {
  static const std::vector<std::pair<const TypeDescription*, Maker>> all{
      entry<StraightCurve>(), entry<HelixCurve>(), entry<RingCurve>(),    entry<PointsCurve>(),
      entry<KnotCurve>(),     entry<TiedCurve>(),  entry<ChainCurve>(),   entry<MailCurve>(),
      entry<NetCurve>(),      entry<StarCurve>(),  entry<SpheroidCurve>()};
  return all;
}

}  // namespace

CurveNet joined(std::vector<Vec3> points, bool closed) {
  CurveNet net;
  net.points = std::move(points);
  const int n = static_cast<int>(net.points.size());
  for (int i = 0; i + (closed ? 0 : 1) < n; ++i) net.segments.push_back({i, (i + 1) % n});
  return net;
}

CurveNet resampled(const std::vector<Vec3>& given, bool closed, int segments) {
  std::vector<Vec3> points = given;
  if (closed) points.push_back(given.front());
  std::vector<double> way{0};
  for (size_t i = 1; i < points.size(); ++i) way.push_back(way.back() + (points[i] - points[i - 1]).norm());
  std::vector<Vec3> even;
  size_t k = 1;
  for (int i = 0; i + (closed ? 1 : 0) <= segments; ++i) {
    const double wanted = way.back() * i / segments;
    while (k + 1 < way.size() && way[k] < wanted) ++k;
    const double step = way[k] - way[k - 1];
    const double share = step > 0 ? std::clamp((wanted - way[k - 1]) / step, 0.0, 1.0) : 0;
    even.push_back(points[k - 1] + share * (points[k] - points[k - 1]));
  }
  return joined(std::move(even), closed);
}

void StraightCurve::describe(Describer<StraightCurve>& d) {
  d.type("straight", "curve", "A straight line.");
  d.parameter("from", &StraightCurve::from, {.unit = "m", .doc = "First end."});
  d.parameter("to", &StraightCurve::to, {.unit = "m", .doc = "Last end."});
  d.parameter("segments", &StraightCurve::segments, segment_count("Straight pieces."));
}

void HelixCurve::describe(Describer<HelixCurve>& d) {
  d.type("helix", "curve", "A helix about the z axis, such as a spring; it starts at z = 0.");
  d.parameter("radius", &HelixCurve::radius, length_above_zero("Distance from the axis."));
  d.parameter("pitch", &HelixCurve::pitch, {.unit = "m", .doc = "Rise in one turn; negative: left-handed."});
  d.parameter(
      "turns", &HelixCurve::turns,
      {.unit = "1", .doc = "Turns about the axis.", .minimum = 0, .maximum = 1e5, .above_minimum = true});
  d.parameter("segments", &HelixCurve::segments, segment_count("Straight pieces.", 2));
}

void RingCurve::describe(Describer<RingCurve>& d) {
  d.type("ring", "curve", "A circle in the plane z = 0 about the origin, closed.");
  d.parameter("radius", &RingCurve::radius, length_above_zero("Radius of the circle."));
  d.parameter("segments", &RingCurve::segments, segment_count("Straight pieces.", 3));
}

void PointsCurve::describe(Describer<PointsCurve>& d) {
  d.type("points", "curve", "A line through points.");
  d.example(R"({"type": "points", "points": [[0, 0, 0], [0.1, 0, 0], [0.2, 0.05, 0]]})");
  d.parameter("points", &PointsCurve::points, {.unit = "m", .doc = "At least two points.", .required = true});
  d.parameter("closed", &PointsCurve::closed, {.unit = "", .doc = "Whether it returns to the first point."});
  d.parameter("segments", &PointsCurve::segments,
              segment_count("Pieces of equal length; 0: one between each two points.", 0));
  d.validate([](const PointsCurve& c, const SourceLocation& where, Diagnostics& diagnostics) {
    const size_t least = c.closed ? 3 : 2;
    if (c.points.size() < least)
      diagnostics.error(where,
                        "a " + std::string(c.closed ? "closed curve" : "curve") + " needs at least " +
                            std::to_string(least) + " points",
                        "found " + std::to_string(c.points.size()));
    if (c.closed && c.segments > 0 && c.segments < 3)
      diagnostics.error(where, "a closed curve needs at least 3 segments", "raise \"segments\"");
  });
}

void KnotCurve::describe(Describer<KnotCurve>& d) {
  d.type("knot", "curve",
         "A loose knot about the origin; overhand is open with ends along x, the others are closed.");
  d.parameter("kind", &KnotCurve::kind,
              {.unit = "",
               .doc = "Which knot; torus: any that winds about a ring.",
               .choices = {"trefoil", "figure_eight", "torus", "overhand"}});
  d.parameter("torus", &KnotCurve::torus,
              {.unit = "1",
               .doc = "Of torus: turns about the axis and about the core.",
               .minimum = 1,
               .maximum = 100});
  d.parameter("size", &KnotCurve::size, length_above_zero("Greatest extent along x, y or z."));
  d.parameter("segments", &KnotCurve::segments, segment_count("Straight pieces.", 12));
}

void TiedCurve::describe(Describer<TiedCurve>& d) {
  d.type("tied", "curve",
         "One strand of a knot of two, loosely tied about the origin. double_fisherman: two ropes along x; "
         "prusik: strand 1 is the cord, whose two ends hang along -z, strand 2 the rope along x that it "
         "grips; shoelace: a bow, its laces come from -x and +x, the short ends lie towards -y.");
  d.parameter("kind", &TiedCurve::kind,
              {.unit = "", .doc = "Which knot.", .choices = {"double_fisherman", "prusik", "shoelace"}});
  d.parameter("strand", &TiedCurve::strand,
              {.unit = "1", .doc = "Which of its two strands.", .minimum = 1, .maximum = 2});
  d.parameter("radius", &TiedCurve::radius,
              length_above_zero("Radius of the rod; the knot is as large as that asks for."));
  d.parameter("standing", &TiedCurve::standing,
              length_above_zero("From the middle of the knot to the end of a standing part."));
  d.parameter("segments", &TiedCurve::segments,
              segment_count("Pieces of equal length; 0: as long as the rod is thick.", 0));
  d.validate([](const TiedCurve& c, const SourceLocation& where, Diagnostics& diagnostics) {
    constexpr double kLeast = 24;  // radii, of the longest knot
    if (c.standing < kLeast * c.radius)
      diagnostics.error(where, "the standing parts are too short for the knot",
                        "\"standing\" must be at least 24 times the \"radius\"");
  });
}

void ChainCurve::describe(Describer<ChainCurve>& d) {
  d.type("chain", "curve", "A chain of oval rings along x about the origin, each through the next.");
  d.parameter("links", &ChainCurve::links,
              {.unit = "1", .doc = "Number of rings.", .minimum = 1, .maximum = 10000});
  d.parameter("radius", &ChainCurve::radius, length_above_zero("Radius of the round ends of a ring."));
  d.parameter("length", &ChainCurve::length, length_above_zero("Length of a ring."));
  d.parameter("segments", &ChainCurve::segments, segment_count("Straight pieces of a ring.", 6));
  d.validate([](const ChainCurve& c, const SourceLocation& where, Diagnostics& diagnostics) {
    if (c.length < 2 * c.radius)
      diagnostics.error(where, "a ring cannot be shorter than its ends are wide",
                        "raise \"length\" to at least twice the \"radius\"");
  });
}

void MailCurve::describe(Describer<MailCurve>& d) {
  d.type("mail", "curve",
         "Chain mail in the plane z = 0 about the origin: each ring goes through four of the next rows. The "
         "rod may "
         "be as thick as a fifth of the radius of a ring.");
  d.parameter("rings", &MailCurve::rings,
              {.unit = "1", .doc = "Number of columns and rows.", .minimum = 1, .maximum = 1000});
  d.parameter("radius", &MailCurve::radius, length_above_zero("Radius of a ring."));
  d.parameter("segments", &MailCurve::segments, segment_count("Straight pieces of a ring.", 8));
}

void NetCurve::describe(Describer<NetCurve>& d) {
  d.type("net", "curve", "A rectangular net in the plane z = 0 about the origin, knotted where rods cross.");
  d.parameter("size", &NetCurve::size, length_above_zero("Extent along x and y."));
  d.parameter("meshes", &NetCurve::meshes,
              {.unit = "1", .doc = "Number of meshes along x and y.", .minimum = 1, .maximum = 1000});
  d.parameter("segments", &NetCurve::segments,
              {.unit = "1", .doc = "Straight pieces of each side of a mesh.", .minimum = 1, .maximum = 1000});
}

void StarCurve::describe(Describer<StarCurve>& d) {
  d.type("star", "curve", "Straight rays from the origin in the plane z = 0; three make a T- or Y-junction.");
  d.parameter("rays", &StarCurve::rays,
              {.unit = "1", .doc = "Number of rays.", .minimum = 2, .maximum = 1000});
  d.parameter("length", &StarCurve::length, length_above_zero("Length of a ray."));
  d.parameter("segments", &StarCurve::segments, segment_count("Straight pieces of each ray."));
}

void SpheroidCurve::describe(Describer<SpheroidCurve>& d) {
  d.type("spheroid", "curve", "Meridians of a spheroid about the z axis that are joined at its poles.");
  d.parameter("radii", &SpheroidCurve::radii, length_above_zero("Radius across z and along z."));
  d.parameter("meridians", &SpheroidCurve::meridians,
              {.unit = "1", .doc = "Number of meridians.", .minimum = 2, .maximum = 1000});
  d.parameter("segments", &SpheroidCurve::segments, segment_count("Straight pieces of each meridian.", 2));
}

void add_curves(Catalogue& catalogue) {
  for (const auto& [type, maker] : entries()) catalogue.add(*type);
}

CurveNet make_curve(const Entity& curve) {
  for (const auto& [type, maker] : entries())
    if (type == &curve.description()) return maker(curve);
  HEDDLE_CHECK(!"an entity of a registered curve");
  return {};
}

}  // namespace heddle
