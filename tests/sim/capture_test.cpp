// Frames tell how hard the cloth is pressed, and how its elements were treated.

#include <heddle/sim/build.h>
#include <heddle/sim/capture.h>
#include <heddle/sim/capture_elements.h>
#include <heddle/sim/step.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

/// A sheet that hangs from two corners.
std::string hanging_sheet(const std::string& parts, const std::string& integrator) {
  return R"({"duration": 0.2, "cloths": [{"mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [9, 9]},
      "pins": [{"vertices": {"nearest": [[-0.2, 0.2, 0], [0.2, 0.2, 0]]}}])" +
         parts + R"(}], "integrator": )" + integrator + "}";
}

struct Kinds {
  SnapshotModel model;
  Snapshot last;

  /// Of the elements of one term.
  std::array<int, 3> counts(const std::string& term) const {
    std::array<int, 3> counts{};
    size_t element = 0;
    for (const SnapshotElements& group : model.objects[0].elements)
      for (size_t e = 0; e < group.count(); ++e, ++element)
        if (group.term == term) ++counts[static_cast<size_t>(last.objects[0].treatments[element])];
    EXPECT_EQ(element, last.objects[0].treatments.size());
    return counts;
  }
};

Kinds run_kinds(const std::string& scene) {
  Result<Simulation> sim = build_text(scene);
  if (!sim) {
    ADD_FAILURE() << sim.errors().text();
    return {};
  }
  Kinds kinds{capture_model(*sim), {}};
  const StepSummary summary = advance_to(*sim, 0.12, [&](const Snapshot& snapshot) -> Status {
    kinds.last = snapshot;
    return Done{};
  });
  EXPECT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  return kinds;
}

}  // namespace

TEST(Treatments, OfStiffAndSoftSprings) {
  const std::string springs =
      R"(, "membrane": {"type": "choi_ko", "stretch_stiffness": 400, "shear_stiffness": 0.01},
           "bending": {"type": "buckling", "stiffness": 1e-6, "linear_stiffness": 1e-4})";
  const Kinds kinds = run_kinds(hanging_sheet(springs, R"({"type": "adaptive_imex", "decompose": true})"));
  const auto [slack_stretch, explicit_stretch, implicit_stretch] = kinds.counts("stretch_springs");
  EXPECT_EQ(slack_stretch + explicit_stretch + implicit_stretch, 144);
  EXPECT_EQ(explicit_stretch, 0);
  EXPECT_GT(implicit_stretch, 20);
  EXPECT_GT(slack_stretch, 0);
  EXPECT_EQ(kinds.counts("shear_springs")[2], 0);
  EXPECT_GT(kinds.counts("shear_springs")[1], 0);
  EXPECT_GT(kinds.counts("bend_springs")[1], 0);
  const auto& components = kinds.last.objects[0].components;
  ASSERT_EQ(components.size(), 81u);
  EXPECT_EQ(std::count(components.begin(), components.end(), -1), 2);  // those that are pinned
  EXPECT_GE(*std::max_element(components.begin(), components.end()), 0);
}

TEST(Components, OfOneParticleComeLast) {
  EXPECT_EQ(drawable_components(std::vector{0, 1, -1, 1, 2, 3, 3}), (std::vector{2, 0, -1, 0, 3, 1, 1}));
  EXPECT_TRUE(drawable_components({}).empty());
}

TEST(Treatments, OfTrianglesAndHinges) {
  const Kinds kinds = run_kinds(
      hanging_sheet(R"(, "bending": {"type": "hinge"})", R"({"type": "sbdf2", "time_step": 0.002})"));
  EXPECT_EQ(kinds.counts("membrane"), (std::array{0, 0, 128}));
  EXPECT_EQ(kinds.counts("hinge_bending"), (std::array{0, 176, 0}));
  EXPECT_TRUE(kinds.last.objects[0].components.empty());
}

TEST(Treatments, AreNotKeptIfAllAreAlike) {
  const Kinds kinds = run_kinds(hanging_sheet("", R"({"type": "semi_implicit_euler"})"));
  EXPECT_TRUE(kinds.model.objects[0].elements.empty());
  EXPECT_TRUE(kinds.last.objects[0].treatments.empty());
}

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
