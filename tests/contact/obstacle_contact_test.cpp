#include <heddle/contact/obstacle_contact.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {
namespace {

constexpr double kMass = 0.1;        // kg
constexpr double kClearance = 1e-3;  // m
constexpr double kStep = 1e-3;       // s
constexpr double kGravity = 9.81;    // m/s2

/// One particle against one obstacle, with the simplest integrator that knows constraints.
class Particle {
 public:
  Particle(Obstacle obstacle, double friction)
      : contact_({std::move(obstacle)}, {{kClearance, friction}}, {kMass}) {
    state.x = {Vec3::Zero()};
    state.v = {Vec3::Zero()};
  }

  void run(double seconds) {
    for (int i = 0; i < std::lround(seconds / kStep); ++i) step();
  }

  void step() {
    contact_.detect(state, kStep, gravity);
    VelocityFilter filter(1);
    std::vector<Vec3> load(1, Vec3::Zero());
    contact_.respond(filter, load);
    const Vec3 free = state.v[0] + kStep * (gravity + load[0] / kMass);
    state.v[0] = free;
    filter.impose(state.v);
    const std::vector<Vec3> reaction{kMass * (state.v[0] - free) / kStep};
    state.x[0] += kStep * state.v[0];
    contact_.correct(reaction, kStep, state);
    state.time += kStep;
  }

  State state;
  Vec3 gravity{0, 0, -kGravity};

 private:
  ObstacleContact contact_;
};

Obstacle floor_with(double friction) {
  return {"floor", Plane{}, {}, friction};
}

TEST(ObstacleContact, ParticleFallsAndRestsOnTheFloor) {
  Particle particle(floor_with(0.3), 0.3);
  particle.state.x[0].z() = 0.05;
  for (int i = 0; i < 300; ++i) {
    particle.step();
    ASSERT_GE(particle.state.x[0].z(), kClearance - 1e-12) << "step " << i;
  }
  EXPECT_NEAR(particle.state.x[0].z(), kClearance, 1e-9);
  EXPECT_NEAR(particle.state.v[0].norm(), 0, 1e-9);
  ASSERT_EQ(particle.state.contacts.size(), 1u);
  EXPECT_NEAR(particle.state.contacts[0].normal_force, kMass * kGravity, 1e-9);
}

TEST(ObstacleContact, SlidingStopsAfterTheDistanceOfCoulomb) {
  Particle particle(floor_with(0.4), 0.1);  // the pair has the geometric mean, 0.2
  particle.state.x[0].z() = kClearance;
  particle.state.v[0].x() = 1;
  particle.run(1);
  EXPECT_NEAR(particle.state.x[0].x(), 1 / (2 * 0.2 * kGravity), 2e-3);
  EXPECT_NEAR(particle.state.v[0].norm(), 0, 1e-9);
  EXPECT_TRUE(particle.state.contacts.at(0).sticking);
}

TEST(ObstacleContact, SteepSlopesSlideAndGentleOnesHold) {
  constexpr double kFriction = 0.5;
  for (const double slope : {0.4, 0.6}) {  // tangent of the angle
    Particle particle(floor_with(kFriction), kFriction);
    particle.state.x[0].z() = kClearance;
    particle.gravity = kGravity * Vec3(slope, 0, -1).normalized();
    particle.run(0.5);
    const double cosine = 1 / std::sqrt(1 + slope * slope);
    const double acceleration = slope > kFriction ? kGravity * cosine * (slope - kFriction) : 0;
    EXPECT_NEAR(particle.state.v[0].x(), 0.5 * acceleration, 0.02 * kGravity * 0.5 * cosine) << slope;
  }
}

TEST(ObstacleContact, WithoutFrictionNothingBrakes) {
  Particle particle(floor_with(0), 0.5);
  particle.state.x[0].z() = kClearance;
  particle.state.v[0].x() = 1;
  particle.run(0.5);
  EXPECT_NEAR(particle.state.v[0].x(), 1, 1e-12);
}

TEST(ObstacleContact, RisingFloorCarriesTheParticle) {
  Obstacle lift = floor_with(0.3);
  lift.motion.translation.times = {0, 1};
  lift.motion.translation.values = {Vec3(0, 0, 0), Vec3(0.2, 0, 0.5)};
  Particle particle(lift, 0.3);
  particle.state.x[0].z() = kClearance;
  particle.run(0.9);
  EXPECT_NEAR(particle.state.x[0].z(), 0.45 + kClearance, 1e-6);
  EXPECT_NEAR(particle.state.v[0].x(), 0.2, 1e-6);
}

TEST(ObstacleContact, FloorThatDropsAwayLetsGo) {
  Obstacle trap = floor_with(0.3);
  trap.motion.translation.times = {0, 0.1};
  trap.motion.translation.values = {Vec3(0, 0, 0), Vec3(0, 0, -5)};
  Particle particle(trap, 0.3);
  particle.state.x[0].z() = kClearance;
  particle.run(0.1);
  EXPECT_NEAR(particle.state.v[0].z(), -0.1 * kGravity, 1e-2);
  EXPECT_TRUE(particle.state.contacts.empty());
}

TEST(ObstacleContact, FastParticleIsStoppedAtABall) {
  Particle particle({"ball", Sphere{0.1}, {}, 0.0}, 0.0);
  particle.state.x[0] = Vec3(0, 0, 0.15);
  particle.state.v[0] = Vec3(0, 0, -40);  // 0.04 m a step
  for (int i = 0; i < 5; ++i) {
    particle.step();
    ASSERT_GE(particle.state.x[0].norm(), 0.1 + kClearance - 1e-9);
  }
}

}  // namespace
}  // namespace heddle
