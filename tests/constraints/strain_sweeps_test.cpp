#include "strained_sheet.h"

#include <heddle/constraints/sweep_limits.h>
#include <heddle/parallel/parallel.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

const StrainBounds kBounds = bounds_of(0.1, 0.1, 0.2);

/// A sheet whose middle part is pulled apart by the factor.
std::vector<Vec3> pulled(const StrainedSheet& sheet, double factor, double radius) {
  std::vector<Vec3> x = sheet.x;
  for (Vec3& p : x) {
    const Vec3 arm = p - Vec3(0.5, 0.5, 0);
    if (arm.norm() < radius) p += (factor - 1) * arm;
    p[2] += 0.02 * std::sin(7 * p[0]) * std::cos(5 * p[1]);
  }
  return x;
}

/// Both modes of correction, both orders.
struct Way {
  std::string name;
  std::unique_ptr<StrainLimiter> limiter;
};

std::vector<Way> all_ways(const LimitedFaces& faces, double tolerance = 1e-3) {
  std::vector<Way> ways;
  for (const char* correction : {"least", "hold"})
    for (const bool active : {false, true}) {
      GaussSeidelLimits one{
          .common = {.tolerance = tolerance}, .correction = correction, .active_set = active};
      JacobiLimits all{.common = {.tolerance = tolerance},
                       .correction = correction,
                       .iterations = 2000,
                       .active_set = active};
      const std::string text = std::string(correction) + (active ? " active" : "");
      ways.push_back({"gauss_seidel " + text, one.build(faces)});
      ways.push_back({"jacobi " + text, all.build(faces)});
    }
  return ways;
}

TEST(StrainSweeps, BringFacesWithinTheirBoundsAndKeepMomentum) {
  StrainedSheet sheet(12, kBounds);
  sheet.x = pulled(sheet, 1.15, 0.25);
  ASSERT_GT(sheet.faces.worst(sheet.x).excess, 0.04);
  const BlockProjection free;
  for (const Way& way : all_ways(sheet.faces)) {
    std::vector<Vec3> x = sheet.x;
    const LimitReport report = way.limiter->limit({sheet.mass, free, 0.01}, x);
    EXPECT_TRUE(report.converged) << way.name;
    EXPECT_LE(sheet.faces.worst(x).excess, 1e-3) << way.name;
    EXPECT_LT(sheet.momentum(x).norm(), 1e-14) << way.name;
    // The angular momentum of every single correction vanishes about where it was made.
    EXPECT_LT(sheet.angular_momentum(x).norm(), 1e-5) << way.name;
  }
}

TEST(StrainSweeps, GaussSeidelNeedsFewerIterationsThanJacobi) {
  StrainedSheet sheet(16, kBounds);
  sheet.x = pulled(sheet, 1.15, 0.3);
  const BlockProjection free;
  std::vector<Vec3> a = sheet.x, b = sheet.x;
  const LimitReport one = GaussSeidelLimits{}.build(sheet.faces)->limit({sheet.mass, free, 0.01}, a);
  const LimitReport all =
      JacobiLimits{.iterations = 5000}.build(sheet.faces)->limit({sheet.mass, free, 0.01}, b);
  EXPECT_LT(one.iterations, all.iterations);
}

TEST(StrainSweeps, SheetsWithinTheirBoundsStayAsTheyAre) {
  const StrainedSheet sheet(8, kBounds);
  std::vector<Vec3> x = pulled(sheet, 1.02, 0.3);
  const std::vector<Vec3> before = x;
  const BlockProjection free;
  for (const Way& way : all_ways(sheet.faces)) {
    const LimitReport report = way.limiter->limit({sheet.mass, free, 0.01}, x);
    EXPECT_EQ(report.iterations, 1) << way.name;
    EXPECT_TRUE(x == before) << way.name;
  }
}

