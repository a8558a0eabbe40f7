#include <heddle/mesh/generators.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr double kMostVertices = 2e7;

ParameterOptions length_above_zero(std::string doc) {
  return {.unit = "m", .doc = std::move(doc), .minimum = 0.0, .above_minimum = true};
}

void check_count(double vertices, const SourceLocation& where, Diagnostics& diagnostics) {
  if (vertices <= kMostVertices) return;
  diagnostics.error(where, "the mesh would have about " + number_text(std::round(vertices)) + " vertices",
                    "use a larger edge_length or a lower resolution");
}

enum class Diagonals { alternating, single, cross };

Diagonals diagonals_from(const std::string& word) {
  if (word == "single") return Diagonals::single;
  if (word == "cross") return Diagonals::cross;
  HEDDLE_CHECK(word == "alternating");
  return Diagonals::alternating;
}

/// Adds the triangles of the cell with corners a, b (right), c, d (above a).
void add_cell(TriangleMesh& mesh, Diagonals diagonals, bool odd, const std::array<int, 4>& corner) {
  const auto [a, b, c, d] = corner;
  if (diagonals == Diagonals::cross) {
    const int centre = mesh.vertex_count();
    mesh.positions.push_back(
        0.25 * (mesh.positions[static_cast<size_t>(a)] + mesh.positions[static_cast<size_t>(b)] +
                mesh.positions[static_cast<size_t>(c)] + mesh.positions[static_cast<size_t>(d)]));
    for (const auto& [p, q] : {std::pair{a, b}, {b, c}, {c, d}, {d, a}})
      mesh.triangles.push_back({p, q, centre});
  } else if (diagonals == Diagonals::alternating && odd) {
    mesh.triangles.push_back({a, b, d});
    mesh.triangles.push_back({b, c, d});
  } else {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
}

TriangleMesh finished(TriangleMesh mesh) {
  mesh.flat = true;
  mesh.uv.reserve(mesh.positions.size());
  for (const Vec3& position : mesh.positions) mesh.uv.emplace_back(position.x(), position.y());
  return mesh;
}

TriangleMesh make_grid(const Vec2& size, int nx, int ny, Diagonals diagonals) {
  HEDDLE_CHECK_GT(nx, 1);
  HEDDLE_CHECK_GT(ny, 1);
  TriangleMesh mesh;
  const size_t cells = static_cast<size_t>(nx - 1) * static_cast<size_t>(ny - 1);
  const bool cross = diagonals == Diagonals::cross;
  mesh.positions.reserve(static_cast<size_t>(nx) * static_cast<size_t>(ny) + (cross ? cells : 0));
  mesh.triangles.reserve(cells * (cross ? 4 : 2));
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      mesh.positions.emplace_back((static_cast<double>(i) / (nx - 1) - 0.5) * size.x(),
                                  (static_cast<double>(j) / (ny - 1) - 0.5) * size.y(), 0.0);
  for (int j = 0; j + 1 < ny; ++j)
    for (int i = 0; i + 1 < nx; ++i) {
      const int a = j * nx + i;
      add_cell(mesh, diagonals, (i + j) % 2 == 1, {a, a + 1, a + nx + 1, a + nx});
    }
  if (!cross) mesh.lattice = {nx, ny};
  return finished(std::move(mesh));
}

/// Edges between rings are longer than the distance of the rings; this factor makes the mean edge right.
double rings_wanted(const Disc& disc) {
  return 1.12 * disc.radius / disc.edge_length;
}

int ring_count(const Disc& disc) {
  return std::max(1, static_cast<int>(std::lround(rings_wanted(disc))));
}

/// Index of vertex i (cyclic) of a ring; ring k > 0 has 6k vertices, ring 0 is the centre.
int ring_vertex(int ring, int i) {
  return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + i % (6 * ring);
}

}  // namespace

void Grid::describe(Describer<Grid>& d) {
  d.type("grid", "mesh", "A rectangle of equal cells, each cut into triangles.");
  d.parameter("size", &Grid::size, length_above_zero("Edge lengths along x (weft) and y (warp)."));
  d.parameter("resolution", &Grid::resolution,
              {.doc = "Number of vertices along x and y.", .minimum = 2, .maximum = 10000});
  d.parameter("diagonals", &Grid::diagonals,
              {.unit = "",
               .doc = "How a cell is cut: every second one flipped, all alike, or in four about its centre.",
               .choices = {"alternating", "single", "cross"}});
  d.validate([](const Grid& grid, const SourceLocation& where, Diagnostics& diagnostics) {
    const double corners = static_cast<double>(grid.resolution[0]) * grid.resolution[1];
    check_count(grid.diagonals == "cross" ? 2 * corners : corners, where, diagnostics);
  });
}

