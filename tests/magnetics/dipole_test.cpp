#include "test_magnets.h"

#include <heddle/magnetics/cuboid_force.h>
#include <heddle/magnetics/dipole_list.h>

namespace heddle {

namespace {

/// Field outside a ball with constant magnetisation along z from its magnetic charges, M cos(theta) on its
/// surface.
Vec3 field_of_charged_ball(double radius, double magnetisation, const Vec3& place) {
  constexpr int kSteps = 600;
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < kSteps; ++i)
    for (int j = 0; j < 2 * kSteps; ++j) {
      // Equal steps of height are equal areas.
      const double u = (2 * i + 1.0) / kSteps - 1, phi = std::numbers::pi * (j + 0.5) / kSteps;
      const Vec3 n(std::sqrt(1 - u * u) * std::cos(phi), std::sqrt(1 - u * u) * std::sin(phi), u);
      const double area = radius * radius * (2.0 / kSteps) * (std::numbers::pi / kSteps);
      const Vec3 d = place - radius * n;
      sum += area * magnetisation * n.z() / std::pow(d.norm(), 3) * d;
    }
  return kDipoleFactor * sum;
}

}  // namespace

TEST(Dipole, FieldIsThatOfABall) {
  const double radius = 0.01, magnetisation = 8e5, volume = 4 * std::numbers::pi / 3 * std::pow(radius, 3);
  for (const Vec3& place : {Vec3(0.015, 0, 0), Vec3(0.004, 0.01, 0.012), Vec3(0, 0, 0.02)}) {
    const Vec3 exact = field_of_charged_ball(radius, magnetisation, place);
    const Vec3 ours = dipole_field(place, {0, 0, magnetisation * volume});
    EXPECT_LT((ours - exact).norm(), 1e-4 * exact.norm());
  }
}

TEST(Dipole, ForceIsTheGradientOfMomentTimesField) {
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    const Vec3 offset = random_vector(random), m1 = random_vector(random), m2 = random_vector(random);
    const DipoleEffect effect = dipole_effect(offset, m1, m2);
    for (int axis = 0; axis < 3; ++axis) {
      const double h = 1e-5 * offset.norm();
      const double difference = m1.dot(dipole_field(offset + h * Vec3::Unit(axis), m2) -
                                       dipole_field(offset - h * Vec3::Unit(axis), m2)) /
                                (2 * h);
      EXPECT_NEAR(effect.force[axis], difference, 1e-7 * effect.force.norm());
    }
    EXPECT_LT((effect.torque - m1.cross(dipole_field(offset, m2))).norm(), 1e-14 * effect.torque.norm());
    EXPECT_LT((effect.other_torque - m2.cross(dipole_field(-offset, m1))).norm(),
              1e-14 * effect.other_torque.norm());
  }
}

TEST(Dipole, ForcesAndTorquesBalanceAlsoIfPushedApart) {
  Random random(2);
  for (int k = 0; k < 200; ++k) {
    const Vec3 offset = random_vector(random), m1 = random_vector(random), m2 = random_vector(random);
    const double closest = random.uniform(0, 2);
    const DipoleEffect effect = dipole_effect(offset, m1, m2, closest);
    const DipoleEffect back = dipole_effect(-offset, m2, m1, closest);
    const double size = effect.torque.norm() + effect.other_torque.norm() + effect.force.norm();
    EXPECT_LT((effect.force + back.force).norm(), 1e-15 * size);
    EXPECT_LT((back.torque - effect.other_torque).norm(), 1e-14 * size);
    EXPECT_LT((offset.cross(effect.force) + effect.torque + effect.other_torque).norm(), 1e-14 * size);
  }
}