TEST(StrainSweeps, PinnedParticlesStay) {
  StrainedSheet sheet(8, kBounds);
  sheet.x = pulled(sheet, 1.15, 0.3);
  BlockProjection pins;
  for (const int corner : {0, 8, 40}) pins.add(corner, Mat3::Zero());
  for (const Way& way : all_ways(sheet.faces)) {
    std::vector<Vec3> x = sheet.x;
    EXPECT_TRUE(way.limiter->limit({sheet.mass, pins, 0.01}, x).converged) << way.name;
    for (const int corner : {0, 8, 40})
      EXPECT_EQ(x[static_cast<size_t>(corner)], sheet.x[static_cast<size_t>(corner)]) << way.name;
  }
}

TEST(StrainSweeps, RandomOrderIsReproducibleAndSeeded) {
  StrainedSheet sheet(12, kBounds);
  sheet.x = pulled(sheet, 1.15, 0.3);
  const BlockProjection free;
  const auto result = [&](int seed, std::uint64_t salt) {
    std::vector<Vec3> x = sheet.x;
    GaussSeidelLimits{.seed = seed}.build(sheet.faces)->limit({sheet.mass, free, 0.01, salt}, x);
    return x;
  };
  EXPECT_TRUE(result(1, 0) == result(1, 0));
  EXPECT_FALSE(result(1, 0) == result(2, 0));
  EXPECT_FALSE(result(1, 0) == result(1, 5));
}

TEST(StrainSweeps, JacobiDependsOnNeitherOrderNorThreads) {
  StrainedSheet sheet(24, kBounds);
  sheet.x = pulled(sheet, 1.12, 0.3);
  const BlockProjection free;
  const auto limited = [&](const LimitedFaces& faces) {
    std::vector<Vec3> x = sheet.x;
    EXPECT_TRUE(JacobiLimits{.iterations = 5000}.build(faces)->limit({sheet.mass, free, 0.01}, x).converged);
    return x;
  };
  const std::vector<Vec3> first = limited(sheet.faces);
  LimitedFaces turned;
  for (int f = sheet.faces.size() - 1; f >= 0; --f) {
    const RestFace& rest = sheet.faces.rest(f);
    turned.add(sheet.faces.nodes(f), {Vec2::Zero(), rest.a, rest.b}, sheet.faces.bounds(f));
  }
  turned.finish(sheet.particle_count());
  EXPECT_TRUE(limited(turned) == first);
  for (const int threads : {1, 2, 4}) {
    std::vector<Vec3> x;
    ThreadPool(threads).run([&] { x = limited(sheet.faces); });
    EXPECT_TRUE(x == first) << threads;
  }
}

TEST(StrainSweeps, PlainSumsDivergeWhereSharedMassesConverge) {
  StrainedSheet sheet(40, kBounds);
  sheet.x = pulled(sheet, 1.2, 0.3);
  const BlockProjection free;
  std::vector<Vec3> plain = sheet.x, shared = sheet.x;
  JacobiLimits published{.correction = "hold", .iterations = 40, .average = false};
  EXPECT_FALSE(published.build(sheet.faces)->limit({sheet.mass, free, 0.01}, plain).converged);
  EXPECT_GT(sheet.faces.worst(plain).excess, sheet.faces.worst(sheet.x).excess);
  EXPECT_TRUE(JacobiLimits{.iterations = 20000}
                  .build(sheet.faces)
                  ->limit({sheet.mass, free, 0.01}, shared)
                  .converged);
}

TEST(StrainSweeps, RatesAreLimitedByTheSameKernels) {
  StrainedSheet sheet(10, kBounds);
  std::vector<Vec3> v(sheet.x.size());
  for (size_t i = 0; i < v.size(); ++i) v[i] = 20 * Vec3(std::sin(9 * sheet.x[i][0]), sheet.x[i][0], 0);
  const BlockProjection free;
  for (const char* correction : {"least", "hold"}) {
    std::vector<Vec3> limited = v;
    GaussSeidelLimits way{.common = {.rate_limit = 10}, .correction = correction, .iterations = 2000};
    const LimitReport report =
        way.build(sheet.faces)->limit_rates({sheet.mass, free, 0.01}, sheet.x, limited);
    EXPECT_TRUE(report.converged) << correction;
    for (int f = 0; f < sheet.faces.size(); ++f) {
      const FaceStretch now = stretch_of(sheet.faces.rest(f), sheet.faces.points(f, sheet.x));
      EXPECT_LE(strain_rate(sheet.faces.rest(f), now, sheet.faces.points(f, limited)).largest(), 10.011);
    }
    Vec3 change = Vec3::Zero();
    for (size_t i = 0; i < v.size(); ++i) change += sheet.mass[i] * (limited[i] - v[i]);
    EXPECT_LT(change.norm(), 1e-12) << correction;
  }
}

