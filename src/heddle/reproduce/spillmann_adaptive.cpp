#include <heddle/mesh/curves.h>
#include <heddle/mesh/tied_knots.h>
#include <heddle/reproduce/spillmann.h>
#include <heddle/reproduce/spillmann_strands.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr double kStep = 1e-4;  // s, as published

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// A column of Table 4.1.
enum class Resolution { high, adaptive, low };
constexpr std::array kResolutions{Resolution::high, Resolution::adaptive, Resolution::low};
constexpr int kStride = 4;  // Omega_min is a quarter of Omega_0

const char* name_of(Resolution resolution) {
  return resolution == Resolution::high ? "high" : resolution == Resolution::low ? "low" : "adaptive";
}

/// Adds a strand that is straight at rest through points of the high resolution.
Strands::Place add_strand(Resolution resolution, const std::vector<Vec3>& fine,
                          const StrandMaterial& material, Strands& strands) {
  std::vector<Vec3> points;
  const size_t stride = resolution == Resolution::low ? kStride : 1;
  for (size_t i = 0; i < fine.size(); i += stride) points.push_back(fine[i]);
  return strands.add(limp_shape(std::move(points)), material,
                     resolution == Resolution::adaptive ? kStride : 1);
}

double shortest_segment(const Strands& strands) {
  double shortest = HUGE_VAL;
  for (const StrandSegment& s : strands.segments) shortest = std::min(shortest, s.length);
  return shortest;
}

void make_adaptive(Resolution resolution, StrandEngine& engine) {
  if (resolution != Resolution::adaptive) return;
  engine.adaptivity = Adaptivity{.shortest = 0.99 * shortest_segment(engine.strands), .merge_time = 0.02};
}

/// Two ropes tied into a double fisherman's knot whose long ends are drawn apart for two seconds.
StrandEngine fisherman_engine(Resolution resolution, double friction, int iterations = 10) {
  constexpr double kRadius = 0.005, kStanding = 0.4, kSpeed = 0.11, kUntil = 2;
  constexpr int kSegments = 124;  // of each
  StrandEngine engine;
  for (const int strand : {1, 2}) {
    std::vector<Vec3> points = tied_knot_points("double_fisherman", strand, 0.5 * kStanding / kRadius);
    for (Vec3& point : points) point *= 2 * kRadius;
    const auto place = add_strand(resolution, resampled(points, false, kSegments).points,
                                  cord_strand(friction), engine.strands);
    StrandNode& end = engine.strands.nodes[at(place.first_node)];
    end.held = true;
    end.tag = strand;
  }
  make_adaptive(resolution, engine);
  if (engine.adaptivity) engine.adaptivity->options.iterations = iterations;
  engine.prescribe = [](double time, Strands& strands) {
    for (StrandNode& node : strands.nodes)
      if (node.tag != 0) node.v = Vec3(time < kUntil ? (node.tag == 1 ? -kSpeed : kSpeed) : 0, 0, 0);
  };
  return engine;
}

/// N, in the segment that the first rope is drawn by.
double pull_of(const Strands& strands) {
  for (const StrandSegment& s : strands.segments)
    for (const int end : s.ends)
      if (strands.nodes[at(end)].tag == 1)
        return strands.section(s).stretch_stiffness() *
               ((strands.nodes[at(s.ends[1])].x - strands.nodes[at(s.ends[0])].x).norm() / s.length - 1);
  return 0;
}

StrandTally run(StrandEngine& engine, double until) {
  StrandTally tally;
  while (engine.time() < until - 0.5 * kStep) tally.add(engine.strands, engine.step(kStep));
  return tally;
}

bool is_finite(const Strands& strands) {
  return std::all_of(strands.nodes.begin(), strands.nodes.end(),
                     [](const StrandNode& node) { return node.x.allFinite(); });
}

/// Strands wound up and down in layers: what a falling coil is at its densest.
std::vector<Vec3> coil_points(int nodes) {
  constexpr double kPerTurn = 50, kPitch = 0.0103, kFirst = 0.07, kApart = 0.0103, kTurns = 10;
  std::vector<Vec3> points;
  for (int i = 0; i < nodes; ++i) {
    const double turn = i / kPerTurn, up = std::fmod(turn, 2 * kTurns);
    const double layer = std::floor(turn / kTurns), within = turn / kTurns - layer;
    // From one layer to the next within the last tenth of a turn.
    const double change = std::max(0.0, 1 - (1 - within) * kTurns / 0.25);
    const double radius = kFirst + kApart * (layer + change);
    const double height = kPitch * (up < kTurns ? up : 2 * kTurns - up);
    const double angle = 2 * std::numbers::pi * turn;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.02 + height);
  }
  return points;
}

