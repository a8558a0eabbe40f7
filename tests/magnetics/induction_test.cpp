#include "test_magnets.h"

#include <heddle/parallel/scheduler.h>

namespace heddle {

namespace {

/// Moment of each of two equal balls in a constant field H0 along the line between them, by the expansion of
/// the potential in Legendre polynomials about both centres; A m2.
double moment_of_two_balls(double radius, double distance, double chi, double h0) {
  constexpr int kTerms = 40;
  const double mu = 1 + chi;
  std::vector<double> response(kTerms + 1), a(kTerms + 1, 0.0);
  for (int k = 1; k <= kTerms; ++k)
    response[static_cast<size_t>(k)] = k * (mu - 1) / (k * mu + k + 1) * std::pow(radius, 2 * k + 1);
  const auto choose = [](int n, int k) {
    return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1));
  };
  // A_k = response_k (H0 if k = 1, + sum_n A_n (n + k over n) / d^(n + k + 1)); converges as the balls are
  // apart.
  for (int round = 0; round < 400; ++round) {
    std::vector<double> next(a.size(), 0.0);
    for (int k = 1; k <= kTerms; ++k) {
      double sum = k == 1 ? h0 : 0;
      for (int n = 1; n <= kTerms; ++n)
        sum += a[static_cast<size_t>(n)] * choose(n + k, n) / std::pow(distance, n + k + 1);
      next[static_cast<size_t>(k)] = response[static_cast<size_t>(k)] * sum;
    }
    a = next;
  }
  return 4 * std::numbers::pi * a[1];
}

MagnetSystem in_outer_field(std::vector<Magnet> magnets, const Vec3& field,
                            const InductionOptions& induction = {}) {
  MagnetOptions options;
  options.outer_field = field;
  options.induction = induction;
  return MagnetSystem(std::move(magnets), {}, options);
}

/// Force on a body above a permanent magnet, N.
double lift(const MagnetMaterial& material, const InductionOptions& induction) {
  std::vector<Magnet> magnets{cube_magnet(4), ball_magnet(0.005, 4, material)};
  MagnetOptions options;
  options.induction = induction;
  MagnetSystem system(std::move(magnets), {}, options);
  const std::vector<RigidTransform> poses{{}, {.translation = {0, 0, 0.015}}};
  EXPECT_TRUE(system.update(poses).converged);
  return system.loads()[1].force.z();
}

}  // namespace

TEST(Induction, OfOneBallIsExactForAllSusceptibilities) {
  const double radius = 0.01, volume = 4e-6 * std::numbers::pi / 3, b = 0.02;
  for (const double chi : {-1.0, -0.3, 1e-5, 2.0, 700.0, 20000.0}) {
    std::vector<Magnet> magnets;
    magnets.push_back(ball_magnet(radius, 1, induced(chi)));
    MagnetSystem system = in_outer_field(std::move(magnets), {0, 0, b});
    const RigidTransform pose;
    EXPECT_TRUE(system.update(std::span(&pose, 1)).converged);
    const double expected = 3 * chi / (3 + chi) * b / kVacuumPermeability * volume;
    EXPECT_NEAR(system.magnets()[0].moments[0].z(), expected, 1e-9 * std::abs(expected)) << chi;
  }
}

TEST(Induction, LawsAsPrintedAndAsTheyAre) {
  const double mu0 = kVacuumPermeability;
  const MagnetMaterial superconductor{.kind = MagnetKind::superconductor};
  EXPECT_NEAR(cell_response(induced(700), InductionLaw::printed, 1) * mu0, 3 * 700.0 / 701, 1e-12);
  EXPECT_NEAR(cell_response(induced(700), InductionLaw::sphere, 1) * mu0, 3 * 700.0 / 703, 1e-12);
  EXPECT_NEAR(cell_response(superconductor, InductionLaw::printed, 1) * mu0, -1, 1e-12);
  EXPECT_NEAR(cell_response(superconductor, InductionLaw::sphere, 1) * mu0, -1.5, 1e-12);
  // Printed three times too large for weak materials.
  EXPECT_NEAR(cell_response(induced(1e-6), InductionLaw::printed, 1) /
                  cell_response(induced(1e-6), InductionLaw::sphere, 1),
              3, 1e-5);
}

