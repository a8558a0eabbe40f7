// Rods at rest against what is known in closed form.

#include "rod_stage.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <cmath>
#include <numbers>

namespace heddle::test {
namespace {

constexpr double kPi = std::numbers::pi;

int negative_modes(const Eigen::MatrixXd& stiffness) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness, Eigen::EigenvaluesOnly).eigenvalues();
  const double noise = 1e-11 * values.cwiseAbs().maxCoeff();
  return static_cast<int>((values.array() < -noise).count());
}

/// The least value at which a growing load makes the shape unstable, between two values.
template <class Unstable>
double critical(double low, double high, const Unstable& is_unstable) {
  EXPECT_FALSE(is_unstable(low));
  EXPECT_TRUE(is_unstable(high));
  for (int k = 0; k < 20; ++k) {
    const double middle = 0.5 * (low + high);
    (is_unstable(middle) ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

RodSection cord() {
  return {.radius = 0.01, .density = 1300, .young = 5e6, .shear = 4e6, .stretch = 5e7};
}

/// A straight rod with clamped ends buckles at a twist of 8.987 K11/K33 (Greenhill; tan(x/2) = x/2).
TEST(RodStatics, TwistBucklesAClampedRod) {
  const RodSection section = cord();
  const double expected = 8.9868 * section.bending_stiffness() / section.twist_stiffness();
  for (const RodForm& form : {RodForm{}, RodForm{.corde = true, .penalty = 1e7}}) {
    const double found = critical(0.7 * expected, 1.3 * expected, [&](double twist) {
      RodStage stage = make_stage(straight(1, 50, twist), section, form);
      stage.clamp(0);
      stage.clamp(49);
      return negative_modes(stage.stiffness()) > 0;
    });
    std::printf("%s: critical twist %.4f, expected %.4f rad\n", form.corde ? "corde" : "exact", found,
                expected);
    EXPECT_NEAR(found, expected, 0.02 * expected);
  }
}

/// A ring of a straight rod buckles out of its plane at a total twist of 2 pi sqrt(3) K11/K33 (Michell 1889,
/// Zajac 1962). Frames of a ring meet at whole turns only: with one turn it buckles if K33/K11 exceeds
/// sqrt(3).
TEST(RodStatics, TwistBucklesARing) {
  constexpr int kSegments = 60;
  std::vector<Vec3> points;
  for (int i = 0; i < kSegments; ++i)
    points.push_back(0.2 * Vec3(std::cos(2 * kPi * i / kSegments), std::sin(2 * kPi * i / kSegments), 0));
  RodShape shape = rod_through(points, true, 2 * kPi);
  shape.curvature = Vec3(Vec3::Zero());
  const double expected = std::sqrt(3.0);
  const double found = critical(0.7 * expected, 1.3 * expected, [&](double ratio) {
    RodSection section = cord();
    section.shear = 0.5 * ratio * section.young;
    return negative_modes(make_stage(shape, section).stiffness()) > 0;
  });
  std::printf("ring with one turn: critical K33/K11 %.4f, expected %.4f\n", found, expected);
  EXPECT_NEAR(found, expected, 0.02 * expected);
}

/// Rings and bends that lie as they rest have no energy, whatever the angles where they meet.
TEST(RodStatics, RestShapesHaveNoEnergy) {
  std::vector<Vec3> ring;
  for (int i = 0; i < 24; ++i)
    ring.push_back(0.2 * Vec3(std::cos(kPi * i / 12), std::sin(kPi * i / 12), 0.1));
  const std::vector<Vec3> corner{{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.1, 0}, {0.1, 0.1, 0.1}},
      turning_back{{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.02, 0}, {0, 0.02, 0}};
  for (const RodForm& form : {RodForm{}, RodForm{.corde = true, .penalty = 1e4}}) {
    EXPECT_LT(make_stage(rod_through(ring, true), cord(), form).energy(), 1e-20);
    EXPECT_LT(make_stage(rod_through(corner, false), cord(), form).energy(), 1e-20);
    EXPECT_LT(make_stage(rod_through(turning_back, false), cord(), form).energy(), 1e-20);
  }
}

/// Small deflections: w L^4 / (8 E I), whatever the number of segments.
TEST(RodStatics, CantileverBendsAsABeam) {
  RodSection section = cord();
  section.bending_friction = 0.02;
  const double length = 0.5, g = 0.1;
  const double expected =
      section.line_density() * g * std::pow(length, 4) / (8 * section.bending_stiffness());
  double last = 0;
  for (const int segments : {12, 25, 50, 100}) {
    RodStage stage =
        make_stage(straight(length * segments / (segments - 0.5), segments), section, {}, {0, 0, -g});
    stage.clamp(0);
    const auto integrator = newton_euler();
    ASSERT_TRUE(stage.run(*integrator, 0.5, 30));
    const double found = -stage.node(segments)[2];
    std::printf("%3d segments: deflection %.6f mm, beam %.6f mm\n", segments, 1e3 * found, 1e3 * expected);
    EXPECT_NEAR(found, expected, 0.02 * expected);
    if (last != 0) {
      EXPECT_NEAR(found, last, 0.01 * expected);
    }
    last = found;
  }
}

/// A heavy rope between two points hangs in a catenary.
TEST(RodStatics, SoftRopeHangsInACatenary) {
  RodSection section = cord();
  section.young = section.shear = 1e4;
  section.stretch = 1e9;
  section.bending_friction = 1e-4;
  constexpr double kSpan = 1, kLength = 1.3;
  constexpr int kSegments = 100;
  // A slack start: half an ellipse is near enough.
  std::vector<Vec3> points;
  for (int i = 0; i <= kSegments; ++i) {
    const double s = static_cast<double>(i) / kSegments;
    points.emplace_back(kSpan * s, 0, -0.37 * 4 * s * (1 - s));
  }
  RodShape shape = rod_through(points, false);
  double drawn = 0;
  for (const double length : shape.rest_lengths) drawn += length;
  for (double& length : shape.rest_lengths) length *= kLength / drawn;
  shape.curvature = Vec3(Vec3::Zero());
  RodStage stage = make_stage(shape, section, {}, {0, 0, -9.81});
  stage.pin(0);
  stage.pin(kSegments);
  const auto integrator = newton_euler();
  ASSERT_TRUE(stage.run(*integrator, 0.02, 6));
  // 2 a sinh(span / 2a) = length.
  double a =
      critical(0.05, 5, [&](double value) { return 2 * value * std::sinh(kSpan / (2 * value)) < kLength; });
  const double sag = a * (std::cosh(kSpan / (2 * a)) - 1);
  std::printf("sag %.5f m, catenary %.5f m\n", -stage.node(kSegments / 2)[2], sag);
  EXPECT_NEAR(-stage.node(kSegments / 2)[2], sag, 0.005 * sag);
}

/// A rod with curvature k and twist t at rest becomes a helix of radius k/(k^2+t^2) and pitch
/// 2 pi t/(k^2+t^2).
TEST(RodStatics, IntrinsicCurvatureMakesAHelix) {
  RodSection section = cord();
  section.bending_friction = 0.005;
  const double k = 20, t = 5;
  const double radius = k / (k * k + t * t), pitch = 2 * kPi * t / (k * k + t * t);
  constexpr int kSegments = 120;
  RodShape shape = straight(1, kSegments);
  shape.curvature = Vec3(k, 0, t);
  RodStage stage = make_stage(shape, section);
  stage.clamp(0);
  const auto integrator = newton_euler();
  double dt = 1e-3;
  for (double until = 0.1; until <= 20; until *= 2, dt *= 2) ASSERT_TRUE(stage.run(*integrator, dt, until));
  EXPECT_LT(stage.energy(), 1e-6 * section.bending_stiffness() * k * k);
  // All nodes have the same distance from an axis: fit by the second differences, which point to it.
  const auto inward = [&](int i) {
    return Vec3(stage.node(i - 1) - 2 * stage.node(i) + stage.node(i + 1)).normalized();
  };
  const Vec3 axis = (inward(40).cross(inward(50))).cross(inward(50).cross(inward(60))).norm() > 0
                        ? Vec3(inward(40).cross(inward(60)).normalized())
                        : Vec3::UnitZ();
  const Vec3 centre = stage.node(50) + radius * inward(50), other = stage.node(80) + radius * inward(80);
  const Vec3 along = (other - centre).normalized();
  EXPECT_NEAR(std::abs(along.dot(axis)), 1, 0.01);
  double worst = 0;
  for (int i = 10; i < kSegments - 10; ++i) {
    const Vec3 offset = stage.node(i) - centre;
    worst = std::max(worst, std::abs((offset - along * along.dot(offset)).norm() - radius));
  }
  std::printf("helix of radius %.5f m: worst deviation %.2e m\n", radius, worst);
  EXPECT_LT(worst, 0.01 * radius);
  const double rise = along.dot(other - centre) / (30.0 / kSegments);  // for each metre of rod
  EXPECT_NEAR(rise, pitch * std::sqrt(k * k + t * t) / (2 * kPi), 0.01 * rise);
}

}  // namespace
}  // namespace heddle::test
