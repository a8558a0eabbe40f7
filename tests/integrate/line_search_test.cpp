// Corrections of Newton's method that would go too far are shortened, by forces or by energies.

#include "integrator_probe.h"

#include <heddle/dynamics/stencil_term.h>
#include <heddle/forces/spring/particle_model.h>
#include <heddle/integrate/implicit_euler.h>
#include <heddle/sim/build.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::test {
namespace {

constexpr double kPull = 50, kCore = 1e-3;  // N, m

/// U = k sqrt(a^2 + |x|^2): nearly a constant pull, so that Newton's method from afar leaps across the
/// middle.
struct PullKernel {
  static constexpr std::string_view kName = "pull";
  static constexpr int kNodes = 1;
  static constexpr bool kConservative = true, kExternal = false;
  std::vector<std::array<int, 1>> nodes{{0}};
  int* energies = nullptr;  // how often they were asked for

  static double length(const Vec3& x) { return std::sqrt(kCore * kCore + x.squaredNorm()); }
  double energy(int, const ElementState<1>& q) const {
    ++*energies;
    return kPull * length(q.x[0]);
  }
  void force(int, const ElementState<1>& q, std::array<Vec3, 1>& f) const {
    f[0] = -kPull / length(q.x[0]) * q.x[0];
  }
  void linearise(int e, const ElementState<1>& q, const ElementScales& scales, ElementSystem<1>& out) const {
    force(e, q, out.force);
    const double r = length(q.x[0]);
    const Mat3 K = kPull / r * (Mat3::Identity() - q.x[0] * q.x[0].transpose() / (r * r));
    out.a[0][0] = scales.stiffness * K;
    out.stiffness_velocity[0] = K * q.v[0];
  }
};

struct Solved {
  StepReport report;
  State end;
  int energies = 0;
};

constexpr double kMass = 0.01, kStep = 0.05;  // kg, s
const Vec3 kBegin(1, 0.2, 0);                 // m

/// One step from rest, far from the middle.
Solved solve(const std::string& line_search, const std::string& newton = "inexact") {
  Solved out;
  std::vector<std::unique_ptr<ForceTerm>> terms;
  terms.push_back(std::make_unique<StencilTerm<PullKernel>>(PullKernel{.energies = &out.energies}, 1));
  const System system({kMass}, std::move(terms), {});
  out.end.x = {kBegin};
  out.end.v = {Vec3::Zero()};
  const auto integrator = make_integrator(
      {"", R"({"type": "implicit_euler", "tolerance": 1e-8, "newton_iterations": 60, "newton": ")" + newton +
               R"(", "line_search": ")" + line_search + "\"}"});
  EXPECT_EQ(integrator->needs_energy(), line_search == "energy" && newton != "once");
  std::vector<Vec3> reaction(1);
  out.report = integrator->step(system, VelocityFilter(1), {}, kStep, out.end, reaction);
  return out;
}

TEST(LineSearch, FindsTheStepWhereNewtonsMethodLeaps) {
  for (const char* line_search : {"force", "energy"}) {
    const Solved solved = solve(line_search);
    EXPECT_EQ(solved.report.outcome, StepOutcome::accepted) << line_search << ": " << solved.report.reason;
    const Vec3 x = solved.end.x[0], v = solved.end.v[0];
    const Vec3 lack = kMass * v + kStep * kPull / PullKernel::length(x) * x;
    EXPECT_LT(lack.norm(), 1e-6 * kStep * kPull) << line_search;
    EXPECT_LT(x.norm(), 0.01 * kBegin.norm()) << line_search << ": it is not the pull of one side alone";
    EXPECT_EQ(solved.energies > 0, std::string(line_search) == "energy");
    std::printf("line search by %s: %d iterations\n", line_search, solved.report.solver_iterations);
  }
}

/// Springs that only pull get slack and taut again from one correction to the next. Linear solves that leave
/// half of their residual failed there in the 20th step as long as corrections were halved only.
TEST(LineSearch, FindsTheStepsOfSpringsThatOnlyPull) {
  for (const double forcing : {1e-6, 0.02, 0.5}) {
    ParticleModel model = make_spring_sheet({.columns = 20,
                                             .rows = 20,
                                             .bend_stiffness = 1e-5,
                                             .holds_corner = {false, false, true, true},
                                             .bend_linear_stiffness = 0});
    ImplicitEulerIntegrator integrator({.linear = {.preconditioner = "block_jacobi", .tolerance = 1e-6},
                                        .newton = {.most_solves = 200, .forcing = forcing}});
    std::vector<Vec3> reaction(model.state.x.size());
    for (int k = 0; k < 25; ++k) {
      const StepReport report =
          integrator.step(*model.system, model.filter(), {}, 0.01, model.state, reaction);
      ASSERT_EQ(report.outcome, StepOutcome::accepted) << forcing << ", step " << k << ": " << report.reason;
    }
  }
}

TEST(LineSearch, IsNeededThere) {
  const Solved once = solve("energy", "once");
  EXPECT_EQ(once.energies, 0);
  EXPECT_GT(once.end.x[0].norm(), 10 * kBegin.norm());
}

std::string sheet(const std::string& force, const std::string& line_search) {
  return R"({"cloths": [{"mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]}}], "forces": [)" +
         force + R"(], "integrator": {"type": "newmark", "line_search": ")" + line_search + "\"}}";
}

TEST(LineSearch, OverEnergiesRefusesForcesWithoutOne) {
  for (const std::string name : {"wind", "drag"}) {
    const std::string force = R"({"type": ")" + name + "\"}";
    const auto refused = build_text(sheet(force, "energy"));
    ASSERT_FALSE(refused) << name;
    EXPECT_NE(refused.errors().text().find("cannot see the force \"" + name + "\", which has no energy"),
              std::string::npos)
        << refused.errors().text();
    EXPECT_TRUE(build_text(sheet(force, "force"))) << name;
  }
  EXPECT_TRUE(build_text(sheet("", "energy")));
}

}  // namespace
}  // namespace heddle::test
