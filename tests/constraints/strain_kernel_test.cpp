#include <heddle/constraints/strain_reference.h>
#include <heddle/core/random.h>

#include <gtest/gtest.h>

#include <functional>

namespace heddle {
namespace {

constexpr int kCases = 100000;

/// A face of size about 1 m, somewhere, strained and turned at random.
struct RandomFace {
  RestFace rest;
  FacePoints x;
  FaceMasses mass;
  PlaneStrain target;

  explicit RandomFace(Random& random) {
    std::array<Vec2, 3> corners;
    double area = 0;
    while (area < 0.05) {
      for (Vec2& c : corners) c = Vec2(random.uniform(-1, 1), random.uniform(-1, 1));
      const Vec2 a = corners[1] - corners[0], b = corners[2] - corners[0];
      area = 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    rest = RestFace::of(corners);
    const Quat turn =
        Quat(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
            .normalized();
    const Mat2 U{{1 + random.uniform(-0.3, 0.5), random.uniform(-0.2, 0.2)},
                 {0, 1 + random.uniform(-0.3, 0.5)}};
    const Vec3 place(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
    for (size_t i = 0; i < 3; ++i) {
      const Vec2 flat = U * corners[i];
      x[i] = place + turn * Vec3(flat[0], flat[1], 0);
      mass[i] = random.uniform(0.1, 2);
    }
    const PlaneStrain now = strain_of(rest, x);
    const StrainBounds bounds{{-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05}};
    target = bounds.nearest(now);
  }

  FacePoints moved(const FacePoints& by) const { return {x[0] + by[0], x[1] + by[1], x[2] + by[2]}; }
};

void expect_no_momentum(const RandomFace& face, const FacePoints& moved) {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (size_t i = 0; i < 3; ++i) {
    linear += face.mass[i] * moved[i];
    angular += face.mass[i] * face.x[i].cross(moved[i]);
  }
  ASSERT_LT(linear.norm(), 1e-10);
  ASSERT_LT(angular.norm(), 1e-10);
}

double distance(const FacePoints& a, const FacePoints& b) {
  return std::max({(a[0] - b[0]).norm(), (a[1] - b[1]).norm(), (a[2] - b[2]).norm()});
}

void for_random_faces(const std::function<void(const RandomFace&, const FaceStretch&)>& test,
                      int cases = kCases) {
  Random random(7);
  for (int k = 0; k < cases; ++k) {
    const RandomFace face(random);
    test(face, stretch_of(face.rest, face.x));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(StrainKernel, StrainIsTheStretchLessOne) {
  for_random_faces([](const RandomFace& face, const FaceStretch& now) {
    const Mat32 F = deformation(face.rest, face.x);
    Mat32 R;
    R << now.weft, now.warp;
    ASSERT_LT((R * now.U - F).norm(), 1e-12);
    ASSERT_LT((R.transpose() * R - Mat2::Identity()).norm(), 1e-12);
    // As published: sum B_i (R^T x_i - X_i).
    const std::array<Vec2, 3> g = face.rest.gradients();
    const std::array<Vec2, 3> X{Vec2::Zero(), face.rest.a, face.rest.b};
    PlaneStrain sum;
    for (size_t i = 0; i < 3; ++i) {
      const Vec2 u = R.transpose() * (face.x[i] - face.x[0]) - X[i];
      sum = {sum.weft + g[i][0] * u[0], sum.warp + g[i][1] * u[1],
             sum.shear + 0.5 * (g[i][1] * u[0] + g[i][0] * u[1])};
    }
    ASSERT_LT((sum - now.strain()).largest(), 1e-12);
  });
}

TEST(StrainKernel, FiniteMotionEndsAtTheTarget) {
  for_random_faces([](const RandomFace& face, const FaceStretch& now) {
    FacePoints moved;
    move_to_strain(face.rest, now, face.target, face.mass, moved);
    ASSERT_LT((strain_of(face.rest, face.moved(moved)) - face.target).largest(), 1e-10);
    expect_no_momentum(face, moved);
  });
}

TEST(StrainKernel, ModesWithinTheirBoundsKeepTheirStrain) {
  Random random(3);
  for (int k = 0; k < kCases; ++k) {
    RandomFace face(random);
    const FaceStretch now = stretch_of(face.rest, face.x);
    face.target = now.strain();
    face.target.warp = std::min(face.target.warp, 0.05);
    FacePoints moved;
    move_to_strain(face.rest, now, face.target, face.mass, moved);
    const PlaneStrain after = strain_of(face.rest, face.moved(moved));
    ASSERT_NEAR(after.weft, now.strain().weft, 1e-10);
    ASSERT_NEAR(after.shear, now.strain().shear, 1e-10);
    ASSERT_LT(after.warp, 0.05 + 1e-10);
  }
}

TEST(StrainKernel, ClosedFormEqualsDenseAndSchurForms) {
  for_random_faces([](const RandomFace& face, const FaceStretch& now) {
    const PlaneStrain change = face.target - now.strain();
    FacePoints closed;
    move_by_strain(face.rest, now, change, face.mass, closed);
    ASSERT_LT(distance(closed, move_by_dense_solve(face.rest, now, change, face.mass)), 1e-10);
    ASSERT_LT(distance(closed, SchurFace(face.rest, face.mass).move(face.rest, now, change)), 1e-10);
    expect_no_momentum(face, closed);
    // The target is met by the linear strain: R^T of the motion, with R as it was.
    const std::array<Vec2, 3> g = face.rest.gradients();
    PlaneStrain sum;
    for (size_t i = 0; i < 3; ++i) {
      const Vec2 u(now.weft.dot(closed[i]), now.warp.dot(closed[i]));
      sum = {sum.weft + g[i][0] * u[0], sum.warp + g[i][1] * u[1],
             sum.shear + 0.5 * (g[i][1] * u[0] + g[i][0] * u[1])};
    }
    ASSERT_LT((sum - change).largest(), 1e-10);
  });
}

TEST(StrainKernel, LinearFormDiffersFromTheFiniteOneBySecondOrder) {
  const RestFace rest = RestFace::of({Vec2(0, 0), Vec2(1, 0.2), Vec2(0.3, 0.9)});
  const FaceMasses mass{1, 2, 0.5};
  double last = 0;
  for (const double size : {0.02, 0.01, 0.005}) {
    FaceStretch now;
    now.U = Mat2::Identity() + size * Mat2{{1, 0.7}, {0.7, -0.5}};
    const PlaneStrain change{-0.6 * size, 0, -0.4 * size};
    const PlaneStrain e = now.strain();
    FacePoints finite, linear;
    move_to_strain(rest, now, {e.weft + change.weft, e.warp, e.shear + change.shear}, mass, finite);
    move_by_strain(rest, now, change, mass, linear);
    const double off = distance(finite, linear);
    if (last > 0) {
      EXPECT_NEAR(off / last, 0.25, 0.02);
    }
    last = off;
  }
}

/// With the sign as printed, weft strain would grow to about 0.3.
TEST(StrainKernel, PublishedFormIsExactToSecondOrder) {
  const RestFace rest = RestFace::of({Vec2(0, 0), Vec2(1, 0), Vec2(0, 1)});
  const PlaneStrain strain{0.20, -0.05, 0.07};
  const Mat2 U{{1.20, 0.07}, {0.07, 0.95}};
  FacePoints x{Vec3::Zero()};
  x[1] = Vec3(U(0, 0), U(1, 0), 0);
  x[2] = Vec3(U(0, 1), U(1, 1), 0);
  const FaceStretch now = stretch_of(rest, x);
  ASSERT_LT((now.strain() - strain).largest(), 1e-12);
  const StrainBounds bounds{{-0.1, -0.1, -0.04}, {0.1, 0.1, 0.04}};
  FacePoints moved;
  move_by_strain(rest, now, bounds.nearest(strain) - strain, {1, 1, 1}, moved);
  const PlaneStrain after = strain_of(rest, {x[0] + moved[0], x[1] + moved[1], x[2] + moved[2]});
  const double off = (after - bounds.nearest(strain)).largest();
  EXPECT_GT(off, 1e-4);
  EXPECT_LT(off, 3e-3);
}

/// Triangles symmetric to the warp, as in every structured mesh: the printed block is singular there.
TEST(StrainKernel, SchurFormHoldsOnSymmetricTriangles) {
  const RestFace rest = RestFace::of({Vec2(0, 0), Vec2(1, 0), Vec2(0.5, 1)});
  const FaceMasses mass{1, 1, 1};
  EXPECT_NE(SchurFace(rest, mass).last_unknown(), 5);
  const FacePoints x{Vec3(0, 0, 0), Vec3(1.2, 0, 0), Vec3(0.7, 1.1, 0.2)};
  const FaceStretch now = stretch_of(rest, x);
  const PlaneStrain change{-0.1, -0.05, 0.02};
  FacePoints closed;
  move_by_strain(rest, now, change, mass, closed);
  EXPECT_LT(distance(closed, SchurFace(rest, mass).move(rest, now, change)), 1e-12);
}

TEST(StrainKernel, GradientsAreThoseOfTheStrain) {
  for_random_faces(
      [](const RandomFace& face, const FaceStretch& now) {
        constexpr double kStep = 1e-6;
        const StrainGradients q = strain_gradients(face.rest, now.U);
        for (size_t i = 0; i < 3; ++i)
          for (int c = 0; c < 3; ++c) {
            FacePoints a = face.x, b = face.x;
            a[i][c] -= kStep;
            b[i][c] += kStep;
            const PlaneStrain d = strain_of(face.rest, b) - strain_of(face.rest, a);
            const std::array<double, 3> by_difference{d.weft / (2 * kStep), d.warp / (2 * kStep),
                                                      d.shear / (2 * kStep)};
            for (size_t k = 0; k < 3; ++k) {
              const double gradient = q[k][i][0] * now.weft[c] + q[k][i][1] * now.warp[c];
              ASSERT_NEAR(gradient, by_difference[k], 1e-7);
            }
          }
      },
      2000);
}

TEST(StrainKernel, LeastMotionChangesWhatItShould) {
  for_random_faces([](const RandomFace& face, const FaceStretch& now) {
    const PlaneStrain change = face.target - now.strain();
    FacePoints moved;
    move_least(face.rest, now, change, face.mass, moved);
    expect_no_momentum(face, moved);
    const PlaneStrain rate = strain_rate(face.rest, now, moved);
    for (const auto mode : {&PlaneStrain::weft, &PlaneStrain::warp, &PlaneStrain::shear})
      if (change.*mode != 0) {
        ASSERT_NEAR(rate.*mode, change.*mode, 1e-10);
      }
    // It is the shortest: at right angles to every motion that leaves these modes alone.
    FacePoints back, rest_of{Vec3(1, -2, 0.5), Vec3(0.3, 1, 1), Vec3(-1, 0.2, 2)};
    const PlaneStrain side = strain_rate(face.rest, now, rest_of);
    PlaneStrain undone;
    for (const auto mode : {&PlaneStrain::weft, &PlaneStrain::warp, &PlaneStrain::shear})
      if (change.*mode != 0) undone.*mode = -(side.*mode);
    move_least(face.rest, now, undone, face.mass, back);
    double product = 0;
    for (size_t i = 0; i < 3; ++i) product += face.mass[i] * moved[i].dot(rest_of[i] + back[i]);
    ASSERT_NEAR(product, 0, 1e-10);
  });
}

TEST(StrainKernel, AFixedCornerStaysAndTheTargetIsMet) {
  Random random(5);
  for (int k = 0; k < kCases; ++k) {
    RandomFace face(random);
    const auto fixed = static_cast<size_t>(k % 3);
    const FaceStretch now = stretch_of(face.rest, face.x);
    FaceMasses heavy = face.mass;
    heavy[fixed] = 1e9;
    face.mass[fixed] = kFixed;
    FacePoints moved, nearly;
    move_to_strain(face.rest, now, face.target, face.mass, moved);
    ASSERT_EQ(moved[fixed].norm(), 0);
    ASSERT_LT((strain_of(face.rest, face.moved(moved)) - face.target).largest(), 1e-10);
    move_to_strain(face.rest, now, face.target, heavy, nearly);
    ASSERT_LT(distance(moved, nearly), 1e-7);
    move_least(face.rest, now, face.target - now.strain(), face.mass, moved);
    ASSERT_EQ(moved[fixed].norm(), 0);
  }
}

/// Two fixed corners leave two freedoms for three strains: no other motion of the free one comes nearer.
TEST(StrainKernel, TwoFixedCornersLeaveTheNearestStrain) {
  Random random(6);
  for (int k = 0; k < 2000; ++k) {
    RandomFace face(random);
    const auto free = static_cast<size_t>(k % 3);
    for (size_t i = 0; i < 3; ++i)
      if (i != free) face.mass[i] = kFixed;
    const FaceStretch now = stretch_of(face.rest, face.x);
    const PlaneStrain change = face.target - now.strain();
    FacePoints moved;
    move_to_strain(face.rest, now, face.target, face.mass, moved);
    const std::array<Vec2, 3> g = face.rest.gradients();
    const auto distance_of = [&](const Vec2& u) {
      const Vec2 gi = g[free];
      const double weft = gi[0] * u[0] - change.weft, warp = gi[1] * u[1] - change.warp,
                   shear = 0.5 * (gi[1] * u[0] + gi[0] * u[1]) - change.shear;
      return weft * weft + warp * warp + 2 * shear * shear;
    };
    const Vec2 u(now.weft.dot(moved[free]), now.warp.dot(moved[free]));
    for (const Vec2& off : {Vec2(1e-3, 0), Vec2(-1e-3, 0), Vec2(0, 1e-3), Vec2(0, -1e-3)})
      ASSERT_LE(distance_of(u), distance_of(u + off));
  }
}

TEST(StrainKernel, PublishedLeastSquaresLeaveFixedCornersAlone) {
  Random random(8);
  RandomFace face(random);
  face.mass[1] = kFixed;
  const FaceStretch now = stretch_of(face.rest, face.x);
  const FacePoints moved = move_by_least_squares(face.rest, now, face.target - now.strain(), face.mass);
  EXPECT_EQ(moved[1].norm(), 0);
}

}  // namespace
}  // namespace heddle
