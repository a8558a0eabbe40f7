#include "stage.h"

#include <heddle/parallel/scheduler.h>
#include <heddle/sim/checkpoint.h>

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

Json bodies_only(const Json& bodies) {
  return {{"duration", 10}, {"frame_rate", 200}, {"gravity", {0, 0, 0}}, {"bodies", bodies}};
}

Json ball(double radius, double mass, const Json& at, const Json& velocity) {
  return {{"name", "ball"},
          {"shape", {{"type", "sphere"}, {"radius", radius}}},
          {"mass", mass},
          {"translation", at},
          {"velocity", velocity}};
}

/// A free sheet that a ball flies into, without weight.
Json sheet_and_ball(double mass, double speed) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.6, 0.6}}, {"resolution", {20, 20}}});
  scene["gravity"] = {0, 0, 0};
  scene["bodies"] = {ball(0.1, mass, {0, 0, 0.12}, {0, 0, -speed})};
  set_step(scene, 0.002);
  return scene;
}

Vec3 whole_momentum(const Simulation& sim) {
  Vec3 sum = momentum(sim);
  for (size_t k = 0; k < sim.state.bodies.size(); ++k)
    sum += sim.rigid->system().bodies()[k].mass * sim.state.bodies[k].v;
  return sum;
}

TEST(RigidScene, BallAndFreeSheetKeepTheirMomentum) {
  for (const double mass : {0.01, 0.2, 5.0}) {
    Simulation sim = build_scene(sheet_and_ball(mass, 3));
    const Vec3 before = whole_momentum(sim);
    ASSERT_EQ(advance_to(sim, 0.2).outcome, StepOutcome::accepted);
    EXPECT_GT(std::abs(sim.state.bodies[0].v.z() + 3), 0.01) << mass;  // they met
    const double error = (whole_momentum(sim) - before).norm() / before.norm();
    EXPECT_LT(error, 1e-6) << mass;
    RecordProperty("momentum_error_" + std::to_string(mass), std::to_string(1e9 * error));
  }
}

/// Four bars that hold a sheet at its sides, joined to a frame that floats.
Json frame_with_sheet() {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.8, 0.8}}, {"resolution", {20, 20}}});
  scene["gravity"] = {0, 0, 0};
  scene["bodies"] = {ball(0.08, 0.3, {0.02, 0.01, 0.15}, {0, 0, -4})};
  const auto bar = [&](const char* name, Json size, Json at, Json box) {
    scene["bodies"].push_back(
        {{"name", name}, {"shape", {{"type", "box"}, {"size", size}}}, {"mass", 1}, {"translation", at}});
    cloth_of(scene)["attachments"].push_back({{"vertices", {{"box", box}}}, {"obstacle", name}});
  };
  bar("west", {0.02, 0.9, 0.02}, {-0.41, 0, 0}, {{-0.41, -0.41, -1}, {-0.39, 0.41, 1}});
  bar("east", {0.02, 0.9, 0.02}, {0.41, 0, 0}, {{0.39, -0.41, -1}, {0.41, 0.41, 1}});
  bar("south", {0.78, 0.02, 0.02}, {0, -0.41, 0}, {{-0.37, -0.41, -1}, {0.37, -0.39, 1}});
  bar("north", {0.78, 0.02, 0.02}, {0, 0.41, 0}, {{-0.37, 0.39, -1}, {0.37, 0.41, 1}});
  for (const char* name : {"south", "north"})
    for (const auto& [side, x] : {std::pair("west", -0.4), std::pair("east", 0.4)})
      scene["joints"].push_back({{"kind", "fixed"},
                                 {"body", name},
                                 {"to", side},
                                 {"place", {x, std::string(name) == "south" ? -0.41 : 0.41, 0}}});
  set_step(scene, 0.002);
  return scene;
}

TEST(RigidScene, ClothCatchesABallAndThrowsItBack) {
  Simulation sim = build_scene(frame_with_sheet());
  const Vec3 before = whole_momentum(sim);
  double worst = 0, deepest = 0;
  const StepSummary summary = advance_to(sim, 0.4, [&] {
    worst = std::max(worst, (whole_momentum(sim) - before).norm());
    deepest = std::min(deepest, sim.state.bodies[0].x.z() - sim.state.bodies[1].x.z());
  });
  ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  EXPECT_LT(worst, 1e-6 * before.norm());
  EXPECT_LT(deepest, 0.05);  // it went into the sheet
  const double relative = sim.state.bodies[0].v.z() - sim.state.bodies[1].v.z();
  EXPECT_GT(relative, 0.2);  // and comes back
  RecordProperty("momentum_error", std::to_string(1e9 * worst / before.norm()));
  RecordProperty("speed_back", std::to_string(relative));
}

