// Contact of strands by displacements (Spillmann 2008, chapter 6).

#include "strand_samples.h"

#include <heddle/strands/engine.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {

namespace {

std::vector<Vec3> places_of(const Strands& strands) {
  std::vector<Vec3> places;
  for (const StrandNode& node : strands.nodes) places.push_back(node.x);
  return places;
}

}  // namespace

/// T22: one correction takes away at least half of an isolated overlap and keeps momentum.
TEST(StrandContact, OneCorrectionHalvesAnOverlapAndKeepsMomentum) {
  Random random(6);
  double worst = 0, lost = 0;
  int met = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Strands strands;
    for (const double radius : {0.01, 0.004}) {
      StrandMaterial material = cord_strand();
      material.section.radius = radius;
      material.friction = 0;
      strands.add(rod_through({0.03 * random_vector(random), 0.03 * random_vector(random)}, false), material);
    }
    for (StrandNode& node : strands.nodes) node.mass *= random.uniform(0.2, 5);
    const std::vector<Vec3> before = places_of(strands);
    StrandContact contact({.iterations = 1, .rounds = 1, .friction = StrandFriction::published});
    const StrandContactReport report = contact.resolve(strands, before);
    if (report.contacts == 0) continue;
    ++met;
    Vec3 moved = Vec3::Zero();
    double size = 0;
    for (size_t i = 0; i < strands.nodes.size(); ++i) {
      moved += strands.nodes[i].mass * (strands.nodes[i].x - before[i]);
      size += strands.nodes[i].mass * strands.nodes[i].x.norm();
    }
    lost = std::max(lost, moved.norm() / size);
    // Deep overlaps may come out on another side, where others remain; the claim is of small ones.
    if (report.deepest_before < 0.3)
      worst = std::max(worst, contact.deepest(strands) / report.deepest_before);
  }
  std::printf(
      "%d overlaps: at most %.3f of one is left, masses times ways sum to %.1e of masses times places\n", met,
      worst, lost);
  EXPECT_GT(met, 1000);
  EXPECT_LT(worst, 0.55);
  EXPECT_LT(lost, 1e-15);
}

/// T23: crossing rods of unequal radii hit each other and do not pass.
TEST(StrandContact, RodsDoNotPassThroughEachOther) {
  for (const double speed : {1.0, 5.0, 10.0}) {
    StrandMaterial thin = cord_strand(), thick = cord_strand();
    thick.section.radius = 0.01;
    StrandEngine engine;
    engine.strands.add(straight_shape(0.4, 20, 0, {-0.2, 0, 0}), thick);
    const auto upper =
        engine.strands.add(straight_shape(0.4, 20, 0, {0.003, -0.2, 0.03}, Vec3::UnitY()), thin);
    for (int i = upper.first_node; i < engine.strands.node_count(); ++i)
      engine.strands.nodes[static_cast<size_t>(i)].v = Vec3(0, 0, -speed);
    const Vec3 before = engine.strands.momentum();
    double deepest = -1;
    int contacts = 0;
    for (int k = 0; k < 2000; ++k) {
      const StrandStepReport report = engine.step(5e-5);
      deepest = std::max(deepest, engine.contact().deepest(engine.strands));
      contacts = std::max(contacts, report.contact.contacts);
    }
    const double middle =
        engine.strands.nodes[static_cast<size_t>(upper.first_node + 10)].x[2] - engine.strands.nodes[10].x[2];
    const double lost = (engine.strands.momentum() - before).norm() / before.norm();
    std::printf("%g m/s: deepest %.1e of the radius, up to %d contacts, momentum off by %.1e\n", speed,
                deepest, contacts, lost);
    EXPECT_LE(deepest, 1e-3);
    EXPECT_GT(contacts, 0);
    EXPECT_GT(middle, 0);
    EXPECT_LT(lost, 1e-11);
  }
}

/// Zones that have nothing to do with each other stay apart.
TEST(StrandContact, ZonesAreContactsThatShareNodes) {
  Strands strands;
  for (int k = 0; k < 3; ++k) {
    strands.add(straight_shape(0.1, 2, 0, {0, 0, 1.0 * k}), cord_strand());
    strands.add(straight_shape(0.1, 2, 0, {0.03, -0.05, 1.0 * k + 0.009}, Vec3::UnitY()), cord_strand());
  }
  const std::vector<Vec3> before = places_of(strands);
  StrandContact contact;
  const StrandContactReport report = contact.resolve(strands, before);
  EXPECT_EQ(report.zones, 3);
  EXPECT_LE(contact.deepest(strands), 1e-3);
}

/// T25: the published friction lets a rod creep down a slope on which it ought to rest; sums of corrections
/// hold it. Both let it slide on a steeper one.
TEST(StrandContact, PublishedFrictionCreepsOnASlopeAndSumsDoNot) {
  double way[2][2];
  for (const auto friction : {StrandFriction::published, StrandFriction::sticking})
    for (const double slope : {0.2, 0.8}) {  // tan; friction 0.5
      const Vec3 normal = Vec3(slope, 0, 1).normalized();
      StrandEngine engine({.friction = friction}, {{Vec3::Zero(), normal, 0.5}});
      engine.gravity = Vec3(0, 0, -9.81);
      engine.strands.add(straight_shape(0.2, 10, 0, 0.005 * normal - Vec3(0, 0.1, 0), Vec3::UnitY()),
                         cord_strand());
      const Vec3 start = engine.strands.nodes[5].x;
      for (int k = 0; k < 10000; ++k) engine.step(1e-4);
      way[friction == StrandFriction::published ? 0 : 1][slope < 0.5 ? 0 : 1] =
          (engine.strands.nodes[5].x - start).norm();
    }
  const double angle = std::atan(0.8), slide = 0.5 * 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
  std::printf("published: %.2e m in 1 s, %.3f m on the steep slope; sums: %.1e m, %.3f m; Coulomb %.3f m\n",
              way[0][0], way[0][1], way[1][0], way[1][1], slide);
  EXPECT_GT(way[0][0], 1e-5);
  EXPECT_LT(way[1][0], 1e-12);
  EXPECT_NEAR(way[1][1], slide, 0.01 * slide);
}

/// A rod over a fixed bar, which is a strand that is held.
TEST(StrandContact, RodHangsOverAFixedBar) {
  StrandEngine engine;
  engine.gravity = Vec3(0, 0, -9.81);
  StrandMaterial bar = cord_strand(), rope = cord_strand();
  bar.section.radius = 0.02;
  rope.section.young = 1e4;
  rope.section.bending_friction = 1e-8;
  engine.strands.add(straight_shape(0.2, 1, 0, {0, -0.1, 0}, Vec3::UnitY()), bar);
  for (StrandNode& node : engine.strands.nodes) node.held = true;
  engine.strands.segments[0].held = true;
  const auto place = engine.strands.add(straight_shape(0.4, 40, 0, {-0.2, 0, 0.026}), rope);
  double deepest = -1;
  for (int k = 0; k < 5000; ++k) {
    engine.step(1e-4);
    deepest = std::max(deepest, engine.contact().deepest(engine.strands));
  }
  const Vec3& end = engine.strands.nodes[static_cast<size_t>(place.first_node)].x;
  std::printf("end of the rope at %.3f, %.3f m, deepest %.1e\n", end[0], end[2], deepest);
  EXPECT_LE(deepest, 1e-3);
  EXPECT_GT(engine.strands.nodes[static_cast<size_t>(place.first_node + 20)].x[2], 0.02);
  EXPECT_LT(end[2], -0.05);
}

}  // namespace heddle::test
