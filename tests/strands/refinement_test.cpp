// Strands that are cut and joined while they move (Spillmann 2008, chapter 4).

#include "strand_samples.h"

#include <heddle/strands/engine.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {

namespace {

double rest_length(const Strands& strands) {
  double sum = 0;
  for (const StrandSegment& s : strands.segments) sum += s.length;
  return sum;
}

double mass(const Strands& strands) {
  double sum = 0;
  for (const StrandNode& node : strands.nodes) sum += node.mass;
  return sum;
}

/// Clamped at both ends and bent into an arch, at rest.
StrandEngine arch(int segments, int stride) {
  StrandMaterial material = cord_strand();
  material.section.bending_friction = 1e-6;
  material.section.stretch_friction = 0.02;
  StrandEngine engine;
  std::vector<Vec3> points;
  constexpr double kSpan = 0.3;
  for (int i = 0; i <= segments; ++i) {
    const double s = static_cast<double>(i) / segments;
    points.emplace_back(kSpan * s, 0, 0.1 * std::sin(M_PI * s));
  }
  RodShape shape = rod_through(points, false);
  shape.curvature = Vec3(Vec3::Zero());
  engine.strands.add(shape, material, stride);
  engine.strands.nodes.front().held = engine.strands.nodes.back().held = true;
  return engine;
}

void settle(StrandEngine& engine, double seconds) {
  const double dt = 0.5 * longest_stable_step(engine.strands);
  for (int k = 0; k < seconds / dt; ++k) {
    engine.step(dt);
    for (StrandNode& node : engine.strands.nodes) node.v *= 0.999;
  }
  for (StrandNode& node : engine.strands.nodes) node.v.setZero();
  for (StrandSegment& s : engine.strands.segments) s.spin.setZero();
}

double largest_moment(const Strands& strands) {
  StrandForces forces;
  find_forces(strands, forces);
  double most = 0;
  for (const Vec3& moment : forces.moment) most = std::max(most, moment.norm());
  return most;
}

}  // namespace

TEST(StrandRefinement, KeepsMassLengthAndMomentum) {
  Strands strands = crooked_strand(10, false, 12);
  Random random(2);
  for (StrandNode& node : strands.nodes) node.v = random_vector(random);
  const double length = rest_length(strands), kg = mass(strands);
  const Vec3 momentum = strands.momentum();
  for (const int s : {4, 0, 8, 4}) split_segment(strands, s, MovingSide::right, {});
  EXPECT_EQ(strands.node_count(), 14);
  EXPECT_EQ(strands.segment_count(), 13);
  EXPECT_EQ(strands.joints.size(), 12u);
  EXPECT_NEAR(rest_length(strands), length, 1e-14);
  EXPECT_NEAR(mass(strands), kg, 1e-14);
  EXPECT_LT((strands.momentum() - momentum).norm(), 1e-13);
  for (const StrandJoint& joint : strands.joints) {
    const StrandSegment &a = strands.segments[static_cast<size_t>(joint.segments[0])],
                        &b = strands.segments[static_cast<size_t>(joint.segments[1])];
    EXPECT_EQ(a.ends[1], b.ends[0]);
    EXPECT_DOUBLE_EQ(joint.length, 0.5 * (a.length + b.length));
  }
  int merged = 0;
  for (int pass = 0; pass < 3; ++pass)
    for (int s = 0; s < strands.segment_count(); ++s)
      if (merge_segments(strands, s, MovingSide::left, {})) ++merged;
  EXPECT_EQ(merged, 4);
  EXPECT_EQ(strands.node_count(), 10) << "initial nodes stay";
  EXPECT_NEAR(rest_length(strands), length, 1e-14);
  EXPECT_NEAR(mass(strands), kg, 1e-14);
  EXPECT_LT((strands.momentum() - momentum).norm(), 1e-13);
}

