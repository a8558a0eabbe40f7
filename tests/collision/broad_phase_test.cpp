#include "test_meshes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle {
namespace {

template <class Pair>
bool has_all(const std::vector<Pair>& all, const std::vector<Pair>& some) {
  return std::ranges::includes(all, some);
}

CandidatePairs found_by(BroadPhase& broad_phase, const CollisionCase& c) {
  CandidatePairs pairs;
  broad_phase.update(c.begin, c.end, c.margin);
  broad_phase.find(pairs);
  return pairs;
}

TEST(BroadPhase, FindsEveryNearPairOfEveryCase) {
  for (const CollisionCase& c : collision_cases()) {
    const CandidatePairs near = near_pairs(c);
    RecordProperty(c.name, static_cast<int>(near.vertex_triangle.size() + near.edge_edge.size()));
    for (const std::string_view name : broad_phase_names()) {
      const auto broad_phase = c.make(name);
      const CandidatePairs found = sorted(found_by(*broad_phase, c));
      EXPECT_TRUE(has_all(found.vertex_triangle, near.vertex_triangle)) << name << ", " << c.name;
      EXPECT_TRUE(has_all(found.edge_edge, near.edge_edge)) << name << ", " << c.name;
    }
  }
}

/// Patches are skipped in many of these; none of them may hide a near pair.
TEST(BroadPhase, SkippedPatchesHideNoNearPair) {
  std::int64_t flat_patches = 0, near_count = 0;
  for (std::uint64_t seed = 100; seed < 160; ++seed) {
    const double step = static_cast<double>(seed % 10);
    CollisionCase c = crumpled_case(10, seed, 0.05 * step, seed % 2 == 0 ? 0.0 : 0.02 * step);
    c.margin = 0.01 * static_cast<double>(seed % 7);  // cells are 0.1 wide
    const CandidatePairs near = near_pairs(c);
    const auto tree = c.make("bvh");
    const CandidatePairs found = sorted(found_by(*tree, c));
    EXPECT_TRUE(has_all(found.vertex_triangle, near.vertex_triangle)) << seed;
    EXPECT_TRUE(has_all(found.edge_edge, near.edge_edge)) << seed;
    flat_patches += tree->report().flat_patches;
    near_count += static_cast<std::int64_t>(near.vertex_triangle.size());
  }
  EXPECT_GT(flat_patches, 100);
  EXPECT_GT(near_count, 1000);
}

TEST(BroadPhase, CasesHaveNearPairs) {
  for (const CollisionCase& c : collision_cases()) {
    const CandidatePairs near = near_pairs(c);
    const bool some = !near.vertex_triangle.empty() && !near.edge_edge.empty();
    const bool none_meant = c.surface.triangle_count() < 4 || c.name == "flat";
    EXPECT_TRUE(some || none_meant) << c.name;
  }
}

TEST(BroadPhase, ReportsNoPairTwiceAndNoneThatSharesAVertexOrIsKinematic) {
  for (const CollisionCase& c : collision_cases())
    for (const std::string_view name : broad_phase_names()) {
      const auto broad_phase = c.make(name);
      const CandidatePairs found = sorted(found_by(*broad_phase, c));
      EXPECT_EQ(std::ranges::adjacent_find(found.vertex_triangle), found.vertex_triangle.end()) << name;
      EXPECT_EQ(std::ranges::adjacent_find(found.edge_edge), found.edge_edge.end()) << name;
      const auto kinematic = [&](int vertex) {
        return std::ranges::any_of(c.surface.bodies, [&](const CollisionBodyRange& b) {
          return b.kinematic && vertex >= b.first_vertex && vertex < b.first_vertex + b.vertex_count;
        });
      };
      for (const auto& [vertex, triangle] : found.vertex_triangle) {
        const Triangle& corners = c.surface.triangles[static_cast<size_t>(triangle)];
        EXPECT_EQ(std::ranges::count(corners, vertex), 0) << name;
        EXPECT_FALSE(kinematic(vertex) && kinematic(corners[0])) << name;
      }
      for (const auto& [first, second] : found.edge_edge) {
        const Edge &a = c.surface.edges[static_cast<size_t>(first)],
                   &b = c.surface.edges[static_cast<size_t>(second)];
        EXPECT_LT(first, second);
        EXPECT_TRUE(a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1]) << name;
        EXPECT_FALSE(kinematic(a[0]) && kinematic(b[0])) << name;
      }
    }
}

TEST(BroadPhase, LeavesOutPairsOfFreeBodiesIfToldTo) {
  size_t left_out = 0, kept = 0;
  for (CollisionCase c : collision_cases())
    for (const std::string_view name : broad_phase_names()) {
      c.surface.between_free = true;
      CandidatePairs expected = sorted(found_by(*c.make(name), c));
      const size_t all = expected.vertex_triangle.size() + expected.edge_edge.size();
      const auto kinematic = [&](int triangle) { return c.surface.kinematic(triangle); };
      const auto of_edge = [&](int edge) { return c.surface.edge_triangles[static_cast<size_t>(edge)][0]; };
      std::vector<int> of_vertex(static_cast<size_t>(c.surface.vertex_count));
      for (int t = 0; t < c.surface.triangle_count(); ++t)
        for (const int v : c.surface.triangles[static_cast<size_t>(t)]) of_vertex[static_cast<size_t>(v)] = t;
      std::erase_if(expected.vertex_triangle, [&](const VertexTriangle& pair) {
        return !kinematic(of_vertex[static_cast<size_t>(pair.vertex)]) && !kinematic(pair.triangle);
      });
      std::erase_if(expected.edge_edge, [&](const EdgeEdge& pair) {
        return !kinematic(of_edge(pair.first)) && !kinematic(of_edge(pair.second));
      });
      c.surface.between_free = false;
      const CandidatePairs found = sorted(found_by(*c.make(name), c));
      EXPECT_EQ(found.vertex_triangle, expected.vertex_triangle) << name << " " << c.name;
      EXPECT_EQ(found.edge_edge, expected.edge_edge) << name << " " << c.name;
      kept += found.vertex_triangle.size() + found.edge_edge.size();
      left_out += all - found.vertex_triangle.size() - found.edge_edge.size();
    }
  EXPECT_GT(kept, 1000u);
  EXPECT_GT(left_out, 1000u);
}

