#include <heddle/strands/refinement.h>

#include <heddle/core/check.h>
#include <heddle/strands/local_problem.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// The joint at which a segment follows another one of its rod; -1 if there is none.
int joint_before(const Strands& strands, int segment) {
  for (size_t j = 0; j < strands.joints.size(); ++j)
    if (strands.joints[j].segments[1] == segment) {
      const StrandSegment& before = strands.segments[at(strands.joints[j].segments[0])];
      if (before.ends[1] == strands.segments[at(segment)].ends[0]) return static_cast<int>(j);
    }
  return -1;
}

/// Joints at a node of a segment, as that one's share.
std::vector<int> joints_at_end(const Strands& strands, int segment, int node) {
  std::vector<int> found;
  for (size_t j = 0; j < strands.joints.size(); ++j) {
    const auto [a, b] = strands.joints[j].segments;
    if (a != segment && b != segment) continue;
    const auto& other = strands.segments[at(a == segment ? b : a)].ends;
    if (other[0] == node || other[1] == node) found.push_back(static_cast<int>(j));
  }
  return found;
}

int degree_of(const Strands& strands, int node) {
  int count = 0;
  for (const StrandSegment& s : strands.segments) count += (s.ends[0] == node) + (s.ends[1] == node);
  return count;
}

void set_length(Strands& strands, int segment, double length) {
  StrandSegment& s = strands.segments[at(segment)];
  s.length = length;
  s.inertia = strand_inertia(strands.materials[at(s.material)], length);
}

void set_joint_lengths(Strands& strands, int segment) {
  for (StrandJoint& joint : strands.joints)
    if (joint.segments[0] == segment || joint.segments[1] == segment)
      joint.length = 0.5 * (strands.segments[at(joint.segments[0])].length +
                            strands.segments[at(joint.segments[1])].length);
}

/// u at rest in the middle of a segment: the mean of that of its joints along the rod.
Vec3 rest_along(const Strands& strands, int segment) {
  const int before = joint_before(strands, segment), behind = joint_behind(strands, segment);
  Vec3 sum = Vec3::Zero();
  for (const int joint : {before, behind})
    if (joint >= 0) sum += strands.joints[at(joint)].rest;
  return before >= 0 && behind >= 0 ? Vec3(0.5 * sum) : sum;
}

/// Cuts the segment in the middle; the new half follows it. Returns the new node.
int insert_node(Strands& strands, int segment) {
  const Vec3 rest = rest_along(strands, segment);
  const int node = strands.node_count(), half = strands.segment_count();
  StrandSegment second = strands.segments[at(segment)];
  const auto [a, b] = second.ends;
  const std::vector<int> behind = joints_at_end(strands, segment, b);
  const StrandNode &first_end = strands.nodes[at(a)], &last_end = strands.nodes[at(b)];
  StrandNode middle{.x = 0.5 * (first_end.x + last_end.x),
                    .v = 0.5 * (first_end.v + last_end.v),
                    .radius = strands.section(second).radius,
                    .initial = false};
  const double quarter = 0.25 * second.length * strands.section(second).line_density();
  middle.mass = 2 * quarter;
  strands.nodes[at(a)].mass -= quarter;
  strands.nodes[at(b)].mass -= quarter;
  strands.nodes.push_back(middle);
  second.ends = {node, b};
  strands.segments[at(segment)].ends = {a, node};
  strands.segments.push_back(second);
  for (const int j : behind)
    for (int& side : strands.joints[at(j)].segments)
      if (side == segment) side = half;
  strands.joints.push_back({{segment, half}, 0, rest});
  for (const int s : {segment, half}) set_length(strands, s, 0.5 * second.length);
  for (const int s : {segment, half}) set_joint_lengths(strands, s);
  return node;
}

void remove_node(Strands& strands, int node) {
  const int last = strands.node_count() - 1;
  strands.nodes[at(node)] = strands.nodes.back();
  strands.nodes.pop_back();
  for (StrandSegment& s : strands.segments)
    for (int& end : s.ends)
      if (end == last) end = node;
}