StrandEngine coil_engine(Resolution resolution, int nodes) {
  StrandEngine engine({}, {{Vec3::Zero(), Vec3::UnitZ(), 0.5}});
  engine.gravity = Vec3(0, 0, -9.81);
  add_strand(resolution, coil_points(nodes), cord_strand(0.5), engine.strands);
  make_adaptive(resolution, engine);
  return engine;
}

}  // namespace

namespace {

/// What can be said when the knots are at rest; high resolution and adaptive.
void judge_tight_knot(const StrandTally* tally, const StrandTally* tight, Findings& findings) {
  const double share = tally[1].nodes() / tally[0].nodes(), quicker = tally[0].all() / tally[1].all(),
               agrees = tight[1].contacts() / tight[0].contacts() - 1;
  findings.claims.push_back({"adaptive, it has less than half of the nodes when tight", "46 %",
                             fmt::format("{:.1f} % when tight, {:.1f} % in the mean of all steps",
                                         100 * tight[1].nodes() / tight[0].nodes(), 100 * share),
                             tight[1].nodes() < 0.5 * tight[0].nodes()});
  findings.claims.push_back({"and the same contacts within a tenth", "69 of 70",
                             fmt::format("{:.1f} and {:.1f}", tight[1].contacts(), tight[0].contacts()),
                             std::abs(agrees) < 0.1});
  findings.claims.push_back({"refinement takes less than a hundredth of the time",
                             "0.41 %, by its own figures 0.92 %",
                             fmt::format("{:.2f} %", 100 * tally[1].refinement() / tally[1].all()),
                             tally[1].refinement() < 0.01 * tally[1].all()});
  findings.claims.push_back({"steps are 1.7 times as quick as with the high resolution", "1.82",
                             fmt::format("{:.2f}", quicker), quicker > 1.7});
}

}  // namespace

Result<Findings> spillmann_adaptive_knot(const Effort& effort) {
  Findings findings;
  const char* published[] = {"252 nodes, 70 contacts, 13.3 ms", "116 nodes, 69 contacts, 7.3 ms",
                             "63 nodes, 22 contacts, 2.6 ms"};
  const double until = effort.quick ? 2.2 : 4;
  StrandTally tally[3], tight[3];
  double pull[3];
  for (size_t k = 0; k < 3; ++k) {
    effort.progress(name_of(kResolutions[k]));
    StrandEngine engine = fisherman_engine(kResolutions[k], 0.5);
    tally[k] = run(engine, until - 0.2);
    tight[k] = run(engine, until);
    pull[k] = pull_of(engine.strands);
    findings.figures.push_back(
        {fmt::format("{} resolution", name_of(kResolutions[k])), published[k],
         fmt::format("{:.0f} nodes, {:.1f} contacts, {}; pull {:.2f} N", tight[k].nodes(),
                     tight[k].contacts(), tight[k].parts(), pull[k])});
  }
  effort.progress("without friction");
  StrandEngine smooth = fisherman_engine(Resolution::adaptive, 0);
  run(smooth, 2.2);
  const double slipped = pull_of(smooth.strands);
  const auto refined = static_cast<double>(std::max(1L, tally[1].refinements));
  const double each = tally[1].refinement() * static_cast<double>(tally[1].steps) / refined;
  findings.figures.push_back(
      {"steps that refine; CG iterations and time of one", "5 %, 10, 1.35 ms",
       fmt::format("{:.2f} %, {:.1f}, {:.3f} ms", 100 * tally[1].mean(static_cast<double>(tally[1].changed)),
                   static_cast<double>(tally[1].cg_iterations) / refined, each)});
  findings.claims = {
      {"coarse, it has far fewer", "22 of 70",
       fmt::format("{:.1f} of {:.1f}", tight[2].contacts(), tight[0].contacts()),
       tight[2].contacts() < 0.5 * tight[0].contacts()},
      {"it holds by friction, and not without", "4.3, 6.1.5",
       fmt::format("{:.2f} N, adaptive {:.2f} N; without {:.2f} N", pull[0], pull[1], slipped),
       pull[0] > 2 && pull[1] > 2 && std::abs(slipped) < 0.3},
      {"rods overlap by no more than a thousandth of the radius", "6.1.3",
       fmt::format("{:.1e}, {:.1e}", tally[0].deepest, tally[1].deepest),
       std::max({tally[0].deepest, tally[1].deepest, tight[0].deepest, tight[1].deepest}) <= 1e-3}};
  // With --quick it is not at rest, and ratios of times are not judged.
  if (!effort.quick) judge_tight_knot(tally, tight, findings);
  return findings;
}

