// Every integrator of the registry against what it promises about itself: order, stability, energy, momentum.

#include "integrator_probe.h"

#include <heddle/sim/build.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>

namespace heddle::test {

namespace {

class IntegratorBattery : public testing::TestWithParam<IntegratorCase> {
 protected:
  IntegratorTraits traits() const { return traits_of(GetParam()); }

  /// The state after `count` steps.
  State run(const System& system, const VelocityFilter& filter, double time, int count,
            const State& begin) const {
    State state = begin;
    const auto integrator = make_integrator(GetParam());
    const StepReport report = advance(system, filter, *integrator, time, count, state);
    EXPECT_EQ(report.outcome, StepOutcome::accepted) << report.reason;
    return state;
  }

  /// Slope of the error against the step, from the finest steps whose error is not rounding.
  double measured_order(const System& system, const VelocityFilter& filter, double time, int count,
                        const State& begin, const State& exact, double omega) const {
    constexpr double kRounding = 1e-9;
    double last = 0, slope = 0;
    for (int k = 0; k < 3; ++k, count *= 2) {
      const State end = run(system, filter, time, count, begin);
      const double error = largest_difference(end.x, exact.x) + largest_difference(end.v, exact.v) / omega;
      std::printf("%s: %d steps, error %.3e\n", GetParam().name.c_str(), count, error);
      if (k > 0 && error < kRounding) break;
      if (k > 0) slope = std::log2(last / error);
      last = error;
    }
    return slope;
  }

  /// High orders have no error left at the steps that low ones need.
  int coarsest(int order, int count) const { return order > 4 ? count / 10 : order > 2 ? count / 5 : count; }
};

/// By how much slopes may fall short of the promise at finite steps.
double slack(int order) {
  return std::max(0.3, 0.08 * order);
}

/// m z'' = -k z - d z' + f with m = 0.1 kg, k = 100 N/m, d in N s/m (Hauth et al. 2002, example 3, where
/// d = 1).
State oscillator_at(double time, double damping, const Vec3& x, const Vec3& v, const Vec3& force) {
  const double decay = 0.5 * damping / 0.1, omega = std::sqrt(1000 - decay * decay);
  const Vec3 rest = force / 100, u = x - rest;
  const Vec3 sine = (v + decay * u) / omega;
  const double c = std::cos(omega * time), s = std::sin(omega * time), e = std::exp(-decay * time);
  State state;
  state.x = {rest + e * (c * u + s * sine)};
  state.v = {e * (-decay * (c * u + s * sine) + omega * (c * sine - s * u))};
  return state;
}

TEST_P(IntegratorBattery, KeepsItsOrderOnOscillators) {
  const Vec3 x(0.02, 0, 0.01), v(0, 0.5, -5), force(0, 0, -1);
  for (const double damping : {0.0, 1.0}) {
    const System system = anchored({0.1}, {100, damping, force});
    State begin;
    begin.x = {x};
    begin.v = {v};
    const int order = damping > 0 ? traits().damped_order : traits().order;
    const double slope = measured_order(system, VelocityFilter(1), 0.3, coarsest(order, 250), begin,
                                        oscillator_at(0.3, damping, x, v, force), 31.6);
    EXPECT_GT(slope, order - slack(order)) << "damping " << damping;
  }
}

/// x'' = -k x - d x' with so much damping that nothing swings, d^2 > 4 k (1/s2, 1/s).
State creeping_at(double time, double k, double d, const Vec3& x, const Vec3& v) {
  const double root = std::sqrt(d * d / 4 - k), slow = -d / 2 + root, fast = -d / 2 - root;
  const Vec3 a = (v - fast * x) / (slow - fast), b = x - a;
  State state;
  state.x = {std::exp(slow * time) * a + std::exp(fast * time) * b};
  state.v = {slow * std::exp(slow * time) * a + fast * std::exp(fast * time) * b};
  return state;
}

/// Hauth et al. 2002, examples 1, whose unknown is the velocity here, and 2.
TEST_P(IntegratorBattery, KeepsItsOrderOnDecayingMotion) {
  const Vec3 x(100, 0, 50), v(0, -200, 300);  // so large that rounding does not matter
  struct Decay {
    double k, d, time;
  };
  for (const Decay& decay : {Decay{0, 15, 0.3}, Decay{2.5, 5, 1}}) {
    const System system = anchored({1}, {decay.k, decay.d, Vec3::Zero()});
    State begin;
    begin.x = {x};
    begin.v = {v};
    const int order = traits().damped_order;
    const double slope = measured_order(system, VelocityFilter(1), decay.time, coarsest(order, 250), begin,
                                        creeping_at(decay.time, decay.k, decay.d, x, v), decay.d);
    EXPECT_GT(slope, order - slack(order)) << "damping " << decay.d;
  }
}

TEST_P(IntegratorBattery, KeepsItsOrderOnASwingingChain) {
  for (const double damping : {0.0, 0.2}) {
    const System system = chain(4, 200, damping, Vec3(0, 0, -9.81));
    VelocityFilter filter(4);
    filter.fix(0, Vec3::Zero());
    const State begin = chain_state(4);
    const double time = 0.2;
    State exact = begin;
    advance(system, filter, *make_integrator({"", R"({"type": "rk4"})"}), time, 20000, exact);
    const int order = damping > 0 ? traits().damped_order : traits().order;
    const double slope = measured_order(system, filter, time, coarsest(order, 400), begin, exact, 50);
    EXPECT_GT(slope, order - slack(order)) << "damping " << damping;
  }
}

TEST_P(IntegratorBattery, KeepsItsOrderOnCloth) {
  Result<Simulation> sim = build_text(R"({
    "fabrics": {"soft": {"density": 0.2, "weft_stiffness": 20, "warp_stiffness": 15, "shear_stiffness": 8,
                         "stretch_damping": 0.002}},
    "cloths": [{"name": "cloth", "fabric": "soft",
                "mesh": {"type": "grid", "size": [0.2, 0.2], "resolution": [3, 3]},
                "pins": [{"vertices": {"indices": [0, 2]}}]}]})",
                                      "cloth.json");
  ASSERT_TRUE(sim) << sim.errors().text();
  const System& system = *sim->model.system;
  VelocityFilter filter(sim->state.particle_count());
  system.constrain(sim->state, 0.01, filter);
  const double time = 0.1;
  State exact = sim->state;
  advance(system, filter, *make_integrator({"", R"({"type": "rk4"})"}), time, 8000, exact);
  const int order = traits().damped_order;
  const double slope = measured_order(system, filter, time, order > 2 ? 20 : 400, sim->state, exact, 100);
  EXPECT_GT(slope, order - slack(order));
}

