// Cloth that is thrown about faster than steps can follow never meets itself.

#include "stage.h"

#include <gtest/gtest.h>

namespace heddle::test {

/// A thin rod crosses a sheet of coarse faces at 20 m/s and throws it over itself: where nothing keeps all
/// apart, the sheet may meet the rod, but not itself.
TEST(Obstacles, AThrownSheetNeverMeetsItself) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.6, 0.6}}, {"resolution", {31, 31}}});
  scene.erase("integrator");
  scene["frame_rate"] = 100;
  cloth_of(scene).update({{"fabric", "cotton"}, {"translation", {0, 0, 0.6}}, {"rotation", {90, 0, 0}}});
  cloth_of(scene)["pins"] = {{{"vertices", {{"uv_box", {{-0.3, 0.3}, {0.3, 0.3}}}}}}};
  scene["obstacles"] = {
      {{"name", "rod"},
       {"shape", {{"type", "capsule"}, {"radius", 0.004}, {"length", 0.9}}},
       {"motion",
        {{"translation", {0, -0.2, 0.7}},
         {"rotation", {{"times", {0, 0.035, 0.07}}, {"values", {{0, 0, 0}, {90, 0, 0}, {180, 0, 0}}}}}}}}};
  Simulation sim = build_scene(scene);
  for (int frame = 1; frame <= 15; ++frame) {
    const StepSummary summary = advance_to(sim, 0.01 * frame);
    ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
    ASSERT_EQ(all_intersections(sim), 0) << frame;
  }
}

}  // namespace heddle::test