Result<Findings> spillmann_cg_iterations(const Effort& effort) {
  Findings findings;
  std::vector<double> energy;
  const std::vector<int> counts{1, 3, 10, 20};
  for (const int count : counts) {
    effort.progress(fmt::format("{} iterations", count));
    StrandEngine engine = fisherman_engine(Resolution::adaptive, 0.5, count);
    double most = 0;
    const double until = effort.quick ? 0.6 : 2;
    while (engine.time() < until) {
      run(engine, engine.time() + 0.01);
      most = std::max(most, find_energies(engine.strands).kinetic);
    }
    energy.push_back(is_finite(engine.strands) ? most : HUGE_VAL);
    findings.figures.push_back({fmt::format("most energy of motion with {} iterations", count), "",
                                fmt::format("{:.4f} J", energy.back())});
  }
  findings.claims = {{"with 10 iterations it is stable", "4.3", fmt::format("{:.4f} J", energy[2]),
                      energy[2] < 2 * energy[3]},
                     {"with fewer it is not (as printed)", "4.3", fmt::format("{:.4f} J", energy[0]),
                      energy[0] > 10 * energy[3]}};
  return findings;
}

Result<Findings> spillmann_coil_table(const Effort& effort) {
  Findings findings;
  const char* published[] = {"2000 nodes, 10000 contacts, 710 ms", "1900 nodes, 9700 contacts, 694 ms",
                             "500 nodes, 2600 contacts, 77 ms"};
  const int nodes = effort.quick ? 401 : 2001;
  StrandTally tally[3];
  for (size_t k = 0; k < 3; ++k) {
    effort.progress(name_of(kResolutions[k]));
    StrandEngine engine = coil_engine(kResolutions[k], nodes);
    run(engine, effort.quick ? 0.05 : 0.06);  // until it lies on the floor
    tally[k] = run(engine, effort.quick ? 0.08 : 0.12);
    findings.figures.push_back(
        {fmt::format("{} resolution", name_of(kResolutions[k])), published[k],
         fmt::format("{:.0f} nodes, {:.0f} contacts and {} pairs within a tenth of the radius; {}",
                     tally[k].nodes(), tally[k].contacts(), engine.contact().near_pairs(engine.strands, 0.1),
                     tally[k].parts())});
  }
  findings.figures.push_back(
      {"mean overlap before contact", "1.8e-3 of the radius", fmt::format("{:.1e}", tally[0].first())});
  findings.figures.push_back(
      {"iterations to a thousandth of the radius", "34",
       fmt::format("{:.1f}, at most {}", tally[0].iterations(), tally[0].most_iterations)});
  findings.claims = {
      {"no overlap of more than a thousandth of the radius is left", "6.1.4",
       fmt::format("{:.1e}, {:.1e}, {:.1e}", tally[0].deepest, tally[1].deepest, tally[2].deepest),
       std::max({tally[0].deepest, tally[1].deepest, tally[2].deepest}) <= 1e-3}};
  if (effort.quick) return findings;
  findings.claims.push_back({"a step is 20 times as quick as published", "710 ms",
                             fmt::format("{:.2f} ms, {:.0f} times", tally[0].all(), 710 / tally[0].all()),
                             tally[0].all() < 710 / 20.0});
  findings.claims.push_back(
      {"where everything touches, adaptivity costs hardly anything", "694 against 710 ms",
       fmt::format("refinement {:.1f} % of a step", 100 * tally[1].refinement() / tally[1].all()),
       tally[1].refinement() < 0.1 * tally[1].all()});
  return findings;
}

Result<Findings> spillmann_response(const Effort& effort) {
  Findings findings;
  std::vector<double> contacts, seconds;
  bool fewer = true;
  for (const int nodes : effort.quick ? std::vector{201, 401, 801} : std::vector{251, 501, 1001, 2001}) {
    effort.progress(fmt::format("{} nodes", nodes));
    StrandEngine engine = coil_engine(Resolution::high, nodes);
    run(engine, 0.06);
    const StrandTally tally = run(engine, 0.08);
    contacts.push_back(tally.contacts());
    seconds.push_back(tally.response());
    fewer = fewer && tally.iterations() < tally.contacts();
    findings.figures.push_back(
        {fmt::format("{:.0f} contacts", tally.contacts()), "",
         fmt::format("{:.3f} ms, {:.1f} iterations", tally.response(), tally.iterations())});
  }
  const double power =
      std::log(seconds.back() / seconds.front()) / std::log(contacts.back() / contacts.front());
  findings.claims = {
      {"it takes fewer iterations than there are contacts", "6.2", "see above", fewer},
  };
  if (effort.quick) return findings;
  findings.claims.push_back({"response grows with no more than the square of the contacts", "6.2, figure 6.2",
                             fmt::format("with power {:.2f}", power), power < 2.1});
  return findings;
}

