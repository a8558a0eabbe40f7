#include "test_meshes.h"

#include <heddle/core/random.h>
#include <heddle/geometry/triangle.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr double kPi = std::numbers::pi;

CollisionCase make_case(std::string name, std::vector<CollisionBody> bodies, std::vector<Vec3> reference,
                        std::vector<Vec3> begin, std::vector<Vec3> end, double margin) {
  return {std::move(name),      make_collision_surface(bodies),
          std::move(reference), std::move(begin),
          std::move(end),       margin};
}

std::vector<Vec3> moved(std::vector<Vec3> positions, const Vec3& by) {
  for (Vec3& x : positions) x += by;
  return positions;
}

/// Its components one after the other, so that every compiler draws the same.
Vec3 random_vector(Random& random, double largest) {
  const double z = random.uniform(-largest, largest), y = random.uniform(-largest, largest);
  return {random.uniform(-largest, largest), y, z};
}

/// Smooth random displacements, and rough ones a tenth as large.
std::vector<Vec3> crumpled(std::span<const Vec3> positions, Random& random, double amplitude) {
  std::vector<Vec3> out(positions.begin(), positions.end());
  for (int wave = 0; wave < 6; ++wave) {
    const Vec3 k = random_vector(random, 14), a = random_vector(random, 1);
    for (size_t i = 0; i < out.size(); ++i)
      out[i] += 0.4 * amplitude * a * std::sin(k.dot(positions[i]) + wave);
  }
  for (Vec3& x : out) x += 0.03 * amplitude * random_vector(random, 1);
  return out;
}

CollisionCase ball_case() {
  const int rings = 12, sectors = 20;
  CollisionBody body;
  body.vertex_count = (rings - 1) * sectors + 2;
  std::vector<Vec3> x;
  const auto index = [&](int ring, int sector) { return (ring - 1) * sectors + sector % sectors; };
  for (int ring = 1; ring < rings; ++ring)
    for (int s = 0; s < sectors; ++s) {
      const double polar = kPi * ring / rings, around = 2 * kPi * s / sectors;
      x.emplace_back(std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), std::cos(polar));
    }
  const int north = static_cast<int>(x.size()), south = north + 1;
  x.emplace_back(0, 0, 1);
  x.emplace_back(0, 0, -1);
  for (int s = 0; s < sectors; ++s) {
    body.triangles.push_back({north, index(1, s), index(1, s + 1)});
    body.triangles.push_back({south, index(rings - 1, s + 1), index(rings - 1, s)});
    for (int ring = 1; ring + 1 < rings; ++ring) {
      body.triangles.push_back({index(ring, s), index(ring + 1, s), index(ring + 1, s + 1)});
      body.triangles.push_back({index(ring, s), index(ring + 1, s + 1), index(ring, s + 1)});
    }
  }
  std::vector<Vec3> dented = x;
  for (Vec3& p : dented)
    if (p.z() > 0.1) p.z() = 0.1 - 1.6 * (p.z() - 0.1);  // the upper half pushed through the lower one
  return make_case("ball pushed in", {body}, x, x, dented, 0.02);
}

/// A ring with a gap, flat; the gap closes in the plane, so that normals never move.
CollisionCase ring_case(bool closed) {
  const int around = 40, across = 3;
  const auto bent = [&](double gap) {
    std::vector<Vec3> x;
    for (int i = 0; i <= across; ++i)
      for (int j = 0; j <= around; ++j) {
        const double angle = gap + (2 * kPi - 2 * gap) * j / around, r = 1.0 - 0.12 * i;
        x.emplace_back(r * std::cos(angle), r * std::sin(angle), 0.0);
      }
    return x;
  };
  const auto open = bent(0.3), end = closed ? bent(-0.05) : bent(0.004);
  return make_case(closed ? "flat ring closes over itself" : "flat ring nearly closes",
                   {sheet_body(around, across)}, open, open, end, 0.02);
}

/// A ramp of two turns: all normals point nearly up, and yet it lies above itself.
CollisionCase ramp_case() {
  const int along = 80, across = 3;
  std::vector<Vec3> x;
  for (int i = 0; i <= across; ++i)
    for (int j = 0; j <= along; ++j) {
      const double angle = 4 * kPi * j / along, r = 1.0 - 0.12 * i;
      x.emplace_back(r * std::cos(angle), r * std::sin(angle), 0.015 * angle / (2 * kPi));
    }
  return make_case("ramp above itself", {sheet_body(along, across)}, sheet_positions(along, across, 0.1), x,
                   x, 0.03);
}

