#pragma once

#include <heddle/collision/surface.h>
#include <heddle/dynamics/pair_spring.h>
#include <heddle/geometry/proximity.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

namespace heddle {

/// Brings cloth apart that intersects other cloth or obstacles. A sheet is what hangs together by its faces;
/// one that intersects itself is cut into several, half way between the places that meet. While two sheets
/// intersect they may pass through each other; each keeps the side of the other on which more of it is, and
/// what is on the wrong side is drawn back through. Where several sheets lie on each other, the sides make
/// one order of layers. Obstacles do not move, and cloth keeps the side of them on which more of it is.
class Untangler {
 public:
  /// The surface must outlive it.
  explicit Untangler(const CollisionSurface& surface);

  /// Looks at a state, m, and its pairs of triangles that intersect. Decides from the positions alone, so
  /// that nothing needs to be remembered.
  void look(std::span<const Vec3> positions, std::span<const std::array<int, 2>> intersecting);

  /// Whether it draws a pair of intersecting triangles apart.
  bool helps(const std::array<int, 2>& pair) const;
  /// Whether two vertices belong to different sheets that intersect.
  bool are_tangled(int a, int b) const;
  /// Whether a vertex is on the wrong side of another sheet or about to pass through it.
  bool is_loose(int vertex) const { return loose_[static_cast<size_t>(vertex)] != 0; }
  /// Vertices of cloth on the wrong side of an obstacle, ascending.
  std::span<const int> passing_obstacles() const { return passing_; }
  /// Loose vertices of cloth that intersects obstacles, ascending.
  std::span<const int> leaving_obstacles() const { return leaving_; }
  /// Springs that draw back what is on the wrong side, and hold what is on the right one. Surfaces keep the
  /// sum of the radii of their vertices from each other, m; velocities in m/s.
  void add_springs(std::span<const Vec3> velocity, std::span<const double> radii, double dt,
                   std::vector<PairSpring>& springs) const;

 private:
  /// Where a vertex is, seen from another sheet.
  struct View {
    int vertex = 0, triangle = 0;
    Proximity proximity;
    int side = 0;  // 1 in front of the other sheet, -1 behind, 0 beside its border
  };
  /// The vertices of one sheet seen from another.
  struct Aspect {
    int viewer = 0, seen = 0;
    std::vector<View> views;
    double front = 0, behind = 0;  // area times distance on either side, m^3
    double aligned = 0;            // the same times the product of the normals
    int side = 0;                  // where the seen sheet shall be
    double balance() const { return front - behind; }
    double total() const { return front + behind; }
    double wrong() const { return std::min(front, behind); }
  };
  /// Two sheets, each seen from the other, that lie on each other.
  struct Layers {
    Aspect second, first;
    int same = 1;          // -1 if their fronts look in opposite directions
    double balance = 0;    // positive if the second sheet is in front of the first
    double clearness = 0;  // 0 to 1
  };
  /// An edge that passes through a triangle.
  struct Crossing {
    int edge = 0, triangle = 0;
    auto operator<=>(const Crossing&) const = default;
  };
  bool is_border(int edge) const;  // of a sheet
  bool is_obstacle(int sheet) const { return surface_.kinematic(faces_[static_cast<size_t>(sheet)].front()); }
  void cut_sheets(std::span<const std::array<int, 2>> intersecting);
  void number_sheets();
  void measure();
  void find_crossings(std::span<const std::array<int, 2>> intersecting);
  Vec3 set_side(View& view) const;
  Aspect aspect_of(int viewer, int seen) const;
  void choose_sides();
  void find_loose(std::span<const std::array<int, 2>> intersecting);
  static std::map<int, int> find_up(std::span<const Layers> layers);
  void order(std::vector<Layers> layers);
  int wanted_side(int viewer, int seen) const;
  double radius_of(int triangle, std::span<const double> radii) const;
  void pull_vertex(const Aspect& aspect, const View& view, std::span<const Vec3> velocity,
                   std::span<const double> radii, double dt, std::vector<PairSpring>& springs) const;
  void pull_edge(const Crossing& crossing, std::span<const Vec3> velocity, std::span<const double> radii,
                 double dt, std::vector<PairSpring>& springs) const;
  void push_face(const Crossing& crossing, double dt, std::vector<PairSpring>& springs) const;
  /// Springs act on cloth alone; where obstacles go is part of what they want.
  void leave_out_obstacles(std::span<const Vec3> velocity, double dt, PairSpring& spring) const;

  const CollisionSurface& surface_;
  std::vector<int> body_;  // by triangle: what hangs together

  // Of the last state
  std::vector<int> face_sheet_, sheet_;             // by triangle and by vertex
  std::vector<std::vector<int>> faces_, vertices_;  // by sheet
  std::vector<char> at_border_;                     // by vertex
  std::vector<Vec3> x_;
  std::vector<Vec3> face_normal_, vertex_normal_;  // unit
  std::vector<double> area_;                       // by vertex, m^2
  std::vector<Crossing> crossings_;                // ascending
  std::vector<std::array<int, 2>> tangled_;        // sheets, ascending
  std::vector<Aspect> aspects_;
  std::vector<char> loose_;  // by vertex
  std::vector<int> passing_, leaving_;
};

}  // namespace heddle
