// Forces and steps of CoRDE.

#include "strand_samples.h"

#include <heddle/forces/rod/rod.h>
#include <heddle/strands/engine.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {

TEST(Strands, ForcesAreTheNegativeGradientOfTheEnergy) {
  for (const bool closed : {false, true}) {
    Strands strands = crooked_strand(9, closed, 7);
    StrandForces forces;
    find_forces(strands, forces);
    constexpr double kWay = 1e-6;
    const auto slope = [&](const auto& move) {
      double value[2];
      for (const double sign : {-1.0, 1.0}) {
        Strands moved = strands;
        move(moved, sign * kWay);
        value[sign > 0 ? 1 : 0] = find_energies(moved).elastic();
      }
      return (value[1] - value[0]) / (2 * kWay);
    };
    for (size_t i = 0; i < strands.nodes.size(); ++i)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(forces.force[i][k], -slope([&](Strands& s, double way) { s.nodes[i].x[k] += way; }),
                    1e-6);
    for (size_t i = 0; i < strands.segments.size(); ++i)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(forces.moment[i][k], -slope([&](Strands& s, double way) {
                      s.segments[i].frame = s.segments[i].frame * Quat(Eigen::AngleAxisd(way, Vec3::Unit(k)));
                    }),
                    1e-6);
  }
}

/// What scenes use for the model "corde".
TEST(Strands, ForcesAreThoseOfTheTermsOfScenes) {
  RodShape shape = straight_shape(0.5, 6, 0.8);
  shape.curvature = Vec3(2, -1, 0.5);
  for (size_t i = 0; i < shape.nodes.size(); ++i)
    shape.nodes[i][1] += 0.02 * std::sin(2.0 * static_cast<double>(i));
  StrandMaterial material = soft_strand();
  material.section.stretch_friction = 0.3;
  material.section.bending_friction = 0.02;
  Strands strands;
  strands.add(shape, material);
  RodSystem rods;
  const RodPlace place =
      rods.add(shape, material.section, {.corde = true, .penalty = 30, .inertia_scale = 1});
  const auto system = rods.system(Vec3::Zero());
  Random random(3);
  for (size_t i = 0; i < strands.nodes.size(); ++i)
    strands.nodes[i].v = rods.state.v[i] = random_vector(random);
  for (size_t s = 0; s < strands.segments.size(); ++s) {
    strands.segments[s].spin = random_vector(random);
    rods.state.v[static_cast<size_t>(place.segments[s].turning)] =
        strands.segments[s].spin.cwiseQuotient(*place.unscale);
  }
  std::vector<Vec3> expected(rods.state.x.size());
  system->force(configuration_of(rods.state), expected);
  StrandForces forces;
  find_forces(strands, forces);
  for (size_t i = 0; i < strands.nodes.size(); ++i) EXPECT_LT((forces.force[i] - expected[i]).norm(), 1e-10);
  for (size_t s = 0; s < strands.segments.size(); ++s) {
    const Vec3 own = expected[static_cast<size_t>(place.segments[s].turning)].cwiseQuotient(*place.unscale);
    EXPECT_LT((forces.moment[s] - own).norm(), 1e-10);
  }
  EXPECT_NEAR(find_energies(strands).elastic(), system->potential_energy(configuration_of(rods.state)),
              1e-12);
}

/// Spillmann 2008, 3.3.2: friction acts between segments, not against the motion of the whole.
TEST(Strands, FrictionDoesNotSeeRigidMotion) {
  Strands strands = crooked_strand(9, false, 8);
  StrandForces still, moving;
  strands.materials[0].section.stretch_friction = 2;
  strands.materials[0].section.bending_friction = 3;
  find_forces(strands, still);
  const Vec3 spin(0.7, -1.1, 0.4), shift(3, 2, 1);
  for (StrandNode& node : strands.nodes) node.v = shift + spin.cross(node.x);
  for (StrandSegment& s : strands.segments) s.spin = s.frame.conjugate() * spin;
  find_forces(strands, moving);
  for (size_t i = 0; i < strands.nodes.size(); ++i)
    EXPECT_LT((still.force[i] - moving.force[i]).norm(), 1e-12);
  for (size_t s = 0; s < strands.segments.size(); ++s)
    EXPECT_LT((still.moment[s] - moving.moment[s]).norm(), 1e-12);
}