/// Weft and warp swapped on a mesh that is its own mirror image about the diagonal: the mirrored field.
TEST(StrainSweeps, SwappedLimitsGiveTheMirroredField) {
  const int n = 16;
  const auto limited = [&](double weft, double warp) {
    StrainedSheet sheet(n, bounds_of(weft, warp, 0.1), StrainedSheet::Diagonals::rising);
    std::vector<Vec3> x = pulled(sheet, 1.15, 0.3);
    for (size_t i = 0; i < x.size(); ++i) {
      const Vec3& rest = sheet.x[i];
      x[i].z() = 0.1 * std::cos(5 * (rest[0] - rest[1]));
    }
    const BlockProjection free;
    const LimitReport report =
        JacobiLimits{.iterations = 5000}.build(sheet.faces)->limit({sheet.mass, free, 0.01}, x);
    EXPECT_TRUE(report.converged);
    EXPECT_GT(report.iterations, 5);
    return x;
  };
  const std::vector<Vec3> one = limited(0.04, 0.2), other = limited(0.2, 0.04);
  double off = 0, apart = 0;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const Vec3 &a = one[static_cast<size_t>(j * (n + 1) + i)],
                 &b = other[static_cast<size_t>(i * (n + 1) + j)];
      off = std::max(off, (a - Vec3(b[1], b[0], b[2])).norm());
      apart = std::max(apart, (a - other[static_cast<size_t>(j * (n + 1) + i)]).norm());
    }
  EXPECT_LT(off, 1e-12);
  EXPECT_GT(apart, 0.003);
}

/// It looks at fewer faces, and corrects the same ones; what that saves limit_bench tells.
TEST(StrainSweeps, TheActiveSetTakesTheSameWay) {
  StrainedSheet sheet(40, kBounds);
  sheet.x = pulled(sheet, 1.12, 0.1);
  const BlockProjection free;
  const auto run = [&](bool active) {
    std::vector<Vec3> x = sheet.x;
    return std::pair(JacobiLimits{.iterations = 5000, .active_set = active}
                         .build(sheet.faces)
                         ->limit({sheet.mass, free, 0.01}, x),
                     x);
  };
  const auto [all, x] = run(false);
  const auto [few, y] = run(true);
  EXPECT_TRUE(all.converged && few.converged);
  EXPECT_EQ(all.iterations, few.iterations);
  EXPECT_TRUE(x == y);
}

/// Sheared by 0.3, in two triangulations: along one diagonal edges grow, along the other they shrink.
TEST(StrainSweeps, OnlyEdgeLimitsDependOnTheTriangulation) {
  using Diagonals = StrainedSheet::Diagonals;
  const auto mean_shear = [](Diagonals diagonals, const auto& way) {
    StrainedSheet sheet(6, bounds_of(0.2, 0.2, 0.1), diagonals);
    for (Vec3& p : sheet.x) p = Vec3(1.01 * p[0] + 0.3 * p[1], 1.01 * p[1] + 0.3 * p[0], 0);
    const BlockProjection free;
    std::vector<Vec3> x = sheet.x;
    EXPECT_TRUE(way.build(sheet.faces)->limit({sheet.mass, free, 0.01}, x).converged);
    double sum = 0;
    for (int f = 0; f < sheet.faces.size(); ++f) sum += sheet.faces.strain(f, x).shear / sheet.faces.size();
    return sum;
  };
  const GaussSeidelLimits faces{.iterations = 5000};
  EXPECT_NEAR(mean_shear(Diagonals::rising, faces), mean_shear(Diagonals::falling, faces), 2e-3);
  const EdgeLimits edges{.limit = 0.06, .iterations = 5000};
  EXPECT_GT(std::abs(mean_shear(Diagonals::rising, edges) - mean_shear(Diagonals::falling, edges)), 0.01);
}

}  // namespace
}  // namespace heddle
