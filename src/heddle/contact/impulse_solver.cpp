#include <heddle/contact/impulse_solver.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// The change of friction that stops `slip` (m/s), as far as the sum stays within Coulomb's cone; beyond that
/// the surfaces slide. `pressure` in N s.
Vec3 friction_change(const Vec3& slip, double effective_mass, const Friction& friction, double pressure,
                     Vec3& sum) {
  Vec3 next = sum - effective_mass * slip;
  const double length = next.norm();
  if (length > friction.resting * pressure) next *= friction.sliding * pressure / length;
  const Vec3 change = next - sum;
  sum = next;
  return change;
}

double apply(PairContact& contact, const Bodies& bodies) {
  double compliance = 0, length = 0;
  Vec3 relative = Vec3::Zero();
  for (size_t i = 0; i < 4; ++i) {
    const size_t vertex = at(contact.vertices[i]);
    const double w = contact.weights[i];
    compliance += w * w * bodies.inverse_mass[vertex];
    relative += w * bodies.velocity[vertex];
    length += w * contact.normal.dot(bodies.begin[vertex]);
  }
  if (compliance <= 0) return 0;
  const double violation = contact.reach - length - bodies.dt * contact.normal.dot(relative);
  const double before = contact.pressure;
  contact.pressure = std::max(0.0, before + violation / (bodies.dt * compliance));
  Vec3 impulse = (contact.pressure - before) * contact.normal;
  if (contact.friction.resting > 0)
    impulse += friction_change(tangential(relative, contact.normal), 1 / compliance, contact.friction,
                               contact.pressure, contact.rubbing);
  for (size_t i = 0; i < 4; ++i) {
    const size_t vertex = at(contact.vertices[i]);
    bodies.velocity[vertex] += contact.weights[i] * bodies.inverse_mass[vertex] * impulse;
  }
  return violation / contact.slack;
}

double apply(PlaneContact& contact, const Bodies& bodies) {
  const double inverse_mass = bodies.inverse_mass[at(contact.particle)];
  if (inverse_mass <= 0) return 0;
  Vec3& v = bodies.velocity[at(contact.particle)];
  const double violation =
      contact.reach - contact.normal.dot(bodies.begin[at(contact.particle)] + bodies.dt * v);
  const double before = contact.pressure;
  contact.pressure = std::max(0.0, before + violation / (bodies.dt * inverse_mass));
  Vec3 impulse = (contact.pressure - before) * contact.normal;
  if (contact.friction.resting > 0)
    impulse += friction_change(tangential(v - contact.surface_velocity, contact.normal), 1 / inverse_mass,
                               contact.friction, contact.pressure, contact.rubbing);
  v += inverse_mass * impulse;
  return violation / contact.slack;
}

}  // namespace

double apply_impulses(std::span<PairContact> pairs, std::span<PlaneContact> planes, const Bodies& bodies) {
  double worst = 0;
  for (PairContact& contact : pairs) worst = std::max(worst, apply(contact, bodies));
  for (PlaneContact& contact : planes) worst = std::max(worst, apply(contact, bodies));
  return worst;
}

}  // namespace heddle
