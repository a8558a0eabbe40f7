#include <heddle/mesh/tied_knots.h>

#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr double kPi = std::numbers::pi;
using Points = std::vector<Vec3>;

/// Adds points on a straight line, both ends included.
void add_line(const Vec3& from, const Vec3& to, int count, Points& out) {
  for (int i = 0; i < count; ++i) out.push_back(from + (to - from) * i / (count - 1));
}

Points mirrored(const Points& points, const Vec3& signs) {
  Points out;
  for (const Vec3& point : points) out.push_back(point.cwiseProduct(signs));
  return out;
}

/// A smooth curve through points: centripetal Catmull-Rom splines.
Points smooth(const Points& given) {
  constexpr int kPieces = 20;
  Points points{2 * given[0] - given[1]};
  points.insert(points.end(), given.begin(), given.end());
  points.push_back(2 * given.back() - given[given.size() - 2]);
  Points out;
  for (size_t i = 1; i + 2 < points.size(); ++i) {
    const Vec3* p = &points[i - 1];
    double t[4] = {0, 0, 0, 0};
    for (int k = 0; k < 3; ++k) t[k + 1] = t[k] + std::sqrt((p[k + 1] - p[k]).norm());
    for (int k = 0; k < kPieces; ++k) {
      const double u = t[1] + (t[2] - t[1]) * k / kPieces;
      const auto mix = [&](const Vec3& a, const Vec3& b, double from, double to) {
        return Vec3(((to - u) * a + (u - from) * b) / (to - from));
      };
      const Vec3 a = mix(p[0], p[1], t[0], t[1]), b = mix(p[1], p[2], t[1], t[2]),
                 c = mix(p[2], p[3], t[2], t[3]);
      out.push_back(mix(mix(a, b, t[0], t[2]), mix(b, c, t[1], t[3]), t[1], t[2]));
    }
  }
  out.push_back(given.back());
  return out;
}

/// A double overhand knot at x = 3.6 about the other rope and its own standing part: beyond them, two turns
/// back around both, and out through the turns.
Points double_overhand(double standing) {
  constexpr double kGap = 1.35, kCentre = 3.6, kTail = 8, kTurns = 2, kStart = 0.7;
  const double across = kGap / 2, down = kGap / (2 * std::sqrt(3.0)), radius = 2 * down + kGap,
               half = kTurns * kGap / 2;
  Points points;
  add_line({-standing, across, -down}, {kCentre + half + 0.9, across, -down}, 30, points);
  const double first = std::atan2(-down, across), last = kPi / 2;
  const double total = last - first + 2 * kPi * kTurns;
  for (double turn = kStart; turn < total - kStart; turn += kPi / 8) {
    const double share = (turn - kStart) / (total - 2 * kStart);
    points.emplace_back(kCentre + half + 0.6 - (2 * half + 1.2) * share, radius * std::cos(first + turn),
                        radius * std::sin(first + turn));
  }
  add_line({kCentre - half - 0.9, 0, 2 * down}, {kCentre + half + kTail, 0, 2 * down}, 14, points);
  return points;
}

/// Three turns about x on either side, and a bridge that holds both ends down.
Points prusik_cord(double standing) {
  constexpr double kGap = 1.25, kDown = -1.9;
  constexpr int kAround = 14, kTurns = 3;
  const double first = -0.55 * kGap, bridge = 2.1 * kGap;
  Points half;
  add_line({first, kGap, -standing}, {first, kGap, -0.9}, 14, half);
  for (int k = 0; k <= kTurns * kAround + 10; ++k) {
    const double turn = 2 * kPi * k / kAround;
    half.emplace_back(first - kGap * turn / (2 * kPi), kGap * std::cos(turn), kGap * std::sin(turn));
  }
  const double left = half.back()[0];
  half.emplace_back(left - 0.2, 0.9, -1.75);
  half.emplace_back(left + 0.5 * kGap, 1.9, kDown);
  half.emplace_back(left + 1.5 * kGap, bridge, kDown);
  add_line({left + 2.2 * kGap, bridge, kDown}, {-0.6, bridge, kDown}, 4, half);
  Points points = half;
  points.emplace_back(0, bridge, kDown);
  const Points other = mirrored(half, {-1, 1, 1});
  points.insert(points.end(), other.rbegin(), other.rend());
  return points;
}

/// One lace of a reef knot whose end is drawn back through it as a loop.
Points bow_lace(double standing) {
  const Points knot{{-3.2, 0.75, -0.75}, {-2.2, 0.75, -0.75},  {-1.2, 0.78, -0.2},   {0, 1.25, 0.85},
                    {1.2, 1.85, 0.2},    {2.3, 1.9, -0.75},    {3.1, 0.6, -0.85},    {3.2, -0.8, -0.85},
                    {2.9, -2.2, -0.85},  {2.1, -3.1, -0.35},   {1.1, -2.7, 0.55},    {0.2, -1.6, 0.9},
                    {-1, -0.85, 0},      {-2.2, -0.75, -0.75}, {-3.4, -0.75, -0.75}, {-6.4, -0.9, -0.75},
                    {-9.4, -2, -0.75},   {-8.8, -3.2, -0.75},  {-6.4, -3, -0.75},    {-3.4, -2.3, -0.75},
                    {-2.2, -2.1, -0.75}, {-1.2, -2.25, 0.5},   {-0.3, -2.8, 0.95},   {0.2, -3.9, 1.05},
                    {0.4, -6, 1.05},     {0.5, -9, 0.75}};
  Points points;
  add_line({-standing / 1.6, 0.75, -0.75}, {-4.2, 0.75, -0.75}, 6, points);
  points.insert(points.end(), knot.begin(), knot.end());
  return mirrored(points, {1.6, 1.45, 1.45});
}

}  // namespace

std::vector<Vec3> tied_knot_points(const std::string& kind, int strand, double standing) {
  const bool first = strand == 1;
  if (kind == "prusik") {
    if (first) return smooth(prusik_cord(standing));
    Points rope;
    add_line({-standing, 0, 0}, {standing, 0, 0}, 2, rope);
    return rope;
  }
  const bool bow = kind == "shoelace";
  const Points own = bow ? bow_lace(standing) : double_overhand(standing);
  if (first) return smooth(own);
  return smooth(mirrored(own, bow ? Vec3(-1, 1, -1) : Vec3(-1, -1, 1)));
}

}  // namespace heddle
