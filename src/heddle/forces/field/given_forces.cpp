#include <heddle/forces/field/given_forces.h>

#include <heddle/core/check.h>

namespace heddle {

void GivenForces::add_force(const Configuration&, std::span<Vec3> force) const {
  if (forces_->empty()) return;
  HEDDLE_CHECK_EQ(forces_->size(), force.size());
  for (size_t i = 0; i < force.size(); ++i) force[i] += (*forces_)[i];
}

}  // namespace heddle
