#include "stage.h"

#include <heddle/sim/build.h>

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

Simulation scene_file(const std::string& name) {
  Result<Simulation> sim = build_file(std::string(HEDDLE_SOURCE_DIR "/scenes/") + name);
  EXPECT_TRUE(sim) << (sim ? "" : sim.errors().text());
  return std::move(*sim);
}

const BodyState& body(const Simulation& sim, const std::string& name) {
  for (size_t k = 0; k < sim.model.bodies.size(); ++k)
    if (sim.model.bodies[k].name == name) return sim.state.bodies[k];
  ADD_FAILURE() << name;
  return sim.state.bodies[0];
}

TEST(MagnetScene, ToysSnapTogether) {
  Simulation sim = scene_file("magnet_snap.json");
  const double start = (body(sim, "left").x - body(sim, "ball").x).norm();
  ASSERT_EQ(advance_to(sim, 1).outcome, StepOutcome::accepted);
  EXPECT_TRUE(is_finite(sim.state));
  // The ball holds both: half the length of a toy and its own radius away.
  EXPECT_GT(start, 0.03);
  EXPECT_NEAR((body(sim, "left").x - body(sim, "ball").x).norm(), 0.018, 0.002);
  EXPECT_NEAR((body(sim, "right").x - body(sim, "ball").x).norm(), 0.018, 0.002);
}

TEST(MagnetScene, MagnetLiftsBalls) {
  Simulation sim = scene_file("magnet_lift.json");
  ASSERT_EQ(advance_to(sim, 2).outcome, StepOutcome::accepted);
  // One holds to the magnet, whose lower end is at 6 cm; four hang from that one at one height.
  std::vector<double> heights;
  for (const BodyState& ball : sim.state.bodies) heights.push_back(ball.x.z());
  std::sort(heights.begin(), heights.end());
  EXPECT_NEAR(heights[4], 0.055, 0.001);
  EXPECT_LT(heights[3], heights[4] - 0.004);
  EXPECT_NEAR(heights[0], heights[3], 0.001);
}

TEST(MagnetScene, SuperconductorLevitates) {
  Simulation sim = scene_file("levitation.json");
  ASSERT_EQ(advance_to(sim, 5).outcome, StepOutcome::accepted);
  const Vec3 settled = body(sim, "cube").x;
  double farthest = 0;
  ASSERT_EQ(
      advance_to(sim, 10, [&] { farthest = std::max(farthest, (body(sim, "cube").x - settled).norm()); })
          .outcome,
      StepOutcome::accepted);
  EXPECT_LT(farthest, 0.002);
  // Thin rings have no field at a / sqrt 2 above their centre; its weight lowers the cube from there.
  EXPECT_NEAR(settled.z(), 0.03 / std::sqrt(2.0), 0.008);
  EXPECT_LT(settled.head<2>().norm(), 0.003);
}

TEST(MagnetScene, PressedMagnetsStayFinite) {
  // Two strong cubes that attract each other are squeezed between moving walls.
  const Json cube{{"type", "box"}, {"size", {0.02, 0.02, 0.02}}};
  const Json magnet{{"remanence", {1.3, 0, 0}}, {"cells", 64}};
  const auto wall = [](double from, double to) {
    return Json{{"shape", {{"type", "box"}, {"size", {0.01, 0.1, 0.1}}}},
                {"motion", {{"translation", {{"times", {0, 0.2}}, {"values", {{from, 0, 0}, {to, 0, 0}}}}}}}};
  };
  const Json scene{
      {"duration", 0.3},
      {"frame_rate", 1000},
      {"gravity", {0, 0, 0}},
      {"bodies",
       {{{"shape", cube}, {"density", 7500}, {"translation", {-0.0105, 0, 0}}, {"magnet", magnet}},
        {{"shape", cube}, {"density", 7500}, {"translation", {0.0105, 0, 0}}, {"magnet", magnet}}}},
      {"obstacles", {wall(-0.04, -0.02), wall(0.04, 0.02)}}};
  Simulation sim = build_scene(scene);
  double fastest = 0;
  ASSERT_EQ(advance_to(sim, 0.3,
                       [&] {
                         for (const BodyState& b : sim.state.bodies) fastest = std::max(fastest, b.v.norm());
                       })
                .outcome,
            StepOutcome::accepted);
  EXPECT_TRUE(is_finite(sim.state));
  EXPECT_LT(fastest, 20);
}

std::string errors_of(const Json& scene) {
  const Result<Simulation> sim = build_text(scene.dump(2));
  return sim ? "" : sim.errors().text();
}

Json one_body(const Json& body) {
  return {{"bodies", {body}}};
}

TEST(MagnetScene, BadInputIsNamedWithItsRemedy) {
  const Json ball{{"type", "sphere"}, {"radius", 0.01}};
  EXPECT_NE(errors_of(one_body({{"shape", {{"type", "plane"}}}})).find("use a flat box"), std::string::npos);
  EXPECT_NE(errors_of(one_body({{"mesh", {{"type", "grid"}}}})).find("close its holes"), std::string::npos);
  EXPECT_NE(errors_of(one_body({{"shape", ball}, {"magnet", {{"kind", "induced"}, {"susceptibility", -2}}}}))
                .find("-2 is out of range; expected at least -1"),
            std::string::npos);
  EXPECT_NE(errors_of(one_body({{"shape", ball}, {"magnet", {{"cells", 1000000}}}})).find("at most 1e+05"),
            std::string::npos);
  const Json scene{{"bodies",
                    {{{"shape", ball}, {"magnet", Json::object()}},
                     {{"shape", ball}, {"translation", {0.01, 0, 0}}, {"magnet", Json::object()}}}}};
  EXPECT_NE(errors_of(scene).find("within each other; move them apart"), std::string::npos);
  EXPECT_NE(errors_of({{"bodies", {{{"name", "a"}, {"shape", ball}}}}, {"joints", {{{"body", "b"}}}}})
                .find("there is no body \"b\""),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::test
