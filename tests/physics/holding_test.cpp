// Pins, attachments, and what happens when they ask for too much.

#include "stage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace heddle::test {

namespace {

Json small_sheet() {
  return one_cloth({{"type", "grid"}, {"size", {0.2, 0.2}}, {"resolution", {7, 7}}});
}

Json key_frames(const Json& times, const Json& values, const char* interpolation = "linear") {
  return {{"times", times}, {"values", values}, {"interpolation", interpolation}};
}

Json edge_selection() {
  return {{"uv_box", {{-1, 0.1}, {1, 0.1}}}};
}

std::vector<size_t> edge_vertices(const Simulation& sim) {
  std::vector<size_t> found;
  for (size_t i = 0; i < sim.model.cloths[0].uv.size(); ++i)
    if (sim.model.cloths[0].uv[i][1] > 0.1 - 1e-9) found.push_back(i);
  return found;
}

}  // namespace

TEST(Pins, FollowTheirKeyFramesExactly) {
  Json scene = small_sheet();
  const Vec3 centre(0, 0.1, 0);
  cloth_of(scene)["pins"] = {
      {{"vertices", edge_selection()},
       {"centre", {0, 0.1, 0}},
       {"motion",
        {{"translation", key_frames({0, 0.5, 1}, {{0, 0, 0}, {0.2, 0, 0.1}, {0, 0.3, 0}}, "smooth")},
         {"rotation", key_frames({0.2, 1}, {{0, 0, 0}, {0, 0, 90}})}}}}};
  Simulation sim = build_scene(scene);
  const State start = sim.state;
  Motion motion;
  motion.translation.times = {0, 0.5, 1};
  motion.translation.values = {{0, 0, 0}, {0.2, 0, 0.1}, {0, 0.3, 0}};
  motion.translation.interpolation = "smooth";
  motion.rotation.times = {0.2, 1};
  motion.rotation.values = {{0, 0, 0}, {0, 0, 90}};
  const auto edge = edge_vertices(sim);
  ASSERT_EQ(edge.size(), 7u);
  const StepSummary summary = advance_to(sim, 1.2, [&] {
    const RigidTransform pose = motion.at(sim.state.time);
    for (size_t i : edge)
      ASSERT_LT((sim.state.x[i] - centre - pose.point(start.x[i] - centre)).norm(), 1e-12) << sim.state.time;
  });
  EXPECT_EQ(summary.outcome, StepOutcome::accepted);
}

TEST(Attachments, FollowAMovingObstacleAndLetGo) {
  Json scene = small_sheet();
  scene["obstacles"] = {{{"name", "rod"},
                         {"shape", {{"type", "capsule"}, {"radius", 0.01}, {"length", 0.3}}},
                         {"motion",
                          {{"translation", key_frames({0, 1}, {{0, 0.12, 0}, {0.3, 0.12, 0.2}})},
                           {"rotation", key_frames({0, 1}, {{0, 0, 0}, {0, 60, 0}})}}}}};
  cloth_of(scene)["attachments"] = {{{"vertices", edge_selection()}, {"obstacle", "rod"}, {"release", 0.6}}};
  Simulation sim = build_scene(scene);
  const State start = sim.state;
  const Motion& motion = sim.model.obstacles[0].surface->motion;
  const auto edge = edge_vertices(sim);
  const StepSummary held = advance_to(sim, 0.6, [&] {
    const RigidTransform pose = motion.at(sim.state.time);
    for (size_t i : edge)
      ASSERT_LT((sim.state.x[i] - pose.point(motion.at(0).point_to_local(start.x[i]))).norm(), 1e-12);
  });
  ASSERT_EQ(held.outcome, StepOutcome::accepted);
  const double height = sim.state.x[edge[3]][2];
  advance_to(sim, 1.0);
  EXPECT_LT(sim.state.x[edge[3]][2], height - 0.1) << "released vertices must fall";
}

TEST(Pins, ReleasedSheetFallsFreely) {
  Json scene = small_sheet();
  cloth_of(scene)["pins"] = {{{"vertices", {{"all", true}}}, {"release", 0.2}}};
  Simulation sim = build_scene(scene);
  advance_to(sim, 0.2);
  EXPECT_EQ(largest_speed(sim.state), 0.0);
  advance_to(sim, 0.5);
  for (const Vec3& v : sim.state.v) EXPECT_NEAR(v[2], -9.81 * 0.3, 1e-8);
}

/// A pin that jumps by 0.3 m within a frame is spread over smaller pieces, or the failure says what to
/// change.
TEST(StepControl, SurvivesAJumpOfAPinOrNamesTheParameter) {
  Json scene = small_sheet();
  scene["frame_rate"] = 25;
  cloth_of(scene)["pins"] = {
      {{"vertices", edge_selection()},
       {"motion", {{"translation", key_frames({0.2, 0.24}, {{0, 0, 0}, {0, 0.3, 0}})}}}}};
  Simulation sim = build_scene(scene);
  const StepSummary summary = advance_to(sim, 1);
  EXPECT_TRUE(is_finite(sim.state));
  if (summary.outcome == StepOutcome::accepted) {
    EXPECT_GT(summary.retries, 0);
  } else {
    EXPECT_NE(summary.reason.find("pins and obstacles that move too fast"), std::string::npos)
        << summary.reason;
  }
}

/// Corners pulled apart to three times their distance: no step can be small enough in the end, or the cloth
/// takes it.
TEST(StepControl, AbsurdStretchEndsCleanly) {
  Json scene = small_sheet();
  cloth_of(scene)["pins"] = {
      {{"vertices", edge_selection()}},
      {{"vertices", {{"uv_box", {{-1, -0.1}, {1, -0.1}}}}},
       {"motion", {{"translation", key_frames({0.1, 0.1001}, {{0, 0, 0}, {0, -40, 0}})}}}}};
  Simulation sim = build_scene(scene);
  const StepSummary summary = advance_to(sim, 0.3);
  EXPECT_TRUE(is_finite(sim.state));
  EXPECT_EQ(summary.outcome, StepOutcome::failed);
  EXPECT_NE(summary.reason.find("pins and obstacles that move too fast"), std::string::npos)
      << summary.reason;
}

TEST(Pins, TakeBackWhatAHandPulledAway) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.4, 0.4}}, {"resolution", {13, 13}}});
  cloth_of(scene)["pins"] = {{{"vertices", {{"indices", {0, 12}}}}}};
  Simulation sim = build_scene(scene);
  const Vec3 place = sim.state.x[0];
  sim.grab = Grab{0, place + Vec3(0.1, 0.1, 0.1)};
  ASSERT_EQ(advance_to(sim, 0.2).outcome, StepOutcome::accepted);
  EXPECT_GT((sim.state.x[0] - place).norm(), 0.1);
  sim.grab.reset();
  ASSERT_EQ(advance_to(sim, 0.4).outcome, StepOutcome::accepted);
  EXPECT_LT((sim.state.x[0] - place).norm(), 1e-9);
}

}  // namespace heddle::test