CollisionCase flat_triangles_case() {
  const int n = 8;
  Random random(4);
  std::vector<Vec3> x = sheet_positions(n, n, 0.1), end;
  for (size_t i = 0; i < x.size(); i += 3) x[i] = x[(i + 1) % x.size()];  // edges without length
  for (size_t i = 40; i < 50; ++i) x[i] = x[40] + Vec3(0.01 * static_cast<double>(i), 0, 0);
  end = crumpled(x, random, 0.1);
  return make_case("triangles without area", {sheet_body(n, n)}, x, x, end, 0.02);
}

CollisionCase bodies_case() {
  const int n = 10;
  const std::vector<Vec3> flat = sheet_positions(n, n, 0.1);
  Random random(11);
  std::vector<Vec3> begin, end;
  const auto add = [](std::vector<Vec3>& to, const std::vector<Vec3>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const auto hills = crumpled(flat, random, 0.3);
  add(begin, hills);  // a floor that stands
  add(end, hills);
  add(begin, moved(flat, {0.05, 0.03, 0.25}));  // a cloth that falls through it
  add(end, moved(hills, {0.05, 0.03, -0.2}));
  add(begin, moved(hills, {0, 0, 0.01}));  // an obstacle that moves into the floor, and may
  add(end, moved(hills, {0.02, 0, -0.1}));
  add(begin, moved(flat, {0.01, 0, 0.31}));  // a second cloth upon the first
  add(end, moved(flat, {0.01, 0, 0.1}));
  return make_case("bodies that move and stand",
                   {sheet_body(n, n, true), sheet_body(n, n), sheet_body(n, n, true), sheet_body(n, n)},
                   begin, begin, end, 0.03);
}

CollisionCase small_case(std::string name, std::vector<Triangle> triangles) {
  const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.1}, {0.3, 0.3, 0.01}, {0.5, 0.3, 0.01}};
  return make_case(std::move(name), {CollisionBody{6, std::move(triangles), false}}, x, x, x, 0.05);
}

double edge_distance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  // The least of end against edge and, inside both, of the common perpendicular.
  const auto to_edge = [](const Vec3& p, const Vec3& u, const Vec3& v) {
    const double length = (v - u).squaredNorm();
    const double t = length > 0 ? std::clamp((p - u).dot(v - u) / length, 0.0, 1.0) : 0.0;
    return (p - u - t * (v - u)).norm();
  };
  double best = std::min({to_edge(a, c, d), to_edge(b, c, d), to_edge(c, a, b), to_edge(d, a, b)});
  const Vec3 u = b - a, v = d - c, w = a - c, n = u.cross(v);
  if (n.squaredNorm() > 1e-18) {
    const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), det = uu * vv - uv * uv;
    const double s = (uv * v.dot(w) - vv * u.dot(w)) / det, t = (uu * v.dot(w) - uv * u.dot(w)) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = std::min(best, (w + s * u - t * v).norm());
  }
  return best;
}

}  // namespace

CollisionBody sheet_body(int nx, int ny, bool kinematic) {
  CollisionBody body{(nx + 1) * (ny + 1), {}, kinematic};
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const int a = y * (nx + 1) + x, b = a + 1, c = a + nx + 1, d = c + 1;
      if ((x + y) % 2 == 0) {
        body.triangles.push_back({a, b, d});
        body.triangles.push_back({a, d, c});
      } else {
        body.triangles.push_back({a, b, c});
        body.triangles.push_back({b, d, c});
      }
    }
  return body;
}

std::vector<Vec3> sheet_positions(int nx, int ny, double cell) {
  std::vector<Vec3> x;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) x.emplace_back(cell * i, cell * j, 0.0);
  return x;
}

