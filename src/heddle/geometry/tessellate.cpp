#include <heddle/geometry/tessellate.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace heddle {

namespace {

constexpr int kAround = 32;      // segments of a full circle
constexpr int kQuarter = 16;     // segments of a quarter circle of a profile
constexpr int kBoxQuarter = 6;   // the same for the edges of a box
constexpr int kPlaneCells = 16;  // cells along an edge of the drawn plane

void add_quad(SurfaceMesh& mesh, int a, int b, int c, int d) {
  if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  if (a != c && c != d && d != a) mesh.triangles.push_back({a, c, d});
}

/// Outline (distance from the axis, height) of a rounded cylinder, from the lowest to the highest point;
/// both ends on the axis, no point twice.
std::vector<Vec2> rounded_profile(double radius, double height, double rounding) {
  const double core_radius = radius - rounding, core_height = 0.5 * height - rounding;
  const int steps = rounding > 0 ? kQuarter : 0;
  std::vector<Vec2> profile{Vec2(0, -0.5 * height)};
  const auto add = [&](const Vec2& point) {
    if ((point - profile.back()).norm() > 1e-9 * (radius + height)) profile.push_back(point);
  };
  for (const double side : {-1.0, 1.0})
    for (int i = 0; i <= steps; ++i) {
      const double part = steps ? static_cast<double>(i) / steps : 0.0;
      const double angle = 0.5 * std::numbers::pi * (side < 0 ? part - 1 : part);
      add({core_radius + rounding * std::cos(angle), side * core_height + rounding * std::sin(angle)});
    }
  add({0, 0.5 * height});
  profile.back() = Vec2(0, 0.5 * height);
  return profile;
}

SurfaceMesh revolve(const std::vector<Vec2>& profile) {
  SurfaceMesh mesh;
  const int rings = static_cast<int>(profile.size()) - 2;
  mesh.positions.reserve(static_cast<size_t>(rings * kAround + 2));
  mesh.positions.emplace_back(0, 0, profile.front().y());
  for (int ring = 0; ring < rings; ++ring)
    for (int i = 0; i < kAround; ++i) {
      const double angle = 2 * std::numbers::pi * i / kAround;
      const Vec2& point = profile[static_cast<size_t>(ring + 1)];
      mesh.positions.emplace_back(point.x() * std::cos(angle), point.x() * std::sin(angle), point.y());
    }
  mesh.positions.emplace_back(0, 0, profile.back().y());
  const int last = rings * kAround + 1;
  const auto vertex = [&](int ring, int i) {
    if (ring < 0) return 0;
    return ring == rings ? last : 1 + ring * kAround + i % kAround;
  };
  for (int ring = -1; ring < rings; ++ring)
    for (int i = 0; i < kAround; ++i)
      add_quad(mesh, vertex(ring, i), vertex(ring, i + 1), vertex(ring + 1, i + 1), vertex(ring + 1, i));
  return mesh;
}

/// A rounded box as the surface of a lattice of (2 steps + 2)^3 points. The lower half of the indices along
/// an axis belongs to the lower side of the core box, the upper half to the upper side; within a half the
/// index gives the direction in which the rounding is added.
class BoxLattice {
 public:
  BoxLattice(const Box& box, int steps)
      : core_(0.5 * box.size - Vec3::Constant(box.rounding)),
        rounding_(box.rounding),
        steps_(steps),
        count_(2 * steps + 2),
        numbers_(static_cast<size_t>(count_ * count_ * count_), -1) {}

  SurfaceMesh build() {
    for (int axis = 0; axis < 3; ++axis)
      for (const bool upper : {false, true})
        for (int i = 0; i + 1 < count_; ++i)
          for (int j = 0; j + 1 < count_; ++j) add_cell(axis, upper, i, j);
    return std::move(mesh_);
  }

 private:
  void add_cell(int axis, bool upper, int i, int j) {
    const auto corner = [&](int di, int dj) {
      std::array<int, 3> index{};
      index[static_cast<size_t>(axis)] = upper ? count_ - 1 : 0;
      index[static_cast<size_t>((axis + 1) % 3)] = i + di;
      index[static_cast<size_t>((axis + 2) % 3)] = j + dj;
      return vertex(index);
    };
    const int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
    upper ? add_quad(mesh_, a, b, c, d) : add_quad(mesh_, a, d, c, b);
  }

  int vertex(std::array<int, 3> index) {
    // Without a core the two halves meet: give them one vertex instead of two at the same place.
    for (int axis = 0; axis < 3; ++axis)
      if (core_[axis] <= 0 && index[static_cast<size_t>(axis)] == steps_ + 1)
        index[static_cast<size_t>(axis)] = steps_;
    int& number = numbers_[static_cast<size_t>((index[0] * count_ + index[1]) * count_ + index[2])];
    if (number < 0) {
      number = static_cast<int>(mesh_.positions.size());
      mesh_.positions.push_back(position(index));
    }
    return number;
  }

  Vec3 position(const std::array<int, 3>& index) const {
    Vec3 corner, direction;
    for (int axis = 0; axis < 3; ++axis) {
      const int i = index[static_cast<size_t>(axis)];
      const bool upper = i > steps_;
      corner[axis] = (upper ? 1 : -1) * std::max(core_[axis], 0.0);
      const double part = steps_ ? static_cast<double>(upper ? i - steps_ - 1 : i - steps_) / steps_ : 0.0;
      direction[axis] = std::tan(0.25 * std::numbers::pi * part);
    }
    return steps_ ? Vec3(corner + rounding_ * direction.normalized()) : corner;
  }

  Vec3 core_;
  double rounding_;
  int steps_;
  int count_;
  std::vector<int> numbers_;
  SurfaceMesh mesh_;
};

}  // namespace

SurfaceMesh tessellate(const Plane& plane) {
  SurfaceMesh mesh;
  const int row = kPlaneCells + 1;
  for (int j = 0; j < row; ++j)
    for (int i = 0; i < row; ++i)
      mesh.positions.emplace_back((static_cast<double>(i) / kPlaneCells - 0.5) * plane.size,
                                  (static_cast<double>(j) / kPlaneCells - 0.5) * plane.size, 0);
  for (int j = 0; j < kPlaneCells; ++j)
    for (int i = 0; i < kPlaneCells; ++i) {
      const int a = j * row + i;
      add_quad(mesh, a, a + 1, a + row + 1, a + row);
    }
  return mesh;
}

SurfaceMesh tessellate(const Sphere& sphere) {
  return revolve(rounded_profile(sphere.radius, 2 * sphere.radius, sphere.radius));
}

SurfaceMesh tessellate(const Box& box) {
  return BoxLattice(box, box.rounding > 0 ? kBoxQuarter : 0).build();
}

SurfaceMesh tessellate(const Capsule& capsule) {
  return revolve(rounded_profile(capsule.radius, capsule.length + 2 * capsule.radius, capsule.radius));
}

SurfaceMesh tessellate(const Cylinder& cylinder) {
  return revolve(rounded_profile(cylinder.radius, cylinder.height, cylinder.rounding));
}

SurfaceMesh tessellate(const ShapeVariant& shape) {
  return std::visit([](const auto& content) { return tessellate(content); }, shape);
}

}  // namespace heddle