void remove_segment(Strands& strands, int segment) {
  const int last = strands.segment_count() - 1;
  strands.segments[at(segment)] = strands.segments.back();
  strands.segments.pop_back();
  for (StrandJoint& joint : strands.joints)
    for (int& side : joint.segments)
      if (side == last) side = segment;
}

/// What nodes of one segment are loaded with for each kg of mass: what they resist, unless they are held.
Vec3 load_per_mass(const Strands& strands, int node) {
  if (strands.nodes[at(node)].held) return Vec3::Zero();
  const LocalProblem here(strands, {node}, {});
  return -here.elastic_forces()[0] / strands.nodes[at(node)].mass;
}

/// Loads of both ends for each kg; a held end has that of the other.
std::array<Vec3, 2> loads_of_ends(const Strands& strands, const std::array<int, 2>& ends) {
  std::array<Vec3, 2> load{load_per_mass(strands, ends[0]), load_per_mass(strands, ends[1])};
  for (size_t k = 0; k < 2; ++k)
    if (strands.nodes[at(ends[k])].held) load[k] = load[1 - k];
  return load;
}

/// The neighbour that moves: the wanted one, or the other one if that is held or has no segment behind it.
int moving_node(const Strands& strands, int left, int right, MovingSide side) {
  const auto may = [&](int node) { return !strands.nodes[at(node)].held && degree_of(strands, node) == 2; };
  if (side == MovingSide::neither) return -1;
  const int first = side == MovingSide::left ? left : right, other = side == MovingSide::left ? right : left;
  return may(first) ? first : may(other) ? other : -1;
}

/// Relaxes, and goes back as far as the guard wants. False if it accepts nothing.
bool relax_guarded(Strands& strands, LocalProblem& problem, std::span<const Vec3> loads,
                   const RefinementOptions& options, const StrandGuard& guard, RefinementReport& report) {
  if (options.variational) {
    const NonlinearCgReport relaxed = problem.relax(options.iterations, loads);
    report = {relaxed.first, relaxed.last, relaxed.iterations};
  }
  for (const double share : {1.0, 0.5, 0.25, 0.0}) {
    problem.write(options.variational ? share : 0, strands);
    if (!guard || guard(strands, problem.touched())) return true;
  }
  return false;
}

/// Frames that may turn.
std::vector<int> free_frames(const Strands& strands, std::initializer_list<int> segments) {
  std::vector<int> free;
  for (const int s : segments)
    if (s >= 0 && !strands.segments[at(s)].held && std::find(free.begin(), free.end(), s) == free.end())
      free.push_back(s);
  return free;
}

/// Makes one segment of two; the node between them and the second one have nothing to do any more.
void join(Strands& strands, int segment, int joint) {
  const int other = strands.joints[at(joint)].segments[1];
  const StrandSegment a = strands.segments[at(segment)], b = strands.segments[at(other)];
  const Vec3 v = strands.nodes[at(a.ends[1])].v;
  const double line = strands.section(a).line_density(), length = a.length + b.length;
  StrandNode &first = strands.nodes[at(a.ends[0])], &last = strands.nodes[at(b.ends[1])];
  first.mass += 0.5 * line * b.length;
  last.mass += 0.5 * line * a.length;
  const Vec3 lost = 0.5 * line * (length * v - b.length * first.v - a.length * last.v);
  const double bearing = (first.held ? 0 : first.mass) + (last.held ? 0 : last.mass);
  for (StrandNode* end : {&first, &last})
    if (!end->held) end->v += lost / bearing;
  StrandSegment& joined = strands.segments[at(segment)];
  joined.ends[1] = b.ends[1];
  joined.frame = a.frame.slerp(b.length / length, b.frame);
  joined.spin = (a.length * a.spin + b.length * b.spin) / length;
  set_length(strands, segment, length);
  strands.joints.erase(strands.joints.begin() + joint);
  for (StrandJoint& each : strands.joints)
    for (int& s : each.segments)
      if (s == other) s = segment;
  set_joint_lengths(strands, segment);
}