// Cells that magnetise each other must come to the same moment as the ball as a whole. The steps of the
// lattice at its surface matter the more the higher the susceptibility is.
TEST(Induction, OfABallOfManyCellsIsThatOfTheBall) {
  const double radius = 0.01, volume = 4e-6 * std::numbers::pi / 3, b = 0.02;
  for (const double chi : {-1.0, -0.3, 0.01, 1.0, 5.0, 700.0}) {
    double last = 1;
    for (const int n : {4, 8}) {
      std::vector<Magnet> magnets;
      magnets.push_back(ball_magnet(radius, n, induced(chi)));
      MagnetSystem system = in_outer_field(std::move(magnets), {0, 0, b});
      const RigidTransform pose;
      const InductionReport report = system.update(std::span(&pose, 1));
      EXPECT_TRUE(report.converged) << chi;
      const double expected = 3 * chi / (3 + chi) * b / kVacuumPermeability * volume;
      const double error = std::abs(system.magnets()[0].moments[0].z() / expected - 1);
      EXPECT_LT(error, chi > 100 ? 0.1 : 0.05) << chi << " " << n;
      EXPECT_LT(error, last) << chi << " " << n;
      last = error;
    }
  }
}

TEST(Induction, OfTwoBallsAgreesWithTheExactSolution) {
  const double radius = 0.01, b = 0.02;
  struct Case {
    double distance, chi;  // in radii
    int n;                 // cells along the diameter
  };
  for (const Case& t : {Case{4, 700, 1}, Case{5, 20000, 1}, Case{4, -1, 1}, Case{3, 2, 8}, Case{2.5, 1, 8}}) {
    std::vector<Magnet> magnets;
    for (int i = 0; i < 2; ++i) magnets.push_back(ball_magnet(radius, t.n, induced(t.chi)));
    MagnetSystem system = in_outer_field(std::move(magnets), {0, 0, b});
    const std::vector<RigidTransform> poses{{}, {.translation = {0, 0, t.distance * radius}}};
    EXPECT_TRUE(system.update(poses).converged);
    const double exact = moment_of_two_balls(radius, t.distance * radius, t.chi, b / kVacuumPermeability);
    EXPECT_NEAR(system.magnets()[0].moments[0].z() / exact, 1, 0.01)
        << t.distance << " " << t.chi << " " << t.n;
    // The balls feel each other: without coupling they would be as if alone.
    const double alone = 3 * t.chi / (3 + t.chi) * b / kVacuumPermeability * 4e-6 * std::numbers::pi / 3;
    EXPECT_GT(std::abs(exact / alone - 1), 0.01);
  }
}

TEST(Induction, AttractsRepelsAndOrdersMaterials) {
  for (const InductionOptions& induction :
       {InductionOptions{.coupled = false}, InductionOptions{},
        InductionOptions{.coupled = false, .law = InductionLaw::printed}}) {
    const double para = lift(induced(1e-4), induction), dia = lift(induced(-1e-4), induction);
    const double steel = lift(induced(700), induction);
    const double super = lift({.kind = MagnetKind::superconductor}, induction);
    EXPECT_LT(para, 0);
    EXPECT_GT(dia, 0);
    EXPECT_LT(steel, 1000 * para);
    EXPECT_GT(super, 1000 * dia);
  }
}

