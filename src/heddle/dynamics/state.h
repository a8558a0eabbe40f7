#pragma once

#include <heddle/dynamics/body_state.h>
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

/// A state of before, as methods remember it that need more than one: as it differs from a particle that came
/// here at its present velocity. So contact may change positions and velocities, and the memory of what
/// smooth forces did stays right.
struct PastState {
  double age = 0;       // s, before now
  std::vector<Vec3> x;  // m, x(now - age) - (x - age v)
  std::vector<Vec3> v;  // m/s, v(now - age) - v
};

/// Everything that changes during a simulation and nothing else: a checkpoint is a State.
struct State {
  double time = 0;  // s
  std::int64_t step = 0;
  int halvings = 0;                       // of the last piece of the last step: a hint for the next
  bool tangled = true;                    // surfaces may intersect
  std::vector<Vec3> x;                    // m; of a turning particle: rad, see Turning
  std::vector<Vec3> v;                    // m/s; of a turning particle: rad/s
  std::vector<Quat> frames;               // of rod segments: directors d1, d2, d3 at the end of the last step
  std::vector<ParticleContact> contacts;  // ascending by particle
  std::vector<BodyState> bodies;
  std::vector<BodyContact> body_contacts;
  std::vector<JointLoad> joint_loads;  // by joint, or empty
  std::vector<PastState> past;         // newest first, as far as the integrator needs it
  std::vector<Vec3> acceleration;      // m/s2, that smooth forces gave last, if the integrator needs it
  std::vector<double> paces;           // s, steps that elements keep, if the integrator needs them

  int particle_count() const { return static_cast<int>(x.size()); }
};

/// The part of a State that forces may see.
struct Configuration {
  std::span<const Vec3> x;
  std::span<const Vec3> v;
  double time = 0;
  std::span<const Quat> frames = {};

  /// The same with other positions and velocities.
  Configuration moved(std::span<const Vec3> to, std::span<const Vec3> velocity) const {
    return {to, velocity, time, frames};
  }
};

inline Configuration configuration_of(const State& state) {
  return {state.x, state.v, state.time, state.frames};
}

/// Moves particles to other positions (m, of at least all particles) within a step, and their velocities with
/// them.
void displace(std::span<const Vec3> x, double dt, State& state);

/// Forgets what integrators remember: the next step is like the first one.
void forget_past(State& state);

/// Equal for equal bits; the promise of reproducibility is checked with it.
std::uint64_t state_hash(const State& state);

/// False if any number is infinite or not a number.
bool is_finite(const State& state);

}  // namespace heddle
