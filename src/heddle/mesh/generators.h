#pragma once

#include <heddle/math/value_traits.h>
#include <heddle/mesh/triangle_mesh.h>

#include <array>
#include <optional>
#include <string>

namespace heddle {

// Meshes in the plane z = 0, centred at the origin, counter-clockwise seen from +z. Their uv are the
// rest coordinates (x, y) in m; x is the weft direction. Only rings and graded meshes
// may rise from the plane.

struct Grid {
  Vec2 size{1, 1};                        // m
  std::array<int, 2> resolution{81, 81};  // vertices along x and y
  std::string diagonals = "single";       // "alternating", "single" or "cross"
  static void describe(Describer<Grid>& d);
};

struct Disc {
  double radius = 0.5;        // m
  double edge_length = 0.02;  // m
  static void describe(Describer<Disc>& d);
};

/// A long strip along x.
struct Ribbon {
  double length = 1.0;  // m, along x
  double width = 0.05;  // m, along y
  int segments = 100;   // cells along
  int across = 4;       // cells across
  static void describe(Describer<Ribbon>& d);
};

/// A rectangle without preferred directions; the same mesh for the same seed on every machine.
struct Irregular {
  Vec2 size{1, 1};            // m
  double edge_length = 0.02;  // m, mean
  int seed = 1;
  static void describe(Describer<Irregular>& d);
};

/// A round sheet with a hole, whose triangles are alike and the smaller the nearer to it.
struct Rings {
  double inner = 0.05, outer = 0.5;  // m, radii
  int around = 48;                   // cells
  int rings = 24;                    // of cells
  double height = 0;                 // m, of the middle, as if there were no hole; 0: flat
  static void describe(Describer<Rings>& d);
};

/// A rectangle without preferred directions whose triangles are the smaller the nearer to one place; flat, or
/// raised in the middle like a cushion. The same mesh for the same seed on every machine.
struct Graded {
  Vec2 size{1, 1};             // m
  double edge_length = 0.04;   // m, far from the place
  double finest_edge = 0.005;  // m, at the place
  double growth = 0.25;        // of edges by the distance from the place
  Vec2 place = Vec2::Zero();   // m
  double height = 0;           // m, of the middle above the border; 0: flat
  int seed = 1;
  static void describe(Describer<Graded>& d);
};

TriangleMesh make_mesh(const Grid& grid);
TriangleMesh make_mesh(const Disc& disc);
TriangleMesh make_mesh(const Ribbon& ribbon);
TriangleMesh make_mesh(const Irregular& irregular);
TriangleMesh make_mesh(const Rings& rings);
TriangleMesh make_mesh(const Graded& graded);

/// Adds all generators to the catalogue, category "mesh".
void add_generators(Catalogue& catalogue);
/// The mesh that a scene asks for; empty if the entity is not one of the generators.
std::optional<TriangleMesh> make_mesh(const Entity& entity);

}  // namespace heddle
