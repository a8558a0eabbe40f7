// Cloth that falls on a ball hardly gains energy: whatever its stiffness, size and step, its energy never
// rises above its lowest value so far by more than a fifth of the work that lifts the cloth by the radius of
// the ball.

#include "stage.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::test {

namespace {

struct Fall {
  const char* name;
  double stiffness;  // N/m
  double size;       // m, side of the cloth; the ball has a fifth of it as radius
  double step;       // s
};

Json cloth_over_ball(const Fall& fall) {
  const double radius = 0.2 * fall.size;
  Json scene = one_cloth({{"type", "grid"}, {"size", {fall.size, fall.size}}, {"resolution", {25, 25}}});
  fabric_of(scene)["weft_stiffness"] = fall.stiffness;
  fabric_of(scene)["warp_stiffness"] = fall.stiffness;
  fabric_of(scene)["shear_stiffness"] = fall.stiffness / 20;
  scene["integrator"]["tolerance"] = 1e-2;
  cloth_of(scene)["translation"] = {0, 0, 1.1 * radius};
  scene["obstacles"] = {{{"name", "ball"}, {"shape", {{"type", "sphere"}, {"radius", radius}}}}};
  // Impulses between faces and the ball displace single vertices, which is much energy in such stiff cloth.
  if (fall.stiffness > 1e5) scene["contact"] = {{"type", "impulses"}, {"self", false}, {"obstacles", false}};
  set_step(scene, fall.step);
  return scene;
}

double energy_of(const Simulation& sim) {
  const Configuration q = configuration_of(sim.state);
  return sim.model.system->kinetic_energy(q) + sim.model.system->potential_energy(q);
}

}  // namespace

class EnergyOfFall : public testing::TestWithParam<Fall> {};

TEST_P(EnergyOfFall, HardlyRises) {
  const Fall& fall = GetParam();
  Simulation sim = build_scene(cloth_over_ball(fall));
  double mass = 0;
  for (const double m : sim.model.system->mass()) mass += m;
  const double lift = mass * 9.81 * 0.2 * fall.size;  // by the radius of the ball
  double least = energy_of(sim), rise = 0;
  const StepSummary summary = advance_to(sim, 1.0, [&] {
    least = std::min(least, energy_of(sim));
    rise = std::max(rise, energy_of(sim) - least);
  });
  EXPECT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  EXPECT_LT(rise, 0.2 * lift);
  RecordProperty("rise_per_lift", std::to_string(rise / lift));
}

INSTANTIATE_TEST_SUITE_P(All, EnergyOfFall,
                         testing::Values(Fall{"k1", 1, 1, 0.005}, Fall{"k1e2", 1e2, 1, 0.005},
                                         Fall{"k1e4", 1e4, 1, 0.005}, Fall{"k1e5", 1e5, 1, 0.005},
                                         Fall{"k1e6", 1e6, 1, 0.005}, Fall{"k1e7", 1e7, 1, 0.005},
                                         Fall{"decimetre", 2e3, 0.1, 0.005},
                                         Fall{"ten_metres", 2e3, 10, 0.005}, Fall{"long_step", 2e3, 1, 0.02},
                                         Fall{"very_long_step", 2e3, 1, 0.04}),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace heddle::test
