#include <heddle/sim/build.h>
#include <heddle/sim/run_watch.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr const char* kScene = R"({"cloths": [
  {"name": "first", "mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]}},
  {"name": "second", "translation": [0, 0, 1], "mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]}}]})";

class RunWatchTest : public testing::Test {
 protected:
  /// Draws the second cloth out along x.
  void stretch(double factor) {
    for (size_t i = 25; i < 50; ++i) sim_.state.x[i][0] *= factor;
  }
  Diagnostics after_frame() { return watch_.after_frame(sim_.model, sim_.state, "scene.json"); }

  Simulation sim_ = std::move(build_text(kScene).value());
  RunWatch watch_;
};

TEST_F(RunWatchTest, TellsOnceWhichClothIsTorn) {
  EXPECT_TRUE(after_frame().items().empty());
  stretch(1.9);
  EXPECT_TRUE(after_frame().items().empty());
  stretch(1.5);
  const Diagnostics found = after_frame();
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_NE(found.text().find("cloth \"second\" is stretched to 2.85 times"), std::string::npos)
      << found.text();
  EXPECT_TRUE(after_frame().items().empty());
}

TEST_F(RunWatchTest, TellsWhichClothHasNoRoomAndHowMuchItNeeds) {
  StepSummary summary;
  EXPECT_TRUE(watch_.after_step(sim_.model, summary, "scene.json").items().empty());
  summary.squeeze = Squeeze{30, Vec3(0, 0, 1), 0.5};
  sim_.model.cloths[1].thickness = 0.008;
  const Diagnostics found = watch_.after_step(sim_.model, summary, "scene.json");
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_NE(found.text().find("cloth \"second\" has no room"), std::string::npos) << found.text();
  EXPECT_NE(found.text().find("at least 0.008 m"), std::string::npos) << found.text();
  EXPECT_TRUE(watch_.after_step(sim_.model, summary, "scene.json").items().empty());
}

}  // namespace
}  // namespace heddle
