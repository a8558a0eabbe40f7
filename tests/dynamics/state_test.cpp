#include <heddle/dynamics/state.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>

namespace heddle {
namespace {

State sample() {
  State state;
  state.time = 0.5;
  state.step = 50;
  state.x = {Vec3(1, 2, 3), Vec3(4, 5, 6)};
  state.v = {Vec3(0.1, 0.2, 0.3), Vec3(0.4, 0.5, 0.6)};
  state.contacts = {
      {.particle = 1, .obstacle = 0, .sticking = true, .normal_force = 2, .slip = Vec3(1, 0, 0)}};
  state.past = {{.age = 0.01, .x = {Vec3(1, 0, 0), Vec3::Zero()}, .v = {Vec3(0, 1, 0), Vec3::Zero()}}};
  state.acceleration = {Vec3(0, 0, 1), Vec3::Zero()};
  return state;
}

TEST(StateHash, EqualStatesAreEqual) {
  EXPECT_EQ(state_hash(sample()), state_hash(sample()));
}

TEST(StateHash, SeesTheSmallestChangeOfEveryMember) {
  const std::function<void(State&)> changes[] = {
      [](State&) {},
      [](State& s) { s.time = std::nextafter(s.time, 1); },
      [](State& s) { ++s.step; },
      [](State& s) { s.x[1].z() = std::nextafter(s.x[1].z(), 7); },
      [](State& s) { s.v[0].x() = std::nextafter(s.v[0].x(), 1); },
      [](State& s) { std::swap(s.x[0], s.x[1]); },
      [](State& s) { std::swap(s.x, s.v); },
      [](State& s) { s.contacts[0].particle = 0; },
      [](State& s) { s.contacts[0].obstacle = 1; },
      [](State& s) { s.contacts[0].sticking = false; },
      [](State& s) { s.contacts[0].normal_force = std::nextafter(2.0, 3.0); },
      [](State& s) { s.contacts[0].slip = Vec3(0, 1, 0); },
      [](State& s) { s.contacts.clear(); },
      [](State& s) { s.past[0].age = std::nextafter(0.01, 1.0); },
      [](State& s) { s.past[0].x[0].x() = std::nextafter(1.0, 2.0); },
      [](State& s) { s.past[0].v[0].y() = std::nextafter(1.0, 2.0); },
      [](State& s) { s.acceleration[0].z() = std::nextafter(1.0, 2.0); },
      [](State& s) { forget_past(s); },
  };
  std::set<std::uint64_t> hashes;
  for (const auto& change : changes) {
    State state = sample();
    change(state);
    hashes.insert(state_hash(state));
  }
  EXPECT_EQ(hashes.size(), std::size(changes));
}

TEST(IsFinite, FindsOneBadNumberAnywhere) {
  EXPECT_TRUE(is_finite(sample()));
  EXPECT_TRUE(is_finite(State{}));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    for (int component = 0; component < 3; ++component) {
      State state = sample();
      state.x[1][component] = bad;
      EXPECT_FALSE(is_finite(state));
      state = sample();
      state.v[0][component] = bad;
      EXPECT_FALSE(is_finite(state));
    }
}

TEST(IsFinite, OppositeInfinitiesDoNotCancel) {
  State state = sample();
  state.x[0] = Vec3(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), 0);
  EXPECT_FALSE(is_finite(state));
}

TEST(IsFinite, LargeNumbersAreFinite) {
  State state = sample();
  state.x[0] = Vec3::Constant(std::numeric_limits<double>::max());
  EXPECT_TRUE(is_finite(state));
}

}  // namespace
}  // namespace heddle