// Thomaszewski 2010, 6.2.3 and figure 6.5; c = mu0 m^2 / (4 pi r^4), n from the first to the second.
TEST(Dipole, SixArrangementsOfBarMagnets) {
  const double r = 0.03, m = 0.5, c = kDipoleFactor * m * m / std::pow(r, 4);
  const Vec3 n = Vec3::UnitX(), up = m * Vec3::UnitZ(), along = m * n;
  struct Case {
    const char* name;
    Vec3 first, second, force, torque, other_torque;  // on the second, in c, c, c r
  };
  const Vec3 zero = Vec3::Zero(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  for (const Case& t :
       {Case{"A1", up, up, 3 * n, zero, zero}, Case{"A2", up, -up, -3 * n, zero, zero},
        Case{"B1", along, along, -6 * n, zero, zero}, Case{"B2", along, -along, 6 * n, zero, zero},
        Case{"C1", along, up, 3 * z, 2 * y, y}, Case{"C2", along, -up, -3 * z, -2 * y, -y}}) {
    const DipoleEffect effect = dipole_effect(r * n, t.second, t.first);
    EXPECT_LT((effect.force - c * t.force).norm(), 1e-14 * c) << t.name;
    EXPECT_LT((effect.torque - c * r * t.torque).norm(), 1e-14 * c * r) << t.name;
    EXPECT_LT((effect.other_torque - c * r * t.other_torque).norm(), 1e-14 * c * r) << t.name;
  }
}

TEST(Dipole, ForceFallsWithTheFourthAndTorqueWithTheThirdPower) {
  Random random(3);
  const Vec3 offset = random_vector(random), m1 = random_vector(random), m2 = random_vector(random);
  const DipoleEffect near = dipole_effect(offset, m1, m2), far = dipole_effect(2 * offset, m1, m2);
  EXPECT_NEAR(near.force.norm() / far.force.norm(), 16, 1e-12);
  EXPECT_NEAR(near.torque.norm() / far.torque.norm(), 8, 1e-12);
}

TEST(Dipole, EffectsStayBoundedAtAnyDistance) {
  Random random(4);
  const double closest = 0.1;
  for (int k = 0; k < 100; ++k) {
    const Vec3 n = random_vector(random).normalized(), m1 = random_vector(random), m2 = random_vector(random);
    const double bound = dipole_effect(closest * n, m1, m2).force.norm();
    for (const double r : {1e-100, 1e-20, 1e-3, 0.05}) {
      const DipoleEffect effect = dipole_effect(r * n, m1, m2, closest);
      EXPECT_NEAR(effect.force.norm(), bound, 1e-6 * bound + 1e-30);
      EXPECT_TRUE(effect.torque.allFinite());
    }
  }
  EXPECT_TRUE(dipole_effect(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), closest).force.isZero(0));
}

TEST(DipoleList, SumsLikeSingleDipoles) {
  Random random(5);
  for (const int count : {1, 3, 4, 7, 30}) {
    DipoleList list;
    for (int i = 0; i < count; ++i) list.add(random_vector(random), random_vector(random));
    list.finish();
    const Dipole on{2 * random_vector(random), random_vector(random)};
    for (const double closest : {0.0, 1.0}) {
      Vec3 field = Vec3::Zero(), force = Vec3::Zero(), torque = Vec3::Zero();
      for (int i = 0; i < count; ++i) {
        const DipoleEffect effect =
            dipole_effect(on.position - list[i].position, on.moment, list[i].moment, closest);
        field += dipole_field(on.position - list[i].position, list[i].moment);
        force += effect.force;
        torque += effect.torque;
      }
      const DipoleLoad load = load_of(list, on, closest);
      EXPECT_LT((load.force - force).norm(), 1e-13 * force.norm()) << count;
      EXPECT_LT((load.torque - torque).norm(), 1e-13 * torque.norm()) << count;
      if (closest == 0) {
        EXPECT_LT((field_of(list, on.position, closest) - field).norm(), 1e-13 * field.norm()) << count;
      }
    }
  }
}

