// Contact of cloth with itself, seen through scenes.

#include "stage.h"

#include <gtest/gtest.h>

namespace heddle::test {

/// Contact must not hold neighbours apart: thick cloth on a fine irregular mesh would be too stiff.
TEST(SelfContact, LeavesAFlatSheetAlone) {
  Json scene = one_cloth({{"type", "irregular"}, {"size", {0.2, 0.04}}, {"edge_length", 0.0025}});
  fabric_of(scene)["thickness"] = 0.005;
  scene["gravity"] = {0, 0, 0};
  Simulation sim = build_scene(scene);
  const std::vector<Vec3> rest = sim.state.x;
  ASSERT_EQ(advance_to(sim, 0.05).outcome, StepOutcome::accepted);
  double moved = 0;
  for (size_t i = 0; i < rest.size(); ++i) moved = std::max(moved, (sim.state.x[i] - rest[i]).norm());
  EXPECT_LT(moved, 1e-9);
}

}  // namespace heddle::test
