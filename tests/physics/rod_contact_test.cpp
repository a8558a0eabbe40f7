// Rods against themselves, each other, cloth and obstacles.

#include "rod_watch.h"

#include <heddle/geometry/proximity.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace heddle::test {

namespace {

Json rope(const std::string& name, const Json& from, const Json& to, int segments, double radius = 0.005) {
  return {{"name", name},
          {"curve", {{"type", "straight"}, {"from", from}, {"to", to}, {"segments", segments}}},
          {"material", {{"type", "elastic"}, {"radius", radius}, {"young", 2e6}, {"stretch_young", 2e7}}}};
}

Json scene_of(const std::vector<Json>& rods) {
  return {{"heddle", 1}, {"duration", 10}, {"rods", rods}};
}

Vec3 rod_momentum(const Simulation& sim) {
  Vec3 sum = Vec3::Zero();
  for (const RodPart& rod : sim.model.rods)
    for (int i = 0; i < rod.place.node_count; ++i) {
      const auto particle = static_cast<size_t>(rod.place.first_particle + i);
      sum += sim.model.system->mass()[particle] * sim.state.v[particle];
    }
  return sum;
}

/// Where two rods are nearest to each other; the normal points to the first.
Proximity nearest(const Simulation& sim, size_t first, size_t second) {
  Proximity best{.distance = HUGE_VAL};
  const auto x = [&](int i) { return sim.state.x[static_cast<size_t>(i)]; };
  for (const RodSegment& a : sim.model.rods[first].place.segments)
    for (const RodSegment& b : sim.model.rods[second].place.segments) {
      const Proximity near = edge_edge_proximity({x(a.ends[0]), x(a.ends[1]), x(b.ends[0]), x(b.ends[1])});
      if (near.distance < best.distance) best = near;
    }
  return best;
}

}  // namespace

/// Two crossing ropes hit each other in free space, thin on thick.
TEST(RodContact, RopesOfUnequalRadiiHitAndKeepTheirMomentum) {
  Json scene = scene_of({rope("lower", {-0.2, 0, 0}, {0.2, 0, 0}, 20, 0.01),
                         rope("upper", {0.003, -0.2, 0.05}, {0.013, 0.2, 0.05}, 30, 0.004)});
  scene["gravity"] = {0, 0, 0};
  scene["rods"][1]["velocity"] = {0.2, 0, -3};
  Simulation sim = build_scene(scene);
  const Vec3 before = rod_momentum(sim);
  const Watched seen = watch(sim, 0.3);
  print("crossing", seen);
  const double lost = (rod_momentum(sim) - before).norm() / before.norm();
  std::printf("momentum changed by %.1e\n", lost);
  EXPECT_EQ(seen.overlaps, 0);
  EXPECT_GT(seen.contacts, 0);
  EXPECT_LT(lost, 1e-11);
}

TEST(RodContact, ThrownRopeDoesNotPassThroughAnother) {
  Json scene = scene_of({rope("held", {-0.3, 0, 0}, {0.3, 0, 0}, 40),
                         rope("thrown", {0.02, -0.15, 0.3}, {-0.02, 0.15, 0.3}, 20)});
  scene["rods"][0]["clamps"] = {{{"end", "start"}}, {{"end", "end"}}};
  scene["rods"][1]["velocity"] = {0, 0, -30};
  Simulation sim = build_scene(scene);
  const Watched seen = watch(sim, 0.2);
  print("thrown", seen);
  EXPECT_EQ(seen.overlaps, 0);
  EXPECT_GT(seen.contacts, 0);
}

TEST(RodContact, CoilFallsOnTheFloor) {
  Json scene = scene_of(
      {{{"name", "coil"},
        {"curve", {{"type", "helix"}, {"radius", 0.05}, {"pitch", 0.0115}, {"turns", 6}, {"segments", 180}}},
        {"rest", "straight"},
        {"translation", {0, 0, 0.03}},
        {"material", {{"type", "elastic"}, {"radius", 0.005}, {"young", 2e5}, {"stretch_young", 2e7}}}}});
  scene["obstacles"] = {{{"name", "floor"}, {"shape", {{"type", "plane"}}}}};
  Simulation sim = build_scene(scene);
  const Watched seen = watch(sim, 0.5);
  print("coil", seen);
  EXPECT_EQ(seen.overlaps, 0);
  EXPECT_GT(seen.contacts, 200);
}