void Disc::describe(Describer<Disc>& d) {
  d.type("disc", "mesh", "A round sheet of concentric rings of nearly equilateral triangles.");
  d.parameter("radius", &Disc::radius, length_above_zero("Radius of the sheet."));
  d.parameter("edge_length", &Disc::edge_length,
              length_above_zero("Mean length of the edges, nearly: the radius is divided into whole rings."));
  d.validate([](const Disc& disc, const SourceLocation& where, Diagnostics& diagnostics) {
    const double rings = rings_wanted(disc);
    check_count(3 * rings * rings, where, diagnostics);
  });
}

void Ribbon::describe(Describer<Ribbon>& d) {
  d.type("ribbon", "mesh", "A long strip along x.");
  d.parameter("length", &Ribbon::length, length_above_zero("Length along x (weft)."));
  d.parameter("width", &Ribbon::width, length_above_zero("Width along y (warp)."));
  d.parameter("segments", &Ribbon::segments,
              {.doc = "Number of cells along.", .minimum = 1, .maximum = 100000});
  d.parameter("across", &Ribbon::across, {.doc = "Number of cells across.", .minimum = 1, .maximum = 1000});
  d.validate([](const Ribbon& ribbon, const SourceLocation& where, Diagnostics& diagnostics) {
    check_count((ribbon.segments + 1.0) * (ribbon.across + 1.0), where, diagnostics);
  });
}

void Irregular::describe(Describer<Irregular>& d) {
  d.type("irregular", "mesh", "A rectangle of well-shaped triangles without preferred directions.");
  d.parameter("size", &Irregular::size, length_above_zero("Edge lengths along x (weft) and y (warp)."));
  d.parameter("edge_length", &Irregular::edge_length, length_above_zero("Mean length of the edges."));
  d.parameter("seed", &Irregular::seed,
              {.doc = "Chooses one of many such meshes; the same seed gives the same mesh.", .minimum = 0});
  d.validate([](const Irregular& mesh, const SourceLocation& where, Diagnostics& diagnostics) {
    const Vec2 cells = mesh.size / mesh.edge_length;
    // Along one side more than this would leave the range of the exact integer arithmetic.
    if (cells.maxCoeff() > 20000)
      diagnostics.error(where, "size is more than 20000 times edge_length", "use a larger edge_length");
    else
      check_count(cells.x() * cells.y() * 1.2, where, diagnostics);
  });
}

void Rings::describe(Describer<Rings>& d) {
  d.type("rings", "mesh",
         "A round sheet with a hole in the middle, of triangles that are alike and the smaller the nearer to "
         "it; flat or raised in the middle like a tent.");
  d.parameter("inner", &Rings::inner, length_above_zero("Radius of the hole."));
  d.parameter("outer", &Rings::outer, length_above_zero("Radius of the sheet."));
  d.parameter("around", &Rings::around, {.doc = "Number of cells around.", .minimum = 3, .maximum = 10000});
  d.parameter("rings", &Rings::rings,
              {.doc = "Number of cells from the hole to the border.", .minimum = 1, .maximum = 10000});
  d.parameter("height", &Rings::height,
              {.unit = "m", .doc = "How high the middle is above the border, if there were no hole."});
  d.validate([](const Rings& mesh, const SourceLocation& where, Diagnostics& diagnostics) {
    if (mesh.inner >= mesh.outer)
      diagnostics.error(where, "the hole is as large as the sheet", "make inner smaller than outer");
    check_count((mesh.rings + 1.0) * mesh.around, where, diagnostics);
  });
}

