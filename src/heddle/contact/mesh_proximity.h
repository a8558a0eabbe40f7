#pragma once

#include <heddle/contact/friction.h>
#include <heddle/geometry/proximity.h>
#include <heddle/mesh/moving_surface.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

/// An obstacle that is a surface of triangles.
struct MeshObstacle {
  std::shared_ptr<const MovingSurface> surface;
  Roughness roughness;
  double thickness = 0;  // m, that cloth keeps from it, besides its own
};

/// Finds the nearest point of a moving surface for points near it.
class MeshProximity {
 public:
  /// Points farther than `reach` (m) are not looked for.
  MeshProximity(std::shared_ptr<const MovingSurface> surface, double reach)
      : surface_(std::move(surface)), reach_(reach) {}

  /// Looks at a step between two times, s.
  void update(double begin, double end);

  struct Near {
    double distance = 0;           // m, at the beginning of the step
    Vec3 normal = Vec3::UnitZ();   // from the surface to the point's side of it, at the end of the step
    Vec3 velocity = Vec3::Zero();  // of the nearest point of the surface, m/s
  };
  /// `x` (m) at the beginning of the step.
  std::optional<Near> nearest(const Vec3& x) const;

 private:
  /// Cells of level 0, 1, 2 ... are twice as large each; large triangles are in large cells, so that none is
  /// in many.
  using Key = std::array<int, 4>;  // level and place
  Key cell_of(const Vec3& x, int level) const;
  int level_of(double extent) const;
  void sort_into_cells();
  void look_in(const Key& key, const Vec3& x, Proximity& best, int& triangle) const;

  std::shared_ptr<const MovingSurface> surface_;
  double reach_;     // m
  double dt_ = 0;    // s
  double cell_ = 0;  // m, edge of cells of level 0
  std::vector<Vec3> begin_, end_;
  std::vector<std::pair<Key, int>> cells_;  // with the triangles that come within reach of them, ascending
  std::vector<int> levels_;                 // that have any
};

}  // namespace heddle
