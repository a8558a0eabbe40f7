// Explicit hinge bending: as good as the implicit one below its limit, and reported above it.

#include "stage.h"

#include <heddle/sim/check.h>
#include <heddle/sim/explicit_limit.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::test {

namespace {

/// A flap of canvas, held along one side, falls.
Json flap(const std::string& treatment, double damping, double step) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.3, 0.3}}, {"resolution", {13, 13}}});
  fabric_of(scene)["weft_bending"] = 1e-4;
  fabric_of(scene)["warp_bending"] = 1e-4;
  fabric_of(scene)["bending_damping"] = damping;
  cloth_of(scene)["bending"] = {{"type", "hinge"}, {"treatment", treatment}};
  cloth_of(scene)["pins"] = {{{"vertices", {{"uv_box", {{-0.15, -0.15}, {-0.14, 0.15}}}}}}};
  set_step(scene, step);
  return scene;
}

double limit_of(const Simulation& sim) {
  const auto limits = explicit_limits(*sim.model.system, sim.state);
  return *std::min_element(limits.begin(), limits.end());
}

double bending_energy(const Simulation& sim) {
  double sum = 0;
  for (const auto& term : sim.model.system->terms())
    if (term->name() == "hinge_bending") sum += term->energy(configuration_of(sim.state));
  return sum;
}

/// The largest bending energy while the flap falls for a while, J.
double most_bent(const Json& scene) {
  Simulation sim = build_scene(scene);
  double most = 0;
  advance_to(sim, 0.2, [&] { most = std::max(most, bending_energy(sim)); });
  return most;
}

}  // namespace

TEST(ExplicitBending, AgreesWithImplicitBelowItsLimit) {
  for (double damping : {0.0, 0.005}) {
    const double step = 0.95 * limit_of(build_scene(flap("explicit", damping, 0.01)));
    ASSERT_LT(step, 0.01);
    const double reference = most_bent(flap("implicit", damping, step));
    EXPECT_NEAR(most_bent(flap("explicit", damping, step)), reference, 0.1 * reference) << damping;
  }
}

TEST(ExplicitBending, GoesWrongAboveItsLimit) {
  for (double damping : {0.0, 0.005}) {
    const double step = 3 * limit_of(build_scene(flap("explicit", damping, 0.01)));
    const double reference = most_bent(flap("implicit", damping, step));
    EXPECT_GT(most_bent(flap("explicit", damping, step)), 1.5 * reference) << damping;
  }
}

TEST(ExplicitBending, ImplicitBendingHasNoLimit) {
  EXPECT_TRUE(std::isinf(limit_of(build_scene(flap("implicit", 0.02, 0.01)))));
}

}  // namespace heddle::test
