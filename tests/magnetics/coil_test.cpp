#include "test_magnets.h"

namespace heddle {

TEST(Coil, HasTheFieldOfACircleOnItsAxis) {
  const double radius = 0.05, current = 30;
  const PlacedCoil coil(circular_coil(radius, current), {});
  for (const double z : {0.0, 0.02, 0.1, 0.4}) {
    const double exact =
        0.5 * kVacuumPermeability * current * radius * radius / std::pow(radius * radius + z * z, 1.5);
    EXPECT_NEAR(coil.field({0, 0, z}).z(), exact, 1e-12 * exact) << z;
  }
}

TEST(Coil, ActsFarAwayLikeADipole) {
  const double radius = 0.01, current = 5;
  const PlacedCoil coil(circular_coil(radius, current), {});
  const Vec3 place(0.4, 0.3, 0.5), moment(0, 0, current * std::numbers::pi * radius * radius);
  const Vec3 exact = dipole_field(place, moment);
  EXPECT_LT((coil.field(place) - exact).norm(), 1e-3 * exact.norm());
}

TEST(Coil, ForceOnADipoleIsTheGradient) {
  Random random(1);
  const PlacedCoil coil(circular_coil(0.05, 30), random_pose(random, 0.02));
  for (int k = 0; k < 10; ++k) {
    const Dipole dipole{0.1 * random_vector(random), random_vector(random)};
    const Wrench load = coil.load_on(dipole);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 h = 1e-6 * Vec3::Unit(axis);
      const double difference =
          dipole.moment.dot(coil.field(dipole.position + h) - coil.field(dipole.position - h)) / 2e-6;
      EXPECT_NEAR(load.force[axis], difference, 1e-6 * load.force.norm());
    }
    EXPECT_LT((load.torque - dipole.moment.cross(coil.field(dipole.position))).norm(),
              1e-14 * load.torque.norm());
  }
}

TEST(Coil, ParallelCurrentsAttractAsLongWiresDo) {
  // Two coaxial circles that are near compared with their radius: mu0 I1 I2 / (2 pi d) per length.
  const double radius = 1, gap = 0.02;
  const PlacedCoil a(circular_coil(radius, 10, 4000), {}),
      b(circular_coil(radius, 20, 4000), {.translation = {0, 0, gap}});
  const double expected = kVacuumPermeability * 200 * radius / gap;
  EXPECT_NEAR(a.load_from(b).force.z() / expected, 1, 0.01);
}

TEST(MagnetSystem, CoilsAndMagnetsBalance) {
  Random random(3);
  std::vector<Magnet> magnets{cube_magnet(2, {0.3, 0.5, 1}), ball_magnet(0.006, 4, induced(20))};
  std::vector<Coil> coils{circular_coil(0.03, 200), circular_coil(0.02, -100)};
  MagnetSystem system(std::move(magnets), std::move(coils));
  std::vector<RigidTransform> poses{random_pose(random, 0.01), random_pose(random, 0.01)};
  poses[1].translation += Vec3(0, 0, 0.03);
  const std::vector<RigidTransform> coil_poses{{}, {rotation_from_degrees({40, 10, 0}), {0, 0.005, 0.05}}};
  system.update(poses, coil_poses);
  std::vector<Wrench> loads(system.loads().begin(), system.loads().end());
  loads.insert(loads.end(), system.coil_loads().begin(), system.coil_loads().end());
  poses.insert(poses.end(), coil_poses.begin(), coil_poses.end());
  for (const Wrench& load : loads) EXPECT_GT(load.force.norm(), 1e-6);
  EXPECT_LT(balance_of(loads, poses).force, 1e-12);
  EXPECT_LT(balance_of(loads, poses).torque, 1e-12);
}

// What a coil gets from a magnet, also by the force on each piece of its wire in the field of the magnet.
TEST(MagnetSystem, ForceOnACoilIsThatOnItsWire) {
  const double radius = 0.03, current = 50;
  const int n = 400;
  std::vector<Magnet> magnets{cube_magnet(2)};
  std::vector<Coil> coils{circular_coil(radius, current, n)};
  MagnetSystem system(std::move(magnets), coils);
  const RigidTransform magnet_pose{rotation_from_degrees({30, 20, 0}), {0.005, 0, 0.03}}, coil_pose;
  system.update(std::span(&magnet_pose, 1), std::span(&coil_pose, 1));
  std::vector<Magnet> alone{cube_magnet(2)};
  MagnetSystem magnet(std::move(alone));
  magnet.update(std::span(&magnet_pose, 1));
  Vec3 force = Vec3::Zero();
  for (size_t i = 0; i < coils[0].points.size(); ++i) {
    const Vec3 a = coils[0].points[i], b = coils[0].points[(i + 1) % coils[0].points.size()];
    force += coils[0].current * (b - a).cross(magnet.field(0.5 * (a + b)));
  }
  EXPECT_LT((system.coil_loads()[0].force - force).norm(), 1e-3 * force.norm());
}

TEST(Coil, RefusesWhatIsNoWire) {
  EXPECT_TRUE(check_coil(circular_coil(1, 1), "coil").ok());
  EXPECT_FALSE(check_coil({.points = {{0, 0, 0}, {1, 0, 0}}}, "coil").ok());
  const Status twice = check_coil({.points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, "coil");
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(twice.errors().text().find("point 1"), std::string::npos);
}

}  // namespace heddle
