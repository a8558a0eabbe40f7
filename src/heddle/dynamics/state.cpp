#include <heddle/dynamics/state.h>

#include <heddle/parallel/parallel.h>

#include <heddle/core/hash.h>

namespace heddle {

void displace(std::span<const Vec3> x, double dt, State& state) {
  parallel_for(state.particle_count(), [&](int i) {
    const auto k = static_cast<size_t>(i);
    state.v[k] += (x[k] - state.x[k]) / dt;
    state.x[k] = x[k];
  });
}

std::uint64_t state_hash(const State& state) {
  Hash hash;
  hash.add(state.time);
  hash.add_word(static_cast<std::uint64_t>(state.step));
  hash.add_word(static_cast<std::uint64_t>(state.halvings));
  hash.add_word(static_cast<std::uint64_t>(state.tangled));
  for (const auto* vectors : {&state.x, &state.v})
    for (const Vec3& vector : *vectors)
      for (double component : vector) hash.add(component);
  for (const ParticleContact& contact : state.contacts) {
    hash.add_word(static_cast<std::uint64_t>(contact.particle));
    hash.add_word(static_cast<std::uint64_t>(contact.obstacle) * 2 + (contact.sticking ? 1 : 0));
    hash.add(contact.normal_force);
    for (double component : contact.slip) hash.add(component);
  }
  return hash.value();
}

bool is_finite(const State& state) {
  double sum = 0;  // any infinity or NaN survives multiplication by zero
  for (const auto* vectors : {&state.x, &state.v})
    for (const Vec3& vector : *vectors) sum += (0.0 * vector).sum();
  return sum == 0.0;
}

}  // namespace heddle