TEST(Induction, SaturatesAtMost) {
  const double ms = 2.0, volume = 4e-6 * std::numbers::pi / 3;
  double last = 0;
  for (const double b : {1e-4, 0.1, 1.0, 10.0, 1000.0}) {
    std::vector<Magnet> magnets;
    magnets.push_back(ball_magnet(0.01, 1, induced(700, ms)));
    MagnetSystem system = in_outer_field(std::move(magnets), {0, 0, b});
    const RigidTransform pose;
    EXPECT_TRUE(system.update(std::span(&pose, 1)).converged);
    const double magnetisation = system.magnets()[0].moments[0].z() / volume * kVacuumPermeability;  // T
    EXPECT_LT(magnetisation, ms);
    EXPECT_GT(magnetisation, last);
    last = magnetisation;
    // M = chi H / (1 + chi H / M_s) with H = B / mu0 - M / 3.
    const double h = b - magnetisation / 3;
    EXPECT_NEAR(magnetisation, 700 * h / (1 + 700 * h / ms), 1e-6 * magnetisation);
    if (b < 1e-3) {
      EXPECT_NEAR(magnetisation, 3 * 700.0 / 703 * b, 1e-2 * b);
    }
  }
  EXPECT_GT(last, 0.99 * ms);
}

TEST(Induction, SaturatedCellsMagnetiseEachOther) {
  std::vector<Magnet> magnets{cube_magnet(4, {0, 0, 1.4}), ball_magnet(0.008, 4, induced(700, 0.5)),
                              ball_magnet(0.006, 4, induced(700, 0.5))};
  MagnetSystem system(std::move(magnets));
  const std::vector<RigidTransform> poses{
      {}, {.translation = {0, 0, 0.0135}}, {.translation = {0.002, 0, 0.028}}};
  const InductionReport report = system.update(poses);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.rounds, 1);
  for (const PlacedMagnet& magnet : system.magnets())
    for (int leaf = 0; leaf < magnet.leaf_count(); ++leaf) {
      const double volume = magnet.cells()[magnet.leaf_cell(leaf)].volume;
      if (!magnet.magnet->is_permanent()) {
        EXPECT_LE(magnet.leaf_moment(leaf).norm() / volume * kVacuumPermeability, 0.5);
      }
    }
  EXPECT_LT(balance_of(system.loads(), poses).force, 1e-12);
  EXPECT_LT(balance_of(system.loads(), poses).torque, 1e-12);
}

TEST(Induction, IsTheSameOnAnyNumberOfThreads) {
  std::vector<RigidTransform> poses{{}};
  for (int k = 0; k < 27; ++k) poses.push_back({.translation = 0.012 * Vec3(k % 3, k / 3 % 3, k / 9 + 1.2)});
  const auto run = [&](int threads) {
    std::vector<Magnet> magnets{cube_magnet(4)};
    for (int k = 0; k < 27; ++k) magnets.push_back(ball_magnet(0.005, 2, induced(k % 2 == 0 ? 50 : -0.5)));
    MagnetSystem system(std::move(magnets));
    ThreadPool(threads).run([&] { EXPECT_TRUE(system.update(poses).converged); });
    return std::vector<Wrench>(system.loads().begin(), system.loads().end());
  };
  const std::vector<Wrench> one = run(1), two = run(2);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].force, two[i].force);
}

// The field of a thin ring magnetised along its axis vanishes on the axis at a / sqrt 2.
TEST(MagnetSystem, ThinRingHasNoFieldAtOneHeight) {
  const double a = 0.03;
  const auto solid = make_solid(ring_mesh(a, 0.002, 96), "ring");
  ASSERT_TRUE(solid.ok());
  auto ring = make_magnet(*solid, permanent({0, 0, 1}), {.density = 1e9}, "ring");
  ASSERT_TRUE(ring.ok());
  std::vector<Magnet> magnets;
  magnets.push_back(std::move(*ring));
  MagnetSystem system(std::move(magnets));
  const RigidTransform pose;
  system.update(std::span(&pose, 1));
  double low = 0.3 * a, high = a;
  ASSERT_LT(system.field({0, 0, low}).z() * system.field({0, 0, high}).z(), 0);
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (low + high);
    (system.field({0, 0, middle}).z() * system.field({0, 0, high}).z() > 0 ? high : low) = middle;
  }
  EXPECT_NEAR(low / a, std::numbers::sqrt2 / 2, 2e-3);
}

}  // namespace heddle
