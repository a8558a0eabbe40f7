// Surfaces that fly at each other end the step apart, and nobody gains momentum by it.

#include "stack.h"

#include <heddle/contact/impulse_contact.h>
#include <heddle/mesh/intersection_count.h>
#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>

#include <random>

namespace heddle::test {

namespace {

struct Moved {
  std::vector<Vec3> end, velocity;
  SurfaceContactReport report;
  SurfaceContactTotals totals;
};

Moved resolve(const Stack& stack, const ImpulseContact& parameters = {}) {
  CollisionSurface surface = make_collision_surface(stack.bodies);
  surface.between_free = parameters.self;
  ContactByImpulses contact(
      parameters, std::make_unique<SurfacePairs>(std::move(surface), stack.skins, stack.x, FrictionTable()));
  Moved moved;
  for (size_t i = 0; i < stack.x.size(); ++i) moved.end.push_back(stack.x[i] + kStep * stack.v[i]);
  std::vector<PlaneContact> planes;
  contact.begin_step(stack.x, false, {});
  moved.report = contact.resolve(stack.x, moved.end, kStep, planes);
  moved.totals = contact.totals();
  for (size_t i = 0; i < stack.x.size(); ++i) moved.velocity.push_back((moved.end[i] - stack.x[i]) / kStep);
  return moved;
}

Vec3 momentum(const Stack& stack, const std::vector<Vec3>& velocity) {
  Vec3 sum = Vec3::Zero();
  for (size_t i = 0; i < velocity.size(); ++i)
    if (stack.skins[i].inverse_mass > 0) sum += velocity[i] / stack.skins[i].inverse_mass;
  return sum;
}

}  // namespace

/// True if two sheets meet on the straight way to their ends: all pairs, by the cubic, which contact does not
/// use.
bool meet_on_the_way(const Stack& stack, const std::vector<Vec3>& end) {
  const CollisionSurface surface = make_collision_surface(stack.bodies);
  const int second = stack.bodies[0].vertex_count;  // first vertex of the second sheet
  const auto points = [](std::span<const Vec3> x, const std::array<int, 4>& v) -> PairPoints {
    const auto at = [&](size_t k) { return x[static_cast<size_t>(v[k])]; };
    return {at(0), at(1), at(2), at(3)};
  };
  for (const Triangle& t : surface.triangles)
    for (int i = 0; i < surface.vertex_count; ++i) {
      if ((i < second) == (t[0] < second)) continue;
      const std::array<int, 4> v{i, t[0], t[1], t[2]};
      if (cubic_vertex_triangle_time(points(stack.x, v), points(end, v), 0)) return true;
    }
  for (const Edge& a : surface.edges)
    for (const Edge& b : surface.edges) {
      if (a[0] >= second || b[0] < second) continue;
      const std::array<int, 4> v{a[0], a[1], b[0], b[1]};
      if (cubic_edge_edge_time(points(stack.x, v), points(end, v), 0)) return true;
    }
  return false;
}

TEST(ContactByImpulses, SheetsThatFlyThroughEachOtherStayApart) {
  for (const double speed : {0.1, 1.0, 10.0, 100.0}) {
    Stack stack;
    stack.add(10, {0, 0, 0}, {0, 0, speed});
    stack.add(10, {0.013, -0.017, 0.02}, {0, 0, -speed});
    const Moved moved = resolve(stack);
    EXPECT_TRUE(moved.report.resolved);
    EXPECT_EQ(count_intersections(moved.end, stack.triangles).count, 0) << speed;
    EXPECT_FALSE(meet_on_the_way(stack, moved.end)) << speed;
    // The centres are well inside the other sheet. At 100 m/s sheets of 10 cm end so crumpled and turned over
    // that heights mean nothing.
    if (speed < 100) {
      EXPECT_LT(moved.end[60].z(), moved.end[121 + 60].z());
    }
  }
}

TEST(ContactByImpulses, KeepsTheMomentumOfFreeSheets) {
  Stack stack;
  stack.add(8, {0, 0, 0}, {0.3, 0.1, 2});
  stack.add(8, {0.004, 0.003, 0.01}, {-0.2, 0, -3});
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, 1);
  for (Vec3& v : stack.v) v += 0.5 * Vec3(normal(random), normal(random), normal(random));
  const Vec3 before = momentum(stack, stack.v);
  const Moved moved = resolve(stack);
  EXPECT_GT(moved.report.contacts, 50);
  EXPECT_LT((momentum(stack, moved.velocity) - before).norm(), 1e-10);
}

