#include <heddle/integrate/stable_step.h>
#include <heddle/sim/build.h>
#include <heddle/study/amplification.h>
#include <heddle/study/convergence.h>
#include <heddle/study/critical_step.h>
#include <heddle/study/oscillator.h>
#include <heddle/study/plots.h>
#include <heddle/study/scene_study.h>
#include <heddle/study/sparsity.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {

namespace {

const Catalogue& catalogue() {
  static const Catalogue all = make_catalogue();
  return all;
}

Method method(const std::string& name) {
  return find_method(name, catalogue()).value();
}

}  // namespace

// Values of the inventory of Eurographics 2002, examples 1 to 3.
TEST(StudyProblems, HaveThePublishedSolutions) {
  EXPECT_NEAR((Oscillator{.damping = 15, .position = 0, .velocity = 1}.at(1)[1]), 3.05902321e-7, 1e-14);
  EXPECT_NEAR((Oscillator{.damping = -2, .position = 0, .velocity = 1}.at(1)[1]), 7.38905610, 1e-8);
  const Vec2 second = Oscillator{.stiffness = 2.5, .damping = 5, .position = 0, .velocity = 1}.at(10);
  EXPECT_NEAR(second[0], 9.2186813e-4, 1e-10);
  EXPECT_NEAR(second[1], -5.1948037e-4, 1e-10);
  const Vec2 third =
      Oscillator{.mass = 0.1, .stiffness = 100, .damping = 1, .rest = -1.01, .position = -1, .velocity = -5}
          .at(2);
  EXPECT_NEAR(third[0], -1.0099968966, 1e-9);
  EXPECT_NEAR(third[1], -2.18776e-4, 1e-8);
}

TEST(StudyProblems, StartWithoutError) {
  for (const ProblemEntry& entry : problem_registry()) {
    const StudyProblem problem = entry.make();
    EXPECT_NEAR(problem.error(problem.model().state), 0, 1e-15) << entry.name;
    EXPECT_GT(problem.energy_scale, 0) << entry.name;
  }
  EXPECT_EQ(find_problem("nothing"), nullptr);
}

TEST(StudyMethods, AreFoundByNameOrText) {
  EXPECT_TRUE(find_method("semi_implicit_euler", catalogue()));
  EXPECT_TRUE(find_method(R"({"type": "semi_implicit_euler", "lively": true})", catalogue()));
  const auto wrong = find_method("semi_implicit_eule", catalogue());
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.errors().text().find("did you mean \"semi_implicit_euler\""), std::string::npos);
  EXPECT_FALSE(find_method(R"({"type": "semi_implicit_euler", "time_step": "x"})", catalogue()));
  const Method changed = with_step(method("semi_implicit_euler"), 0.003, catalogue());
  EXPECT_EQ(integrator_entry(changed.entity).time_step(changed.entity), 0.003);
}

// Boxerman 2003, 4.2.4 with the square root that is missing there: 1 / sqrt(1 + k k_d + k^2 k_s).
TEST(Amplification, OfBackwardEuler) {
  const Method euler = method("semi_implicit_euler");
  for (const std::complex<double> lambda : {std::complex<double>(0, 2), {-0.3, 1}, {-2, 5}, {0, 0.01}}) {
    const double stiffness = std::norm(lambda), damping = -2 * lambda.real();
    EXPECT_NEAR(amplification(euler, lambda), 1 / std::sqrt(1 + damping + stiffness), 1e-9);
    const auto values = step_eigenvalues(euler, lambda);
    ASSERT_TRUE(values);
    // Of y' = lambda y: 1 / (1 - lambda).
    const std::complex<double> expected = 1.0 / (1.0 - lambda);
    EXPECT_NEAR(std::min(std::abs((*values)[0] - expected), std::abs((*values)[1] - expected)), 0, 1e-9);
  }
}

TEST(Amplification, OfBdf3IsOneOnItsBoundary) {
  // z = sum_j alpha_j e^(-i j theta) with the coefficients 11/6, -3, 3/2, -1/3. Steps at its start grow by
  // 0.87.
  const std::complex<double> r = std::polar(1.0, -1.2);
  const std::complex<double> z = 11.0 / 6 - 3.0 * r + 1.5 * r * r - r * r * r / 3.0;
  const Method method = find_method(R"({"type": "bdf", "order": 3})", make_catalogue()).value();
  EXPECT_NEAR(amplification(method, z), 1, 0.005);
}

TEST(Amplification, OfMethodsThatDampStronglyIsBelowOne) {
  for (const double rate : {1.0, 5.0, 10.0, 30.0, 100.0})
    for (const std::complex<double> lambda : {std::complex<double>(-rate, 0), {0, rate}, {-rate, rate}})
      EXPECT_LT(amplification(method("bdf"), lambda), 1) << lambda;
}

