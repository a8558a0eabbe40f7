// Cloth that starts through other cloth, or through itself, comes apart.

#include "stage.h"

#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::test {

namespace {

struct Start {
  const char* name;
  std::vector<Json> rotations, translations;
};

Json sheets(const Start& start) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.4, 0.36}}, {"resolution", {25, 22}}});
  scene["frame_rate"] = 25;
  scene["integrator"]["tolerance"] = 1e-6;  // of momentum too
  scene["gravity"] = {0, 0, 0};
  const Json sheet = cloth_of(scene);
  scene["cloths"] = Json::array();
  for (size_t k = 0; k < start.rotations.size(); ++k) {
    Json next = sheet;
    next["name"] = "sheet " + std::to_string(k);
    next["fabric"] = k % 2 == 0 ? "cotton" : "denim";
    next["rotation"] = start.rotations[k];
    next["translation"] = start.translations[k];
    scene["cloths"].push_back(next);
  }
  return scene;
}

}  // namespace

class Tangle : public testing::TestWithParam<Start> {};

TEST_P(Tangle, ComesApartAndStaysSo) {
  Simulation sim = build_scene(sheets(GetParam()));
  EXPECT_GT(intersections(sim), 50);
  ASSERT_EQ(advance_to(sim, 0.6).outcome, StepOutcome::accepted);
  EXPECT_EQ(intersections(sim), 0);
  EXPECT_FALSE(sim.state.tangled);
  EXPECT_LT(momentum(sim).norm(), 1e-6);  // kg m/s, where 0.02 kg moved at some 0.1 m/s
}

INSTANTIATE_TEST_SUITE_P(
    Starts, Tangle,
    testing::Values(
        Start{"steep", {{0, 0, 0}, {75, 0, 20}}, {{0, 0, 0}, {0.02, 0.03, 0.05}}},
        Start{"layered", {{0, 0, 0}, {10, 4, 30}}, {{0, 0, 0}, {0.02, 0, 0.004}}},
        Start{"face_to_face", {{0, 0, 0}, {172, 4, 30}}, {{0, 0, 0}, {0.02, 0, 0.004}}},
        Start{"three", {{0, 0, 0}, {8, 3, 20}, {-6, 9, 50}}, {{0, 0, 0}, {0.03, 0, 0}, {0, 0.02, 0.003}}}),
    [](const auto& start) { return start.param.name; });

/// Which side of a sheet is its front must not matter for the order of layers.
TEST(Tangle, FacesTurnedOverComeApartToo) {
  Json scene = sheets({"",
                       {{180, 0, 0}, {188, 3, 20}, {-6, 9, 50}, {172, -5, 10}},
                       {{0, 0, 0}, {0.03, 0, 0}, {0, 0.02, 0.003}, {0.01, 0.01, -0.002}}});
  scene["integrator"] = {{"type", "semi_implicit_euler"}};
  Simulation sim = build_scene(scene);
  ASSERT_EQ(advance_to(sim, 0.6).outcome, StepOutcome::accepted);
  EXPECT_EQ(intersections(sim), 0);
}

/// A strip laid in a loop, whose ends pass through each other.
TEST(Tangle, ALoopComesApart) {
  constexpr double kRadius = 0.08, kTurn = 2.2, kLength = 0.8;
  Json scene = one_cloth({{"type", "grid"}, {"size", {kLength, 0.2}}, {"resolution", {65, 17}}});
  scene["integrator"] = {{"type", "semi_implicit_euler"}};
  scene["gravity"] = {0, 0, 0};
  Simulation sim = build_scene(scene);
  for (Vec3& x : sim.state.x) {
    const double way = std::abs(x[0]), sign = x[0] < 0 ? -1 : 1;
    const double angle = std::min(way / kRadius, kTurn), straight = way - kRadius * angle;
    x = {sign * (kRadius * std::sin(angle) + straight * std::cos(kTurn)), x[1],
         kRadius * std::cos(angle) - straight * std::sin(kTurn)};
  }
  EXPECT_GT(intersections(sim), 20);
  ASSERT_EQ(advance_to(sim, 1).outcome, StepOutcome::accepted);
  EXPECT_EQ(intersections(sim), 0);
}

TEST(Tangle, DoesNotDependOnThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2})
    ThreadPool(threads).run([&] {
      Simulation sim = build_scene(sheets({"", {{0, 0, 0}, {10, 4, 30}}, {{0, 0, 0}, {0.02, 0, 0.004}}}));
      advance_to(sim, 0.12);
      hashes.push_back(state_hash(sim.state));
    });
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace heddle::test
