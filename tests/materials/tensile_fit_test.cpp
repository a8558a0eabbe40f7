#include <heddle/materials/tensile_fit.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(TensileFit, FindsStiffnessAndLimitOfATwoPhaseCurve) {
  // 1000 N/m up to 10 %, then 50 times as stiff.
  std::vector<TensilePoint> curve;
  for (int k = 0; k <= 10; ++k) curve.push_back({0.01 * k, 10.0 * k});
  curve.push_back({0.102, 200});
  const Result<TensileFit> fit = fit_tensile_curve(curve, 100);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->stiffness, 1000, 1e-9);
  EXPECT_NEAR(fit->limit, 0.1, 1e-12);
  EXPECT_NEAR(fit->error, 0, 1e-9);
}

TEST(TensileFit, InterpolatesBetweenPoints) {
  const Result<TensileFit> fit = fit_tensile_curve({{0, 0}, {0.04, 100}, {0.06, 200}}, 150);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->limit, 0.05, 1e-12);
}

TEST(TensileFit, NamesWhatIsWrong) {
  EXPECT_FALSE(fit_tensile_curve({{0, 0}, {0.1, 50}}, 150));
  EXPECT_FALSE(fit_tensile_curve({{0, 0}, {0.1, 50}, {0.05, 200}}, 150));
  EXPECT_FALSE(read_tensile_curve("strain,load\n0.1;x\n", 1, "curve.csv"));
  EXPECT_FALSE(read_tensile_curve("# nothing\n", 1, "curve.csv"));
}

TEST(TensileFit, ReadsTablesInAnyUnit) {
  const auto curve =
      read_tensile_curve("strain,load\n0,0\n0.05; 100\n0.1\t500\n", kGramForcePerCentimetre, "c");
  ASSERT_TRUE(curve);
  ASSERT_EQ(curve->size(), 3u);
  EXPECT_NEAR((*curve)[2].load, 490.3, 0.05);
}

}  // namespace
}  // namespace heddle