TEST(StrandRefinement, RefusesToJoinWhatIsInitialHeldOrShared) {
  Strands strands;
  strands.add(straight_shape(1, 8), cord_strand(), 2);
  EXPECT_FALSE(merge_segments(strands, 1, MovingSide::left, {})) << "node 2 is initial";
  strands.nodes[1].held = true;
  EXPECT_FALSE(merge_segments(strands, 0, MovingSide::left, {}));
  strands.nodes[1].held = false;
  strands.segments[0].held = true;
  EXPECT_FALSE(merge_segments(strands, 0, MovingSide::left, {}));
  EXPECT_FALSE(merge_segments(strands, 7, MovingSide::left, {})) << "the last has no next one";
  EXPECT_TRUE(merge_segments(strands, 2, MovingSide::left, {}));
  const StrandGuard never = [](const Strands&, std::span<const int>) { return false; };
  EXPECT_FALSE(merge_segments(strands, 4, MovingSide::left, {}, never));
  EXPECT_EQ(strands.node_count(), 8);
}

/// T12: where the energy is least, there is less of it and less force than where the new node is put.
TEST(StrandRefinement, VariationalNodesDisturbLessThanBarycentricOnes) {
  StrandEngine engine = arch(12, 1);
  settle(engine, 3);
  const double still = largest_moment(engine.strands);
  for (const int s : {3, 6}) {
    Strands placed = engine.strands, relaxed = engine.strands;
    split_segment(placed, s, MovingSide::right, {.variational = false});
    const RefinementReport report = split_segment(relaxed, s, MovingSide::right, {.iterations = 10});
    const double before = find_energies(engine.strands).elastic();
    const double a = find_energies(placed).elastic() - before, b = find_energies(relaxed).elastic() - before;
    std::printf(
        "segment %d: energy %+.2e J barycentric, %+.2e J variational; largest force %.2e, %.2e, before %.1e "
        "N\n",
        s, a, b, largest_moment(placed), largest_moment(relaxed), still);
    EXPECT_LT(report.after, report.before);
    EXPECT_LT(b, 0.2 * a);
    EXPECT_LT(largest_moment(relaxed), 0.2 * largest_moment(placed));
  }
}

/// A rod that is loaded evenly and at rest stays as it is: loads are what nodes resisted.
TEST(StrandRefinement, DoesNotDisturbAPulledStraightRod) {
  Strands strands;
  strands.add(straight_shape(1, 8), cord_strand());
  for (StrandNode& node : strands.nodes) node.x[0] *= 1.01;
  const double before = find_energies(strands).elastic();
  split_segment(strands, 3, MovingSide::right, {});
  EXPECT_NEAR(find_energies(strands).elastic(), before, 1e-9 * before);
  for (const StrandNode& node : strands.nodes) EXPECT_NEAR(node.x.tail<2>().norm(), 0, 1e-12);
}

/// T12: cut again and again where it bends, without damping: energy stays if nodes are placed by energy.
TEST(StrandRefinement, CascadesOfVariationalNodesKeepEnergyBounded) {
  double gained[2];
  for (const bool variational : {true, false}) {
    StrandEngine engine = arch(12, 1);
    settle(engine, 3);
    engine.strands.materials[0].section.bending_friction = 0;
    engine.strands.materials[0].section.stretch_friction = 0;
    const double length = engine.strands.segments[0].length;
    const double before = find_energies(engine.strands).elastic();
    engine.adaptivity = Adaptivity{.refine_angle = 0.1,
                                   .merge_angle = 0,
                                   .shortest = length / 8,
                                   .every = 200,
                                   .options = {.variational = variational}};
    Strands finest = engine.strands;
    for (StrandSegment& s : finest.segments) s.length /= 8;
    const double dt = 0.4 * longest_stable_step(finest);
    for (int k = 0; k < 20000; ++k) engine.step(dt);
    const StrandEnergies after = find_energies(engine.strands);
    gained[variational ? 0 : 1] = (after.elastic() + after.kinetic) / before - 1;
    std::printf("%s: %d segments, energy %+.2f %%, of which %.2f %% in motion\n",
                variational ? "variational" : "barycentric", engine.strands.segment_count(),
                100 * gained[variational ? 0 : 1], 100 * after.kinetic / before);
    EXPECT_GT(engine.strands.segment_count(), 30);
  }
  EXPECT_LT(std::abs(gained[0]), 0.1);
  EXPECT_GT(gained[1], 2 * std::abs(gained[0]));
}

