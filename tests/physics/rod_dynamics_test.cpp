// Rods in motion: energy, momentum, explicit against implicit steps, nets.

#include "rod_stage.h"

#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace heddle::test {
namespace {

constexpr double kPi = std::numbers::pi;

RodSection cord() {
  return {.radius = 0.01, .density = 1300, .young = 5e6, .shear = 4e6, .stretch = 5e6};
}

/// Linear and angular momentum, about the origin.
struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

Momentum momentum_of(const RodStage& stage) {
  Momentum sum;
  const auto mass = stage.system->mass();
  for (int k = 0; k < stage.place.node_count; ++k) {
    const auto i = static_cast<size_t>(k);
    sum.linear += mass[i] * stage.state.v[i];
    sum.angular += mass[i] * stage.state.x[i].cross(stage.state.v[i]);
  }
  for (const RodSegment& segment : stage.place.segments) {
    const auto i = static_cast<size_t>(segment.turning);
    Vec3 spin(0, 0, stage.state.v[i][0]);
    if (stage.place.unscale) spin = stage.state.v[i].cwiseQuotient(*stage.place.unscale);
    sum.angular += mass[i] * (stage.state.frames[static_cast<size_t>(segment.frame)] * spin);
  }
  return sum;
}

RodForm corde() {
  return {.corde = true, .penalty = 2000, .inertia_scale = 1};
}

/// Of a free rod that was bent and twisted, without friction.
TEST(RodDynamics, EnergyStaysWithinBounds) {
  for (const RodForm& form : {RodForm{}, corde()}) {
    RodShape shape = straight(0.3, 10, 1.5);
    shape.curvature = Vec3(6, 0, 3);
    RodStage stage = make_stage(shape, cord(), form);
    const auto integrator = explicit_euler();
    const double start = stage.energy();
    double low = start, high = start, last = 0;
    constexpr double kEnd = 60, kStep = 1e-4;
    for (int k = 1; k <= 60; ++k) {
      ASSERT_TRUE(stage.run(*integrator, kStep, k * kEnd / 60));
      last = stage.energy();
      low = std::min(low, last);
      high = std::max(high, last);
    }
    std::printf("%s: energy %.6f J, from %.6f to %.6f in %g s, at the end %+.3f %%\n",
                form.corde ? "corde" : "exact", start, low, high, kEnd, 100 * (last / start - 1));
    // Starts that differ by 1e-6 give bands of 3 to 6.3 %.
    EXPECT_LT(high - low, 0.08 * start);
    EXPECT_GT(stage.system->kinetic_energy(configuration_of(stage.state)), 1e-3 * start);
  }
}

TEST(RodDynamics, FreeRodsKeepTheirMomentum) {
  for (const RodForm& form : {RodForm{}, corde()}) {
    RodSection section = cord();
    section.bending_friction = 1e-4;
    section.stretch_friction = 1;
    RodShape shape = straight(0.3, 12, 2);
    shape.curvature = Vec3(8, 1, 0);
    RodStage stage = make_stage(shape, section, form);
    for (int i = 0; i <= 12; ++i)
      stage.state.v[static_cast<size_t>(i)] = Vec3(1, 0, 0) + Vec3(0, 0, 5).cross(stage.node(i));
    const auto integrator = explicit_euler();
    const Momentum before = momentum_of(stage);
    ASSERT_TRUE(stage.run(*integrator, 2e-5, 0.5));
    const Momentum after = momentum_of(stage);
    const double linear = (after.linear - before.linear).norm() / before.linear.norm(),
                 angular = (after.angular - before.angular).norm() / before.angular.norm();
    std::printf("%s: momentum changed by %.1e, angular momentum by %.1e of itself\n",
                form.corde ? "corde" : "exact", linear, angular);
    EXPECT_LT(linear, 1e-11);
    EXPECT_LT(angular, form.corde ? 1e-2 : 1e-2);
  }
}

/// Unstable where the explicit limit is passed, stable below it.
TEST(RodDynamics, ExplicitStepsHaveTheirLimit) {
  const RodSection section = cord();
  const double limit = 0.02 * std::sqrt(section.density / section.stretch);
  for (const double factor : {0.9, 1.1}) {
    RodStage stage = make_stage(straight(0.2, 10), section);
    stage.node(5)[0] += 1e-6;
    const double before = stage.energy();
    const auto integrator = explicit_euler();
    const bool finished = stage.run(*integrator, factor * limit, 1000 * limit);
    EXPECT_EQ(finished && stage.energy() < 100 * before, factor < 1);
  }
}

/// A steel wire that is let go: implicit steps a hundred times as long as the explicit limit end where the
/// explicit ones swing about.
TEST(RodDynamics, ImplicitStepsOfAStiffWireCanBeAHundredTimesTheExplicitLimit) {
  const RodSection steel{.radius = 0.001, .density = 7860, .young = 2e11, .shear = 8e10, .stretch = 2e11};
  constexpr double kLength = 0.2;
  constexpr int kSegments = 20;
  const Vec3 gravity(0, 0, -9.81);
  const double limit = kLength / kSegments * std::sqrt(steel.density / steel.stretch);

  RodStage swinging = make_stage(straight(kLength, kSegments), steel, {}, gravity);
  swinging.clamp(0);
  const auto quick = explicit_euler();
  const double end = 0.12;
  constexpr int kLooks = 600;
  double sum = 0, weight = 0;
  for (int k = 1; k <= kLooks; ++k) {
    ASSERT_TRUE(swinging.run(*quick, 0.9 * limit, end * k / kLooks));
    const double w = 1 - std::cos(2 * kPi * k / kLooks);  // leaves nothing of the swings
    sum += w * swinging.node(kSegments)[2];
    weight += w;
  }
  const double expected = sum / weight;

  for (const RodForm& form : {RodForm{}, RodForm{.corde = true, .penalty = 1e6}}) {
    RodStage stage = make_stage(straight(kLength, kSegments), steel, form, gravity);
    stage.clamp(0);
    const auto integrator = newton_euler();
    ASSERT_TRUE(stage.run(*integrator, 100 * limit, 1));
    const double found = stage.node(kSegments)[2];
    std::printf("%s: limit %.2e s, deflection %.4f mm with %.2e s, explicit %.4f mm\n",
                form.corde ? "corde" : "exact", limit, -1e3 * found, 100 * limit, -1e3 * expected);
    EXPECT_NEAR(found, expected, 0.01 * std::abs(expected));
  }
}

/// Three rays at rest, one of them bent away: all pairs of segments at the hub bring it back.
TEST(RodDynamics, JointsOfNetsKeepTheirAngles) {
  std::vector<Vec3> points{{0, 0, 0}};
  std::vector<SegmentEnds> segments;
  for (int ray = 0; ray < 3; ++ray)
    for (int k = 1; k <= 5; ++k) {
      const double angle = 2 * kPi * ray / 3;
      segments.push_back({k == 1 ? 0 : static_cast<int>(points.size()) - 1, static_cast<int>(points.size())});
      points.push_back(0.04 * k * Vec3(std::cos(angle), std::sin(angle), 0));
    }
  RodSection section = cord();
  section.bending_friction = 0.1 * section.bending_stiffness();
  for (const RodForm& form : {RodForm{}, RodForm{.corde = true, .penalty = 5000}}) {
    RodStage stage = make_stage(rods_along(points, segments), section, form);
    EXPECT_LT(stage.energy(), 1e-20);
    for (int k = 1; k <= 5; ++k) stage.node(k) = 0.04 * k * Vec3(0.8, 0, 0.6);
    const double bent = stage.energy();
    const auto integrator = newton_euler();
    ASSERT_TRUE(stage.run(*integrator, 0.01, 5));
    std::printf("%s: %.2e of %.2e J left\n", form.corde ? "corde" : "exact", stage.energy(), bent);
    EXPECT_LT(stage.energy(), 1e-4 * bent);
    const Vec3 a = (stage.node(5) - stage.node(0)).normalized(),
               b = (stage.node(10) - stage.node(0)).normalized();
    EXPECT_NEAR(std::acos(a.dot(b)), 2 * kPi / 3, 0.01);
  }
}

TEST(RodDynamics, ResultsDoNotDependOnThreads) {
  std::uint64_t hashes[2];
  for (int k = 0; k < 2; ++k) {
    ThreadPool pool(k + 1);
    pool.run([&] {
      RodShape shape = straight(3, 3000, 20);
      shape.curvature = Vec3(5, 0, 0);
      RodStage stage = make_stage(shape, cord(), {}, {0, 0, -9.81});
      const auto integrator = explicit_euler();
      EXPECT_TRUE(stage.run(*integrator, 1e-6, 2e-5));
      hashes[k] = state_hash(stage.state);
    });
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace heddle::test