/// A cloth falls over a stretched rope, and a rope on a cloth that is held at its corners.
TEST(RodContact, ClothHangsOverARopeAndARopeLiesOnCloth) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.3, 0.3}}, {"resolution", {16, 16}}});
  scene["cloths"][0]["fabric"] = "cotton";
  scene["cloths"][0]["translation"] = {0, 0, 0.02};
  Json under = rope("under", {-0.3, 0.01, 0}, {0.3, 0.01, 0}, 40);
  under["clamps"] = {{{"end", "start"}}, {{"end", "end"}}};
  scene["rods"] = {under, rope("over", {0.02, -0.1, 0.06}, {0.01, 0.1, 0.06}, 16, 0.004)};
  Simulation sim = build_scene(scene);
  const Watched seen = watch(sim, full() ? 1.0 : 0.3);
  print("cloth on rope", seen);
  EXPECT_EQ(seen.overlaps, 0);
  EXPECT_GT(seen.contacts, 20);
  const Proximity crossing = nearest(sim, 1, 0);
  EXPECT_GT(crossing.distance, 0.005 + 0.004) << "the cloth is between the ropes";
  EXPECT_GT(crossing.normal[2], 0.5) << "the rope on top stays there";
}

TEST(RodContact, ChainHangsFromItsFirstRing) {
  const int links = full() ? 50 : 6;
  Json chain = {{"name", "chain"},
                {"curve", {{"type", "chain"}, {"links", links}, {"segments", 20}}},
                {"material", {{"type", "elastic"}, {"radius", 0.002}, {"density", 3000}, {"young", 1e8}}},
                {"rotation", {0, 90, 0}},
                {"pins", {{{"vertices", {{"nearest", {{0, 0, 10}}}}}}}}};
  Simulation sim = build_scene(scene_of({chain}));
  const Watched seen = watch(sim, full() ? 1.0 : 0.4);
  print("chain", seen);
  EXPECT_EQ(seen.overlaps, 0);
  EXPECT_GE(seen.contacts, links - 1);
}

TEST(RodContact, NetFallsInFolds) {
  const int meshes = full() ? 20 : 8;  // 441 knots and 840 points between: 1281
  Json net = {
      {"name", "net"},
      {"curve", {{"type", "net"}, {"size", {0.5, 0.5}}, {"meshes", {meshes, meshes}}, {"segments", 2}}},
      {"rotation", {0, 80, 0}},
      {"translation", {0, 0, 0.26}},
      {"material", {{"type", "elastic"}, {"radius", 0.002}, {"young", 2e6}, {"stretch_young", 2e7}}}};
  Json scene = scene_of({net});
  scene["obstacles"] = {{{"name", "floor"}, {"shape", {{"type", "plane"}}}}};
  Simulation sim = build_scene(scene);
  const Watched seen = watch(sim, full() ? 0.6 : 0.4);
  print("net", seen);
  EXPECT_EQ(seen.overlaps, 0);
}

/// Spillmann 2008, 3.6.1: turning one end on makes loops that touch themselves more and more; without
/// stiffness against twist there are none.
TEST(RodContact, TurnedRopeCoilsOnlyIfItResistsTwist) {
  for (const double shear : {2e6 / 2.6, 2e6 / 2600}) {
    Json rope = {
        {"curve", {{"type", "straight"}, {"from", {-0.5, 0, 0.5}}, {"to", {0.5, 0, 0.5}}, {"segments", 80}}},
        {"material",
         {{"type", "cosserat"},
          {"radius", 0.006},
          {"young", 2e6},
          {"shear", shear},
          {"stretch", 2e6},
          {"bending_friction", 4e-5},
          {"stretch_friction", 4.5}}}};
    rope["clamps"] = Json::parse(R"([{"end": "start", "turn": {"times": [0, 8], "values": [0, 2880]},
        "motion": {"translation": {"times": [0, 4], "values": [[0, 0, 0], [0.3, 0, 0]]}}}, {"end": "end"}])");
    Json scene = scene_of({rope});
    scene["gravity"] = {0, 0, -0.5};
    Simulation sim = build_scene(scene);
    std::vector<int> contacts;
    for (const double time : {3.0, 5.0, 8.0}) {
      const Watched seen = watch(sim, time);
      EXPECT_EQ(seen.overlaps, 0);
      contacts.push_back(seen.contacts);
    }
    std::printf("shear %.3g Pa: up to %d, %d, %d contacts\n", shear, contacts[0], contacts[1], contacts[2]);
    if (shear > 1e5) {
      EXPECT_EQ(contacts[0], 0);
      EXPECT_GT(contacts[1], 2);
      EXPECT_GT(contacts[2], contacts[1]);
    } else {
      EXPECT_EQ(contacts[2], 0);
    }
  }
}

}  // namespace heddle::test
