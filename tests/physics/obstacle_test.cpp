// Cloth never ends a step inside an obstacle, and friction carries it along.

#include "stage.h"

#include <heddle/geometry/signed_distance.h>
#include <heddle/geometry/tessellate.h>

#include <heddle/mesh/intersection_count.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

namespace heddle::test {

namespace {

constexpr double kThickness = 5e-4;

/// Depth of the deepest vertex below the surface of any obstacle, m; negative if all are outside.
double deepest(const Simulation& sim) {
  double depth = -1;
  for (const ObstaclePart& obstacle : sim.model.obstacles) {
    const RigidTransform pose = obstacle.surface->motion.at(sim.state.time);
    for (const Vec3& x : sim.state.x)
      depth = std::max(depth, -signed_distance(*obstacle.shape, pose.point_to_local(x)).distance);
  }
  return depth;
}

Json sheet_above(double height) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.5, 0.5}}, {"resolution", {21, 21}}});
  fabric_of(scene)["thickness"] = kThickness;
  scene["integrator"]["tolerance"] = 1e-4;
  cloth_of(scene)["translation"] = {0, 0, height};
  return scene;
}

struct Solid {
  const char* name;
  Json shape;
  double top;  // m
  Json rotation;
};

}  // namespace

class DropOn : public testing::TestWithParam<Solid> {};

TEST_P(DropOn, EndsOutside) {
  const Solid& solid = GetParam();
  Json scene = sheet_above(solid.top + 0.05);
  scene["obstacles"] = {
      {{"name", "solid"}, {"shape", solid.shape}, {"motion", {{"rotation", solid.rotation}}}}};
  Simulation sim = build_scene(scene);
  double worst = -1;
  int touched = 0;
  const StepSummary summary = advance_to(sim, 0.8, [&] {
    worst = std::max(worst, deepest(sim));
    touched = std::max(touched, static_cast<int>(sim.state.contacts.size()));
  });
  EXPECT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  EXPECT_LE(worst, 1e-9);
  EXPECT_GT(touched, 3);
}

INSTANTIATE_TEST_SUITE_P(
    Shape, DropOn,
    testing::Values(
        Solid{"sphere", {{"type", "sphere"}, {"radius", 0.12}}, 0.12, {0, 0, 0}},
        Solid{"box", {{"type", "box"}, {"size", {0.2, 0.2, 0.2}}}, 0.1, {0, 0, 0}},
        Solid{"turned_box", {{"type", "box"}, {"size", {0.2, 0.2, 0.2}}}, 0.15, {30, 20, 0}},
        Solid{"capsule", {{"type", "capsule"}, {"radius", 0.08}, {"length", 0.2}}, 0.08, {90, 0, 0}},
        Solid{"cylinder", {{"type", "cylinder"}, {"radius", 0.15}, {"height", 0.2}}, 0.1, {0, 0, 0}},
        Solid{"lying_cylinder", {{"type", "cylinder"}, {"radius", 0.1}, {"height", 0.2}}, 0.1, {90, 0, 0}},
        Solid{"plane", {{"type", "plane"}}, 0, {0, 0, 0}}),
    [](const auto& instance) { return instance.param.name; });

TEST(SurfaceContactKeys, SelfAndObstaclesAreIndependent) {
  const auto build_with = [](bool self, bool obstacles) {
    Json scene = sheet_above(0.3);
    scene["contact"] = {{"type", "impulses"}, {"self", self}, {"obstacles", obstacles}};
    scene["obstacles"] = {{{"name", "ball"}, {"shape", {{"type", "sphere"}, {"radius", 0.2}}}}};
    return build_scene(scene);
  };
  EXPECT_EQ(build_with(false, false).surface_contact, nullptr);
  for (const bool self : {false, true})
    for (const bool obstacles : {false, true}) {
      Simulation sim = build_with(self, obstacles);
      EXPECT_EQ(advance_to(sim, 0.04).outcome, StepOutcome::accepted);
      if (!sim.surface_contact) continue;
      EXPECT_EQ(sim.surface_contact->surface().between_free, self);
      EXPECT_EQ(sim.surface_contact->surface().bodies.size(), obstacles ? 2u : 1u);
    }
}

