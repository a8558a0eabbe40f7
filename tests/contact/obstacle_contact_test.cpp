#include <heddle/contact/obstacle_contact.h>
#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

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
      : contact_({std::move(obstacle)}, {{kClearance, {{friction, friction}}}}, {kMass}) {
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
    contact_.respond(state, kStep, filter, load);
    const Vec3 free = held_at ? Vec3((*held_at - state.x[0]) / kStep)
                              : Vec3(state.v[0] + kStep * (gravity + load[0] / kMass));
    state.v[0] = free;
    filter.impose(state.v);
    const std::vector<Vec3> reaction{kMass * (state.v[0] - free) / kStep}, begin = state.x;
    state.x[0] += kStep * state.v[0];
    contact_.correct(reaction, begin, kStep, state);
    state.time += kStep;
  }

  State state;
  Vec3 gravity{0, 0, -kGravity};
  std::optional<Vec3> held_at;  // by something else than the obstacle

 private:
  ObstacleContact contact_;
};

Obstacle floor_with(double friction) {
  return {"floor", Plane{}, {}, {{friction, friction}}};
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

TEST(ObstacleContact, LeavesAloneWhatSomethingElseHoldsJustAbove) {
  Particle particle(floor_with(0.3), 0.3);
  particle.gravity.z() = -1000;
  const double height = kClearance + 0.4 * 1000 * kStep * kStep;  // it would fall farther in a step
  particle.held_at = particle.state.x[0] = Vec3(0, 0, height);
  particle.run(10 * kStep);  // foreseen to fall, held, found pulling, let go
  for (int i = 0; i < 10; ++i) {
    particle.step();
    EXPECT_DOUBLE_EQ(particle.state.x[0].z(), height) << "step " << i;
  }
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

/// 5000 particles in rows at growing height above two floors and beside a ball.
struct Crowd {
  Crowd() {
    for (int i = 0; i < 5000; ++i) {
      state.x.emplace_back(0.01 * (i % 100), 0.01 * (i / 100), 1e-5 * i);
      state.v.emplace_back(0, 0, i % 7 == 0 ? -10.0 : 0.0);
    }
  }
  std::vector<PlaneContact> planes(ObstacleContact& contact) {
    contact.detect(state, kStep, Vec3::Zero());
    VelocityFilter filter(state.particle_count());
    filter.fix(11, Vec3::Zero());
    std::vector<Vec3> load(state.x.size(), Vec3::Zero());
    contact.respond(state, kStep, filter, load);
    std::vector<PlaneContact> found(3);  // what was there before must vanish
    contact.find_planes(state, kStep, found);
    return found;
  }
  ObstacleContact contact() const {
    const Obstacle ball{"ball", Sphere{.radius = 0.3}, {}, 0.2};
    return {{floor_with(0.3), ball, floor_with(0.5)},
            std::vector<ContactSurface>(state.x.size(), {kClearance, {{0.3, 0.3}}}),
            std::vector<double>(state.x.size(), kMass)};
  }
  State state;
};

TEST(ObstacleContact, PlanesComeByObstacleAndParticle) {
  Crowd crowd;
  ObstacleContact contact = crowd.contact();
  std::vector<PlaneContact> planes = crowd.planes(contact);
  std::vector<int> expected;  // on a floor: within 1 cm, the clearance and the way of the step
  for (int i = 0; i < 5000; ++i)
    if (i != 11 && 1e-5 * i <= 0.01 + kClearance + kStep * (i % 7 == 0 ? 10 : 0)) expected.push_back(i);
  ASSERT_GT(expected.size(), 1024u);
  ASSERT_GT(planes.size(), 2 * expected.size() + 100);
  const auto last_floor = planes.end() - static_cast<std::ptrdiff_t>(expected.size());
  for (size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(planes[k].particle, expected[k]);
    EXPECT_EQ(last_floor[static_cast<std::ptrdiff_t>(k)].particle, expected[k]);
  }
  EXPECT_GT(last_floor->friction.sliding, planes.front().friction.sliding);
  crowd.state.x.assign(5000, Vec3(0, 0, 1));
  EXPECT_TRUE(crowd.planes(contact).empty());
}

TEST(ObstacleContact, PlanesDoNotDependOnThreads) {
  std::vector<std::vector<PlaneContact>> found;
  for (const int threads : {1, 2, 3})
    ThreadPool(threads).run([&] {
      Crowd crowd;
      ObstacleContact contact = crowd.contact();
      found.push_back(crowd.planes(contact));
    });
  for (const auto& planes : found) {
    ASSERT_EQ(planes.size(), found[0].size());
    for (size_t k = 0; k < planes.size(); ++k) {
      EXPECT_EQ(planes[k].particle, found[0][k].particle);
      EXPECT_EQ(planes[k].reach, found[0][k].reach);
      EXPECT_EQ(planes[k].surface_velocity, found[0][k].surface_velocity);
    }
  }
}

}  // namespace
}  // namespace heddle