/// Without cones the boxes of the hash and of the tree are those of the oracle, up to rounding.
TEST(BroadPhase, BoxesFindWhatTheOracleFinds) {
  for (CollisionCase c : collision_cases()) {
    const auto oracle = c.make("brute_force");
    const CandidatePairs exact = sorted(found_by(*oracle, c));
    c.margin *= 1.0 + 1e-4;
    const CandidatePairs more = sorted(found_by(*oracle, c));
    c.margin /= 1.0 + 1e-4;
    for (const std::string_view name : {"bvh6", "hash"}) {
      const auto broad_phase = c.make(name, {.cones = false});
      const CandidatePairs found = sorted(found_by(*broad_phase, c));
      EXPECT_TRUE(has_all(found.vertex_triangle, exact.vertex_triangle)) << name << ", " << c.name;
      EXPECT_TRUE(has_all(found.edge_edge, exact.edge_edge)) << name << ", " << c.name;
      EXPECT_TRUE(has_all(more.vertex_triangle, found.vertex_triangle)) << name << ", " << c.name;
      EXPECT_TRUE(has_all(more.edge_edge, found.edge_edge)) << name << ", " << c.name;
    }
  }
}

TEST(BroadPhase, RadiiOfTheVerticesAdd) {
  // Two triangles 0.1 m apart; a thick one finds a thin one.
  const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.1}, {1, 0, 0.1}, {0, 1, 0.1}};
  const std::vector<CollisionBody> bodies{{3, {{0, 1, 2}}, false}, {3, {{0, 1, 2}}, true}};
  const CollisionSurface surface = make_collision_surface(bodies);
  for (const std::string_view name : {"bvh", "bvh6", "bvh14", "hash", "brute_force"}) {  // bvh8 has no axis z
    const auto broad_phase = make_broad_phase(name, surface, x);
    CandidatePairs pairs;
    broad_phase->update(x, x, std::vector<double>{0.08, 0.08, 0.08, 0.03, 0.03, 0.03});
    broad_phase->find(pairs);
    EXPECT_EQ(pairs.vertex_triangle.size(), 6u) << name;
    broad_phase->update(x, x, std::vector<double>{0.08, 0.08, 0.08, 0.01, 0.01, 0.01});
    broad_phase->find(pairs);
    EXPECT_TRUE(pairs.vertex_triangle.empty() && pairs.edge_edge.empty()) << name;
  }
}

TEST(BroadPhase, RefusesPositionsThatAreNotNumbers) {
  CollisionCase c = flat_case(3);
  c.end[4].y() = std::nan("");
  for (const std::string_view name : {"bvh", "hash"})
    EXPECT_THROW(c.make(name)->update(c.begin, c.end, c.margin), std::logic_error) << name;
}

TEST(BroadPhase, MoreDirectionsVisitFewerVolumes) {
  CollisionCase c = crumpled_case(60, 5, 0.5, 0.0);
  std::printf("%-6s %12s %15s %10s\n", "", "volume tests", "triangle pairs", "pairs");
  std::int64_t tests[3], pairs[3];
  int i = 0;
  for (const std::string_view name : {"bvh6", "bvh14", "bvh"}) {
    const auto tree = c.make(name, {.cones = false});
    const CandidatePairs found = found_by(*tree, c);
    tests[i] = tree->report().volume_tests;
    pairs[i] = static_cast<std::int64_t>(found.vertex_triangle.size() + found.edge_edge.size());
    std::printf("%-6s %12ld %15ld %10ld\n", std::string(name).c_str(), static_cast<long>(tests[i]),
                static_cast<long>(tree->report().triangle_pairs), static_cast<long>(pairs[i]));
    ++i;
  }
  EXPECT_LT(tests[1], tests[0]);
  EXPECT_LT(tests[2], tests[0]);
  EXPECT_LT(pairs[1], pairs[0]);
  EXPECT_LT(pairs[2], pairs[0]);
}

TEST(BroadPhase, RebuildsATreeWhoseVolumesHaveGrown) {
  // Built for a folded sheet, then unfolded: the tree mixes layers that are now far apart.
  CollisionCase c = folded_case(30, 6);
  const CollisionCase unfolded = flat_case(30);
  c.reference = c.begin;
  const auto kept = c.make("bvh6", {.cones = false}),
             renewed = c.make("bvh6", {.cones = false, .rebuild_growth = 2.0});
  CandidatePairs pairs;
  for (BroadPhase* tree : {kept.get(), renewed.get()}) {
    tree->update(c.begin, c.begin, c.margin);
    tree->update(unfolded.begin, unfolded.begin, unfolded.margin);
    tree->find(pairs);
  }
  EXPECT_EQ(kept->report().rebuilds, 0);
  EXPECT_EQ(renewed->report().rebuilds, 1);
  EXPECT_LT(1.5 * static_cast<double>(renewed->report().volume_tests),
            static_cast<double>(kept->report().volume_tests));
}

}  // namespace
}  // namespace heddle
