#include <heddle/forces/rod/rod_turning.h>

#include <heddle/forces/rod/rod_segment.h>
#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::vector<int> turning_of(const std::vector<RodSegment>& segments) {
  std::vector<int> particles;
  for (const RodSegment& segment : segments) particles.push_back(segment.turning);
  return particles;
}

}  // namespace

Quat exact_frame(const RodSegment& segment, const Configuration& q) {
  const Quat& last = q.frames[at(segment.frame)];
  const Vec3 edge = last.conjugate() * (q.x[at(segment.ends[1])] - q.x[at(segment.ends[0])]);
  const auto now = rod::segment_now(rod::triple_of(edge), q.x[at(segment.turning)][0]);
  return (last * rod::quat_of(now.turn)).normalized();
}

ExactTurning::ExactTurning(std::vector<RodSegment> segments)
    : segments_(std::move(segments)), particles_(turning_of(segments_)) {}

void ExactTurning::take_up(State& state) const {
  parallel_for(static_cast<int>(segments_.size()), [&](int k) {
    const RodSegment& segment = segments_[at(k)];
    state.frames[at(segment.frame)] = exact_frame(segment, configuration_of(state));
    state.x[at(segment.turning)].setZero();
  });
}

CordeTurning::CordeTurning(std::vector<RodSegment> segments, const Vec3& unscale)
    : segments_(std::move(segments)), particles_(turning_of(segments_)), unscale_(unscale) {}

void CordeTurning::take_up(State& state) const {
  parallel_for(static_cast<int>(segments_.size()), [&](int k) {
    const RodSegment& segment = segments_[at(k)];
    Vec3& x = state.x[at(segment.turning)];
    const Vec3 half = 0.5 * unscale_.cwiseProduct(x);
    Quat& frame = state.frames[at(segment.frame)];
    frame = (frame * Quat(1, half[0], half[1], half[2])).normalized();
    x.setZero();
  });
}

}  // namespace heddle
