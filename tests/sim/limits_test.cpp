#include <heddle/sim/build.h>
#include <heddle/sim/step.h>

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

/// A square of 1 m between two pinned corners, the second of which moves by `pull` m in 0.1 s.
std::string sheet(const std::string& limits, const std::string& method = "", double pull = 0) {
  return fmt::format(
      R"({{"duration": 0.5, "fabrics": {{"f": {{"weft_stiffness": 100, "warp_stiffness": 100, "shear_stiffness": 30,
          "poisson": 0, {}}}}},
          "cloths": [{{"fabric": "f", "mesh": {{"type": "grid", "resolution": [9, 9]}},
            "pins": [{{"vertices": {{"nearest": [[-0.5, 0.5, 0]]}}}},
                     {{"vertices": {{"nearest": [[0.5, 0.5, 0]]}},
                       "motion": {{"translation": {{"times": [0, 0.1], "values": [[0, 0, 0], [{}, 0, 0]]}}}}}}]}}]
          {}}})",
      limits, pull, method);
}

constexpr const char* kLimits =
    R"("weft_stretch_limit": 0.05, "warp_stretch_limit": 0.05, "shear_limit": 0.2)";

void expect_error(const std::string& scene, const std::string& part) {
  const Result<Simulation> built = build_text(scene);
  ASSERT_FALSE(built);
  EXPECT_NE(built.errors().text().find(part), std::string::npos) << built.errors().text();
}

TEST(Limits, EveryMethodKeepsThemAfterEveryStep) {
  for (const char* method : {"global", "gauss_seidel", "jacobi"}) {
    Result<Simulation> sim = build_text(sheet(
        kLimits, fmt::format(R"(, "limits": {{"type": "{}"}}, "integrator": {{"type": "semi_implicit_euler",
                                   "time_step": 0.005}})",
                             method)));
    ASSERT_TRUE(sim) << sim.errors().text();
    const std::vector<Vec3> start = sim->state.x;
    for (int k = 0; k < 60; ++k) {
      const StepSummary summary = step(*sim);
      ASSERT_EQ(summary.outcome, StepOutcome::accepted) << method << ": " << summary.reason;
      ASSERT_LE(sim->limiter->faces()->worst(sim->state.x).excess, 1e-3) << method << " " << k;
      ASSERT_LE(summary.strain_excess, 1e-3);
    }
  }
}

TEST(Limits, WithoutThemTheSameSheetExceedsThem) {
  Result<Simulation> sim = build_text(sheet(R"("weft_stretch_limit": 9)"));
  ASSERT_TRUE(sim);
  const StrainBounds bounds{{}, {0.05, 0.05, 0.2}};
  double worst = 0;
  for (int k = 0; k < 60; ++k) {
    step(*sim);
    const LimitedFaces& faces = *sim->limiter->faces();
    for (int f = 0; f < faces.size(); ++f)
      worst = std::max(worst, faces.strain(f, sim->state.x).warp - bounds.most.warp);
  }
  EXPECT_GT(worst, 0.05);
}

TEST(Limits, ScenesWithoutThemHaveNoLimiter) {
  Result<Simulation> sim = build_text(sheet(R"("density": 0.2)"));
  ASSERT_TRUE(sim);
  EXPECT_EQ(sim->limiter, nullptr);
}

TEST(Limits, ZeroLimitsAreRefused) {
  expect_error(sheet(R"("weft_stretch_limit": 0)"), "0 is out of range; expected at least 0.001");
}

TEST(Limits, LimitsBelowTheToleranceAreRefused) {
  expect_error(
      sheet(R"("weft_stretch_limit": 0.01)", R"(, "limits": {"type": "gauss_seidel", "tolerance": 0.02})"),
      "not above the tolerance");
}

