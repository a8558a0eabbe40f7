// Frames tell how hard the cloth is pressed.

#include <heddle/sim/build.h>
#include <heddle/sim/step.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {

constexpr double kGravity = 9.81;  // m/s2

/// A sheet at rest on a plane, and perhaps a smaller one close above it.
std::string scene_of(const std::string& contact, bool second) {
  std::string cloths = R"({"name": "lower", "translation": [0, 0, 0.0003], "mesh": {"type": "grid",
      "size": [0.4, 0.4], "resolution": [17, 17]}})";
  if (second)
    cloths += R"(, {"name": "upper", "translation": [0.003, 0.007, 0.0015], "mesh": {"type": "grid",
      "size": [0.2, 0.2], "resolution": [9, 9]}})";
  return R"({"gravity": [0, 0, -9.81], "contact": {"type": ")" + contact + R"("}, "cloths": [)" + cloths +
         R"(], "obstacles": [{"name": "floor", "shape": {"type": "plane"}}]})";
}

struct Outcome {
  Snapshot last;
  std::vector<double> weights;  // N, by cloth
};

Outcome settle(const std::string& scene) {
  Result<Simulation> sim = build_text(scene);
  if (!sim) {
    ADD_FAILURE() << sim.errors().text();
    return {};
  }
  Outcome outcome;
  const StepSummary summary = advance_to(*sim, 0.6, [&](const Snapshot& snapshot) -> Status {
    outcome.last = snapshot;
    return Done{};
  });
  EXPECT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  for (const ClothPart& cloth : sim->model.cloths) {
    const auto mass = sim->model.system->mass().subspan(static_cast<size_t>(cloth.first_particle),
                                                        static_cast<size_t>(cloth.particle_count));
    outcome.weights.push_back(kGravity * std::accumulate(mass.begin(), mass.end(), 0.0));
  }
  return outcome;
}

double sum(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

TEST(Pressures, OfAPlaneCarryTheWeight) {
  const Outcome outcome = settle(scene_of("impulses", false));
  const std::vector<float>& pressures = outcome.last.objects[0].pressures;
  ASSERT_EQ(pressures.size(), 17u * 17u);
  EXPECT_NEAR(sum(pressures), outcome.weights[0], 0.02 * outcome.weights[0]);
  EXPECT_GE(*std::min_element(pressures.begin(), pressures.end()), 0);
  EXPECT_TRUE(outcome.last.objects[1].pressures.empty()) << "obstacles have none";
}

class PressuresOfSurfaces : public testing::TestWithParam<const char*> {};

/// The plane carries both sheets; the lower one carries the upper one and is pressed from both sides.
TEST_P(PressuresOfSurfaces, CarryTheWeightOfTheUpperSheet) {
  const Outcome outcome = settle(scene_of(GetParam(), true));
  const double lower = outcome.weights[0], upper = outcome.weights[1];
  EXPECT_NEAR(sum(outcome.last.objects[1].pressures), upper, 0.1 * upper);
  EXPECT_NEAR(sum(outcome.last.objects[0].pressures), lower + 2 * upper, 0.1 * (lower + 2 * upper));
}

INSTANTIATE_TEST_SUITE_P(Contact, PressuresOfSurfaces, testing::Values("impulses"),
                         [](const auto& instance) { return instance.param; });

TEST(Pressures, AreZeroInFreeFall) {
  const Outcome outcome =
      settle(R"({"cloths": [{"mesh": {"type": "grid", "size": [0.2, 0.2], "resolution": [5, 5]}}]})");
  EXPECT_EQ(outcome.last.objects[0].pressures, std::vector<float>(25, 0.0f));
}

}  // namespace heddle
