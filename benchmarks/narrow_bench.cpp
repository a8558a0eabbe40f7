// Times the narrow phase: nanoseconds per query of each function, milliseconds per count of intersections.
#include "timing.h"

#include <heddle/core/random.h>
#include <heddle/geometry/continuous.h>
#include <heddle/mesh/generators.h>
#include <heddle/mesh/intersection_count.h>

#include <fmt/core.h>

namespace {

using namespace heddle;

Vec3 random_point(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

struct Query {
  PairPoints from, to;
};

/// Pairs of the size 1 m that move by about `motion`, m. With a small motion this is what a broad phase
/// leaves: pairs whose boxes overlap.
std::vector<Query> queries(double motion) {
  Random random(1);
  std::vector<Query> result(20000);
  for (Query& query : result)
    for (size_t i = 0; i < 4; ++i) {
      query.from[i] = random_point(random, 0.5);
      query.to[i] = query.from[i] + random_point(random, motion);
    }
  return result;
}

template <class Work>
void time_queries(const char* name, const std::vector<Query>& all, const Work& work) {
  double sum = 0;
  const double seconds = best_seconds(15, [&] {
    for (const Query& query : all) sum += work(query);
  });
  fmt::print("{:34} {:7.1f} ns per query   (mean {:.4f})\n", name,
             1e9 * seconds / static_cast<double>(all.size()), sum / 15 / static_cast<double>(all.size()));
}

void time_proximity() {
  const std::vector<Query> all = queries(0);
  time_queries("vertex_triangle_proximity", all,
               [](const Query& q) { return vertex_triangle_proximity(q.from).distance; });
  time_queries("edge_edge_proximity", all,
               [](const Query& q) { return edge_edge_proximity(q.from).distance; });
}

void time_continuous() {
  for (const double motion : {0.01, 0.1, 1.0})
    for (const double separation : {0.0, 0.01}) {
      fmt::print("motion {} m, separation {} m (mean: share of hits)\n", motion, separation);
      const std::vector<Query> all = queries(motion);
      for (const ContinuousMethod& method : continuous_methods()) {
        time_queries(fmt::format("  {} vertex-triangle", method.name).c_str(), all, [&](const Query& q) {
          return method.vertex_triangle(q.from, q.to, separation) ? 1.0 : 0.0;
        });
        time_queries(fmt::format("  {} edge-edge", method.name).c_str(), all,
                     [&](const Query& q) { return method.edge_edge(q.from, q.to, separation) ? 1.0 : 0.0; });
      }
    }
}

/// A sheet rolled up into many layers, crumpled by noise.
void time_count(int vertices, double turns, double noise) {
  TriangleMesh mesh = make_mesh(Grid{{1, 1}, {vertices, vertices}, "single"});
  Random random(1);
  for (Vec3& x : mesh.positions) {
    const double angle = turns * 2 * M_PI * (x.x() + 0.5), radius = 0.05 + 0.01 * angle;
    const Vec3 rolled(radius * std::cos(angle), x.y(), radius * std::sin(angle));
    x = (turns > 0 ? rolled : x) + random_point(random, noise);
  }
  std::int64_t count = 0;
  const double seconds =
      best_seconds(5, [&] { count = count_intersections(mesh.positions, mesh.triangles).count; });
  fmt::print("{} triangles, {} turns, noise {} m: {} intersections in {:.1f} ms\n", mesh.triangle_count(),
             turns, noise, count, 1e3 * seconds);
}

}  // namespace

int main() {
  time_proximity();
  time_continuous();
  for (const int vertices : {124, 300}) {
    time_count(vertices, 0, 0);
    time_count(vertices, 5, 0);
    time_count(vertices, 5, 0.01);
  }
}