TEST(Limits, LimitsThatContradictEachOtherAreRefused) {
  const std::string compressed =
      R"("weft_compression_limit": 0.5, "warp_compression_limit": 0.5, "shear_limit": )";
  expect_error(sheet(compressed + "0.6"), "shear_limit 0.6 contradicts the limits of compression");
  EXPECT_TRUE(build_text(sheet(compressed + "0.4")));
}

TEST(Limits, StepsThatContradictEachOtherAreRefused) {
  expect_error(
      sheet(kLimits,
            R"(, "integrator": {"type": "asynchronous", "shortest_step": 0.01, "longest_step": 0.001})"),
      "shortest_step 0.01 s is longer than longest_step 0.001 s");
}

TEST(Limits, AMethodWithoutLimitsIsRefused) {
  expect_error(sheet(R"("density": 0.2)", R"(, "limits": {"type": "jacobi"})"), "no fabric of this scene");
}

TEST(Limits, PinsFartherApartThanTheClothAreRefused) {
  expect_error(sheet(kLimits, "", 0.2), "at most 1.07 m long");
  EXPECT_TRUE(build_text(sheet(kLimits, "", 0.04)));
}

/// Three pins whose distances are within reach one by one, but not together: found when it happens.
TEST(Limits, WhatCannotBeKeptIsNamed) {
  Result<Simulation> sim = build_text(
      R"({"duration": 0.5, "fabrics": {"f": {"weft_stretch_limit": 0.01, "warp_stretch_limit": 0.01, "shear_limit": 0.01,
            "weft_compression_limit": 0.01, "warp_compression_limit": 0.01}},
          "limits": {"type": "gauss_seidel"},
          "cloths": [{"fabric": "f", "mesh": {"type": "grid", "resolution": [5, 5]},
            "pins": [{"vertices": {"uv_box": [[-1, 0.4], [1, 0.6]]}},
                     {"vertices": {"uv_box": [[-1, -0.6], [1, -0.4]]},
                      "motion": {"translation": {"times": [0, 0.3], "values": [[0, 0, 0], [0, -0.012, 0]]}}}]}]})");
  ASSERT_TRUE(sim) << sim.errors().text();
  StepSummary summary;
  for (int k = 0; k < 50 && summary.outcome == StepOutcome::accepted; ++k) summary = step(*sim);
  EXPECT_NE(summary.outcome, StepOutcome::accepted);
  EXPECT_NE(summary.reason.find("beyond its strain limits"), std::string::npos) << summary.reason;
}

/// Pins pull the cloth over a ball: limits, contact and pins at once, for every method.
TEST(Limits, HoldTogetherWithCollisions) {
  for (const char* method : {"global", "gauss_seidel"}) {
    Result<Simulation> sim = build_text(fmt::format(
        R"({{"duration": 1, "fabrics": {{"f": {{"weft_stiffness": 100, "warp_stiffness": 100, "shear_stiffness": 30,
              "poisson": 0, {}}}}}, "limits": {{"type": "{}"}},
            "cloths": [{{"fabric": "f", "translation": [0.02, 0.01, 0.11], "mesh": {{"type": "grid", "size": [0.6, 0.6], "resolution": [19, 19]}}}}],
            "obstacles": [{{"shape": {{"type": "sphere", "radius": 0.1}}, "friction": 0.5}}, {{"shape": {{"type": "plane"}},
              "motion": {{"translation": [0, 0, -0.15]}}}}],
            "integrator": {{"type": "semi_implicit_euler", "time_step": 0.01}}}})",
        kLimits, method));
    ASSERT_TRUE(sim) << sim.errors().text();
    for (int k = 0; k < 50; ++k) {
      const StepSummary summary = step(*sim);
      ASSERT_EQ(summary.outcome, StepOutcome::accepted) << method << ": " << summary.reason;
      ASSERT_LE(sim->limiter->faces()->worst(sim->state.x).excess, 1e-3) << method << " " << k;
      for (const Vec3& x : sim->state.x) ASSERT_GT(x.norm(), 0.1);
    }
  }
}

}  // namespace
}  // namespace heddle
