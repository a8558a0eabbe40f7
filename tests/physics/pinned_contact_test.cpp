// Faces between held and free vertices meet obstacles like others; what is held itself goes where it is told.

#include "stage.h"

#include <gtest/gtest.h>

namespace heddle::test {

namespace {

constexpr double kSide = 0.3;  // m

Json keys(const Json& times, const Json& values) {
  return {{"translation", {{"times", times}, {"values", values}}}};
}

Json cotton_sheet(int resolution, double height) {
  Json scene =
      one_cloth({{"type", "grid"}, {"size", {kSide, kSide}}, {"resolution", {resolution, resolution}}});
  scene.erase("integrator");
  scene["frame_rate"] = 25;
  cloth_of(scene)["fabric"] = "cotton";
  cloth_of(scene)["translation"] = {0, 0, height};
  return scene;
}

/// The border at x = kSide / 2.
Json right_border() {
  return {{"box", {{0.5 * kSide - 1e-3, -1, -1}, {0.5 * kSide + 1e-3, 1, 1}}}};
}

/// On a table whose edge is 1 cm beyond the border of the cloth.
Json sheet_on_a_table(const Json& border_motion) {
  Json scene = cotton_sheet(11, 0.105);
  cloth_of(scene)["pins"] = {{{"vertices", right_border()}, {"motion", border_motion}}};
  scene["obstacles"] = {
      {{"name", "table"}, {"shape", {{"type", "box"}, {"size", {0.32, 0.4, 0.2}}, {"rounding", 0.002}}}}};
  return scene;
}

struct Course {
  StepSummary summary;
  std::int64_t most = 0;  // intersections in a step
};

double largest_weft_strain(const Simulation& sim) {
  const StrainGauge& gauge = sim.model.cloths[0].gauge;
  double largest = 0;
  for (int face = 0; face < gauge.face_count(); ++face)
    largest = std::max(largest, gauge.strain(face, sim.state.x).weft);
  return largest;
}

Course run(Simulation& sim, double time) {
  Course course;
  course.summary =
      advance_to(sim, time, [&] { course.most = std::max(course.most, all_intersections(sim)); });
  return course;
}

}  // namespace

TEST(PinnedContact, FacesBendOverTheEdgeOfATable) {
  Simulation sim = build_scene(
      sheet_on_a_table(keys({0, 0.1, 0.2, 0.6}, {{0, 0, 0}, {0, 0, 0}, {0.02, 0, 0.003}, {0.02, 0, -0.15}})));
  const Course course = run(sim, 0.7);
  EXPECT_EQ(course.summary.outcome, StepOutcome::accepted) << course.summary.reason;
  EXPECT_EQ(course.most, 0);
  EXPECT_FALSE(course.summary.squeeze);
}

TEST(PinnedContact, ABallDoesNotPassBesideAPinnedBorder) {
  Json scene = cotton_sheet(11, 0);
  scene["integrator"] = {{"type", "semi_implicit_euler"}, {"time_step", 0.01}};
  cloth_of(scene)["pins"] = {{{"vertices", right_border()}}};
  scene["obstacles"] = {{{"name", "ball"},
                         {"shape", {{"type", "sphere"}, {"radius", 0.01}}},
                         {"motion", keys({0, 0.15}, {{0.135, 0, 0.02}, {0.135, 0, -0.01}})}}};
  Simulation sim = build_scene(scene);
  const Course course = run(sim, 0.2);
  EXPECT_EQ(course.summary.outcome, StepOutcome::accepted) << course.summary.reason;
  EXPECT_EQ(course.most, 0);
}

/// Pinned nearer to a shelf than its thickness, a sheet hangs over the edge of the shelf, not through it.
TEST(PinnedContact, FacesOfPinsLaidOnAShelfBendOverItsEdge) {
  for (const double gap : {1e-3, 1e-4}) {
    SCOPED_TRACE(gap);
    Json scene = cotton_sheet(11, gap);
    cloth_of(scene)["pins"] = {{{"vertices", right_border()}}};
    scene["obstacles"] = {{{"name", "shelf"},
                           {"shape", {{"type", "box"}, {"size", {0.2, 0.5, 0.02}}}},
                           {"motion", {{"translation", {0.235, 0, -0.01}}}}}};
    Simulation sim = build_scene(scene);
    const Course course = run(sim, 0.6);
    EXPECT_EQ(course.summary.outcome, StepOutcome::accepted) << course.summary.reason;
    EXPECT_EQ(course.most, 0);
    double lowest = HUGE_VAL;
    for (const Vec3& x : sim.state.x) lowest = std::min(lowest, x.z());
    EXPECT_LT(lowest, -0.1);
  }
}

TEST(PinnedContact, ASheetIsPulledThroughANipOfTwiceItsThickness) {
  Json scene = cotton_sheet(31, 0);
  cloth_of(scene)["pins"] = {
      {{"vertices", right_border()}, {"motion", keys({0, 1}, {{0, 0, 0}, {0.25, 0, 0}})}}};
  for (const double side : {-1.0, 1.0})
    scene["obstacles"].push_back(
        {{"name", side > 0 ? "above" : "below"},
         {"shape", {{"type", "cylinder"}, {"radius", 0.03}, {"height", 0.4}}},
         {"motion", {{"translation", {0.1, 0, side * 0.0306}}, {"rotation", {90, 0, 0}}}}});
  Simulation sim = build_scene(scene);
  const Course course = run(sim, 1);
  EXPECT_EQ(course.summary.outcome, StepOutcome::accepted) << course.summary.reason;
  EXPECT_EQ(course.most, 0);
  EXPECT_LT(largest_weft_strain(sim), 0.15);
}

TEST(PinnedContact, PinsThatAreLedIntoTheGroundAreNamed) {
  Json scene = cotton_sheet(11, 0.02);
  cloth_of(scene)["pins"] = {
      {{"vertices", right_border()}, {"motion", keys({0, 0.1, 0.2}, {{0, 0, 0}, {0, 0, 0}, {0, 0, -0.1}})}}};
  scene["obstacles"] = {{{"name", "ground"}, {"shape", {{"type", "plane"}}}}};
  Simulation sim = build_scene(scene);
  const StepSummary summary = advance_to(sim, 0.2);
  EXPECT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  ASSERT_TRUE(summary.squeeze);
  EXPECT_NEAR(summary.squeeze->time, 0.12, 0.02);
}

TEST(PinnedContact, PinsThatAreLedIntoATableAreNamed) {
  Simulation sim = build_scene(sheet_on_a_table(keys({0, 0.1, 0.2}, {{0, 0, 0}, {0, 0, 0}, {0, 0, -0.02}})));
  const Course course = run(sim, 0.3);
  EXPECT_EQ(course.summary.outcome, StepOutcome::accepted) << course.summary.reason;
  EXPECT_GT(course.most, 0);
  ASSERT_TRUE(course.summary.squeeze);
  EXPECT_GT(course.summary.squeeze->time, 0.09);
  EXPECT_LT(course.summary.squeeze->time, 0.15);
  EXPECT_NEAR(course.summary.squeeze->place.x(), 0.5 * kSide, 0.01);
}

/// What is pinned in one obstacle still meets another.
TEST(PinnedContact, APinInOneObstacleDoesNotOpenAnother) {
  Json scene = cotton_sheet(11, 0);
  scene["integrator"] = {{"type", "semi_implicit_euler"}, {"time_step", 0.01}};
  cloth_of(scene)["pins"] = {{{"vertices", right_border()}}};
  scene["obstacles"] = {{{"name", "rail"},
                         {"shape", {{"type", "box"}, {"size", {0.02, 0.4, 0.02}}}},
                         {"motion", {{"translation", {0.5 * kSide, 0, 0}}}}},
                        {{"name", "ball"},
                         {"shape", {{"type", "sphere"}, {"radius", 0.005}}},
                         {"motion", keys({0, 0.15}, {{0.131, 0, 0.02}, {0.131, 0, -0.005}})}}};
  Simulation sim = build_scene(scene);
  const std::int64_t sewn = all_intersections(sim);
  EXPECT_GT(sewn, 0);
  const StepSummary summary = advance_to(sim, 0.2);
  EXPECT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  EXPECT_FALSE(summary.squeeze);
  double lowest = HUGE_VAL;  // of the cells beside the ball
  for (const Vec3& x : sim.state.x)
    if (std::abs(x.x() - 0.12) < 0.01 && std::abs(x.y()) < 0.02) lowest = std::min(lowest, x.z());
  EXPECT_LT(lowest, -0.005);
}

}  // namespace heddle::test
