// Surfaces that touch press on each other as the barrier says, and no correction leads them through.

#include "stack.h"

#include <heddle/contact/contact_barrier.h>
#include <heddle/mesh/intersection_count.h>

#include <gtest/gtest.h>

#include <random>

namespace heddle::test {

namespace {

constexpr double kThickness = 1e-3;  // m, of the stack

/// Two sheets without friction, the second one this far above the first.
Stack two_sheets(double distance) {
  Stack stack;
  stack.add(4, Vec3::Zero(), Vec3::Zero());
  stack.add(4, {0.003, 0.004, distance}, Vec3::Zero());
  for (Skin& skin : stack.skins) skin.roughness = {};
  return stack;
}

struct Held {
  explicit Held(const Stack& stack)
      : pairs(make_collision_surface(stack.bodies), stack.skins, stack.x, FrictionTable()), barrier(pairs) {
    std::vector<PairSpring> springs;
    for (const Skin& skin : stack.skins) inverse_mass.push_back(skin.inverse_mass);
    pressures.assign(stack.skins.size(), 1e3);
    barrier.begin_step({stack.x, kStep, kStep, 0.1, inverse_mass, [](const PrimitivePair&) { return false; }},
                       stack.x, springs);
    barrier.begin_search(stack.x, {}, pressures);
  }
  SurfacePairs pairs;
  std::vector<double> inverse_mass, pressures;
  ContactBarrier barrier;
};

/// What presses the sheets apart in all, N, and how fast it falls as they part, N/m.
struct Push {
  double force = 0, stiffness = 0;
};

Push push_at(double distance) {
  const Stack stack = two_sheets(distance);
  Held held(stack);
  Push push;
  for (const PairSpring& spring : held.barrier.springs(stack.x)) {
    const double stiffness = spring.strength / (kStep * kStep) * std::pow(spring.normal.z(), 2);
    push.stiffness += stiffness;
    push.force += stiffness * (spring.target - spring.gap);
  }
  return push;
}

}  // namespace

TEST(ContactBarrier, TheStiffnessIsTheDerivativeOfTheForce) {
  for (const double share : {0.06, 0.1, 0.5, 0.9, 0.99}) {
    const double distance = share * kThickness, small = 1e-5 * distance;
    const double slope = (push_at(distance - small).force - push_at(distance + small).force) / (2 * small);
    EXPECT_NEAR(push_at(distance).stiffness, slope, 1e-6 * slope) << share;
  }
}

TEST(ContactBarrier, GrowsSteeplyFromNothing) {
  EXPECT_EQ(push_at(kThickness).force, 0);
  double last = 0;
  for (const double share : {0.999, 0.9, 0.5, 0.2, 0.06}) {
    const double force = push_at(share * kThickness).force;
    EXPECT_GT(force, last);
    last = force;
  }
  EXPECT_GT(last, 10 * push_at(0.5 * kThickness).force);
}

/// The linear solver must bear it.
TEST(ContactBarrier, StaysFiniteHoweverNear) {
  EXPECT_GE(push_at(1e-12).force, push_at(0.05 * kThickness).force);
  EXPECT_LE(push_at(1e-12).stiffness, 2 * push_at(0.05 * kThickness).stiffness);
}

TEST(ContactBarrier, ClipsWhatWouldPassThrough) {
  const Stack stack = two_sheets(0.7 * kThickness);
  Held held(stack);
  for (const double drop : {0.2 * kThickness, 0.01, 1.0}) {
    std::vector<Vec3> end = stack.x;
    for (size_t i = end.size() / 2; i < end.size(); ++i) end[i].z() -= drop * (1 + 0.1 * std::sin(7.0 * i));
    const std::vector<Vec3> wanted = end;
    held.barrier.clip(stack.x, end);
    EXPECT_EQ(count_intersections(end, stack.triangles).count, 0) << drop;
    for (size_t i = end.size() / 2; i < end.size(); ++i) {
      EXPECT_LE(end[i].z(), stack.x[i].z());
      EXPECT_GT(end[i].z(), 0);
    }
    if (drop < kThickness) {
      EXPECT_EQ(end, wanted);
    }
  }
}

/// Vertices that stop where others go on meet what the whole motion would not have met.
TEST(ContactBarrier, ClipsCrumplingMotions) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> at_random(-0.03, 0.03);
  for (int k = 0; k < 30; ++k) {
    Stack stack;
    stack.add(12, Vec3::Zero(), Vec3::Zero());
    Held held(stack);
    std::vector<Vec3> end = stack.x;
    for (Vec3& x : end) x += Vec3(0.1 + at_random(random), at_random(random), at_random(random));
    held.barrier.clip(stack.x, end);
    EXPECT_EQ(count_intersections(end, stack.triangles).count, 0) << k;
  }
}

