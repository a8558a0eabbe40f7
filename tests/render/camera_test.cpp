#include <heddle/render/camera.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

struct Case {
  Vec3f low, high;
  double aspect;
};

class FrameCamera : public testing::TestWithParam<Case> {};

TEST_P(FrameCamera, ShowsTheWholeBoxAndFillsThePicture) {
  const Bounds box(GetParam().low, GetParam().high);
  const Camera camera = frame_camera(box, GetParam().aspect);
  Vec2 low(2, 2), high(-2, -2);
  for (int corner = 0; corner < 8; ++corner) {
    const auto place = project(camera, GetParam().aspect,
                               box.corner(static_cast<Bounds::CornerType>(corner)).cast<double>());
    ASSERT_TRUE(place);
    low = low.cwiseMin(*place);
    high = high.cwiseMax(*place);
  }
  EXPECT_GE(low.minCoeff(), 0.03);
  EXPECT_LE(high.maxCoeff(), 0.97);
  EXPECT_GE((high - low).maxCoeff(), 0.7);
  EXPECT_GT(camera.position.z(), box.center().z());
}

INSTANTIATE_TEST_SUITE_P(Boxes, FrameCamera,
                         testing::Values(Case{{-1, -1, 0}, {1, 1, 1}, 16.0 / 9},
                                         Case{{-1, -1, 0}, {1, 1, 1}, 0.5},
                                         Case{{0, 0, 0}, {0.01f, 2, 3}, 1.5}, Case{{5, 5, 5}, {9, 9, 5}, 1.0},
                                         Case{{-0.002f, -0.1f, 0}, {0.002f, 0.1f, 0.3f}, 16.0 / 9},
                                         Case{{-40, -1, 0}, {40, 1, 2}, 16.0 / 9}));

TEST(CameraRays, AgreeWithProjection) {
  const Camera camera{.position = {1, -4, 2}, .target = {0.3, 0.2, 0.5}};
  const CameraRays rays(camera, 320, 200);
  const Vec3f direction = rays.direction(81.5f, 42.25f);
  const Vec3 point = camera.position + 3 * direction.cast<double>();
  const auto place = project(camera, 1.6, point);
  ASSERT_TRUE(place);
  EXPECT_NEAR(place->x() * 320, 81.5, 1e-3);
  EXPECT_NEAR(place->y() * 200, 42.25, 1e-3);
}

TEST(CameraRays, LooksStraightDown) {
  const Camera camera{.position = {0, 0, 3}, .target = {0, 0, 0}};
  const Vec3f middle = CameraRays(camera, 10, 10).direction(5, 5);
  EXPECT_NEAR((middle - Vec3f(0, 0, -1)).norm(), 0, 1e-6);
}

TEST(Project, IsEmptyBehindTheCamera) {
  EXPECT_FALSE(project({.position = {0, -1, 0}, .target = {0, 0, 0}}, 1, {0, -2, 0}));
}

}  // namespace
}  // namespace heddle
