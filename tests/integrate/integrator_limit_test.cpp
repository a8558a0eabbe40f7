// Where explicit methods begin to grow, and what the check of scenes knows about it.

#include "integrator_probe.h"

#include <heddle/core/random.h>
#include <heddle/integrate/bdf.h>
#include <heddle/integrate/imex.h>
#include <heddle/integrate/sparse_jacobian.h>
#include <heddle/integrate/stable_step.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::test {
namespace {

double limit_of(const std::string& json, const StiffestMode& mode) {
  return stable_step(*make_integrator({"", json}), mode, 10);
}

TEST(StableStep, IsThatOfTheLiterature) {
  // omega = 31.6/s, without damping: 2 / omega, and 2.828 / omega for the classical Runge-Kutta method.
  const StiffestMode swing{1000, 0};
  const double omega = std::sqrt(1000.0);
  EXPECT_NEAR(limit_of(R"({"type": "symplectic_euler"})", swing) * omega, 2, 0.01);
  for (const char* form : {"velocity", "leapfrog", "position"})
    EXPECT_NEAR(limit_of(std::string(R"({"type": "verlet", "form": ")") + form + "\"}", swing) * omega, 2,
                0.01);
  EXPECT_NEAR(limit_of(R"({"type": "rk4"})", swing) * omega, 2.828, 0.02);
  // Undamped swings grow at any step; the limit is where 400 steps show it.
  EXPECT_LT(limit_of(R"({"type": "explicit_euler"})", swing) * omega, 0.1);
}

/// Hauth et al. 2002, examples 1 (-15), 2 and 3 and Figure 8.
TEST(StableStep, IsThatOfTheTestEquations) {
  const StiffestMode decay{0, 15}, slow{2.5, 5}, swing{1000, 10};
  const auto expect = [&](const char* type, double first, double second, double third) {
    const std::string json = std::string(R"({"type": ")") + type + "\"}";
    EXPECT_NEAR(limit_of(json, decay), first, 0.01 * first) << type;
    EXPECT_NEAR(limit_of(json, slow), second, 0.01 * second) << type;
    EXPECT_NEAR(limit_of(json, swing), third, 0.02 * third) << type;
  };
  expect("explicit_euler", 0.1333, 0.4508, 0.0100);
  expect("explicit_midpoint", 0.1333, 0.4508, 0.0400);
  expect("rk4", 0.1857, 0.6278, 0.0935);
  const std::string lagging = R"({"type": "verlet", "form": "leapfrog"})";
  EXPECT_NEAR(limit_of(lagging, slow), 0.3664, 0.004);
  EXPECT_NEAR(limit_of(lagging, swing), 0.0540, 0.0006);
}

/// Boxerman 2003, (4.8): kappa = (h/m)(k h + 2 d) <= 1 for a chain.
TEST(StableStep, OfAChainIsThatOfNumericalStiffnessOne) {
  const double k = 200, m = 0.1;
  for (const double d : {0.0, 0.3}) {
    const System system = chain(60, k, d, Vec3::Zero());
    const State begin = chain_state(60);
    const double critical = (-d + std::sqrt(d * d + k * m)) / k;  // kappa = 1
    const auto grows = [&](double dt) {
      State state = begin;
      for (size_t i = 0; i < 60; ++i) state.x[i].x() += (i % 2 ? 1e-6 : -1e-6);
      const auto integrator = make_integrator({"", R"({"type": "symplectic_euler"})"});
      advance(system, VelocityFilter(60), *integrator, 600 * dt, 600, state);
      return !(total_energy(system, state) < 1e-6);
    };
    EXPECT_FALSE(grows(0.98 * critical)) << "damping " << d;
    EXPECT_TRUE(grows(1.02 * critical)) << "damping " << d;
  }
}

TEST(StiffestModeOf, AChainIsThatOfItsShortestWave) {
  const System system = chain(40, 200, 0.3, Vec3::Zero());
  const StiffestMode mode = stiffest_mode(system, chain_state(40));
  EXPECT_NEAR(mode.stiffness, 4 * 200 / 0.1, 0.06 * 4 * 200 / 0.1);
  EXPECT_NEAR(mode.damping, 4 * 0.3 / 0.1, 0.06 * 4 * 0.3 / 0.1);
  const StiffestMode none = stiffest_mode(system, chain_state(40), std::vector<std::string>{"constant"});
  EXPECT_EQ(none.stiffness, 0);
}

TEST(BdfWeights, OfEqualStepsAreThoseOfTheTable) {
  const std::vector<std::vector<double>> table = {
      {1, -1},
      {3.0 / 2, -2, 1.0 / 2},
      {11.0 / 6, -3, 3.0 / 2, -1.0 / 3},
      {25.0 / 12, -4, 3, -4.0 / 3, 1.0 / 4},
      {137.0 / 60, -5, 5, -10.0 / 3, 5.0 / 4, -1.0 / 5},
      {147.0 / 60, -6, 15.0 / 2, -20.0 / 3, 15.0 / 4, -6.0 / 5, 1.0 / 6}};
  std::vector<double> ages;
  for (size_t order = 1; order <= table.size(); ++order) {
    ages.push_back(0.1 * static_cast<double>(order));
    const auto weights = bdf_weights(ages);
    for (size_t j = 0; j <= order; ++j) EXPECT_NEAR(weights[j], table[order - 1][j], 1e-12);
  }
}

/// Hauth et al. 2002, (73), w = new step / old step.
TEST(BdfWeights, OfTwoStepsAreThoseOfTheVariableFormula) {
  for (const double w : {0.5, 1.0, 1.7}) {
    const double h = 0.2;
    const auto weights = bdf_weights(std::vector<double>{h, h + h / w});
    const double scale = (1 + 2 * w) / (1 + w);
    EXPECT_NEAR(weights[0], scale, 1e-12);
    EXPECT_NEAR(weights[1], -scale * (1 + w) * (1 + w) / (1 + 2 * w), 1e-12);
    EXPECT_NEAR(weights[2], scale * w * w / (1 + 2 * w), 1e-12);
  }
}

/// The stand-in of a chain is as stiff across as along, and never softer than the matrix.
TEST(SparseJacobian, IsALargerLaplacian) {
  const System system = chain(6, 200, 0.1, Vec3::Zero());
  State state = chain_state(6);
  for (size_t i = 0; i < 6; ++i) state.x[i] += Vec3(0.01 * static_cast<double>(i), 0, i % 2 ? 0.02 : 0);
  BlockMatrix matrix(system.pattern()), constant(system.pattern()), sparse(sparse_pattern(system.pattern()));
  std::vector<Vec3> force(6), product(6), external(6);
  system.constant_matrix(1e-2, 1e-1, constant);
  system.linearise(configuration_of(state), constant,
                   {.stiffness_scale = 1e-2,
                    .damping_scale = 1e-1,
                    .matrix = &matrix,
                    .force = force,
                    .stiffness_velocity = product},
                   external);
  sparsify(matrix, system.mass(), sparse);
  EXPECT_EQ(sparse.pattern().general.block_count(), 6);
  EXPECT_EQ(sparse.pattern().isotropic.block_count(), 5);
  Random random(3);
  std::vector<Vec3> x(6), a(6), b(6);
  const std::vector<Vec3> shift(6, Vec3(1, 2, 3));
  for (int k = 0; k < 100; ++k) {
    for (Vec3& value : x) value = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    matrix.multiply(x, a);
    sparse.multiply(x, b);
    double larger = 0;
    for (size_t i = 0; i < 6; ++i) larger += x[i].dot(b[i] - a[i]);
    EXPECT_GE(larger, -1e-12);
  }
  sparse.multiply(shift, b);
  for (const Vec3& value : b) EXPECT_LT((value - 0.1 * shift[0]).norm(), 1e-12);
}

/// Elements are implicit from Boxerman's kappa on; a link of a chain shares its particles with one other.
TEST(AdaptiveImex, TreatsElementsByTheirNumericalStiffness) {
  const double k = 200, m = 0.1, threshold = 0.4;
  for (const double d : {0.0, 0.3}) {
    const System system = chain(20, k, d, Vec3::Zero());
    const double critical = (-d + std::sqrt(d * d + threshold * k * m)) / k;  // kappa = threshold
    const auto implicit = [&](double dt) {
      SemiImplicitEulerIntegrator integrator(
          "adaptive_imex",
          {.splitting = {.explicit_terms = {}, .stable = StableElements{.limit = threshold}}});
      State state = chain_state(20);
      const auto told =
          find_treatments(system, *system.terms()[0], integrator.splitting(), configuration_of(state), dt);
      std::vector<Vec3> reaction(20);
      integrator.step(system, VelocityFilter(20), {}, dt, state, reaction);
      EXPECT_EQ(std::count(told.begin(), told.end(), Treatment::implicitly),
                integrator.solver().implicit_elements());
      EXPECT_EQ(told.size(), 19u);
      return integrator.solver().implicit_elements();
    };
    EXPECT_EQ(implicit(0.98 * critical), 0);
    EXPECT_EQ(implicit(1.02 * critical), 17);  // those at the ends have more mass to count on
    EXPECT_EQ(implicit(10 * critical), 19);
  }
}

/// The predicted explicit part of sbdf2 grows from 29 A + 36 B = 48 on.
TEST(Sbdf2, ExplicitModesGrowFromTheirLimitOn) {
  for (const double damping : {0.0, 5.0, 20.0}) {
    const StiffestMode mode{1000, damping};
    // 29 k h^2 + 36 d h = 48
    const double limit =
        (-36 * damping + std::sqrt(36 * damping * 36 * damping + 4 * 29 * 1000 * 48)) / (2 * 29 * 1000);
    EXPECT_NEAR(limit_of(R"({"type": "sbdf2"})", mode), limit, 0.01 * limit) << "damping " << damping;
  }
}

/// Steps that alternate make elements change sides all the time (Boxerman 2003, 4.4.3).
TEST(AdaptiveImex, IsStableWhileStepsAlternate) {
  for (const char* type : {"adaptive_imex", "sbdf2"}) {
    const System system = chain(12, 200, 0.02, Vec3(0, 0, -9.81));
    VelocityFilter filter(12);
    filter.fix(0, Vec3::Zero());
    State state = chain_state(12);
    const auto integrator =
        make_integrator({"", std::string(R"({"type": ")") + type + R"(", "tolerance": 1e-6})"});
    std::vector<Vec3> reaction(12);
    for (int k = 0; k < 2000; ++k)
      integrator->step(system, filter, {}, k % 2 ? 0.02 : 0.002, state, reaction);
    const double weight = 0.1 * 9.81 * 0.1 * 66;  // J, from the horizontal to the vertical
    EXPECT_LT(total_energy(system, state), 0.5 * weight) << type;
    EXPECT_GT(total_energy(system, state), -2 * weight) << type;
  }
}

}  // namespace
}  // namespace heddle::test