/// T16 without contact: a swinging rod is where a finely divided one is.
TEST(StrandRefinement, AdaptiveRodSwingsAsTheFineOne) {
  Vec3 tip[3];
  int nodes[3];
  for (int kind = 0; kind < 3; ++kind) {  // fine, adaptive, coarse
    StrandMaterial material = cord_strand();
    material.section.young = 1e5;
    material.section.bending_friction = 1e-7;
    StrandEngine engine;
    engine.gravity = Vec3(0, 0, -9.81);
    const int segments = kind == 2 ? 12 : 48;
    engine.strands.add(straight_shape(0.6, segments), material, kind == 1 ? 4 : 1);
    engine.strands.nodes[0].held = engine.strands.nodes[1].held = engine.strands.segments[0].held = true;
    engine.strands.nodes.back().tag = 1;
    if (kind == 2) engine.strands.nodes[1].held = false;
    if (kind == 1)
      engine.adaptivity =
          Adaptivity{.refine_angle = 0.1, .merge_angle = 0.03, .shortest = 0.6 / 48, .longest = 0.6 / 12};
    for (int k = 0; k < 3000; ++k) engine.step(1e-4);
    nodes[kind] = engine.strands.node_count();
    for (const StrandNode& node : engine.strands.nodes)
      if (node.tag == 1) tip[kind] = node.x;
  }
  const double adaptive = (tip[1] - tip[0]).norm(), coarse = (tip[2] - tip[0]).norm();
  std::printf("tip off by %.4f m with %d nodes, %.4f m with %d nodes, of %d\n", adaptive, nodes[1], coarse,
              nodes[2], nodes[0]);
  EXPECT_LT(nodes[1], nodes[0]);
  EXPECT_LT(adaptive, 0.02);
}

/// Nodes that refinement moved into the floor would be thrown out of it.
TEST(StrandRefinement, ThreadThatFallsOnTheFloorComesToRest) {
  StrandEngine engine({}, {{Vec3::Zero(), Vec3::UnitZ(), 0.5}});
  engine.gravity = Vec3(0, 0, -9.81);
  StrandMaterial material = cord_strand();
  material.section.young = 1e5;
  material.section.stretch_friction = 0.002;
  material.section.bending_friction = 2e-8;
  std::vector<Vec3> points;
  for (int i = 0; i <= 80; ++i)
    points.emplace_back(0.05 * std::cos(0.25 * i), 0.05 * std::sin(0.25 * i), 0.02 + 0.002 * i);
  RodShape shape = rod_through(points, false);
  shape.curvature = Vec3(Vec3::Zero());
  engine.strands.add(shape, material, 4);
  engine.adaptivity = Adaptivity{.shortest = 0.99 * shape.rest_lengths[0]};
  int split = 0, merged = 0;
  double deepest = -1;
  for (int k = 0; k < 12000; ++k) {
    const StrandStepReport report = engine.step(1e-4);
    split += report.split;
    merged += report.merged;
    deepest = std::max(deepest, report.contact.deepest);
  }
  const double motion = find_energies(engine.strands).kinetic;
  std::printf("%d cut, %d joined, deepest %.1e of the radius, %.1e J in motion\n", split, merged, deepest,
              motion);
  EXPECT_GT(merged, 10);
  EXPECT_LE(deepest, 1e-3);
  EXPECT_LT(motion, 1e-4);
}

}  // namespace heddle::test
