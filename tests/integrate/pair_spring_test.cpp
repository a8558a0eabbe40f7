#include <heddle/integrate/semi_implicit_euler.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr double kDt = 0.01;

/// Two particles that fly towards each other along z, and a spring that wants them 1 mm apart. Two more take
/// no part.
class PairSpringTest : public testing::Test {
 protected:
  PairSpringTest() {
    state.x = {Vec3(0, 0, 2e-3), Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
    state.v = {Vec3(0.3, 0, -0.5), Vec3(0, 0, 0.1), Vec3::Zero(), Vec3::Zero()};
    spring.particles = {0, 1, 2, 3};
    spring.weights = {1, -1, 0, 0};
    spring.gap = 2e-3;
    spring.target = 1e-3;
  }
  void step() {
    std::vector<Vec3> reaction(4);
    SemiImplicitEulerIntegrator integrator(SemiImplicitEuler{.linear = {.tolerance = 1e-10}});
    const StepReport report =
        integrator.step(system, filter, {.springs = {&spring, 1}}, kDt, state, reaction);
    EXPECT_EQ(report.outcome, StepOutcome::accepted);
    gap = state.x[0][2] - state.x[1][2];
    upper_reaction = reaction[0];
  }

  System system{{1e-3, 3e-3, 1, 1}, {}, {}};
  VelocityFilter filter{4};
  State state;
  PairSpring spring;
  double gap = 0;
  Vec3 upper_reaction;
};

TEST_F(PairSpringTest, LeavesASmallShareOfTheIntrusionAndKeepsMomentum) {
  const double free_gap = 2e-3 - 0.6 * kDt;
  step();
  EXPECT_LT(gap, spring.target);
  EXPECT_GT(gap, spring.target - 0.1 * (spring.target - free_gap));
  EXPECT_NEAR((1e-3 * state.v[0] + 3e-3 * state.v[1] - Vec3(3e-4, 0, -2e-4)).norm(), 0, 1e-15);
  EXPECT_EQ(state.v[0][0], 0.3);
}

TEST_F(PairSpringTest, TellsTheImpulseThatItGave) {
  step();
  EXPECT_NEAR(spring.impulse, 1e-3 * (state.v[0][2] + 0.5), 1e-12);
}

TEST_F(PairSpringTest, IsPartOfTheReactionOfFixedParticles) {
  filter.fix(0, Vec3(0, 0, -0.5));
  step();
  EXPECT_EQ(state.v[0], Vec3(0, 0, -0.5));
  EXPECT_GT(state.v[1][2], -0.5);
  // What fixes the upper one has to hold against the spring.
  EXPECT_NEAR(upper_reaction[2] * kDt, -spring.impulse, 1e-9);
}

}  // namespace
}  // namespace heddle