TEST_P(IntegratorBattery, NeverGrowsIfAStable) {
  if (!traits().is_a_stable) GTEST_SKIP() << "does not promise it";
  for (const double damping : {0.0, 0.5, 200.0})
    for (const double stretch : {0.1, 1.0, 10.0, 1000.0}) {
      const System system = anchored({0.1}, {100, damping, Vec3::Zero()});
      State begin;
      begin.x = {Vec3(1, 0, 0)};
      begin.v = {Vec3(0, 1, 0)};
      const double dt = stretch / std::sqrt(1000.0);
      const State end = run(system, VelocityFilter(1), 300 * dt, 300, begin);
      // Explicit elements keep an energy that is a little different.
      EXPECT_LT(total_energy(system, end), 1.7 * total_energy(system, begin))
          << "damping " << damping << ", omega h " << stretch;
    }
}

TEST_P(IntegratorBattery, KeepsEnergyWithinBoundsIfSymplectic) {
  if (!traits().is_symplectic) GTEST_SKIP() << "does not promise it";
  const System system = chain(5, 200, 0, Vec3::Zero());
  State state = chain_state(5);
  for (size_t i = 0; i < 5; ++i) state.v[i] = Vec3(i % 2 ? 0.3 : -0.2, 0, 0.1 * static_cast<double>(i));
  const double begin = total_energy(system, state);
  const auto integrator = make_integrator(GetParam());
  const double dt = 0.2 / 89;
  std::vector<double> largest(4, 0);
  for (double& part : largest)
    for (int k = 0; k < 2000; ++k) {
      advance(system, VelocityFilter(5), *integrator, dt, 1, state);
      part = std::max(part, std::abs(total_energy(system, state) / begin - 1));
    }
  std::printf("%s: energy off by %.2e, later %.2e\n", GetParam().name.c_str(), largest[0], largest[3]);
  EXPECT_LT(largest[0], 0.2);
  EXPECT_LT(largest[3], std::max(1e-3, 1.5 * largest[0]));
}

TEST_P(IntegratorBattery, KeepsMomentum) {
  const System system = chain(5, 200, 0.1, Vec3::Zero());
  State state = chain_state(5);
  for (size_t i = 0; i < 5; ++i) state.v[i] = Vec3(0.3, 0.2 * static_cast<double>(i), 0.1);
  Vec3 before = Vec3::Zero(), after = Vec3::Zero();
  for (const Vec3& v : state.v) before += v;
  state = run(system, VelocityFilter(5), 0.2, 400, state);
  for (const Vec3& v : state.v) after += v;
  EXPECT_LT((after - before).norm(), 1e-9 * before.norm());
}