TEST(Obstacles, FastSpherePushesTheClothAhead) {
  Json scene = sheet_above(0.3);
  scene["gravity"] = {0, 0, 0};
  scene["obstacles"] = {
      {{"name", "ball"},
       {"shape", {{"type", "sphere"}, {"radius", 0.1}}},
       {"motion", {{"translation", {{"times", {0, 0.3}}, {"values", {{0, 0, 0}, {0, 0, 1.5}}}}}}}}};
  Simulation sim = build_scene(scene);
  double worst = -1;
  const StepSummary summary = advance_to(sim, 0.3, [&] { worst = std::max(worst, deepest(sim)); });
  EXPECT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  EXPECT_LE(worst, 1e-9);
  const size_t middle = 21 * 10 + 10;
  EXPECT_GE(sim.state.x[middle][2], 1.5 + 0.1) << "the middle must be in front of the ball";
}

/// A sheet on the flat end of a cylinder that turns by a quarter: with friction it turns along, without it
/// stays.
TEST(Obstacles, TurningCylinderCarriesTheCloth) {
  const auto turned = [](double friction) {
    Json scene = one_cloth({{"type", "grid"}, {"size", {0.2, 0.2}}, {"resolution", {9, 9}}});
    fabric_of(scene).update({{"friction", friction}, {"thickness", kThickness}});
    cloth_of(scene)["translation"] = {0, 0, 0.1 + 0.003};
    scene["obstacles"] = {
        {{"name", "table"},
         {"friction", friction},
         {"shape", {{"type", "cylinder"}, {"radius", 0.2}, {"height", 0.2}}},
         {"motion",
          {{"rotation",
            {{"times", {0, 1}}, {"values", {{0, 0, 0}, {0, 0, 90}}}, {"interpolation", "smooth"}}}}}}};
    Simulation sim = build_scene(scene);
    advance_to(sim, 1.2);
    const Vec3 side = sim.state.x[8] - sim.state.x[0];  // along x at the start
    return std::atan2(side[1], side[0]) * 180 / std::numbers::pi;
  };
  EXPECT_NEAR(turned(0.5), 90, 0.5);
  EXPECT_NEAR(turned(0), 0, 0.5);
}

/// A sheet lies on a ball and on a table that sinks: the table must not drag it down.
TEST(Obstacles, SinkingTableDoesNotPull) {
  Json scene = sheet_above(0.001);
  scene["obstacles"] = {
      {{"name", "ball"},
       {"shape", {{"type", "sphere"}, {"radius", 0.1}}},
       {"motion", {{"translation", {0, 0, -0.1}}}}},
      {{"name", "table"},
       {"shape", {{"type", "plane"}}},
       {"motion", {{"translation", {{"times", {0, 1}}, {"values", {{0, 0, -0.002}, {0, 0, -0.3}}}}}}}}};
  Simulation sim = build_scene(scene);
  double longest = 0;
  const auto measure = [&] {
    for (size_t i = 0; i + 1 < sim.state.x.size(); ++i)
      if (i % 21 != 20) longest = std::max(longest, (sim.state.x[i + 1] - sim.state.x[i]).norm());
  };
  const StepSummary summary = advance_to(sim, 0.6, measure);
  ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  EXPECT_LT(longest, 1.1 * 0.5 / 20);
}

/// Deep in a ball, as after a hand let it go there: out in several steps, none of which tears it.
TEST(Obstacles, WhatStartsInsideComesOut) {
  Json scene = sheet_above(0.1);
  scene["obstacles"] = {{{"name", "ball"}, {"shape", {{"type", "sphere"}, {"radius", 0.2}}}}};
  Simulation sim = build_scene(scene);
  EXPECT_GT(deepest(sim), 0.05);
  ASSERT_EQ(advance_to(sim, 0.5).outcome, StepOutcome::accepted);
  EXPECT_LT(deepest(sim), 1e-9);
}

