#include <heddle/dynamics/state.h>

#include <heddle/parallel/parallel.h>

#include <heddle/core/hash.h>

namespace heddle {

namespace {

void add_vectors(const std::vector<Vec3>& vectors, Hash& hash) {
  for (const Vec3& vector : vectors)
    for (double component : vector) hash.add(component);
}

void add_vector(const Vec3& vector, Hash& hash) {
  for (double component : vector) hash.add(component);
}

/// Scenes without bodies keep the hashes that they had before there were any.
void add_bodies(const State& state, Hash& hash) {
  for (const BodyState& body : state.bodies) {
    for (double component : body.rotation.coeffs()) hash.add(component);
    for (const Vec3& vector : {body.x, body.v, body.angular_momentum}) add_vector(vector, hash);
  }
  for (const BodyContact& contact : state.body_contacts) {
    hash.add_word(static_cast<std::uint64_t>(contact.first));
    hash.add_word(static_cast<std::uint64_t>(contact.second));
    for (const Vec3& vector : {contact.place, contact.force}) add_vector(vector, hash);
  }
  for (const JointLoad& load : state.joint_loads)
    for (const Vec3& vector : {load.force, load.torque}) add_vector(vector, hash);
}

}  // namespace

void displace(std::span<const Vec3> x, double dt, State& state) {
  parallel_for(state.particle_count(), [&](int i) {
    const auto k = static_cast<size_t>(i);
    state.v[k] += (x[k] - state.x[k]) / dt;
    state.x[k] = x[k];
  });
}

void forget_past(State& state) {
  state.past.clear();
  state.acceleration.clear();
  state.paces.clear();
}

std::uint64_t state_hash(const State& state) {
  Hash hash;
  hash.add(state.time);
  hash.add_word(static_cast<std::uint64_t>(state.step));
  hash.add_word(static_cast<std::uint64_t>(state.halvings));
  hash.add_word(static_cast<std::uint64_t>(state.tangled));
  for (const auto* vectors : {&state.x, &state.v}) add_vectors(*vectors, hash);
  for (const Quat& frame : state.frames)
    for (double component : frame.coeffs()) hash.add(component);
  for (const ParticleContact& contact : state.contacts) {
    hash.add_word(static_cast<std::uint64_t>(contact.particle));
    hash.add_word(static_cast<std::uint64_t>(contact.obstacle) * 2 + (contact.sticking ? 1 : 0));
    hash.add(contact.normal_force);
    for (double component : contact.slip) hash.add(component);
  }
  // What no integrator remembers does not count, so that the hashes of one-step methods stay what they were.
  for (const PastState& past : state.past) {
    hash.add(past.age);
    for (const auto* vectors : {&past.x, &past.v}) add_vectors(*vectors, hash);
  }
  add_vectors(state.acceleration, hash);
  for (const double pace : state.paces) hash.add(pace);
  add_bodies(state, hash);
  return hash.value();
}

bool is_finite(const State& state) {
  double sum = 0;  // any infinity or NaN survives multiplication by zero
  for (const auto* vectors : {&state.x, &state.v})
    for (const Vec3& vector : *vectors) sum += (0.0 * vector).sum();
  for (const Quat& frame : state.frames) sum += (0.0 * frame.coeffs()).sum();
  for (const BodyState& body : state.bodies) {
    sum += (0.0 * body.rotation.coeffs()).sum();
    for (const Vec3& vector : {body.x, body.v, body.angular_momentum}) sum += (0.0 * vector).sum();
  }
  return sum == 0.0;
}

}  // namespace heddle
