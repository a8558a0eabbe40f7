#include "test_magnets.h"

#include <heddle/magnetics/riding_cell.h>

namespace heddle {
namespace {

const Dipole kSource{{0.3, -0.2, 0.25}, {20, -35, 15}};

double energy(const Vec3& moment, const Vec3& place) {
  return -moment.dot(dipole_field(place - kSource.position, kSource.moment));
}

Wrench load_on(const Vec3& moment, const Vec3& place) {
  const DipoleEffect effect = dipole_effect(place - kSource.position, moment, kSource.moment);
  return {effect.force, effect.torque};
}

/// Of a function of points, by central differences.
template <size_t N, class Energy>
std::array<Vec3, N> differences(const Energy& energy, std::array<Vec3, N> x) {
  constexpr double kStep = 1e-6;  // m
  std::array<Vec3, N> out;
  for (size_t i = 0; i < N; ++i)
    for (int k = 0; k < 3; ++k) {
      const double place = x[i][k];
      x[i][k] = place + kStep;
      const double above = energy(x);
      x[i][k] = place - kStep;
      out[i][k] = (above - energy(x)) / (2 * kStep);
      x[i][k] = place;
    }
  return out;
}

template <size_t N>
std::array<Vec3, N> random_points(Random& random) {
  std::array<Vec3, N> points;
  for (Vec3& point : points) point = 0.05 * random_vector(random);
  return points;
}

/// Forces sum up to the load, about the origin of space.
template <size_t N>
void expect_balance(const std::array<Vec3, N>& x, const std::array<Vec3, N>& forces, const Vec3& moment,
                    const Vec3& centre, const Wrench& load) {
  Vec3 force = Vec3::Zero(), torque = moment;
  for (size_t i = 0; i < N; ++i) {
    force += forces[i];
    torque += (x[i] - centre).cross(forces[i]);
  }
  EXPECT_LT((force - load.force).norm(), 1e-12 * load.force.norm());
  EXPECT_LT((torque - load.torque).norm(), 1e-12 * (load.torque.norm() + 0.1 * load.force.norm()));
}

TEST(FaceCell, RidesOnItsTriangle) {
  const FaceCell cell({Vec2(0, 0), Vec2(2, 0), Vec2(0, 1)});
  // Stretched along the weft, turned by a right angle about z, and moved.
  const RigidTransform pose = cell.pose({Vec3(1, 0, 3), Vec3(1, 3, 3), Vec3(0, 0, 3)});
  EXPECT_LT((pose.rotation * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_LT((pose.rotation * Vec3::UnitZ() - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((pose.translation - Vec3(2.0 / 3, 1, 3)).norm(), 1e-15);
}

TEST(FaceCell, ForcesAreTheSlopeOfTheEnergy) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    const FaceCell cell({Vec2(0.01, 0.02), Vec2(0.04, 0.025), Vec2(0.015, 0.05)});
    const std::array<Vec3, 3> x = random_points<3>(random);
    const Vec3 own = random_vector(random);
    const auto moment = [&](const std::array<Vec3, 3>& at) { return Vec3(cell.pose(at).rotation * own); };
    const auto slope = differences<3>(
        [&](const std::array<Vec3, 3>& at) { return energy(moment(at), cell.pose(at).translation); }, x);
    const Vec3 centre = cell.pose(x).translation;
    const Wrench load = load_on(moment(x), centre);
    const std::array<Vec3, 3> forces = cell.forces(x, load);
    double largest = 0;
    for (const Vec3& force : forces) largest = std::max(largest, force.norm());
    for (size_t i = 0; i < 3; ++i) EXPECT_LT((forces[i] + slope[i]).norm(), 1e-6 * largest) << round;
    expect_balance<3>(x, forces, Vec3::Zero(), centre, load);
  }
}

TEST(SegmentLoad, IsTheSlopeOfTheEnergy) {
  Random random(4);
  for (int round = 0; round < 20; ++round) {
    const std::array<Vec3, 2> x = random_points<2>(random);
    const Vec3 direction = (x[1] - x[0]).normalized(), start = random_vector(random);
    // A frame that follows the direction by the shortest rotation.
    const auto moment = [&](const std::array<Vec3, 2>& at) {
      return Vec3(Quat::FromTwoVectors(direction, at[1] - at[0]) * start);
    };
    const auto slope = differences<2>(
        [&](const std::array<Vec3, 2>& at) { return energy(moment(at), 0.5 * (at[0] + at[1])); }, x);
    const Vec3 centre = 0.5 * (x[0] + x[1]);
    const Wrench load = load_on(start, centre);
    const SegmentLoad found = segment_load(x[0], x[1], load);
    for (size_t i = 0; i < 2; ++i)
      EXPECT_LT((found.forces[i] + slope[i]).norm(), 1e-6 * found.forces[0].norm()) << round;
    expect_balance<2>(x, found.forces, found.moment * direction, centre, load);
  }
}

}  // namespace
}  // namespace heddle