TEST(StabilityRegion, OfBackwardEulerIsOutsideOfACircle) {
  const RegionWindow window{.left = -2, .right = 3, .low = -2, .high = 2, .columns = 26, .rows = 21};
  const PlotRegion region = stability_region(method("semi_implicit_euler"), window);
  for (int row = 0; row < window.rows; ++row)
    for (int column = 0; column < window.columns; ++column) {
      const std::complex<double> z(-2 + 0.2 * column, -2 + 0.2 * row);
      if (z.real() > -1e-9) continue;  // there the matrix of the step may not be positive
      EXPECT_LE(region.values[static_cast<size_t>(row * window.columns + column)], 1) << z;
    }
}

TEST(Convergence, OfBackwardEulerIsOfFirstOrder) {
  const Method euler = method("semi_implicit_euler");
  for (const char* name : {"wave", "overdamped", "truss"}) {
    const StudyProblem problem = find_problem(name)->make();
    const Convergence result = convergence(problem, euler, halved_steps(problem.duration / 500, 5));
    ASSERT_TRUE(result.order()) << name;
    EXPECT_NEAR(*result.order(), 1, 0.12) << name;
    const Work &first = result.errors[0].work, &second = result.errors[1].work;
    EXPECT_EQ(second.linearisations, 2 * first.linearisations);
    EXPECT_GT(second.flops, 1.5 * first.flops);
    EXPECT_GT(first.iterations, 0);
  }
}

TEST(Convergence, OrderIsTheSlope) {
  Convergence result;
  for (const double h : halved_steps(0.1, 8)) result.errors.push_back({h, 3 * h * h, {}});
  EXPECT_NEAR(*result.order(), 2, 1e-12);
  result.errors[1].error = NAN;
  EXPECT_NEAR(*result.order(), 2, 1e-12);
  result.errors.resize(1);
  EXPECT_FALSE(result.order());
}

TEST(CriticalStep, OfBackwardEulerIsTheLongest) {
  const StudyProblem problem = find_problem("truss")->make();
  EXPECT_EQ(critical_step(problem, method("semi_implicit_euler"), {.longest = 0.5, .steps = 100}), 0.5);
}

/// Where explicit methods begin to grow on the built-in problems (Hauth et al. 2002, Figures 8, 10 and 12;
/// Boxerman 2003, (4.8): kappa = (h/m)(k h + 2 d) = 1 on a chain).
TEST(CriticalStep, OfExplicitMethodsIsThePublishedLimit) {
  const auto expect = [](const char* name, const char* text, double limit) {
    const auto found =
        critical_step(find_problem(name)->make(), method(text), {.shortest = 1e-4, .longest = 10});
    ASSERT_TRUE(found) << name << " " << text;
    EXPECT_NEAR(*found, limit, 0.03 * limit) << name << " " << text;
  };
  const char* lagging = R"({"type": "verlet", "form": "leapfrog"})";
  for (const char* text : {"explicit_euler", "explicit_midpoint"}) {
    expect("decay", text, 2.0 / 15);
    expect("overdamped", text, 0.4508);
  }
  expect("decay", "rk4", 0.1857);
  expect("overdamped", "rk4", 0.6278);
  expect("overdamped", lagging, 0.3664);
  expect("damped_spring", "explicit_euler", 0.0100);
  expect("damped_spring", "explicit_midpoint", 0.0400);
  expect("damped_spring", "rk4", 0.0935);
  expect("damped_spring", lagging, 0.0540);
  for (const char* text : {"verlet", lagging, "symplectic_euler"}) expect("wave", text, 0.8944);
  expect("wave", "rk4", 1.2649);
  const double k = 2000, d = 0.04, m = 0.005;  // of a link and a particle of the truss
  expect("truss", "symplectic_euler", (-d + std::sqrt(d * d + k * m)) / k);
}

/// What never grows has no limit, even if its first steps overshoot as those of generalised alpha do.
TEST(CriticalStep, OfAStableMethodsIsTheLongest) {
  const StudyProblem problem = find_problem("truss")->make();
  for (const Method& each : all_methods(catalogue()))
    if (integrator_entry(each.entity).traits(each.entity).is_a_stable) {
      EXPECT_EQ(critical_step(problem, each, {.longest = 2.5, .steps = 200}), 2.5) << each.name;
    }
}