namespace {

/// A strip that hangs over a bar and is pulled across it; how often its steps were cut, of 200.
int cuts_over_a_bar(double friction) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.6, 0.15}}, {"resolution", {60, 16}}});
  cloth_of(scene)["fabric"] = "cotton";
  cloth_of(scene)["translation"] = {0.05, 0, 0.045};
  const Json pull = {{"times", {0, 1, 3}}, {"values", {{0, 0, 0}, {0, 0, 0}, {-0.4, 0, -0.1}}}};
  cloth_of(scene)["pins"] = {
      {{"vertices", {{"uv_box", {{-0.3, -1}, {-0.299, 1}}}}}, {"motion", {{"translation", pull}}}}};
  scene["integrator"]["tolerance"] = 0.02;
  scene["obstacles"] = {{{"name", "bar"},
                         {"shape", {{"type", "capsule"}, {"radius", 0.041}, {"length", 0.4}}},
                         {"motion", {{"rotation", {90, 0, 0}}}},
                         {"friction", friction}}};
  Simulation sim = build_scene(scene);
  const StepSummary summary = advance_to(sim, 2);
  EXPECT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  return summary.retries;
}

}  // namespace

/// Vertices that stop or turn for a moment must not be held until the cloth around them is strained.
namespace {

/// A sheet between two equal solids, shapes or meshes, that close on it, overlap, and open again.
Json pinched_sheet(const Json& solid, double nearest) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.4, 0.4}}, {"resolution", {12, 12}}});
  scene.erase("integrator");
  scene["gravity"] = {0, 0, 0};
  for (const double side : {-1.0, 1.0}) {
    const auto at = [&](double height) { return Json{0, 0, side * height}; };
    const Json way = {{"times", {0, 0.1, 0.15, 0.25}},
                      {"values", {at(0.3), at(nearest), at(nearest), at(0.3)}}};
    Json obstacle = solid;
    obstacle.update({{"name", side < 0 ? "below" : "above"}, {"motion", {{"translation", way}}}});
    scene["obstacles"].push_back(obstacle);
  }
  return scene;
}

/// Solids that overlap leave no room for cloth; it must be whole again when they have opened.
void expect_whole_after_a_pinch(const Json& scene) {
  Simulation sim = build_scene(scene);
  const StepSummary summary = advance_to(sim, 0.3);
  ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  ASSERT_TRUE(summary.squeeze);
  EXPECT_GT(summary.squeeze->time, 0.07);
  EXPECT_LT(summary.squeeze->time, 0.1);
  EXPECT_LT(std::abs(summary.squeeze->place.z()), 0.01);
  EXPECT_EQ(all_intersections(sim), 0);
  if (sim.model.obstacles[0].shape) {
    EXPECT_LT(deepest(sim), 1e-9);
  }
}

}  // namespace

TEST(Obstacles, ClothThatBoxesPinchComesApartAgain) {
  const Json box{{"type", "box"}, {"size", {0.3, 0.3, 0.1}}, {"rounding", 0.01}};
  expect_whole_after_a_pinch(pinched_sheet({{"shape", box}}, 0.048));
}

TEST(Obstacles, ClothThatBallsPinchComesApartAgain) {
  const Json ball{{"type", "sphere"}, {"radius", 0.1}};
  expect_whole_after_a_pinch(pinched_sheet({{"shape", ball}}, 0.09));
}

/// Parts of the heap move rigidly with the plate; they must not take the rest through the floor.
TEST(Obstacles, AHeapUnderAPlateStaysOnTheFloor) {
  const auto keys = Json::parse(R"({"times": [0, 0.6, 1.2, 1.5],
      "values": [[0, 0, 0.8], [0, 0, 0.6], [0, 0, 0.07], [0, 0, 0.6]]})");
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.5, 0.5}}, {"resolution", {21, 21}}});
  scene.erase("integrator");
  scene["frame_rate"] = 25;
  cloth_of(scene)["fabric"] = "silk";
  cloth_of(scene)["rotation"] = {90, 0, 10};
  cloth_of(scene)["translation"] = {0, 0, 0.28};
  scene["obstacles"] = {{{"name", "floor"}, {"shape", {{"type", "plane"}}}},
                        {{"name", "plate"},
                         {"shape", {{"type", "box"}, {"size", {1, 1, 0.1}}}},
                         {"motion", {{"translation", keys}}}}};
  Simulation sim = build_scene(scene);
  double lowest = HUGE_VAL;
  while (sim.state.time < 1.24) {
    const StepSummary summary = step(sim, {});
    ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
    for (const Vec3& x : sim.state.x) lowest = std::min(lowest, x.z());
    ASSERT_EQ(all_intersections(sim), 0) << sim.state.time;
  }
  EXPECT_GT(lowest, 0);
}