/// Detection alone would let them lose a part of their distance again and again.
TEST(ContactByImpulses, WhatIsNearestNeverComesNearer) {
  const int layers = 8;
  const double gap = 4e-6;  // m
  Stack stack;
  for (int k = 0; k < layers; ++k) stack.add(3, {0, 0, k * gap}, {});
  const size_t count = stack.x.size() / layers;
  ASSERT_LT(gap, 0.01 * 2 * stack.skins[0].radius);
  const auto smallest_gap = [&] {
    double smallest = HUGE_VAL;
    for (size_t i = count; i < stack.x.size(); ++i)
      smallest = std::min(smallest, stack.x[i].z() - stack.x[i - count].z());
    return smallest;
  };
  ImpulseContact weak;
  weak.sweeps = 1;
  for (int step = 0; step < 30; ++step) {
    for (size_t i = 0; i < stack.v.size(); ++i) stack.v[i] = Vec3(0, 0, i < stack.v.size() / 2 ? 0.1 : -0.1);
    const Moved moved = resolve(stack, weak);
    ASSERT_TRUE(moved.report.resolved);
    stack.x = moved.end;
  }
  EXPECT_GE(smallest_gap(), 0.999 * gap);
}

TEST(ContactByImpulses, SheetsThatPartAreLeftAlone) {
  Stack stack;
  stack.add(6, {0, 0, 0}, {0, 0, -1});
  stack.add(6, {0.003, 0.002, 0.0012}, {0, 0, 1});
  const Moved moved = resolve(stack);
  for (size_t i = 0; i < stack.v.size(); ++i) EXPECT_LT((moved.velocity[i] - stack.v[i]).norm(), 1e-12);
}

TEST(ContactByImpulses, FrictionBrakesButNeverTurnsBack) {
  Stack stack;
  stack.add(12, {-0.02, -0.02, 0}, {0, 0, 0}, true);
  stack.add(6, {0.01, 0.01, 0.0011}, {1, 0, -1});
  const Moved moved = resolve(stack);
  double slowest = 1, fastest = 0;
  for (size_t i = 169; i < stack.v.size(); ++i) {
    slowest = std::min(slowest, moved.velocity[i].x());
    fastest = std::max(fastest, moved.velocity[i].x());
  }
  EXPECT_GE(slowest, -1e-9);
  // Coulomb: the whole sheet loses 0.3 of what it lost across.
  Vec3 mean = Vec3::Zero();
  for (size_t i = 169; i < stack.v.size(); ++i) mean += moved.velocity[i] / 49;
  EXPECT_NEAR(1 - mean.x(), 0.3 * (mean.z() + 1), 0.02);
}

TEST(ContactByImpulses, WithoutSelfOnlyObstaclesCount) {
  Stack stack;
  stack.add(10, {0, 0, 0}, {0, 0, 1});
  stack.add(10, {0.013, -0.017, 0.005}, {0, 0, -1});
  const size_t cloth = stack.x.size();
  Stack floor = stack;
  floor.add(20, {-0.04, -0.04, -0.004}, {0, 0, 0}, true);
  for (const Stack& all : {stack, floor}) {
    const Moved moved = resolve(all, {.self = false});
    EXPECT_TRUE(moved.report.resolved);
    const double lowest = moved.end[121 + 60].z();
    EXPECT_NEAR(moved.end[60].z(), 0.01, 1e-12) << "cloth passes through cloth";
    if (all.x.size() > cloth)
      EXPECT_GT(lowest, -0.004) << "held up by the obstacle";
    else
      EXPECT_NEAR(lowest, 0.005 - 0.01, 1e-12) << "falls freely";
  }
}