bool may_join(const Strands& strands, const StrandSegment& a, const StrandSegment& b) {
  const StrandNode& node = strands.nodes[at(a.ends[1])];
  return !node.initial && !node.held && !a.held && !b.held && a.ends[0] != b.ends[1] &&
         a.material == b.material && degree_of(strands, a.ends[1]) == 2;
}

int segment_behind(const Strands& strands, int segment) {
  const int joint = joint_behind(strands, segment);
  return joint < 0 ? -1 : strands.joints[at(joint)].segments[1];
}

int segment_before(const Strands& strands, int segment) {
  const int joint = joint_before(strands, segment);
  return joint < 0 ? -1 : strands.joints[at(joint)].segments[0];
}

}  // namespace

int joint_behind(const Strands& strands, int segment) {
  for (size_t j = 0; j < strands.joints.size(); ++j)
    if (strands.joints[j].segments[0] == segment) {
      const StrandSegment& behind = strands.segments[at(strands.joints[j].segments[1])];
      if (behind.ends[0] == strands.segments[at(segment)].ends[1]) return static_cast<int>(j);
    }
  return -1;
}

RefinementReport split_segment(Strands& strands, int segment, MovingSide side,
                               const RefinementOptions& options, const StrandGuard& guard) {
  const auto [left, right] = strands.segments[at(segment)].ends;
  const auto load = loads_of_ends(strands, {left, right});
  const int node = insert_node(strands, segment), half = strands.segment_count() - 1;
  std::vector<int> nodes{node};
  std::vector<Vec3> loads{strands.nodes[at(node)].mass * 0.5 * (load[0] + load[1])};
  const int mover = moving_node(strands, left, right, side);
  int beyond = -1;
  if (mover >= 0) {
    beyond = mover == left ? segment_before(strands, segment) : segment_behind(strands, half);
    nodes.push_back(mover);
    loads.push_back(strands.nodes[at(mover)].mass * load[mover == left ? 0 : 1]);
  }
  LocalProblem problem(strands, nodes, free_frames(strands, {segment, half, beyond}));
  RefinementReport report;
  relax_guarded(strands, problem, loads, options, guard, report);
  return report;
}

std::optional<RefinementReport> merge_segments(Strands& strands, int segment, MovingSide side,
                                               const RefinementOptions& options, const StrandGuard& guard) {
  const int joint = joint_behind(strands, segment);
  if (joint < 0) return std::nullopt;
  const int other = strands.joints[at(joint)].segments[1];
  const StrandSegment a = strands.segments[at(segment)], b = strands.segments[at(other)];
  if (!may_join(strands, a, b)) return std::nullopt;
  std::optional<Strands> before;
  if (guard) before = strands;
  const auto load = loads_of_ends(strands, {a.ends[0], b.ends[1]});
  join(strands, segment, joint);
  // The last ones take the places of those that go.
  const int last_segment = strands.segment_count() - 1, last_node = strands.node_count() - 1;
  if (segment == last_segment) segment = other;
  remove_segment(strands, other);
  const auto renumbered = [&](int node) { return node == last_node ? a.ends[1] : node; };
  const int left = renumbered(a.ends[0]), right = renumbered(b.ends[1]);
  remove_node(strands, a.ends[1]);

  const int mover = moving_node(strands, left, right, side);
  int beyond = -1;
  std::vector<int> nodes;
  std::vector<Vec3> loads;
  if (mover >= 0) {
    beyond = mover == left ? segment_before(strands, segment) : segment_behind(strands, segment);
    nodes.push_back(mover);
    loads.push_back(strands.nodes[at(mover)].mass * load[mover == left ? 0 : 1]);
  }
  LocalProblem problem(strands, nodes, free_frames(strands, {segment, beyond}));
  RefinementReport report;
  if (relax_guarded(strands, problem, loads, options, guard, report)) return report;
  strands = std::move(*before);
  return std::nullopt;
}

}  // namespace heddle