/// Vertices that went each its own way would leave the cloth in the obstacle where they part.
TEST(Obstacles, ASheetDeepInABallComesOutOnOneSide) {
  for (const double height : {0.08, 0.05, 0.02}) {
    Json scene = one_cloth({{"type", "grid"}, {"size", {0.4, 0.4}}, {"resolution", {21, 21}}});
    scene.erase("integrator");
    cloth_of(scene)["translation"] = {0.01, 0.02, height};
    scene["obstacles"] = {{{"name", "ball"}, {"shape", {{"type", "sphere"}, {"radius", 0.1}}}}};
    Simulation sim = build_scene(scene);
    const StepSummary summary = advance_to(sim, 0.2);
    ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
    EXPECT_EQ(all_intersections(sim), 0) << height;
    EXPECT_GT(sim.state.x[220].z(), 0.09) << height;
  }
}

/// Its vertices leave a box quickly; the faces over its rim must follow.
TEST(Obstacles, ASheetInABoxComesOutOfIt) {
  for (const double height : {0.095, 0.05, 0.0}) {
    Json scene = one_cloth({{"type", "grid"}, {"size", {0.4, 0.4}}, {"resolution", {25, 25}}});
    scene.erase("integrator");
    cloth_of(scene)["translation"] = {0.01, 0.02, height};
    scene["obstacles"] = {
        {{"name", "box"}, {"shape", {{"type", "box"}, {"size", {0.2, 0.2, 0.2}}, {"rounding", 0.01}}}}};
    Simulation sim = build_scene(scene);
    ASSERT_GT(all_intersections(sim), 100);
    const StepSummary summary = advance_to(sim, 0.3);
    ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
    EXPECT_EQ(all_intersections(sim), 0) << height;
    EXPECT_GT(sim.state.x[312].z(), 0.09) << height;
  }
}

/// Where obstacles have sharp edges, faces whose vertices are all outside cut through them; friction must not
/// hold them there.
TEST(Obstacles, ASheetComesOffSharpEdgesAndCorners) {
  const Json box{{"type", "box"}, {"size", {0.1, 0.1, 0.1}}, {"rounding", 0}};
  const Json rod{{"type", "cylinder"}, {"radius", 0.05}, {"height", 0.3}};
  const Json plate{{"type", "box"}, {"size", {0.3, 0.3, 0.005}}};
  for (const Json& shape : {box, rod, plate})
    for (const double tilt : {0.0, 20.0}) {
      Json scene = one_cloth({{"type", "grid"}, {"size", {0.3, 0.3}}, {"resolution", {25, 25}}});
      scene.erase("integrator");
      cloth_of(scene).update(
          {{"fabric", "cotton"}, {"translation", {0.01, 0, 0.02}}, {"rotation", {tilt, 0, 0}}});
      scene["obstacles"] = {{{"name", "obstacle"}, {"shape", shape}}};
      Simulation sim = build_scene(scene);
      const int before = all_intersections(sim);
      const StepSummary summary = advance_to(sim, 1);
      ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
      std::printf("%s, tilted by %g: %d pairs at the start\n", shape["type"].get<std::string>().c_str(), tilt,
                  before);
      EXPECT_EQ(all_intersections(sim), 0) << shape << tilt;
    }
}

namespace {

void write_ball(const std::string& path) {
  std::ofstream out(path);
  const SurfaceMesh ball = tessellate(Sphere{.radius = 0.1});
  for (const Vec3& x : ball.positions) out << "v " << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
  for (const auto& [a, b, c] : ball.triangles) out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
}

}  // namespace

