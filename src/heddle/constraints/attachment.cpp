#include <heddle/constraints/attachment.h>

namespace heddle {

void Attachment::constrain(const State& state, double dt, VelocityFilter& filter) const {
  if (release_ && state.time >= *release_) return;
  constexpr double kFastestReturn = 3;  // m/s, of what a hand has pulled away
  std::vector<Vec3> begin, end;
  places_(state.time, begin);
  places_(state.time + dt, end);
  for (size_t k = 0; k < particles_.size(); ++k) {
    const Vec3 off = (begin[k] - state.x[static_cast<size_t>(particles_[k])]) / dt;
    const double speed = off.norm();
    const Vec3 back = speed > kFastestReturn ? Vec3(kFastestReturn / speed * off) : off;
    filter.fix(particles_[k], (end[k] - begin[k]) / dt + back);
  }
}

}  // namespace heddle