namespace {

constexpr double kBarRod = 0.6, kFast = 8;  // m, rad/s

/// A rod that turns about its end towards a bar.
StrandEngine bar_engine(Resolution resolution) {
  constexpr int kSegments = 64;
  StrandEngine engine;
  StrandMaterial bar = cord_strand(0.3), rod = cord_strand(0.3);
  bar.section.radius = 0.02;
  rod.section.young = 2e6;
  rod.section.bending_friction = 1e-7;
  engine.strands.add(straight_strand(0.4, 1, 0, {0.3, -0.2, -0.15}, Vec3::UnitY()), bar);
  hold(engine.strands, 0);
  std::vector<Vec3> points;
  for (int i = 0; i <= kSegments; ++i) points.emplace_back(kBarRod * i / kSegments, 0, 0);
  const auto place = add_strand(resolution, points, rod, engine.strands);
  engine.strands.nodes[at(place.first_node)].held = true;
  engine.strands.nodes.back().tag = 1;
  for (int i = place.first_node; i < engine.strands.node_count(); ++i) {
    StrandNode& node = engine.strands.nodes[at(i)];
    node.v = Vec3(0, kFast, 0).cross(node.x);
  }
  for (StrandSegment& s : engine.strands.segments)
    if (!s.held) s.spin = s.frame.conjugate() * Vec3(0, kFast, 0);
  if (resolution == Resolution::adaptive)
    engine.adaptivity = Adaptivity{.refine_angle = 0.08,
                                   .merge_angle = 0.03,
                                   .shortest = 0.99 * kBarRod / kSegments,
                                   .longest = 1.01 * kStride * kBarRod / kSegments};
  return engine;
}

}  // namespace

Result<Findings> spillmann_bar(const Effort& effort) {
  Findings findings;
  std::array<std::vector<Vec3>, 2> tips;
  StrandTally tally[2];
  double most = 0;
  for (const Resolution resolution : {Resolution::high, Resolution::adaptive}) {
    effort.progress(name_of(resolution));
    const size_t k = resolution == Resolution::adaptive ? 1 : 0;
    StrandEngine engine = bar_engine(resolution);
    while (engine.time() < 0.25) {
      const StrandTally part = run(engine, engine.time() + 0.005);
      tally[k].changed += part.changed;
      tally[k].refinements += part.refinements;
      tally[k].cg_iterations += part.cg_iterations;
      tally[k].deepest = std::max(tally[k].deepest, part.deepest);
      tally[k].most_contacts = std::max(tally[k].most_contacts, part.most_contacts);
      tally[k].steps = static_cast<long>(part.nodes());
      for (const StrandNode& node : engine.strands.nodes)
        if (node.tag == 1) tips[k].push_back(node.x);
    }
  }
  for (size_t i = 0; i < tips[0].size(); ++i) most = std::max(most, (tips[0][i] - tips[1][i]).norm());
  const double cg =
      static_cast<double>(tally[1].cg_iterations) / static_cast<double>(std::max(1L, tally[1].refinements));
  findings.figures = {
      {"nodes at the end, fixed and adaptive", "", fmt::format("{}, {}", tally[0].steps, tally[1].steps)},
      {"insertions and removals, CG iterations of one", "10 to 20 iterations",
       fmt::format("{}, {:.1f}", tally[1].refinements, cg)}};
  findings.claims = {
      {"the adaptive rod moves as the fixed one", "4.3, figure 4.3",
       fmt::format("ends at most {:.4f} m apart, of {} m", most, kBarRod), most < 0.1 * kBarRod},
      {"both hit the bar and do not overlap it", "4.3",
       fmt::format("{}, {} contacts, deepest {:.1e}", tally[0].most_contacts, tally[1].most_contacts,
                   std::max(tally[0].deepest, tally[1].deepest)),
       tally[0].most_contacts > 0 && tally[1].most_contacts > 0 &&
           std::max(tally[0].deepest, tally[1].deepest) <= 1e-3}};
  return findings;
}

}  // namespace heddle
