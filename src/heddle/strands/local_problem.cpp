#include <heddle/strands/local_problem.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

int place_in(const std::vector<int>& list, int value) {
  const auto found = std::find(list.begin(), list.end(), value);
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

}  // namespace

LocalProblem::LocalProblem(const Strands& strands, std::vector<int> nodes, std::vector<int> segments)
    : nodes_(std::move(nodes)), segments_(std::move(segments)) {
  window_.materials = strands.materials;
  for (const int node : nodes_) local_node(strands, node);
  for (const int segment : segments_) local_segment(strands, segment);
  add_elements(strands);
  start_ = window_;
}

void LocalProblem::add_elements(const Strands& strands) {
  for (int s = 0; s < strands.segment_count(); ++s) {
    const auto& ends = strands.segments[at(s)].ends;
    if (contains(nodes_, ends[0]) || contains(nodes_, ends[1])) local_segment(strands, s);
  }
  for (StrandJoint joint : strands.joints) {
    if (!contains(segments_, joint.segments[0]) && !contains(segments_, joint.segments[1])) continue;
    for (int& segment : joint.segments) segment = local_segment(strands, segment);
    window_.joints.push_back(joint);
  }
}

int LocalProblem::local_node(const Strands& strands, int node) {
  const int known = place_in(all_nodes_, node);
  if (known >= 0) return known;
  all_nodes_.push_back(node);
  window_.nodes.push_back(strands.nodes[at(node)]);
  window_.nodes.back().v.setZero();
  return window_.node_count() - 1;
}

int LocalProblem::local_segment(const Strands& strands, int segment) {
  const int known = place_in(all_segments_, segment);
  if (known >= 0) return known;
  all_segments_.push_back(segment);
  StrandSegment own = strands.segments[at(segment)];
  for (int& end : own.ends) end = local_node(strands, end);
  own.spin.setZero();
  window_.segments.push_back(own);
  return window_.segment_count() - 1;
}

std::vector<Vec3> LocalProblem::elastic_forces() const {
  StrandForces forces;
  find_forces(window_, forces);
  forces.force.resize(nodes_.size());
  return forces.force;
}

std::vector<double> LocalProblem::unknowns() const {
  std::vector<double> x;
  for (size_t i = 0; i < nodes_.size(); ++i)
    x.insert(x.end(), window_.nodes[i].x.begin(), window_.nodes[i].x.end());
  for (size_t i = 0; i < segments_.size(); ++i)
    for (int k = 0; k < 4; ++k) x.push_back(window_.segments[i].frame.coeffs()[k]);
  return x;
}

void LocalProblem::set(std::span<const double> x) {
  for (size_t i = 0; i < nodes_.size(); ++i) window_.nodes[i].x = Vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
  const size_t first = 3 * nodes_.size();
  for (size_t i = 0; i < segments_.size(); ++i) {
    const double* q = x.data() + first + 4 * i;
    window_.segments[i].frame = Quat(q[3], q[0], q[1], q[2]).normalized();
  }
}

/// The inverse of what each unknown resists being moved with.
std::vector<double> LocalProblem::scales() const {
  std::vector<double> node(window_.nodes.size(), 0), frame(window_.segments.size(), 0);
  for (size_t s = 0; s < window_.segments.size(); ++s) {
    const StrandSegment& segment = window_.segments[s];
    const StrandMaterial& material = window_.materials[at(segment.material)];
    for (const int end : segment.ends)
      node[at(end)] += (material.section.stretch_stiffness() + material.penalty) / segment.length;
    frame[s] += segment.length * material.penalty;
  }
  for (const StrandJoint& joint : window_.joints)
    for (const int s : joint.segments) {
      const RodSection& section = window_.section(window_.segments[at(s)]);
      frame[at(s)] += std::max(section.bending_stiffness(), section.twist_stiffness()) / joint.length;
    }
  std::vector<double> scale;
  for (size_t i = 0; i < nodes_.size(); ++i) scale.insert(scale.end(), 3, 1 / node[i]);
  // A quaternion moves by half of the angle.
  for (size_t i = 0; i < segments_.size(); ++i) scale.insert(scale.end(), 4, 1 / (4 * frame[i]));
  return scale;
}

NonlinearCgReport LocalProblem::relax(int iterations, std::span<const Vec3> loads) {
  StrandForces forces;
  const auto energy = [&](std::span<const double> x, std::span<double> gradient) {
    set(x);
    find_forces(window_, forces);
    double sum = find_energies(window_).elastic();
    for (size_t i = 0; i < nodes_.size(); ++i) {
      sum -= loads[i].dot(window_.nodes[i].x - start_.nodes[i].x);
      const Vec3 slope = -forces.force[i] - loads[i];
      std::copy(slope.begin(), slope.end(), gradient.begin() + static_cast<std::ptrdiff_t>(3 * i));
    }
    const size_t first = 3 * nodes_.size();
    for (size_t i = 0; i < segments_.size(); ++i) {
      const Vec3& m = forces.moment[i];
      const Quat slope = window_.segments[i].frame * Quat(0, m[0], m[1], m[2]);
      const double* q = x.data() + first + 4 * i;
      const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      for (int k = 0; k < 4; ++k) gradient[first + 4 * i + at(k)] = -2 / size * slope.coeffs()[k];
    }
    return sum;
  };
  std::vector<double> x = unknowns();
  const std::vector<double> scale = scales();
  const NonlinearCgReport report = minimise({.iterations = iterations, .tolerance = 1e-10}, energy, scale, x);
  set(x);
  return report;
}

void LocalProblem::write(double share, Strands& strands) const {
  for (size_t i = 0; i < nodes_.size(); ++i)
    strands.nodes[at(nodes_[i])].x = (1 - share) * start_.nodes[i].x + share * window_.nodes[i].x;
  for (size_t i = 0; i < segments_.size(); ++i)
    strands.segments[at(segments_[i])].frame =
        start_.segments[i].frame.slerp(share, window_.segments[i].frame);
}

}  // namespace heddle