TEST_P(IntegratorBattery, KeepsPrescribedVelocities) {
  const System system = chain(4, 200, 0.1, Vec3(0, 0, -9.81));
  VelocityFilter filter(4);
  filter.fix(0, Vec3(0.1, 0, 0.2));
  filter.prescribe(3, Vec3::UnitZ(), 0);
  const State end = run(system, filter, 0.1, 200, chain_state(4));
  EXPECT_LT((end.x[0] - Vec3(0.01, 0, 0.02)).norm(), 1e-12);
  EXPECT_LT((end.v[0] - Vec3(0.1, 0, 0.2)).norm(), 1e-12);
  EXPECT_NEAR(end.x[3].z(), 0, 1e-12);
  EXPECT_NEAR(end.v[3].z(), 0, 1e-12);
}

/// What hangs at rest pulls with its weight.
TEST_P(IntegratorBattery, TellsTheReaction) {
  const System system = anchored({0.1, 0.2}, {0, 0, Vec3(0, 0, -1)});
  VelocityFilter filter(2);
  filter.fix(0, Vec3::Zero());
  filter.prescribe(1, Vec3::UnitZ(), 0);
  State state;
  state.x.assign(2, Vec3::Zero());
  state.v.assign(2, Vec3::Zero());
  const auto integrator = make_integrator(GetParam());
  std::vector<Vec3> reaction(2);
  for (int k = 0; k < 400; ++k) integrator->step(system, filter, {}, 1e-3, state, reaction);
  for (const Vec3& r : reaction) EXPECT_LT((r - Vec3(0, 0, 1)).norm(), 1e-6);
}

/// A particle on another one, held by a spring of contact, comes to rest on it.
TEST_P(IntegratorBattery, RestsOnSpringsBetweenSurfaces) {
  const System system = anchored({0.1, 0.1, 1, 1}, {0, 0, Vec3(0, 0, -1)});
  VelocityFilter filter(4);
  for (const int i : {1, 2, 3}) filter.fix(i, Vec3::Zero());
  State state;
  state.x = {Vec3(0, 0, 1e-3), Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
  state.v = {Vec3(0, 0, -0.5), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  const auto integrator = make_integrator(GetParam());
  std::vector<Vec3> reaction(4);
  const double dt = 1e-3;
  PairSpring spring{.particles = {0, 1, 2, 3}, .weights = {1, -1, 0, 0}};
  for (int k = 0; k < 200; ++k) {
    spring.gap = state.x[0].z();
    spring.target = 1e-3;
    integrator->step(system, filter, {.springs = {&spring, 1}}, dt, state, reaction);
  }
  EXPECT_NEAR(state.x[0].z(), 1e-3, 1e-5);
  EXPECT_LT(state.v[0].norm(), 0.15 * dt * 10);  // a part of what gravity gives in a step
  EXPECT_NEAR(spring.impulse / dt, 1, 0.02);
}

/// Steps of other lengths and changes by contact do not harm what is remembered.
TEST_P(IntegratorBattery, SurvivesImpulsesAndOtherSteps) {
  const System system = anchored({0.1}, {100, 1, Vec3::Zero()});
  const auto integrator = make_integrator(GetParam());
  State state;
  state.x = {Vec3(0.02, 0, 0)};
  state.v = {Vec3::Zero()};
  Vec3 x = state.x[0], v = state.v[0];
  std::vector<Vec3> reaction(1);
  const double steps[] = {1e-3, 1e-3, 5e-4, 5e-4, 1e-3, 2.5e-4, 5e-4, 1e-3, 1e-3, 1e-3};
  for (int k = 0; k < 60; ++k) {
    const double dt = 0.1 * steps[k % 10];
    integrator->step(system, VelocityFilter(1), {}, dt, state, reaction);
    const State exact = oscillator_at(dt, 1, x, v, Vec3::Zero());
    x = exact.x[0];
    v = exact.v[0];
    if (k % 20 == 10) {
      state.v[0] += Vec3(0, 0.5, 0.3);
      v += Vec3(0, 0.5, 0.3);
      state.x[0] += Vec3(0, 0, 1e-3);
      x += Vec3(0, 0, 1e-3);
    }
  }
  const double order = traits().damped_order;
  EXPECT_LT((state.x[0] - x).norm() + (state.v[0] - v).norm() / 31, order > 1 ? 1e-4 : 2e-4);
}

INSTANTIATE_TEST_SUITE_P(Registry, IntegratorBattery, testing::ValuesIn(all_integrators()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace heddle::test
