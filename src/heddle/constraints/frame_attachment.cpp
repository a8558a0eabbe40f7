#include <heddle/constraints/frame_attachment.h>

namespace heddle {

void FrameAttachment::constrain(const State& state, double dt, VelocityFilter& filter) const {
  if (release_ && state.time >= *release_) return;
  const RigidTransform frame = pose_(state.time + dt);
  for (size_t k = 0; k < particles_.size(); ++k) {
    const Vec3 target = frame.point(local_[k]);
    filter.fix(particles_[k], (target - state.x[static_cast<size_t>(particles_[k])]) / dt);
  }
}

}  // namespace heddle