void Graded::describe(Describer<Graded>& d) {
  d.type(
      "graded", "mesh",
      "A rectangle of well-shaped triangles that are the smaller the nearer to one place, without preferred "
      "directions; flat or raised in the middle like a cushion.");
  d.parameter("size", &Graded::size, length_above_zero("Edge lengths along x (weft) and y (warp)."));
  d.parameter("edge_length", &Graded::edge_length, length_above_zero("Mean length of the longest edges."));
  d.parameter("finest_edge", &Graded::finest_edge,
              length_above_zero("Mean length of the edges at the place."));
  d.parameter("growth", &Graded::growth,
              {.doc = "By how much edges get longer with the distance from the place.",
               .minimum = 0.05,
               .maximum = 1});
  d.parameter("place", &Graded::place,
              {.unit = "m", .doc = "Where the triangles are smallest; (0, 0) is the middle."});
  d.parameter("height", &Graded::height, {.unit = "m", .doc = "How high the middle is above the border."});
  d.parameter("seed", &Graded::seed,
              {.doc = "Chooses one of many such meshes; the same seed gives the same mesh.", .minimum = 0});
  d.validate([](const Graded& mesh, const SourceLocation& where, Diagnostics& diagnostics) {
    const double cells = mesh.size.maxCoeff() / mesh.finest_edge;
    if (mesh.finest_edge > mesh.edge_length)
      diagnostics.error(where, "finest_edge is longer than edge_length", "swap them");
    else if (cells > 20000)
      diagnostics.error(where, "size is more than 20000 times finest_edge", "use a larger finest_edge");
    else
      check_count(1.2 * mesh.size.prod() / std::pow(mesh.edge_length, 2) +
                      16 / std::pow(mesh.growth, 2) * std::log(2 * mesh.edge_length / mesh.finest_edge),
                  where, diagnostics);
  });
}

TriangleMesh make_mesh(const Grid& grid) {
  return make_grid(grid.size, grid.resolution[0], grid.resolution[1], diagonals_from(grid.diagonals));
}

TriangleMesh make_mesh(const Ribbon& ribbon) {
  return make_grid({ribbon.length, ribbon.width}, ribbon.segments + 1, ribbon.across + 1, Diagonals::single);
}

TriangleMesh make_mesh(const Disc& disc) {
  const int rings = ring_count(disc);
  TriangleMesh mesh;
  mesh.positions.reserve(static_cast<size_t>(1 + 3 * rings * (rings + 1)));
  mesh.triangles.reserve(static_cast<size_t>(6 * rings) * static_cast<size_t>(rings));
  mesh.positions.emplace_back(0, 0, 0);
  for (int ring = 1; ring <= rings; ++ring) {
    const double radius = disc.radius * ring / rings;
    for (int i = 0; i < 6 * ring; ++i) {
      const double angle = 2 * std::numbers::pi * i / (6 * ring);
      mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0);
    }
    // In each of six sectors `ring` triangles stand on the outer ring and ring - 1 on the inner one.
    for (int sector = 0; sector < 6; ++sector)
      for (int k = 0; k < ring; ++k) {
        const int outer = sector * ring + k, inner = sector * (ring - 1) + k;
        mesh.triangles.push_back(
            {ring_vertex(ring, outer), ring_vertex(ring, outer + 1), ring_vertex(ring - 1, inner)});
        if (k + 1 < ring)
          mesh.triangles.push_back(
              {ring_vertex(ring - 1, inner), ring_vertex(ring, outer + 1), ring_vertex(ring - 1, inner + 1)});
      }
  }
  return finished(std::move(mesh));
}

TriangleMesh make_mesh(const Rings& rings) {
  constexpr double kSlope = 4;  // of the tent, over its radius
  TriangleMesh mesh;
  const int n = rings.around;
  for (int k = 0; k <= rings.rings; ++k) {
    const double radius =
        rings.inner * std::pow(rings.outer / rings.inner, static_cast<double>(k) / rings.rings);
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.5 * k) / n;
      mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle),
                                  rings.height * std::exp(-kSlope * radius / rings.outer));
    }
  }
  for (int k = 0; k < rings.rings; ++k)
    for (int i = 0; i < n; ++i) {
      const int a = k * n + i, b = k * n + (i + 1) % n, c = a + n, d = b + n;
      mesh.triangles.push_back({a, c, b});
      mesh.triangles.push_back({b, c, d});
    }
  return rings.height == 0 ? finished(std::move(mesh)) : mesh;
}

void add_generators(Catalogue& catalogue) {
  catalogue.add(description_of<Grid>());
  catalogue.add(description_of<Disc>());
  catalogue.add(description_of<Ribbon>());
  catalogue.add(description_of<Irregular>());
  catalogue.add(description_of<Rings>());
  catalogue.add(description_of<Graded>());
}

std::optional<TriangleMesh> make_mesh(const Entity& entity) {
  if (entity.is<Grid>()) return make_mesh(entity.as<Grid>());
  if (entity.is<Disc>()) return make_mesh(entity.as<Disc>());
  if (entity.is<Ribbon>()) return make_mesh(entity.as<Ribbon>());
  if (entity.is<Irregular>()) return make_mesh(entity.as<Irregular>());
  if (entity.is<Rings>()) return make_mesh(entity.as<Rings>());
  if (entity.is<Graded>()) return make_mesh(entity.as<Graded>());
  return {};
}

}  // namespace heddle
