// Every integrator with every linear solver and every preconditioner of the registries on three scenes: the
// answer is a matter of the integrator, and that of the integrators one of their order.

#include "integrator_probe.h"

#include <heddle/sim/build.h>
#include <heddle/sim/step.h>
#include <heddle/solve/solver_registry.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace heddle::test {
namespace {

bool full() {
  const char* value = std::getenv("HEDDLE_FULL");
  return value && *value && *value != '0';
}

struct SmallScene {
  std::string name, content;
};

const std::string kFabric =
    R"("fabrics": {"soft": {"density": 0.3, "weft_stiffness": 20, "warp_stiffness": 15, "shear_stiffness": 6,
         "stretch_damping": 0.01, "weft_bending": 2e-5, "warp_bending": 2e-5, "bending_damping": 0.05,
         "thickness": 0.002, "friction": 0.4}}, "gravity": [0.8, 0.5, -9.81],)";

/// Forces from the side as well, so that nothing is symmetric and no buckling is left to rounding.
std::vector<SmallScene> small_scenes() {
  return {{"springs", kFabric + R"("cloths": [{"name": "a", "fabric": "soft",
             "mesh": {"type": "grid", "size": [0.3, 0.3], "resolution": [6, 6]},
             "membrane": {"type": "provot"},
             "pins": [{"vertices": {"indices": [30, 35]}}]}])"},
          {"ball", kFabric + R"("contact": {"type": "impulses", "obstacles": false},
             "obstacles": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.2}}],
             "cloths": [{"name": "a", "fabric": "soft", "translation": [0, 0, 0.205],
             "mesh": {"type": "grid", "size": [0.3, 0.3], "resolution": [7, 7]}}])"},
          {"strip", kFabric + R"("cloths": [{"name": "a", "fabric": "soft",
             "mesh": {"type": "grid", "size": [0.5, 0.07], "resolution": [9, 2]},
             "pins": [{"vertices": {"indices": [0, 9]}}]}])"}};
}

struct Setup {
  std::string integrator;  // its members in JSON
  double step = 0;         // s
};

State end_of(const SmallScene& scene, const Setup& setup, double time) {
  const std::string text =
      "{\"integrator\": {" + setup.integrator + ", \"time_step\": " + std::to_string(setup.step) +
      "}, \"frame_rate\": " + std::to_string(1 / setup.step) + ", " + scene.content + "}";
  Result<Simulation> sim = build_text(text, scene.name + ".json");
  EXPECT_TRUE(sim) << sim.errors().text();
  if (!sim) return {};
  const StepSummary summary = advance_to(*sim, time);
  EXPECT_EQ(summary.outcome, StepOutcome::accepted) << setup.integrator << ": " << summary.reason;
  EXPECT_EQ(summary.retries, 0) << scene.name << ", " << setup.integrator;
  return sim->state;
}

/// How far the fastest vertex comes, m.
double travelled(const SmallScene& scene, const State& end) {
  Result<Simulation> sim = build_text("{" + scene.content + "}", scene.name + ".json");
  return largest_difference(sim->state.x, end.x);
}

class CrossProduct : public testing::TestWithParam<SmallScene> {};

/// All ways to solve the linear systems of one integrator, against the direct one.
void expect_solvers_agree(const SmallScene& scene, const std::string& type, bool newton, int steps) {
  constexpr double kStep = 0.005, kSame = 1e-7;  // s, m
  const auto end_with = [&](const std::string& solver, const std::string& preconditioner, bool constrained) {
    std::string members = "\"type\": \"" + type + "\", \"tolerance\": 1e-9, \"max_iterations\": 20000, " +
                          "\"solver\": \"" + solver + "\", \"preconditioner\": \"" + preconditioner +
                          "\", \"constrained_preconditioner\": " + (constrained ? "true" : "false");
    if (newton) members += ", \"newton_iterations\": 40";
    return end_of(scene, {members, kStep}, kStep * steps);
  };
  const State exact = end_with("direct", "none", true);
  EXPECT_GT(travelled(scene, exact), 1e-3);
  double worst = 0;
  for (const SolverEntry& solver : solver_registry())
    for (const PreconditionerEntry& preconditioner : preconditioner_registry()) {
      if (!solver.preconditioned) continue;
      for (const bool constrained : {true, false}) {
        if (!constrained && !full()) continue;
        const State end = end_with(solver.name, preconditioner.name, constrained);
        const double difference = largest_difference(end.x, exact.x);
        EXPECT_LT(difference, kSame) << type << " with " << solver.name << " and " << preconditioner.name;
        worst = std::max(worst, difference);
      }
    }
  std::printf("%s, %s: solvers differ by up to %.1e m\n", scene.name.c_str(), type.c_str(), worst);
}

/// For a few steps only: later, whether a vertex on the ball sticks or slides may hang on the last digit.
TEST_P(CrossProduct, SolversAndPreconditionersGiveTheSameAnswer) {
  int implicit = 0;
  for (const IntegratorEntry& entry : integrator_registry()) {
    if (!entry.type->find("solver")) continue;
    ++implicit;
    expect_solvers_agree(GetParam(), entry.type->name, entry.type->find("newton_iterations"),
                         full() ? 12 : 6);
  }
  EXPECT_GE(implicit, 9);
}

/// By how much four times shorter steps reduce the error at least; on the ball, where contact begins and ends
/// at whole steps, only the size of the error counts.
double least_gain(const SmallScene& scene, int order) {
  return scene.name == "ball" ? 0 : std::pow(4, 0.8 * order);
}

TEST_P(CrossProduct, IntegratorsApproachOneAnswerByTheirOrder) {
  const SmallScene& scene = GetParam();
  constexpr double kTime = 0.04, kStep = 1e-3, kRounding = 1e-8;  // s, s, m
  const State exact = end_of(scene, {R"("type": "rk4")", 5e-5}, kTime);
  const double way = travelled(scene, exact);
  for (const IntegratorCase& integrator : all_integrators()) {
    std::string members = integrator.json.substr(1, integrator.json.size() - 2);
    if (const size_t tight = members.find("1e-11"); tight != std::string::npos)
      members.replace(tight, 5, "1e-7");
    const auto error_of = [&](double step) {
      return largest_difference(end_of(scene, {members, step}, kTime).x, exact.x);
    };
    const double coarse = error_of(kStep), fine = error_of(kStep / 4);
    std::printf("%s, %s: errors %.2e and %.2e m of %.2e\n", scene.name.c_str(), integrator.name.c_str(),
                coarse, fine, way);
    EXPECT_LT(std::max(coarse, fine), 0.06 * way) << integrator.name;
    // Elements that are stiff take shorter steps than the scene asks for, and err less from the beginning.
    const bool has_own_steps = integrator.name.starts_with("asynchronous");
    const double gain = has_own_steps ? 0 : least_gain(scene, traits_of(integrator).damped_order);
    EXPECT_LT(gain * fine, std::max(gain * kRounding, coarse)) << integrator.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, CrossProduct, testing::ValuesIn(small_scenes()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace heddle::test
