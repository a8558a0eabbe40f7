// Claims about single force models that the common battery cannot state.

#include "term_probe.h"

#include <heddle/dynamics/stencil_term.h>
#include <heddle/forces/bending/patch_bending.h>
#include <heddle/forces/field/wind.h>
#include <heddle/forces/membrane/stvk_membrane.h>
#include <heddle/mesh/topology.h>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <cmath>

namespace heddle::test {

namespace {

Entity wind_of(const Vec3& velocity) {
  auto wind = std::make_shared<Wind>();
  wind->velocity = Animated<Vec3>(velocity);
  return {description_of<Wind>(), wind, {}};
}

Vectors constant(size_t count, const Vec3& value) {
  return Vectors(count, value);
}

/// Hinge folded by `angle` about its edge, with wings scaled by `wing` within their planes.
Vectors folded(const PreparedCloth& cloth, double angle) {
  const auto& h = cloth.topology.hinges.front().vertices;
  Vectors x = cloth.mesh.positions;
  const auto i = [&](int k) { return static_cast<size_t>(h[static_cast<size_t>(k)]); };
  const Vec3 axis = (x[i(3)] - x[i(2)]).normalized();
  x[i(1)] = x[i(2)] + Eigen::AngleAxisd(angle, axis) * (x[i(1)] - x[i(2)]);
  return x;
}

}  // namespace

// Thomaszewski 2010, 2.2.1: a stressed membrane resists out-of-plane motion, an unstressed one does not.
TEST(Membrane, StressedElementIsStiffOutOfPlane) {
  const PreparedCloth cloth = sample_cloth(Sample::one_triangle);
  const auto term = make_term("stvk", cloth);
  const Vectors still(3, Vec3::Zero());
  const Eigen::MatrixXd at_rest =
      linearise(*term, cloth.mesh.positions, still, 1, 0, JacobianForm::exact).matrix;
  Vectors x = cloth.mesh.positions;
  for (Vec3& p : x) p *= 1.1;
  const Eigen::MatrixXd stressed = linearise(*term, x, still, 1, 0, JacobianForm::exact).matrix;
  for (int i = 0; i < 3; ++i) {
    EXPECT_GT(stressed(3 * i + 2, 3 * i + 2), 1.0);
    EXPECT_LT(at_rest.col(3 * i + 2).norm(), 1e-10 * at_rest.norm());
  }
}

class Bending : public testing::TestWithParam<std::string> {};

TEST_P(Bending, HomogeneousStretchOfAFlatSheetBendsNothing) {
  const PreparedCloth cloth = sample_cloth(Sample::flat);
  const auto term = make_term(GetParam(), cloth);
  const Vectors still(cloth.mesh.positions.size(), Vec3::Zero());
  Vectors x = cloth.mesh.positions;
  for (Vec3& p : x) p = {1.2 * p[0] + 0.1 * p[1], 0.9 * p[1], 0};
  const double typical = largest(force_of(*term, deformed(cloth, 1, 0.05, 3), still));
  EXPECT_LT(largest(force_of(*term, x, still)), 1e-11 * typical);
}

TEST_P(Bending, EnergyOfAFoldGrowsWithItsAngle) {
  const PreparedCloth cloth = sample_cloth(Sample::one_hinge);
  const auto term = make_term(GetParam(), cloth);
  const Vectors still(4, Vec3::Zero());
  double before = 0;
  for (double angle = 0.1; angle < 3; angle += 0.1) {
    const double energy = term->energy({folded(cloth, angle), still, 0});
    EXPECT_GT(energy, before) << angle;
    EXPECT_NEAR(energy, term->energy({folded(cloth, -angle), still, 0}), 1e-12 * energy);
    before = energy;
  }
}

/// Small angles: both models agree, because both are calibrated to the same rigidity.
TEST_P(Bending, SmallFoldHasTheEnergyOfTheRigidity) {
  if (GetParam() == "patch") GTEST_SKIP() << "patches know no hinges";
  const PreparedCloth cloth = sample_cloth(Sample::one_hinge);
  const auto term = make_term(GetParam(), cloth);
  const Hinge& hinge = cloth.topology.hinges.front();
  const auto rest = cloth.unfolded(hinge);
  const double edge = rest[3][0], angle = 1e-3;
  const double expected = 0.5 * cloth.hinge_rigidity(hinge) * edge * edge /
                          (cloth.rest.area[0] + cloth.rest.area[1]) * angle * angle;
  const double energy = term->energy({folded(cloth, angle), Vectors(4, Vec3::Zero()), 0});
  EXPECT_NEAR(energy, expected, 1e-5 * expected);
}

INSTANTIATE_TEST_SUITE_P(Models, Bending, testing::Values("hinge", "isometric", "patch"),
                         [](const auto& instance) { return instance.param; });

/// Inside of the sheet, the energy of patch bending is that of the second derivatives, on any mesh.
TEST(PatchBending, QuadraticSurfaceHasExactlyItsEnergy) {
  const PreparedCloth cloth = sample_cloth(Sample::flat);
  const auto term = make_term("patch", cloth);
  const auto& kernel = dynamic_cast<const StencilTerm<PatchBendingKernel>&>(*term).kernel();
  const double b_weft = cloth.fabrics[0].weft_bending, b_warp = cloth.fabrics[0].warp_bending;
  const Vec3 curvature(0.3, -0.2, 0.15);  // along weft, along warp, twist; 1/m
  int inner = 0;
  for (int face = 0; face < cloth.mesh.triangle_count(); ++face) {
    const BendingPatch patch = cloth.unfolded_patch(face);
    if (!patch.has_neighbour[0] || !patch.has_neighbour[1] || !patch.has_neighbour[2]) continue;
    ElementState<6> q{};
    for (size_t i = 0; i < 6; ++i) {
      const Vec2& p = patch.rest[i];
      q.x[i] = {p[0], p[1],
                0.5 * (curvature[0] * p[0] * p[0] + curvature[1] * p[1] * p[1]) + curvature[2] * p[0] * p[1]};
      q.v[i] = Vec3::Zero();
    }
    const double expected = 0.5 * cloth.rest.area[static_cast<size_t>(face)] *
                            (b_weft * curvature[0] * curvature[0] + b_warp * curvature[1] * curvature[1] +
                             2 * std::sqrt(b_weft * b_warp) * curvature[2] * curvature[2]);
    EXPECT_NEAR(kernel.energy(face, q), expected, 0.03 * expected) << face;  // slack near conics
    ++inner;
  }
  EXPECT_GT(inner, 10);
}

/// What the damping of multigrid's smoother relies on; patches have six nodes, but stay below four.
TEST_P(Bending, BlockJacobiHasEigenvaluesBelowFour) {
  const PreparedCloth cloth = sample_cloth(Sample::flat);
  const auto term = make_term(GetParam(), cloth);
  const Vectors still(cloth.mesh.positions.size(), Vec3::Zero());
  const Eigen::MatrixXd a =
      linearise(*term, cloth.mesh.positions, still, 1, 0, JacobianForm::positive).matrix;
  Eigen::MatrixXd diagonal = Eigen::MatrixXd::Zero(a.rows(), a.cols());
  for (Eigen::Index i = 0; i < a.rows(); i += 3) diagonal.block<3, 3>(i, i) = a.block<3, 3>(i, i);
  diagonal.diagonal().array() += 1e-9 * a.diagonal().maxCoeff();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(a, diagonal, Eigen::EigenvaluesOnly);
  EXPECT_LT(eigen.eigenvalues().maxCoeff(), 4);
}

/// Stretching the wings of a fold changes lever arms but not the moment: the force depends on the angle
/// alone.
TEST(HingeBending, MomentDependsOnTheAngleAlone) {
  const PreparedCloth cloth = sample_cloth(Sample::one_hinge);
  const auto term = make_term("hinge", cloth);
  const auto& h = cloth.topology.hinges.front().vertices;
  const auto i = [&](int k) { return static_cast<size_t>(h[static_cast<size_t>(k)]); };
  const auto moment = [&](const Vectors& x) {
    const Vec3 axis = (x[i(3)] - x[i(2)]).normalized();
    const Vectors force = force_of(*term, x, Vectors(4, Vec3::Zero()));
    return (x[i(0)] - x[i(2)]).cross(force[i(0)]).dot(axis);
  };
  Vectors x = folded(cloth, 0.7);
  const double original = moment(x);
  x[i(0)] = x[i(2)] + 1.4 * (x[i(0)] - x[i(2)]);
  EXPECT_NEAR(moment(x), original, 1e-12 * std::abs(original));
  EXPECT_GT(std::abs(original), 0);
}

TEST(WindForce, VanishesWithoutRelativeMotion) {
  const PreparedCloth cloth = sample_cloth(Sample::curved);
  const Vec3 velocity(1, -2, 0.5);
  const auto term = make_term(wind_of(velocity), cloth);
  const Vectors x = deformed(cloth, 1, 0.1, 1);
  EXPECT_EQ(largest(force_of(*term, x, constant(x.size(), velocity))), 0.0);
  EXPECT_GT(largest(force_of(*term, x, constant(x.size(), Vec3::Zero()))), 1e-4);
}

TEST(WindForce, DependsOnRelativeVelocityOnly) {
  const PreparedCloth cloth = sample_cloth(Sample::curved);
  const Vec3 velocity(1, -2, 0.5), shift(3, 1, -4);
  const Vectors x = deformed(cloth, 1, 0.1, 1), v = random_velocities(x.size(), 2);
  Vectors moved = v;
  for (Vec3& value : moved) value += shift;
  const Vectors a = force_of(*make_term(wind_of(velocity), cloth), x, v);
  const Vectors b = force_of(*make_term(wind_of(velocity + shift), cloth), x, moved);
  EXPECT_LE(largest_difference(a, b), 1e-12 * largest(a));
}

TEST(WindForce, IsIsotropicAndBlindToTheFrontSide) {
  PreparedCloth cloth = sample_cloth(Sample::curved);
  const Vec3 velocity(1, -2, 0.5);
  const RigidTransform motion = random_motion(8);
  const Vectors x = deformed(cloth, 1, 0.1, 1), v = random_velocities(x.size(), 2);
  Vectors turned, turned_velocity, expected;
  for (size_t i = 0; i < x.size(); ++i) {
    turned.push_back(motion.point(x[i]));
    turned_velocity.push_back(motion.direction(v[i]));
  }
  const Vectors force = force_of(*make_term(wind_of(velocity), cloth), x, v);
  for (const Vec3& f : force) expected.push_back(motion.direction(f));
  const auto turned_wind = make_term(wind_of(motion.direction(velocity)), cloth);
  EXPECT_LE(largest_difference(force_of(*turned_wind, turned, turned_velocity), expected),
            1e-12 * largest(force));
  for (Triangle& t : cloth.mesh.triangles) std::swap(t[1], t[2]);
  EXPECT_LE(largest_difference(force_of(*make_term(wind_of(velocity), cloth), x, v), force),
            1e-12 * largest(force));
}

/// A plate under wind that comes from above at an angle: pressed along the wind by drag, and by lift at right
/// angles to it, downwards and against the wind.
TEST(WindForce, HasTheDragAndLiftOfAnInclinedPlate) {
  const PreparedCloth cloth = sample_cloth(Sample::one_triangle);
  const Vectors& x = cloth.mesh.positions;
  const Vec3 cross = (x[1] - x[0]).cross(x[2] - x[0]);
  const double area = 0.5 * cross.norm(), speed = 3, angle = 0.4;
  const Vec3 up = cross.normalized(), ahead = (x[1] - x[0]).normalized();
  const Vec3 along = std::cos(angle) * ahead - std::sin(angle) * up;
  const Vec3 across = -std::sin(angle) * ahead - std::cos(angle) * up;
  Wind wind;
  wind.velocity = Animated<Vec3>(Vec3(speed * along));
  wind.air_density = 1.3;
  wind.drag = 1.1;
  wind.lift = 0.7;
  const auto term = make_term(Entity{description_of<Wind>(), std::make_shared<Wind>(wind), {}}, cloth);
  const Vectors force = force_of(*term, x, constant(x.size(), Vec3::Zero()));
  const Vec3 total = force[0] + force[1] + force[2];
  const double pressure = 0.5 * wind.air_density * area * speed * speed;
  EXPECT_NEAR(total.dot(along), pressure * wind.drag * std::sin(angle), 1e-12);
  EXPECT_NEAR(total.dot(across), pressure * wind.lift * std::sin(angle) * std::cos(angle), 1e-12);
  EXPECT_NEAR(total.dot(along.cross(across)), 0, 1e-12);
}

/// Air takes energy from what moves through it: F.u <= 0 for any flow.
TEST(WindForce, NeverFeedsEnergy) {
  const PreparedCloth cloth = sample_cloth(Sample::one_triangle);
  const auto term = make_term(wind_of(Vec3::Zero()), cloth);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Vectors v = constant(3, random_velocities(1, seed)[0]);
    const Vectors force = force_of(*term, cloth.mesh.positions, v);
    EXPECT_LE((force[0] + force[1] + force[2]).dot(v[0]), 0.0);
  }
}

}  // namespace heddle::test
