#pragma once

#include <heddle/math/types.h>

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// A particle that touched an obstacle at the end of the last step.
struct ParticleContact {
  int particle = 0;
  int obstacle = 0;
  bool sticking = false;
  double normal_force = 0;   // N, how hard the obstacle pushed
  Vec3 slip = Vec3::Zero();  // unit direction of sliding relative to the obstacle, or zero
};

/// Everything that changes during a simulation and nothing else: a checkpoint is a State.
struct State {
  double time = 0;  // s
  std::int64_t step = 0;
  int halvings = 0;                       // of the last piece of the last step: a hint for the next
  bool tangled = true;                    // surfaces may intersect
  std::vector<Vec3> x;                    // m
  std::vector<Vec3> v;                    // m/s
  std::vector<ParticleContact> contacts;  // ascending by particle

  int particle_count() const { return static_cast<int>(x.size()); }
};

/// The part of a State that forces may see.
struct Configuration {
  std::span<const Vec3> x;
  std::span<const Vec3> v;
  double time = 0;
};

inline Configuration configuration_of(const State& state) {
  return {state.x, state.v, state.time};
}

/// Moves particles to other positions (m, of at least all particles) within a step, and their velocities with
/// them.
void displace(std::span<const Vec3> x, double dt, State& state);

/// Equal for equal bits; the promise of reproducibility is checked with it.
std::uint64_t state_hash(const State& state);

/// False if any number is infinite or not a number.
bool is_finite(const State& state);

}  // namespace heddle
