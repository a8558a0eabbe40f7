#include <heddle/math/rigid_transform.h>
#include <heddle/mesh/strain_gauge.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

const std::vector<Triangle> kFaces{{0, 1, 2}, {1, 3, 2}};
const std::vector<std::array<Vec2, 3>> kRest{{Vec2(0, 0), Vec2(2, 0), Vec2(0.5, 1)},
                                             {Vec2(2, 0), Vec2(3, 1.5), Vec2(0.5, 1)}};

/// Rest coordinates mapped by a matrix.
std::vector<Vec3> mapped(const Mat32& F) {
  return {F * Vec2(0, 0), F * Vec2(2, 0), F * Vec2(0.5, 1), F * Vec2(3, 1.5)};
}

TEST(StrainGauge, MeasuresAHomogeneousDeformation) {
  const StrainGauge gauge(kFaces, kRest);
  const Mat32 F{{1.1, 0.2}, {-0.3, 0.9}, {0.4, 0.1}};
  const Mat2 expected = 0.5 * (F.transpose() * F - Mat2::Identity());
  ASSERT_EQ(gauge.face_count(), 2);
  for (int face = 0; face < 2; ++face) {
    const FaceStrain strain = gauge.strain(face, mapped(F));
    EXPECT_NEAR(strain.weft, expected(0, 0), 1e-14);
    EXPECT_NEAR(strain.warp, expected(1, 1), 1e-14);
    EXPECT_NEAR(strain.shear, expected(0, 1), 1e-14);
  }
}

TEST(StrainGauge, IgnoresRigidMotion) {
  const StrainGauge gauge(kFaces, kRest);
  const Mat32 F{{1.1, 0.2}, {-0.3, 0.9}, {0.4, 0.1}};
  const Eigen::AngleAxisd turn(0.7, Vec3(1, -2, 0.5).normalized());
  std::vector<Vec3> moved = mapped(F);
  for (Vec3& x : moved) x = turn * x + Vec3(3, -1, 2);
  for (int face = 0; face < 2; ++face) {
    const FaceStrain a = gauge.strain(face, mapped(F)), b = gauge.strain(face, moved);
    EXPECT_NEAR(a.weft, b.weft, 1e-13);
    EXPECT_NEAR(a.warp, b.warp, 1e-13);
    EXPECT_NEAR(a.shear, b.shear, 1e-13);
  }
}

}  // namespace
}  // namespace heddle