TEST(ContactByImpulses, TotalsCountAllPiecesAndClips) {
  Stack stack;
  stack.add(10, {0, 0, 0}, {0, 0, 5});
  stack.add(10, {0.013, -0.017, 0.02}, {0, 0, -5});
  std::mt19937 random(9);
  std::normal_distribution<double> normal(0, 1);
  for (Vec3& v : stack.v) v += 3 * Vec3(normal(random), normal(random), normal(random));
  ContactByImpulses contact({.sweeps = 1, .rounds = 1},
                            std::make_unique<SurfacePairs>(make_collision_surface(stack.bodies), stack.skins,
                                                           stack.x, FrictionTable()));
  std::vector<PlaneContact> planes;
  for (const double dt : {kStep, 1e-3 * kStep, 2e-3 * kStep}) {  // the last ones meet nothing
    std::vector<Vec3> end;
    for (size_t i = 0; i < stack.x.size(); ++i) end.push_back(stack.x[i] + dt * stack.v[i]);
    contact.begin_step(stack.x, false, {});
    contact.touch(stack.x, end, dt, kStep);
    EXPECT_TRUE(contact.resolve(stack.x, end, dt, planes).resolved);
    EXPECT_EQ(contact.totals().clips, 1);
    EXPECT_EQ(contact.totals().most_rounds, 1);
  }
  EXPECT_EQ(contact.report().rounds, 0);
}

TEST(ContactByImpulses, RigidZonesResolveWhatImpulsesMayNot) {
  Stack stack;
  stack.add(10, {0, 0, 0}, {0, 0, 5});
  stack.add(10, {0.013, -0.017, 0.02}, {0, 0, -5});
  std::mt19937 random(9);
  std::normal_distribution<double> normal(0, 1);
  for (Vec3& v : stack.v) v += 3 * Vec3(normal(random), normal(random), normal(random));
  ImpulseContact weak;
  weak.sweeps = 1;
  weak.rounds = 1;
  const Vec3 before = momentum(stack, stack.v);
  const Moved moved = resolve(stack, weak);
  EXPECT_TRUE(moved.report.resolved);
  EXPECT_GT(moved.report.zones, 0);
  EXPECT_EQ(moved.totals.zones, moved.report.zones);
  EXPECT_EQ(moved.totals.clips, 0);
  EXPECT_EQ(moved.totals.most_rounds, 1);
  EXPECT_EQ(count_intersections(moved.end, stack.triangles).count, 0);
  EXPECT_LT((momentum(stack, moved.velocity) - before).norm(), 1e-10);
}

TEST(ContactByImpulses, DoesNotDependOnThreads) {
  Stack stack;
  stack.add(20, {0, 0, 0}, {0, 0, 2});
  stack.add(20, {0.004, 0.003, 0.01}, {0, 0, -3});
  std::vector<std::vector<Vec3>> ends;
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    pool.run([&] { ends.push_back(resolve(stack).end); });
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(ImpactZones, KeepMomentumAndSpin) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal(0, 1);
  const auto vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  std::vector<Vec3> x, v;
  std::vector<double> inverse_mass;
  for (int i = 0; i < 7; ++i) {
    x.push_back(vector());
    v.push_back(1e-3 * vector());
    inverse_mass.push_back(1 / (1.0 + i));
  }
  const auto sums = [&] {
    std::pair<Vec3, Vec3> sum{Vec3::Zero(), Vec3::Zero()};
    for (size_t i = 0; i < 7; ++i) {
      sum.first += v[i] / inverse_mass[i];
      sum.second += x[i].cross(v[i]) / inverse_mass[i];
    }
    return sum;
  };
  const auto [momentum, spin] = sums();
  ImpactZones zones;
  zones.clear(7);
  zones.join(std::array{0, 1, 2, 3});
  zones.join(std::array{3, 4, 5, 6});
  EXPECT_EQ(zones.zone_count(), 1);
  zones.stiffen({x, inverse_mass, v, kStep});
  EXPECT_LT((sums().first - momentum).norm(), 1e-12);
  EXPECT_LT((sums().second - spin).norm(), 1e-6);
  for (size_t i = 1; i < 7; ++i)
    EXPECT_NEAR((x[i] + kStep * v[i] - x[0] - kStep * v[0]).norm(), (x[i] - x[0]).norm(), 1e-12);
}

}  // namespace heddle::test