Json rope_and_weight(double mass, double young) {
  return {
      {"duration", 4},
      {"frame_rate", 200},
      {"integrator",
       {{"type", "implicit_euler"},
        {"time_step", 0.005},
        {"tolerance", 1e-9},
        {"newton", "exact"},
        {"solver", "direct"},
        {"preconditioner", "none"}}},
      {"rods",
       {{{"name", "rope"},
         {"curve", {{"type", "straight"}, {"from", {0, 0, 1}}, {"to", {0, 0, 0.5}}, {"segments", 10}}},
         {"material",
          {{"type", "elastic"}, {"radius", 0.003}, {"density", 1000}, {"young", young}, {"damping", 0.01}}},
         {"pins", {{{"vertices", {{"indices", {0}}}}}}},
         {"attachments", {{{"vertices", {{"indices", {10}}}}, {"obstacle", "weight"}}}}}}},
      {"bodies",
       {{{"name", "weight"},
         {"shape", {{"type", "box"}, {"size", {0.05, 0.05, 0.05}}}},
         {"mass", mass},
         {"damping", 2},
         {"angular_damping", 2},
         {"translation", {0, 0, 0.475}}}}}};
}

TEST(RigidScene, RopeCarriesAWeight) {
  for (const double mass : {0.001, 0.1, 10.0}) {
    Simulation sim = build_scene(rope_and_weight(mass, 1e9));
    const StepSummary summary = advance_to(sim, 4);
    ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
    const RodPart& rod = sim.model.rods[0];
    const auto& [a, b] = rod.place.segments.back().ends;
    const double length = (sim.state.x[static_cast<size_t>(b)] - sim.state.x[static_cast<size_t>(a)]).norm();
    const double tension = rod.stretch_stiffness * (length / rod.rest_lengths.back() - 1);
    const double own = 1000 * 3.14159265 * 9e-6 * 0.025;  // kg, of the rope below the middle of the segment
    EXPECT_NEAR(tension, (mass + own) * 9.81, 0.01 * (mass + own) * 9.81) << mass;
    EXPECT_LT(sim.state.bodies[0].v.norm(), 0.01) << mass;
  }
}

TEST(RigidScene, BallOfAnyMassRestsOnAHeldSheet) {
  for (const double mass : {0.0005, 0.05, 0.5}) {
    Json scene = one_cloth({{"type", "grid"}, {"size", {0.6, 0.6}}, {"resolution", {20, 20}}});
    cloth_of(scene)["pins"] = {{{"vertices", {{"box", {{-1, -1, -1}, {-0.29, 1, 1}}}}}},
                               {{"vertices", {{"box", {{0.29, -1, -1}, {1, 1, 1}}}}}}};
    scene["bodies"] = {ball(0.08, mass, {0, 0, 0.1}, {0, 0, 0})};
    scene["bodies"][0]["damping"] = 2;
    scene["bodies"][0]["angular_damping"] = 2;
    set_step(scene, 0.005);
    Simulation sim = build_scene(scene);
    double highest = 0;
    const StepSummary summary = advance_to(sim, 2, [&] {
      highest = std::max(highest, sim.state.bodies[0].x.z());
      ASSERT_LT(largest_speed(sim.state), 10) << mass;
    });
    ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
    EXPECT_LT(highest, 0.15) << mass;
    EXPECT_GT(sim.state.bodies[0].x.z(), -0.2) << mass;
    EXPECT_LT(sim.state.bodies[0].v.norm(), 0.1) << mass;
  }
}

TEST(RigidScene, SameBitsOnAnyNumberOfThreads) {
  std::uint64_t hashes[2];
  for (const int threads : {1, 2}) {
    Simulation sim = build_scene(frame_with_sheet());
    ThreadPool(threads).run([&] { advance_to(sim, 0.1); });
    hashes[threads - 1] = state_hash(sim.state);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(RigidScene, ResumedRunGivesTheSameBits) {
  Simulation whole = build_scene(frame_with_sheet());
  advance_to(whole, 0.04);
  const Result<Checkpoint> saved =
      decode_checkpoint(encode_checkpoint({.frame = 1, .state = whole.state}), "a");
  ASSERT_TRUE(saved);
  EXPECT_EQ(state_hash(saved->state), state_hash(whole.state));
  Simulation resumed = build_scene(frame_with_sheet());
  resumed.state = saved->state;
  advance_to(whole, 0.08);
  advance_to(resumed, 0.08);
  EXPECT_EQ(state_hash(resumed.state), state_hash(whole.state));
}

TEST(RigidScene, FreeTopKeepsEnergyAndMomentum) {
  Json scene = bodies_only({{{"name", "top"},
                             {"shape", {{"type", "box"}, {"size", {0.1, 0.2, 0.05}}}},
                             {"velocity", {0.1, 0, 0}},
                             {"angular_velocity", {500, 1, 1}}}});
  Simulation sim = build_scene(scene);
  const double energy = sim.rigid->system().kinetic_energy(sim.state);
  const Vec3 turning = sim.state.bodies[0].angular_momentum;
  advance_to(sim, 10);
  EXPECT_NEAR(sim.rigid->system().kinetic_energy(sim.state), energy, 1e-9 * energy);
  EXPECT_EQ(sim.state.bodies[0].angular_momentum, turning);
}

}  // namespace
}  // namespace heddle::test
