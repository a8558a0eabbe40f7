#include <heddle/strands/engine.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Of the processor, so that other programs hardly matter.
double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

void StrandEngine::turn_frames(double dt) {
  const double step = dt / turning_substeps;
  for (int k = 0; k < turning_substeps; ++k) {
    if (k > 0) find_moments(strands, forces_);
    for (size_t i = 0; i < strands.segments.size(); ++i) {
      StrandSegment& s = strands.segments[i];
      if (!s.held) {
        Vec3 moment = forces_.moment[i];
        if (gyroscopic) moment -= s.spin.cross(s.inertia.cwiseProduct(s.spin));
        s.spin += step * moment.cwiseQuotient(s.inertia);
      }
      const Vec3 half = 0.5 * step * s.spin;
      s.frame = (s.frame * Quat(1, half[0], half[1], half[2])).normalized();
    }
  }
}

void StrandEngine::move_nodes(double dt) {
  before_.resize(strands.nodes.size());
  for (size_t i = 0; i < strands.nodes.size(); ++i) {
    StrandNode& node = strands.nodes[i];
    before_[i] = node.x;
    if (!node.held) node.v += dt * (forces_.force[i] / node.mass + gravity);
    node.x += dt * node.v;
  }
}

void StrandEngine::respond(double dt, StrandStepReport& report) {
  report.contact = contact_.resolve(strands, before_);
  if (report.contact.contacts == 0) return;
  for (size_t i = 0; i < strands.nodes.size(); ++i)
    if (!strands.nodes[i].held) strands.nodes[i].v = (strands.nodes[i].x - before_[i]) / dt;
  note_touches();
}

void StrandEngine::note_touches() {
  for (const StrandTouch& touch : contact_.touches())
    if (touch.node < 0 && touch.pushed > 0)
      for (size_t k = 0; k < 2; ++k)
        strands.segments[at(touch.segments[k])].touched[touch.place[k] > 0.5 ? 1 : 0] = time_;
}

StrandStepReport StrandEngine::step(double dt) {
  StrandStepReport report;
  if (prescribe) prescribe(time_, strands);
  auto start = std::clock();
  find_forces(strands, forces_);
  turn_frames(dt);
  move_nodes(dt);
  time_ += dt;
  ++steps_;
  report.force_seconds = seconds_since(start);
  respond(dt, report);
  if (adaptivity && steps_ % adaptivity->every == 0) {
    start = std::clock();
    adapt(dt, report);
    report.refine_seconds = seconds_since(start);
  }
  return report;
}

void StrandEngine::find_bends() {
  bend_.assign(strands.segments.size(), 0);
  for (const StrandJoint& joint : strands.joints) {
    const double bend = bend_of(strands, joint).norm();
    for (const int s : joint.segments) bend_[at(s)] = std::max(bend_[at(s)], bend);
  }
}

bool StrandEngine::touches(int segment, int half, double within) const {
  return strands.segments[at(segment)].touched[at(half)] > time_ - within;
}

MovingSide StrandEngine::freer_side(int segment, int other) const {
  const double within = adaptivity->merge_time;
  return touches(segment, 0, within) && !touches(other, 1, within) ? MovingSide::right : MovingSide::left;
}

bool StrandEngine::wants_split(int segment, double interval) const {
  constexpr double kRounding = 1e-9;
  const StrandSegment& s = strands.segments[at(segment)];
  if (s.held || s.length < 2 * adaptivity->shortest * (1 - kRounding)) return false;
  return bend_[at(segment)] > adaptivity->refine_angle ||
         (touches(segment, 0, interval) && touches(segment, 1, interval));
}

bool StrandEngine::wants_merge(const StrandJoint& joint) const {
  constexpr double kRounding = 1e-9;
  const auto [a, b] = joint.segments;
  const StrandSegment &first = strands.segments[at(a)], &second = strands.segments[at(b)];
  if (first.ends[1] != second.ends[0] || strands.nodes[at(first.ends[1])].initial) return false;
  if (first.length + second.length > adaptivity->longest * (1 + kRounding)) return false;
  for (const int s : {a, b})
    for (const int half : {0, 1})
      if (touches(s, half, adaptivity->merge_time)) return false;
  return bend_[at(a)] < adaptivity->merge_angle && bend_[at(b)] < adaptivity->merge_angle;
}

void StrandEngine::merge_where_wanted(StrandStepReport& report) {
  const StrandGuard guard = [this](const Strands& now, std::span<const int> segments) {
    return contact_.deepest_of(now, segments) <= contact_.options().tolerance;
  };
  for (size_t j = 0; j < strands.joints.size(); ++j) {
    const StrandJoint& joint = strands.joints[j];
    if (!wants_merge(joint)) continue;
    const auto [a, b] = joint.segments;
    const auto merged = merge_segments(strands, a, freer_side(a, b), adaptivity->options, guard);
    if (!merged) continue;
    ++report.merged;
    report.cg_iterations += merged->iterations;
    find_bends();
  }
}

void StrandEngine::adapt(double dt, StrandStepReport& report) {
  const StrandGuard guard = [this](const Strands& now, std::span<const int> segments) {
    return contact_.deepest_of(now, segments) <= contact_.options().tolerance;
  };
  find_bends();
  const double interval = (adaptivity->every + 0.5) * dt;
  const int count = strands.segment_count();
  for (int s = 0; s < count; ++s) {
    if (!wants_split(s, interval)) continue;
    const RefinementReport split = split_segment(strands, s, freer_side(s, s), adaptivity->options, guard);
    // Contact of a half is that of the old segment there.
    StrandSegment &first = strands.segments[at(s)], &second = strands.segments.back();
    const auto touched = first.touched;
    first.touched = {touched[0], touched[0]};
    second.touched = {touched[1], touched[1]};
    ++report.split;
    report.cg_iterations += split.iterations;
  }
  if (report.split > 0) find_bends();
  merge_where_wanted(report);
  if (report.split + report.merged > 0) contact_.search().forget();
}

}  // namespace heddle