/// A sheet that moves as told cannot be stopped; what is in its way cannot help by standing still.
TEST(ContactBarrier, MissesNothingInManyCorrections) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> at_random(-1, 1);
  Stack stack;
  for (int sheet = 0; sheet < 3; ++sheet)
    stack.add(8, {0.003 * sheet, 0.002 * sheet, 1.2 * kThickness * sheet}, Vec3::Zero());
  Held held(stack);
  int touching = 0;
  for (int k = 0; k < 100; ++k) {
    const double size = k % 10 == 0 ? 3 * kThickness : 0.3 * kThickness;
    std::vector<Vec3> end = stack.x;
    for (Vec3& x : end) x += size * Vec3(at_random(random), at_random(random), at_random(random));
    held.barrier.clip(stack.x, end);
    stack.x = end;
    ASSERT_EQ(count_intersections(stack.x, stack.triangles).count, 0) << k;
    const size_t found = held.barrier.springs(stack.x).size();
    Held anew(stack);
    ASSERT_EQ(found, anew.barrier.springs(stack.x).size()) << k;
    touching += static_cast<int>(found);
  }
  EXPECT_GT(touching, 1000);
}

TEST(ContactBarrier, SaysWhatClippingCannotHelp) {
  Stack stack;
  stack.add(4, Vec3::Zero(), Vec3::Zero());
  stack.add(4, {0.003, 0.004, 0.7 * kThickness}, Vec3::Zero(), true);
  Held held(stack);
  std::vector<Vec3> end = stack.x;
  for (size_t i = end.size() / 2; i < end.size(); ++i) end[i].z() -= 0.01;
  EXPECT_FALSE(held.barrier.clip_step(end));
}

TEST(ContactBarrier, KeepsParticlesOutOfObstacles) {
  const Stack stack = two_sheets(0.7 * kThickness);
  Held held(stack);
  std::vector<PlaneContact> planes{{.particle = 3, .reach = -0.001}, {.particle = 4, .reach = 0.001}};
  held.barrier.begin_search(stack.x, planes, held.pressures);
  std::vector<Vec3> end = stack.x;
  for (size_t i = 0; i < end.size() / 2; ++i) end[i].z() -= 0.01;
  held.barrier.clip(stack.x, end);
  EXPECT_NEAR(end[3].z(), -0.001, 1e-15);
  EXPECT_NEAR(end[4].z(), 0, 1e-15);  // was inside already: no deeper
  EXPECT_NEAR(end[5].z(), -0.01, 1e-15);
}

TEST(ContactBarrier, LetsSurfacesPart) {
  const Stack stack = two_sheets(0.2 * kThickness);
  Held held(stack);
  std::vector<Vec3> end = stack.x;
  for (size_t i = end.size() / 2; i < end.size(); ++i) end[i].z() += 0.05;
  const std::vector<Vec3> wanted = end;
  held.barrier.clip(stack.x, end);
  EXPECT_EQ(end, wanted);
}

}  // namespace heddle::test
