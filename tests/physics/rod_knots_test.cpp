// Knots hold with friction and slip without.

#include "rod_watch.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {

namespace {

constexpr double kRadius = 0.005;  // m

Json strand(const std::string& kind, int number, double friction) {
  return {{"name", "strand " + std::to_string(number)},
          {"curve",
           {{"type", "tied"}, {"kind", kind}, {"strand", number}, {"radius", kRadius}, {"standing", 0.2}}},
          {"rest", "straight"},
          {"material",
           {{"type", "elastic"},
            {"radius", kRadius},
            {"young", 1e5},
            {"stretch_young", 2e7},
            {"damping", 0.02},
            {"friction", friction}}}};
}

/// A clamp that moves by a way (m) within a time (s) and then stays.
Json moving_clamp(const std::string& end, const Vec3& way, double time) {
  return {{"end", end},
          {"motion",
           {{"translation", {{"times", {0, time}}, {"values", {{0, 0, 0}, {way[0], way[1], way[2]}}}}}}}};
}

/// Pull in the standing part of a rod at its start, N.
double tension(const Simulation& sim, int rod) {
  const RodPart& part = sim.model.rods[static_cast<size_t>(rod)];
  double sum = 0;
  constexpr int kFirst = 3, kCount = 5;
  for (int s = kFirst; s < kFirst + kCount; ++s) {
    const auto& [a, b] = part.place.segments[static_cast<size_t>(s)].ends;
    const double length = (sim.state.x[static_cast<size_t>(b)] - sim.state.x[static_cast<size_t>(a)]).norm();
    sum += length / part.rest_lengths[static_cast<size_t>(s)] - 1;
  }
  return part.stretch_stiffness * sum / kCount;
}

const Vec3& last_node(const Simulation& sim, int rod) {
  const RodPlace& place = sim.model.rods[static_cast<size_t>(rod)].place;
  return sim.state.x[static_cast<size_t>(place.first_particle + place.node_count - 1)];
}

/// Pulled for two seconds, then held.
double hold_until() {
  return full() ? 12 : 2.5;
}

const Vec3& middle_node(const Simulation& sim, int rod) {
  const RodPlace& place = sim.model.rods[static_cast<size_t>(rod)].place;
  return sim.state.x[static_cast<size_t>(place.first_particle + place.node_count / 2)];
}

}  // namespace

TEST(RodKnots, DoubleFishermanHoldsWithFrictionAndSlipsWithout) {
  double pull[2];
  for (const double friction : {0.5, 0.0}) {
    Json scene = {{"heddle", 1}, {"duration", 10}, {"gravity", {0, 0, 0}}};
    for (const int number : {1, 2}) {
      Json rod = strand("double_fisherman", number, friction);
      rod["clamps"] = {moving_clamp("start", {number == 1 ? -0.16 : 0.16, 0, 0}, 2)};
      scene["rods"].push_back(rod);
    }
    Simulation sim = build_scene(scene);
    const Watched seen = watch(sim, hold_until());
    print(friction > 0 ? "fisherman" : "fisherman without friction", seen);
    pull[friction > 0 ? 0 : 1] = tension(sim, 0);
    std::printf("pull %.3f N, tails end at %.3f and %.3f m\n", tension(sim, 0), last_node(sim, 0)[0],
                last_node(sim, 1)[0]);
    EXPECT_EQ(seen.overlaps, 0);
  }
  EXPECT_GT(pull[0], 20 * std::abs(pull[1]));
}

/// The cord is pulled along the rope by 10 cm; its middle lies on top of the knot.
TEST(RodKnots, PrusikGripsWithFrictionAndSlidesWithout) {
  double way[2];
  for (const double friction : {0.5, 0.0}) {
    Json cord = strand("prusik", 1, friction), rope = strand("prusik", 2, friction);
    cord["clamps"] = {moving_clamp("start", {0.1, 0, -0.02}, 2), moving_clamp("end", {0.1, 0, -0.02}, 2)};
    rope["curve"]["standing"] = 0.3;
    rope["curve"]["segments"] = 50;
    rope["material"]["young"] = 1e7;
    rope["clamps"] = {{{"end", "start"}}, {{"end", "end"}}};
    Simulation sim = build_scene({{"heddle", 1}, {"gravity", {0, 0, 0}}, {"rods", {cord, rope}}});
    const Vec3 before = middle_node(sim, 0);
    const Watched seen = watch(sim, hold_until());
    print(friction > 0 ? "prusik" : "prusik without friction", seen);
    way[friction > 0 ? 0 : 1] = middle_node(sim, 0)[0] - before[0];
    std::printf("the knot moved by %.4f m\n", middle_node(sim, 0)[0] - before[0]);
    EXPECT_EQ(seen.overlaps, 0);
  }
  EXPECT_LT(way[0], 0.015);
  EXPECT_GT(way[1], 0.06);
}

/// A bow of two laces whose standing ends are pulled apart.
TEST(RodKnots, BowHoldsWithFrictionAndSlipsWithout) {
  double pull[2];
  for (const double friction : {0.5, 0.0}) {
    Json scene = {{"heddle", 1}, {"duration", 10}, {"gravity", {0, 0, 0}}};
    for (const int number : {1, 2}) {
      Json lace = strand("shoelace", number, friction);
      lace["clamps"] = {moving_clamp("start", {number == 1 ? -0.1 : 0.1, 0, 0}, 2)};
      scene["rods"].push_back(lace);
    }
    Simulation sim = build_scene(scene);
    const Watched seen = watch(sim, hold_until());
    print(friction > 0 ? "bow" : "bow without friction", seen);
    pull[friction > 0 ? 0 : 1] = tension(sim, 0);
    std::printf("pull %.3f N\n", tension(sim, 0));
    EXPECT_EQ(seen.overlaps, 0);
  }
  EXPECT_GT(pull[0], 4);
  EXPECT_LT(pull[1], 0.2);
}

}  // namespace heddle::test
