#include <heddle/integrate/contact_couplings.h>

namespace heddle {

namespace {

/// Stiffness of springs between surfaces: they leave 1 / (1 + this) of an intrusion. Chosen on a
/// twisted sheet, see docs/models/surface_contact.md.
constexpr double kSpringStiffness = 16;

}  // namespace

PairCoupling coupling_of(const PairSpring& spring, double strength) {
  PairCoupling coupling{.rows = spring.particles, .direction = {}, .strength = strength};
  for (size_t i = 0; i < 4; ++i) coupling.direction[i] = spring.weights[i] * spring.normal;
  return coupling;
}

PairCoupling coupling_of(const Brake& brake, double strength) {
  PairCoupling coupling{.rows = {}, .direction = {}, .strength = strength};
  coupling.rows.fill(brake.particle);
  coupling.direction.fill(Vec3::Zero());
  coupling.direction[0] = brake.direction;
  return coupling;
}

double strength_of(const PairSpring& spring, std::span<const double> mass) {
  if (spring.strength > 0) return spring.strength;
  double compliance = 0;
  for (size_t i = 0; i < 4; ++i)
    compliance += spring.weights[i] * spring.weights[i] / mass[static_cast<size_t>(spring.particles[i])];
  return kSpringStiffness / compliance;
}

}  // namespace heddle
