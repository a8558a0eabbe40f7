#include <heddle/constraints/attachment.h>

namespace heddle {

void Attachment::constrain(const State& state, double dt, VelocityFilter& filter) const {
  if (release_ && state.time >= *release_) return;
  std::vector<Vec3> places;
  places_(state.time + dt, places);
  for (size_t k = 0; k < particles_.size(); ++k)
    filter.fix(particles_[k], (places[k] - state.x[static_cast<size_t>(particles_[k])]) / dt);
}

}  // namespace heddle