std::vector<Vec3> folded(std::span<const Vec3> flat, double length, int folds, double gap) {
  const double radius = 0.5 * gap, turn = kPi * radius, layer = (length - (folds - 1) * turn) / folds;
  std::vector<Vec3> out;
  for (const Vec3& p : flat) {
    const int k = std::min(static_cast<int>(p.x() / (layer + turn)), folds - 1);
    const double s = p.x() - k * (layer + turn), sign = k % 2 == 0 ? 1.0 : -1.0;
    double along = s, height = 0.0;
    if (s > layer) {
      const double angle = (s - layer) / radius;
      along = layer + radius * std::sin(angle);
      height = radius * (1.0 - std::cos(angle));
    }
    out.emplace_back(sign > 0 ? along : layer - along, p.y(), k * gap + height);
  }
  return out;
}

CollisionCase flat_case(int cells) {
  const auto x = sheet_positions(cells, cells, 1.0 / cells);
  return make_case("flat", {sheet_body(cells, cells)}, x, x, x, 0.1 / cells);
}

CollisionCase folded_case(int cells, int folds) {
  const auto flat = sheet_positions(cells, cells, 1.0 / cells);
  const auto x = folded(flat, 1.0, folds, 0.6 / cells);
  return make_case("folded", {sheet_body(cells, cells)}, flat, x, x, 0.7 / cells);
}

CollisionCase crumpled_case(int cells, std::uint64_t seed, double amplitude, double motion) {
  Random random(seed);
  const auto flat = sheet_positions(cells, cells, 1.0 / cells);
  const auto begin = crumpled(flat, random, amplitude);
  const auto end = motion > 0 ? crumpled(begin, random, motion) : begin;
  return make_case("crumpled " + std::to_string(seed), {sheet_body(cells, cells)}, flat, begin, end,
                   0.25 / cells);
}

std::vector<CollisionCase> collision_cases() {
  std::vector<CollisionCase> cases;
  cases.push_back(make_case("nothing", {}, {}, {}, {}, 0.01));
  cases.push_back(small_case("no triangles", {}));
  cases.push_back(small_case("one triangle", {{0, 1, 2}}));
  cases.push_back(small_case("two triangles apart", {{0, 1, 2}, {3, 4, 5}}));
  cases.push_back(small_case("three triangles on an edge", {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}));
  cases.push_back(flat_case(12));
  cases.push_back(folded_case(24, 4));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const double size = static_cast<double>(seed);
    cases.push_back(crumpled_case(16, seed, 0.15 * size, 0.0));
    cases.push_back(crumpled_case(16, seed + 10, 0.15 * size, 0.03 * size));
  }
  cases.push_back(ball_case());
  cases.push_back(ring_case(false));
  cases.push_back(ring_case(true));
  cases.push_back(ramp_case());
  cases.push_back(flat_triangles_case());
  cases.push_back(bodies_case());
  return cases;
}

CandidatePairs near_pairs(const CollisionCase& c) {
  CandidatePairs candidates, near;
  const auto oracle = c.make("brute_force");
  oracle->update(c.begin, c.end, c.margin);
  oracle->find(candidates);
  const int samples = c.begin == c.end ? 0 : 32;
  const auto ever = [&](const auto& distance) {
    for (int i = 0; i <= samples; ++i) {
      const double t = samples > 0 ? double(i) / samples : 0.0;
      const auto at = [&](int v) -> Vec3 {
        return (1 - t) * c.begin[static_cast<size_t>(v)] + t * c.end[static_cast<size_t>(v)];
      };
      if (distance(at) <= c.margin) return true;
    }
    return false;
  };
  for (const VertexTriangle& pair : candidates.vertex_triangle) {
    const Triangle& t = c.surface.triangles[static_cast<size_t>(pair.triangle)];
    if (ever([&](const auto& at) {
          return (closest_point(at(pair.vertex), at(t[0]), at(t[1]), at(t[2])).position - at(pair.vertex))
              .norm();
        }))
      near.vertex_triangle.push_back(pair);
  }
  for (const EdgeEdge& pair : candidates.edge_edge) {
    const Edge &e = c.surface.edges[static_cast<size_t>(pair.first)],
               &f = c.surface.edges[static_cast<size_t>(pair.second)];
    if (ever([&](const auto& at) { return edge_distance(at(e[0]), at(e[1]), at(f[0]), at(f[1])); }))
      near.edge_edge.push_back(pair);
  }
  return sorted(near);
}

CandidatePairs sorted(CandidatePairs pairs) {
  std::ranges::sort(pairs.vertex_triangle);
  std::ranges::sort(pairs.edge_edge);
  return pairs;
}

}  // namespace heddle