TEST(SceneStudy, ErrorsFallWithTheStep) {
  const auto scene = load_scene_text(R"({"duration": 0.16, "cloths": [
      {"mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]},
       "pins": [{"vertices": {"nearest": [[-0.2, 0.2, 0], [0.2, 0.2, 0]]}}]}]})",
                                     "scene.json", catalogue());
  ASSERT_TRUE(scene);
  const Method euler = method("semi_implicit_euler");
  const auto result = scene_convergence(scene->description, euler, euler, halved_steps(0.02, 3), catalogue());
  ASSERT_TRUE(result);
  ASSERT_EQ(result->errors.size(), 3u);
  EXPECT_LT(result->errors[2].error, 0.5 * result->errors[0].error);
  EXPECT_GT(result->errors[2].error, 0);
  EXPECT_GT(result->errors[2].work.linearisations, result->errors[0].work.linearisations);
}

/// A sheet of springs that hangs at two corners, and what the stiffest mode of its start allows.
TEST(SceneStudy, LongestStepsOfExplicitMethodsAreThoseOfTheStiffestMode) {
  const auto scene = load_scene_text(R"({"cloths": [
      {"mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]}, "rotation": [90, 0, 0],
       "membrane": {"type": "provot", "stretch_stiffness": 300, "shear_stiffness": 300},
       "bending": {"type": "none"},
       "pins": [{"vertices": {"nearest": [[-0.2, 0.2, 0], [0.2, 0.2, 0]]}}]}]})",
                                     "scene.json", catalogue());
  ASSERT_TRUE(scene) << scene.errors().text();
  Diagnostics warnings;
  const auto sim = build(scene->description, catalogue(), warnings);
  ASSERT_TRUE(sim);
  const StiffestMode mode = stiffest_mode(*sim->model.system, sim->state);
  const CriticalSearch search{.longest = 0.1, .margin = 1};
  for (const char* name : {"symplectic_euler", "verlet", "rk4"}) {
    const auto found = scene_critical_step(scene->description, method(name), search, catalogue());
    ASSERT_TRUE(found && *found) << name;
    const double expected = stable_step(*method(name).build(), mode, 1);
    EXPECT_NEAR(**found, expected, 0.15 * expected) << name;
  }
  const auto euler =
      scene_critical_step(scene->description, method("semi_implicit_euler"), search, catalogue());
  ASSERT_TRUE(euler && *euler);
  EXPECT_EQ(**euler, search.longest);
}

TEST(Sparsity, OfAStiffAndASoftSheet) {
  const std::string scene = R"({"duration": 0.16, "cloths": [
      {"mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]},
       "membrane": {"type": "provot", "stretch_stiffness": STIFFNESS, "shear_stiffness": 1e-6},
       "bending": {"type": "none"},
       "pins": [{"vertices": {"nearest": [[-0.2, 0.2, 0], [0.2, 0.2, 0]]}}]}]})";
  const auto views_of = [&](const std::string& stiffness) {
    std::string text = scene;
    text.replace(text.find("STIFFNESS"), 9, stiffness);
    const auto sim = build_text(text);
    EXPECT_TRUE(sim) << sim.errors().text();
    return sparsity_views(*sim);
  };
  const auto stiff = views_of("1000"), soft = views_of("1e-6");
  // 25 rows with 40 stretch and 32 shear springs, each in both triangles of the matrix.
  EXPECT_EQ(stiff[0].pattern.block_count(), 25 + 2 * (40 + 32));
  EXPECT_EQ(stiff[0].nonzeros, 9 * (25 + 2 * (40 + 32)));
  EXPECT_EQ(stiff[0].bandwidth(), 6);
  EXPECT_EQ(stiff[1].pattern.block_count(), 25 + 2 * 40);
  EXPECT_EQ(stiff[1].bandwidth(), 5);
  EXPECT_EQ(stiff[2].components, 1);
  EXPECT_EQ(stiff[2].fixed, 2);
  EXPECT_EQ(stiff[2].bandwidth(), 5);  // fixed rows come last and do not count
  EXPECT_EQ(soft[1].pattern.block_count(), 25);
  EXPECT_EQ(soft[1].bandwidth(), 0);
  EXPECT_EQ(soft[2].components, 23);  // two vertices are fixed
  EXPECT_EQ(soft[2].order.size(), 25u);
  EXPECT_FALSE(render(sparsity_plot(soft[2], "sheet"), PlotFormat::svg).empty());
}

TEST(StudyPlots, HaveASeriesForEachMethod) {
  Convergence a{.method = "a", .errors = {{0.1, 1e-2, {.flops = 10}}, {0.05, NAN, {.flops = 20}}}};
  const LinePlot errors = convergence_plot("t", "m", {a, a}),
                 work = work_plot("t", "m", WorkMeasure::flops, {a});
  EXPECT_EQ(errors.series.size(), 2u);
  EXPECT_EQ(work.series[0].x, (std::vector<double>{10, 20}));
  EXPECT_FALSE(render(errors, PlotFormat::svg).empty());
}

}  // namespace heddle
