#include <heddle/reproduce/boxerman_rig.h>

#include <heddle/reproduce/dense.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace heddle {

TEST(SolveDense, TakesMatricesThatAreNotSymmetric) {
  const DenseMatrix a{{0, 2, 1}, {1, -3, 0}, {4, 1, 5}};
  const std::vector<double> x = solve_dense(a, {7, -5, 21});
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], std::vector<double>({1, 2, 3})[i], 1e-12) << i;
}

TEST(BoxermanCase, HasTheNumericalStiffnessOfTheThesis) {
  // Experiment 3: kappa = 320 without dampers, 960 with 10 N s/m.
  BoxermanCase of{.side = 40, .spacing = 0.025, .density = 0.5, .step = 0.01};
  EXPECT_NEAR(of.stretch_kappa(), 320, 1e-9);
  of.stretch_damping = 10;
  EXPECT_NEAR(of.largest_kappa(), 960, 1e-9);
}

TEST(AdaptiveTreatment, FollowsTheThreshold) {
  // Figure 4.12: kappa 0.233 and 0.111.
  const BoxermanCase of{
      .spacing = 0.03, .density = 10, .stretch = 100, .shear = 1000, .stretch_damping = 1, .step = 0.001};
  const KindTreatment treatment = adaptive_treatment(of);
  EXPECT_TRUE(treatment.stretch);
  EXPECT_FALSE(treatment.shear);
  EXPECT_FALSE(treatment.bend);
}

TEST(BoxermanRig, HoldsCornersAndKeepsParticlesOutOfSolids) {
  for (const BoxermanScene scene : {BoxermanScene::corners, BoxermanScene::table, BoxermanScene::sphere}) {
    const BoxermanCase of{.scene = scene, .side = 10, .spacing = 0.1, .step = 0.01};
    BoxermanRig rig(of);
    const Vec3 corner = rig.state().x.back();
    const RigSum sum = rig.run(*make_boxerman_integrator(boxerman_solver(of.step)), 0.5);
    EXPECT_TRUE(sum.is_sound);
    EXPECT_GT(sum.iterations, 0);
    if (scene == BoxermanScene::corners) {
      EXPECT_EQ((rig.state().x.back() - corner).norm(), 0);
    }
    if (scene == BoxermanScene::sphere) {
      const Vec3 centre(0.45, 0.45, -0.32 * 0.9);
      for (const Vec3& x : rig.state().x) EXPECT_GT((x - centre).norm(), 0.8 * 0.27);
    }
  }
}

// Boxerman 2003, 6.4.1: rows times vectors of the iterations alone.
TEST(BoxermanRig, CountsRowProductsOfIterations) {
  const BoxermanCase of{.side = 10, .spacing = 0.1, .step = 0.01};
  BoxermanRig rig(of);
  const RigStep step = rig.attempt(*make_boxerman_integrator(boxerman_solver(of.step)), of.step);
  EXPECT_GT(step.report.solver_iterations, 0);
  EXPECT_EQ(step.row_products, step.report.solver_iterations * 100);
}

TEST(BoxermanRig, DecomposedSolvesNeedFewerRowProductsAndGiveTheSame) {
  const BoxermanCase of{
      .scene = BoxermanScene::table, .side = 12, .spacing = 0.1, .stretch_damping = 0.1, .step = 0.01};
  const Decomposition run = decompose(of, 0.4, {.static_friction = 1.5}, 1e-8);
  EXPECT_TRUE(run.is_sound());
  EXPECT_LT(run.difference, 1e-5);
  EXPECT_LT(run.row_ratio(), 1);
}

// Boxerman 2003, 5.3.1 and C18: on the drape over a sphere, by the stop of the thesis and by one that does
// not depend on the preconditioner.
TEST(BoxermanRig, TheConstrainedPreconditionerSavesAQuarterOnTheSphere) {
  const BoxermanCase of{.scene = BoxermanScene::sphere,
                        .side = 30,
                        .spacing = 1.0 / 30,
                        .density = 0.2,
                        .bend = 0.01,
                        .stretch_damping = 0.1,
                        .shear_damping = 0.1,
                        .step = 0.01};
  for (const char* solver : {"mpcg", "conjugate_gradient"}) {
    SolverParameters none = boxerman_solver(of.step), constrained = none;
    none.solver = constrained.solver = solver;
    none.preconditioner = "none";
    const auto with_none = make_boxerman_integrator(none), with_it = make_boxerman_integrator(constrained);
    BoxermanRig rig(of);
    RigSum plain, saved;
    for (int k = 0; k < 60; ++k) {
      plain.add(rig.attempt(*with_none, of.step));
      const RigStep step = rig.attempt(*with_it, of.step);
      saved.add(step);
      rig.accept(step);
    }
    EXPECT_TRUE(plain.is_sound && saved.is_sound);
    std::printf("%s: %ld iterations, %ld without a preconditioner\n", solver,
                static_cast<long>(saved.iterations), static_cast<long>(plain.iterations));
    EXPECT_LT(saved.iterations, 0.75 * plain.iterations) << solver;
  }
}

}  // namespace heddle