TEST(DipoleList, OneAtThePlaceItselfDoesNotAct) {
  DipoleList list;
  list.add({0, 0, 0}, {0, 0, 1});
  list.add({0, 0, 1}, {0, 0, 1});
  list.finish();
  EXPECT_LT((field_of(list, {0, 0, 0}, 0) - dipole_field({0, 0, -1}, {0, 0, 1})).norm(), 1e-20);
  EXPECT_LT((field_of_cubes(list, {0, 0, 0}, 1) - 0.848 * dipole_field({0, 0, -1}, {0, 0, 1})).norm(), 1e-20);
}

// Thomaszewski 2010, 6.3.3: two cubes of 1 cm3 and 1 T, coaxial; exact forces by the gap, and by how much N x
// N x N equal cells are too strong.
TEST(CuboidForce, OfTwoCubesByTheirGap) {
  struct Row {
    double gap, exact;           // mm, N
    std::vector<double> excess;  // per cent, of N = 1, 2, 3, 4, 6, 8
    double digits;               // to which excesses are known
  };
  const std::vector<int> counts{1, 2, 3, 4, 6, 8};
  for (const Row& row : {Row{0.5, -24.7032, {26.5, 25.5, 19.8, 14.8, 8.0, 4.3}, 0.06},
                         Row{1, -20.3597, {27.5, 18.0, 10.1, 5.6, 1.7, 0.53}, 0.06},
                         Row{2, -14.6725, {24.9, 8.6, 2.8, 0.93, 0.14, 0.03}, 0.06},
                         Row{5, -6.56829, {14.3, 1.29, 0.21, 0.06, 0.01, 0.00}, 0.06},
                         Row{10, -2.25101, {5.5, 0.30, 0.06, 0.02, 0.00, 0.00}, 0.06},
                         Row{20, -0.46351, {1.2, 0.07, 0.01, 0.00, 0.00, 0.00}, 0.06}}) {
    const Vec3 offset(0, 0, 0.01 + 1e-3 * row.gap);
    const Vec3 exact = cuboid_force({}, {}, offset);
    EXPECT_NEAR(exact.z(), row.exact, 1e-4 * (row.exact > -10 ? 0.1 : 1.0)) << row.gap;
    EXPECT_NEAR(exact.head<2>().norm(), 0, 1e-9) << row.gap;
    for (size_t k = 0; k < counts.size(); ++k)
      EXPECT_NEAR(100 * (lattice_force(counts[k], offset).z() / exact.z() - 1), row.excess[k], row.digits)
          << row.gap << " mm, N = " << counts[k];
  }
}

TEST(CuboidForce, AtContactAndSideBySide) {
  EXPECT_NEAR(cuboid_force({}, {}, {0, 0, 0.01}).z(), -32.3786, 5e-5);
  const CuboidMagnet down{.remanence = -1};
  EXPECT_NEAR(cuboid_force({}, down, {0.015, 0, 0}).x(), -3.28415, 5e-6);
  for (const double gap : {0.5, 2.0, 5.0})
    EXPECT_NEAR(cuboid_force({}, down, {0.01 + 1e-3 * gap, 0, 0}).x(),
                0.5 * cuboid_force({}, {}, {0, 0, 0.01 + 1e-3 * gap}).z(), 1e-8);
}

TEST(CuboidForce, FarAwayIsThatOfDipoles) {
  const CuboidMagnet a{{0.01, 0.02, 0.01}, 1.2}, b{{0.02, 0.01, 0.015}, -0.7};
  const Vec3 offset(0.3, -0.2, 0.4);
  const Vec3 ma(0, 0, a.size.prod() * a.remanence / kVacuumPermeability);
  const Vec3 mb(0, 0, b.size.prod() * b.remanence / kVacuumPermeability);
  const Vec3 force = cuboid_force(a, b, offset), dipoles = dipole_effect(offset, mb, ma).force;
  EXPECT_LT((force - dipoles).norm(), 5e-3 * dipoles.norm());
}

// At contact equal lattices are 42 % too strong, however fine.
TEST(CuboidForce, EqualLatticesDoNotConvergeAtContact) {
  EXPECT_NEAR(lattice_force(12, {0, 0, 0.01}).z(), -45.33, 5e-3);
}

}  // namespace heddle