TEST(Strands, ForcesAndMomentsKeepBothMomenta) {
  Strands strands = crooked_strand(11, true, 9);
  strands.materials[0].section.stretch_friction = 2;
  strands.materials[0].section.bending_friction = 0.3;
  Random random(4);
  for (StrandNode& node : strands.nodes) node.v = random_vector(random);
  for (StrandSegment& s : strands.segments) s.spin = random_vector(random);
  StrandForces f;
  find_forces(strands, f);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double size = 0;
  for (size_t i = 0; i < strands.nodes.size(); ++i) {
    force += f.force[i];
    moment += strands.nodes[i].x.cross(f.force[i]);
    size += f.force[i].norm();
  }
  for (size_t s = 0; s < strands.segments.size(); ++s) moment += strands.segments[s].frame * f.moment[s];
  EXPECT_LT(force.norm(), 1e-14 * size);
  EXPECT_LT(moment.norm(), 1e-14 * size);
}

/// A whole turn: directors are those of before and strain is none, though quaternions have changed sign.
TEST(Strands, AWholeTurnIsNoStrain) {
  Strands strands;
  strands.add(straight_shape(1, 8), soft_strand());
  for (const double angle : {0.5 * M_PI, M_PI, 2 * M_PI, 3 * M_PI}) {
    Strands turned = strands;
    const Quat turn(std::cos(angle / 2), 0, std::sin(angle / 2), 0);
    for (StrandNode& node : turned.nodes) node.x = turn * node.x;
    for (size_t s = 0; s < turned.segments.size(); ++s) {
      turned.segments[s].frame = turn * turned.segments[s].frame;
      if (s % 3 == 1) turned.segments[s].frame.coeffs() *= -1;
    }
    EXPECT_LT(find_energies(turned).elastic(), 1e-25);
  }
}

namespace {

/// Whether a rod that trembles gains much energy in steps of a share of the estimated ones. `damping`: of its
/// frames against the penalty, as a share of the critical one.
bool grows(double factor, double alpha, int substeps, double damping = 0) {
  StrandMaterial material = cord_strand();
  material.inertia_scale = alpha;
  StrandEngine engine;
  engine.strands.add(straight_shape(0.4, 40), material);
  const StrandSegment& first = engine.strands.segments[0];
  engine.strands.materials[0].section.bending_friction =
      damping * std::sqrt(material.penalty * first.inertia[0] * first.length) * first.length;
  engine.turning_substeps = substeps;
  Random random(2);
  for (StrandNode& node : engine.strands.nodes) node.v = 1e-4 * random_vector(random);
  const double start = find_energies(engine.strands).kinetic;
  const double dt = factor * longest_stable_step(engine.strands, substeps);
  for (int k = 0; k < 3000; ++k) engine.step(dt);
  const StrandEnergies energies = find_energies(engine.strands);
  return !(energies.kinetic + energies.elastic() < 30 * start);
}

}  // namespace

/// The estimate is on the safe side, and not by much.
TEST(Strands, EstimatedStepsAreStable) {
  for (const double alpha : {1.0, 0.1}) {
    EXPECT_FALSE(grows(0.95, alpha, 1)) << alpha;
    EXPECT_TRUE(grows(2.2, alpha, 1)) << alpha;
  }
}

/// Sub-steps of light frames make steps longer only with friction: nodes that are moved seldom push them in
/// time with their own swings.
TEST(Strands, SubStepsOfLightFramesNeedFriction) {
  for (const int substeps : {4, 8, 10}) {
    EXPECT_FALSE(grows(0.9, 0.01, substeps, 0.3)) << substeps;
    EXPECT_TRUE(grows(0.5, 0.01, substeps)) << substeps;
  }
  Strands strands;
  StrandMaterial material = cord_strand();
  material.inertia_scale = 0.01;
  strands.add(straight_shape(0.4, 40), material);
  EXPECT_GT(longest_stable_step(strands, 8), 5 * longest_stable_step(strands));
}

TEST(Strands, FreeFlightKeepsMomenta) {
  StrandEngine engine;
  engine.strands.add(straight_shape(0.4, 20, 2), cord_strand());
  engine.gyroscopic = true;
  for (StrandNode& node : engine.strands.nodes) node.v = Vec3(1, 0, 0) + Vec3(0, 0, 5).cross(node.x);
  for (StrandSegment& s : engine.strands.segments) s.spin = s.frame.conjugate() * Vec3(0, 0, 5);
  const Vec3 linear = engine.strands.momentum(), angular = engine.strands.angular_momentum();
  for (int k = 0; k < 20000; ++k) engine.step(2e-5);
  const double lost = (engine.strands.momentum() - linear).norm() / linear.norm(),
               turned = (engine.strands.angular_momentum() - angular).norm() / angular.norm();
  std::printf("momentum changed by %.1e, angular momentum by %.1e of itself\n", lost, turned);
  EXPECT_LT(lost, 1e-11);
  EXPECT_LT(turned, 1e-3);
}

}  // namespace heddle::test
