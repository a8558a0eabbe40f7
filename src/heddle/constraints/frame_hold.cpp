#include <heddle/constraints/frame_hold.h>

#include <cmath>

namespace heddle {

void FrameHold::constrain(const State& state, double dt, VelocityFilter& filter) const {
  if (release_ && state.time >= *release_) return;
  const Quat& last = state.frames[static_cast<size_t>(held_.frame)];
  Quat turn = last.conjugate() * frame_(state.time + dt);
  if (turn.w() < 0) turn.coeffs() *= -1;
  const Vec3& already = state.x[static_cast<size_t>(held_.turning)];
  // A shortest rotation that moves d3, after a turn about d3, has the half angle of the latter in z and w.
  Vec3 wanted(2 * std::atan2(turn.z(), turn.w()), 0, 0);
  if (held_.unscale) wanted = (2 / turn.w()) * turn.vec().cwiseQuotient(*held_.unscale);
  filter.fix(held_.turning, (wanted - already) / dt);
}

}  // namespace heddle
