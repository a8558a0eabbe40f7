#include "stage.h"

#include <heddle/magnetics/dipole.h>
#include <heddle/sim/build.h>
#include <heddle/sim/capture.h>

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

TEST(MagnetScene, NeedlesTurnIntoTheField) {
  Simulation sim = scene_file("compass_field.json");
  ASSERT_EQ(advance_to(sim, 4).outcome, StepOutcome::accepted);
  const Snapshot snapshot = capture(sim, 0, sim.model.step_length());
  ASSERT_GT(snapshot.magnets.size(), 80u);
  double worst = 0, mean = 0;
  int needles = 0;
  for (const SnapshotMagnet& needle : snapshot.magnets) {
    if (snapshot.objects.size() - static_cast<size_t>(needle.object) > sim.model.bodies.size()) continue;
    // The field of all others at its middle; needles turn about the vertical.
    Vec3 field = Vec3::Zero();
    for (const SnapshotMagnet& other : snapshot.magnets)
      for (size_t i = 0; &other != &needle && i < other.places.size(); ++i)
        field += dipole_field(needle.load.centre - other.places[i].cast<double>(),
                              other.moments[i].cast<double>());
    const Vec3 own = needle.moments[0].cast<double>();
    const double angle = std::atan2(field.head<2>().norm() == 0 ? 0 : own.cross(field).z(),
                                    own.head<2>().dot(field.head<2>()));
    worst = std::max(worst, std::abs(angle));
    mean += std::abs(angle);
    ++needles;
  }
  EXPECT_EQ(needles, static_cast<int>(sim.model.bodies.size()));
  EXPECT_LT(mean / needles, 0.03);
  EXPECT_LT(worst, 0.2);
}

TEST(MagnetScene, MagnetLiftsFiguresOutOfAPool) {
  Simulation sim = scene_file("magnet_figures.json");
  ASSERT_EQ(advance_to(sim, 2).outcome, StepOutcome::accepted);
  int figures = 0, balls = 0;
  for (size_t k = 0; k < sim.state.bodies.size(); ++k)
    if (sim.state.bodies[k].x.z() > 0.05)
      ++(sim.model.bodies[k].name.starts_with("figure") ? figures : balls);
  EXPECT_EQ(figures, 4);
  EXPECT_EQ(balls, 0);
}

TEST(MagnetScene, ClaspClosesABag) {
  Simulation sim = scene_file("magnet_clasp.json");
  const auto gap = [&] { return (body(sim, "front").x - body(sim, "back").x).norm(); };
  EXPECT_GT(gap(), 0.04);
  ASSERT_EQ(advance_to(sim, 1).outcome, StepOutcome::accepted);
  // Magnets of 4 mm lie on each other.
  EXPECT_NEAR(gap(), 0.004, 0.002);
  EXPECT_EQ(intersections(sim), 0);
}

TEST(MagnetScene, MagnetisedClothFollowsAMagnet) {
  Simulation sim = scene_file("magnet_cloth.json");
  const auto lowest = [&](const char* part) {
    const bool is_cloth = std::string(part) == "cloth";
    const int first = is_cloth ? 0 : sim.model.rods[0].place.first_particle;
    const int count = is_cloth ? sim.model.cloths[0].particle_count : sim.model.rods[0].place.node_count;
    Vec3 found(0, 0, 1);
    for (int i = first; i < first + count; ++i)
      if (sim.state.x[static_cast<size_t>(i)].z() < found.z()) found = sim.state.x[static_cast<size_t>(i)];
    return found;
  };
  double cloth = 0, rod = 0;
  ASSERT_EQ(advance_to(sim, 2,
                       [&] {
                         cloth = std::min(cloth, lowest("cloth").y());
                         rod = std::min(rod, lowest("rod").y());
                       })
                .outcome,
            StepOutcome::accepted);
  // Towards the magnet, which passes at y = -0.07.
  EXPECT_LT(cloth, -0.005);
  EXPECT_LT(rod, -0.005);
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

TEST(MagnetScene, FramesHoldWhatActs) {
  const Json ball{{"type", "sphere"}, {"radius", 0.01}};
  const Json scene{
      {"gravity", {0, 0, 0}},
      {"bodies", {{{"shape", ball}, {"rotation", {0, 90, 0}}, {"magnet", {{"remanence", {0, 0, 1}}}}}}},
      {"obstacles",
       {{{"shape", ball}, {"motion", {{"translation", {0.05, 0, 0}}}}, {"magnet", {{"kind", "induced"}}}}}},
      {"coils", {{{"radius", 0.1}, {"current", 100}}}}};
  const Simulation sim = build_scene(scene);
  const Snapshot snapshot = capture(sim, 0, sim.model.step_length());
  ASSERT_EQ(snapshot.magnets.size(), 2u);
  ASSERT_EQ(snapshot.coils.size(), 1u);
  const SnapshotMagnet &body = snapshot.magnets[0], &obstacle = snapshot.magnets[1];
  EXPECT_EQ(body.object, 1);
  EXPECT_EQ(obstacle.object, 0);
  EXPECT_TRUE(body.permanent);
  EXPECT_FALSE(obstacle.permanent);
  // Moment B_r / mu0 V, turned from z to x.
  const double moment = 1 / kVacuumPermeability * 4 / 3 * M_PI * 1e-6;
  ASSERT_EQ(body.moments.size(), 1u);
  EXPECT_LT((body.moments[0].cast<double>() - Vec3(moment, 0, 0)).norm(), 1e-5 * moment);
  EXPECT_LT(obstacle.load.force.x(), 0);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double strongest = 0, most = 0;
  for (const SnapshotLoad& load : {body.load, obstacle.load, snapshot.coils[0].load}) {
    force += load.force;
    torque += load.torque + load.centre.cross(load.force);
    strongest = std::max(strongest, load.force.norm());
    most = std::max(most, load.torque.norm());
  }
  EXPECT_LT(force.norm(), 1e-12 * strongest);
  EXPECT_LT(torque.norm(), 1e-12 * std::max(most, 0.05 * strongest));
}

TEST(MagnetScene, CoilsWithoutMagnetsHaveAField) {
  const Json ball{{"shape", {{"type", "sphere"}, {"radius", 0.01}}}};
  const Simulation sim = build_scene({{"bodies", {ball}}, {"coils", {{{"radius", 0.1}, {"current", 100}}}}});
  const Snapshot snapshot = capture(sim, 0, sim.model.step_length());
  EXPECT_TRUE(snapshot.magnets.empty());
  ASSERT_EQ(snapshot.coils.size(), 1u);
  EXPECT_NEAR(snapshot.coils[0].current, 100, 0.5);
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
