#pragma once

#include <heddle/math/value_traits.h>

#include <array>
#include <string>
#include <vector>

namespace heddle {

/// Points joined by straight segments: a curve, a ring, or a net of curves that share points.
struct CurveNet {
  std::vector<Vec3> points;                  // m
  std::vector<std::array<int, 2>> segments;  // points

  int segment_count() const { return static_cast<int>(segments.size()); }
};

/// A row of segments through points, back to the first if it is closed.
CurveNet joined(std::vector<Vec3> points, bool closed);
/// The same curve in so many segments of equal length along it. The points of the result lie on the segments
/// of the given ones, so those should be many.
CurveNet resampled(const std::vector<Vec3>& points, bool closed, int segments);

struct StraightCurve {
  Vec3 from{0, 0, 0}, to{1, 0, 0};  // m
  int segments = 50;
  static void describe(Describer<StraightCurve>& d);
};

/// About the z axis, starting at x = radius, z = 0.
struct HelixCurve {
  double radius = 0.05;  // m
  double pitch = 0.02;   // m, along z in one turn
  double turns = 5;
  int segments = 200;
  static void describe(Describer<HelixCurve>& d);
};

/// In the plane z = 0 about the origin.
struct RingCurve {
  double radius = 0.1;  // m
  int segments = 64;
  static void describe(Describer<RingCurve>& d);
};

struct PointsCurve {
  std::vector<Vec3> points;  // m
  bool closed = false;
  int segments = 0;  // 0: one between each two points
  static void describe(Describer<PointsCurve>& d);
};

struct KnotCurve {
  std::string kind = "trefoil";
  std::array<int, 2> torus{2, 5};  // turns about the axis and about the core
  double size = 0.3;               // m, greatest extent
  int segments = 200;
  static void describe(Describer<KnotCurve>& d);
};

/// One strand of a knot of two, loosely tied; see tied_knots.h.
struct TiedCurve {
  std::string kind = "double_fisherman";
  int strand = 1;
  double radius = 0.005;  // m, of the rod that it is for
  double standing = 0.2;  // m, from the middle of the knot to the end of a standing part
  int segments = 0;       // 0: as long as the rod is thick
  static void describe(Describer<TiedCurve>& d);
};

/// Oval rings along x about the origin, each through the next and turned by a quarter against it.
struct ChainCurve {
  int links = 10;
  double radius = 0.02;  // m, of the round ends
  double length = 0.06;  // m, of a link, from centre line to centre line
  int segments = 40;     // of each link
  static void describe(Describer<ChainCurve>& d);
};

/// A rectangle of square meshes in the plane z = 0 about the origin.
struct MailCurve {
  std::array<int, 2> rings{5, 9};  // columns, rows
  double radius = 0.01;            // m
  int segments = 16;               // of a ring
  static void describe(Describer<MailCurve>& d);
};

struct NetCurve {
  Vec2 size{1, 1};                    // m
  std::array<int, 2> meshes{10, 10};  // along x and y
  int segments = 2;                   // along each side of a mesh
  static void describe(Describer<NetCurve>& d);
};

/// Straight rays from the origin in the plane z = 0.
struct StarCurve {
  int rays = 3;
  double length = 0.2;  // m
  int segments = 10;    // of each ray
  static void describe(Describer<StarCurve>& d);
};

/// Meridians of a spheroid about the z axis that meet at its poles.
struct SpheroidCurve {
  Vec2 radii{0.1, 0.2};  // m, across and along z
  int meridians = 4;
  int segments = 24;  // of each meridian
  static void describe(Describer<SpheroidCurve>& d);
};

/// All types of the category "curve".
void add_curves(Catalogue& catalogue);
CurveNet make_curve(const Entity& curve);

}  // namespace heddle
