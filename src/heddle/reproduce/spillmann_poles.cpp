#include <heddle/reproduce/spillmann.h>
#include <heddle/reproduce/spillmann_strands.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr double kRadius = 0.002, kPole = 0.01, kSide = 0.2, kHeight = 0.1;  // m
constexpr double kStep = 2e-5;                                               // s

/// Once around four poles at the corners of a square, from the middle of a side to where it began, and a
/// little higher there so that the ends pass each other.
std::vector<Vec3> around_poles(int segments) {
  const double out = kPole + 1.02 * kRadius, quarter = 0.5 * std::numbers::pi * out;
  const double whole = 4 * (kSide + quarter);
  std::vector<Vec3> points;
  for (int i = 0; i <= segments; ++i) {
    const double way = whole * i / segments + 0.5 * kSide;
    const double side = std::floor(way / (kSide + quarter)), within = way - side * (kSide + quarter);
    Vec3 p(0.5 * kSide + out, within - 0.5 * kSide, 0);
    if (within > kSide) {
      const double turn = (within - kSide) / out;
      p = Vec3(0.5 * kSide + out * std::cos(turn), 0.5 * kSide + out * std::sin(turn), 0);
    }
    const Quat corner(Eigen::AngleAxisd(0.5 * std::numbers::pi * side, Vec3::UnitZ()));
    points.push_back(corner * p + Vec3(0, 0, kHeight + 3 * kRadius * i / segments));
  }
  return points;
}

/// What is seen of a thread around poles.
struct Seen {
  double lowest = 0;    // m, mean height of the lowest tenth
  double pressing = 0;  // N, mean of all contacts with poles
  StrandTally tally;
};

StrandEngine poles_engine(double friction) {
  StrandMaterial thread = cord_strand(friction), pole = cord_strand(friction);
  thread.section.radius = kRadius;
  thread.section.young = 1e6;
  thread.section.stretch = 4e6;
  thread.section.stretch_friction = 1e-3;
  thread.section.bending_friction = 1e-9;
  thread.penalty = 20;
  pole.section.radius = kPole;
  StrandEngine engine({}, {{Vec3::Zero(), Vec3::UnitZ(), 0.5}});
  engine.gravity = Vec3(0, 0, -9.81);
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) {
      engine.strands.add(straight_strand(0.3, 1, 0, {x * kSide, y * kSide, 0}, Vec3::UnitZ()), pole);
      hold(engine.strands, engine.strands.segment_count() - 1);
    }
  constexpr int kSegments = 160, kStride = 4;
  RodShape shape = limp_shape(around_poles(kSegments));
  for (double& length : shape.rest_lengths) length *= 0.99;
  const auto place = engine.strands.add(shape, thread, kStride);
  for (const int end : {place.first_node, engine.strands.node_count() - 1}) {
    engine.strands.nodes[static_cast<size_t>(end)].held = true;
    engine.strands.nodes[static_cast<size_t>(end)].tag = 1;
  }
  engine.adaptivity = Adaptivity{.shortest = 0.99 * shape.rest_lengths[0], .merge_time = 0.02};
  return engine;
}

/// Runs for some seconds and looks at the last fifth of them.
Seen look(StrandEngine& engine, double seconds) {
  Seen seen;
  const double start = engine.time();
  double pressing = 0;
  long count = 0;
  while (engine.time() < start + seconds) {
    seen.tally.add(engine.strands, engine.step(kStep));
    if (engine.time() < start + 0.8 * seconds) continue;
    ++count;
    for (const StrandTouch& touch : engine.contact().touches()) {
      if (touch.node >= 0) continue;
      const auto mass = [&](size_t k) {
        return engine.strands.nodes[static_cast<size_t>(touch.ends[k])].mass;
      };
      const bool pole_first = engine.strands.nodes[static_cast<size_t>(touch.ends[0])].held;
      // The side that moves has all of the displacement.
      pressing += touch.pushed * 0.5 * (pole_first ? mass(2) + mass(3) : mass(0) + mass(1)) / (kStep * kStep);
    }
  }
  seen.pressing = pressing / static_cast<double>(std::max(1L, count));
  std::vector<double> heights;
  for (const StrandNode& node : engine.strands.nodes)
    if (node.radius < 0.5 * kPole) heights.push_back(node.x[2]);
  std::sort(heights.begin(), heights.end());
  const size_t tenth = std::max<size_t>(1, heights.size() / 10);
  for (size_t i = 0; i < tenth; ++i) seen.lowest += heights[i] / static_cast<double>(tenth);
  return seen;
}

}  // namespace

Result<Findings> spillmann_poles(const Effort& effort) {
  Findings findings;
  effort.progress("tied");
  StrandEngine engine = poles_engine(0.5);
  const Seen tied = look(engine, effort.quick ? 0.5 : 5);
  effort.progress("untied");
  for (StrandNode& node : engine.strands.nodes)
    if (node.tag == 1) node.held = false;
  const Seen untied = look(engine, 1);
  effort.progress("without friction");
  StrandEngine smooth = poles_engine(0);
  const Seen slipped = look(smooth, 2);
  findings.figures = {
      {"lowest part, tied, untied, tied without friction", "",
       fmt::format("{:.4f}, {:.4f}, {:.4f} m of {} m", tied.lowest, untied.lowest, slipped.lowest, kHeight)},
      {"nodes, contacts", "", fmt::format("{:.0f}, {:.1f}", tied.tally.nodes(), tied.tally.contacts())}};
  const double deepest = std::max(tied.tally.deepest, untied.tally.deepest);
  findings.claims = {
      {"Coulomb's friction holds the thread on the poles", "6.2, figure 6.3",
       fmt::format("lowest part at {:.4f} m of {} m", tied.lowest, kHeight), tied.lowest > kHeight - 0.005},
      {"untied, contact forces drop and it slips to the ground", "6.2",
       fmt::format("{:.2f} N and then {:.2f} N; lowest part at {:.4f} m", tied.pressing, untied.pressing,
                   untied.lowest),
       untied.pressing < 0.3 * tied.pressing && untied.lowest < 2 * kRadius},
      {"without friction it slips though it is tied", "6.1.5", fmt::format("{:.4f} m", slipped.lowest),
       slipped.lowest < tied.lowest - 0.01},
      {"rods overlap by no more than a thousandth of the radius after any step", "6.1.3",
       fmt::format("deepest {:.1e}", deepest), deepest <= 1e-3}};
  return findings;
}

}  // namespace heddle