/// Meshes that hold a vertex from two sides must not tear it to and fro between them.
TEST(Obstacles, ClothThatMeshesPinchComesApartAgain) {
  const std::string path = testing::TempDir() + "heddle_pinching_ball.obj";
  write_ball(path);
  Json scene = pinched_sheet({{"mesh", {{"type", "file"}, {"path", path}}}}, 0.06);
  cloth_of(scene).update({{"fabric", "silk"}, {"translation", {0.003, 0.002, 0}}});
  cloth_of(scene)["mesh"]["resolution"] = {16, 16};
  expect_whole_after_a_pinch(scene);
}

/// A mesh has no inside of its own: cloth goes back to the side where more of it is.
TEST(Obstacles, ASheetThroughAMeshComesBackToOneSide) {
  const std::string path = testing::TempDir() + "heddle_ball.obj";
  write_ball(path);
  for (const double height : {0.09, 0.05, 0.02}) {
    Json scene = one_cloth({{"type", "grid"}, {"size", {0.4, 0.4}}, {"resolution", {25, 25}}});
    scene.erase("integrator");
    cloth_of(scene)["translation"] = {0.01, 0.02, height};
    scene["obstacles"] = {{{"name", "ball"}, {"mesh", {{"type", "file"}, {"path", path}}}}};
    Simulation sim = build_scene(scene);
    ASSERT_GT(all_intersections(sim), 50);
    const StepSummary summary = advance_to(sim, 0.4);
    ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
    EXPECT_EQ(all_intersections(sim), 0) << height;
  }
}

/// What touches free cloth only between its vertices must not come through either.
TEST(Obstacles, ATipDoesNotPierceFreeCloth) {
  const std::string path = testing::TempDir() + "heddle_pyramid.obj";
  std::ofstream(path) << "v 0.0955 0.0296 0\nv -0.0296 0.0955 0\nv -0.0955 -0.0296 0\nv 0.0296 -0.0955 0\n"
                         "v 0 0 0.12\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  for (const double offset : {-0.0085, -0.0047, 0.0013, 0.0069}) {
    Json scene = one_cloth({{"type", "grid"}, {"size", {0.2, 0.2}}, {"resolution", {21, 21}}});
    scene.erase("integrator");
    cloth_of(scene).update({{"fabric", "cotton"}, {"translation", {0.45 * offset, offset, 0.161}}});
    scene["obstacles"] = {{{"mesh", {{"type", "file"}, {"path", path}}}}};
    Simulation sim = build_scene(scene);
    std::int64_t crossings = 0;
    const auto summary = advance_to(sim, 0.25, [&] { crossings += all_intersections(sim); });
    ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
    EXPECT_EQ(crossings, 0) << offset;
  }
}

TEST(Obstacles, ClothSlidesOverABarSmoothly) {
  const int rough = cuts_over_a_bar(0.1), smooth = cuts_over_a_bar(0);
  std::printf("cuts in 200 steps: %d with friction, %d without\n", rough, smooth);
  EXPECT_LT(rough, 140);
  EXPECT_LT(smooth, 10);
}

TEST(Grab, DoesNotDragClothThroughAnObstacle) {
  Json scene = sheet_above(0.21);
  scene["obstacles"] = {{{"name", "ball"}, {"shape", {{"type", "sphere"}, {"radius", 0.2}}}}};
  for (const Vec3& target : {Vec3(0, 0, 0), Vec3(0, 0, -0.6), Vec3(0.05, 0, -0.1)}) {
    Simulation sim = build_scene(scene);
    const int middle = sim.state.particle_count() / 2;
    sim.grab = Grab{middle, target};
    ASSERT_EQ(advance_to(sim, 0.4).outcome, StepOutcome::accepted);
    sim.grab.reset();
    ASSERT_EQ(advance_to(sim, 0.6).outcome, StepOutcome::accepted);
    EXPECT_LT(deepest(sim), 1e-9);
  }
}

}  // namespace heddle::test
