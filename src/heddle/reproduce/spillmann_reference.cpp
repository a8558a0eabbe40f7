#include <heddle/reproduce/spillmann.h>
#include <heddle/reproduce/spillmann_rig.h>
#include <heddle/reproduce/spillmann_strands.h>
#include <heddle/reproduce/stage.h>
#include <heddle/strands/roll_angle_rod.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace heddle {

namespace {

constexpr double kLength = 10, kTwist = 1.5 * std::numbers::pi, kStep = 5e-5;
constexpr double kEarly = 0.125, kRest = 4;  // s, before anything is seen and when all is at rest
constexpr int kSegments = 20;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// What is seen of a buckled rod, J and rad.
struct Buckled {
  double stretch = 0, bending = 0, twist = 0, penalty = 0, sum = 0, first_sum = 0, sharpest = 0;
  double early_bending = 0;  // at kEarly
};

/// `half`: of the energy of bending and twist, 0.5, or 1 as (3.31) is printed.
RollAngleRod reference_rod(double twist, const Vec3& gravity, int segments, double half = 0.5) {
  std::vector<Vec3> points;
  std::vector<double> angles;
  for (int i = 0; i <= segments; ++i) {
    points.emplace_back(kLength * i / segments, 0, 0);
    if (i < segments) angles.push_back(twist * i / (segments - 1));
  }
  RodSection section = comparison_strand().section;
  section.young *= 2 * half;
  section.shear *= 2 * half;
  RollAngleRod rod(points, angles, section, gravity);
  for (const int node : {0, 1, segments - 1, segments}) rod.hold_node(node);
  rod.hold_angle(0);
  rod.hold_angle(segments - 1);
  return rod;
}

std::optional<Buckled> buckle_reference(double twist, const Vec3& gravity, double drag, double half) {
  RollAngleRod rod = reference_rod(twist, gravity, kSegments, half);
  Buckled seen{.first_sum = rod.energies().sum()};
  const int steps = static_cast<int>(kRest / kStep);
  for (int k = 0; k < steps; ++k)
    if (!rod.step(kStep, drag)) return std::nullopt;
  const RollAngleRod::Energies now = rod.energies();
  seen.stretch = now.stretch;
  seen.bending = now.bending;
  seen.twist = now.twist;
  seen.sum = now.sum();
  for (int s = 0; s + 1 < kSegments; ++s) seen.sharpest = std::max(seen.sharpest, rod.bend(s));
  return seen;
}

Buckled buckle_corde(double twist, double penalty, const Vec3& gravity, double drag, double until = kRest) {
  StrandEngine engine;
  StrandMaterial material = comparison_strand();
  material.penalty = penalty;
  engine.gravity = gravity;
  engine.strands.add(straight_strand(kLength, kSegments, twist), material);
  hold(engine.strands, 0);
  hold(engine.strands, kSegments - 1);
  Buckled seen{.first_sum = find_energies(engine.strands).elastic()};
  const int steps = static_cast<int>(until / kStep), early = static_cast<int>(kEarly / kStep);
  for (int k = 1; k <= steps; ++k) {
    engine.step(kStep);
    slow_down(engine.strands, std::exp(-drag * kStep));
    if (k == early) seen.early_bending = find_energies(engine.strands).bending;
  }
  const StrandEnergies now = find_energies(engine.strands);
  seen.stretch = now.stretch;
  seen.bending = now.bending;
  seen.twist = now.twist;
  seen.penalty = now.penalty;
  seen.sum = now.elastic() + now.kinetic;
  const auto edge = [&](int s) { return engine.strands.nodes[at(s + 1)].x - engine.strands.nodes[at(s)].x; };
  for (int s = 0; s + 1 < kSegments; ++s)
    seen.sharpest =
        std::max(seen.sharpest, std::atan2(edge(s).cross(edge(s + 1)).norm(), edge(s).dot(edge(s + 1))));
  return seen;
}

std::string compared(const Buckled& a, const Buckled& b) {
  return fmt::format("{:.4f} against {:.4f} rad, {:.3f} against {:.3f} J", a.sharpest, b.sharpest, a.stretch,
                     b.stretch);
}

bool is_milder(const Buckled& a, const Buckled& b) {
  return a.sharpest < b.sharpest && a.stretch < 0.8 * b.stretch;
}

std::string energies_text(const Buckled& b) {
  return fmt::format("{:.3f}, {:.3f}, {:.2f}, {:.4f} J", b.stretch, b.bending, b.twist, b.penalty);
}

}  // namespace

Result<Findings> spillmann_buckling(const Effort& effort) {
  Findings findings;
  constexpr double kDrag = 4;
  const Vec3 disturbance(0, 0, -0.1);
  effort.progress("roll angles");
  const auto reference = buckle_reference(kTwist, disturbance, kDrag, 0.5);
  const auto as_printed = buckle_reference(kTwist, disturbance, kDrag, 1);
  if (!reference || !as_printed) return failure({}, "the model with roll angles fails");
  std::vector<Buckled> corde;
  for (const double penalty : {1e4, 1e5, 1e6}) {
    effort.progress(fmt::format("penalty {:g} N", penalty));
    corde.push_back(buckle_corde(kTwist, penalty, disturbance, kDrag));
    findings.figures.push_back({fmt::format("stretch, bending, twist, penalty with {:g} N", penalty), "",
                                energies_text(corde.back())});
  }
  findings.figures.push_back({"the same of roll angles", "", energies_text(*reference)});
  findings.figures.push_back(
      {"and with (3.31) as printed, without its half", "", energies_text(*as_printed)});
  const Buckled still = buckle_corde(kTwist, 1e6, Vec3::Zero(), 0, kEarly);
  const Buckled below = buckle_corde(0.9, 1e6, disturbance, kDrag), &own = corde.back();
  const auto gap = [&](const Buckled& b) { return std::abs(b.bending - own.bending) / own.bending; };
  findings.claims = {
      {"undisturbed it stays straight until rounding has grown", "3.6.2, figure 3.13",
       fmt::format("bending after 0.125 s {:.1e} J, disturbed {:.1e} J", still.early_bending,
                   own.early_bending),
       still.early_bending < 1e-6 * own.early_bending},
      {"disturbed it buckles suddenly: bending and stretch rise, the sum falls", "figure 3.14",
       fmt::format("bending {:.4f} J at first, {:.3f} at the end; stretch {:.3f}; sum {:.2f} from {:.2f} J",
                   own.early_bending, own.bending, own.stretch, own.sum, own.first_sum),
       own.bending > 50 * own.early_bending && own.stretch > 0.1 && own.sum < own.first_sum},
      {"below the critical twist of 1.12 rad it does not", "8.987 K11/K33",
       fmt::format("{:.1e} of its energy is bending at 0.9 rad", below.bending / below.twist),
       below.bending < 2e-4 * below.twist && own.bending > 1e-3 * own.twist},
      {"the penalty takes up less the stronger it is", "3.7",
       fmt::format("{:.4f}, {:.4f}, {:.4f} J; bending off by {:.2e}, {:.2e} of that of the last",
                   corde[0].penalty, corde[1].penalty, corde[2].penalty, gap(corde[0]), gap(corde[1])),
       corde[0].penalty > corde[1].penalty && corde[1].penalty > corde[2].penalty &&
           gap(corde[1]) < gap(corde[0])},
      {"at rest it is close to roll angles", "figure 3.13",
       fmt::format("sharpest bend {:.4f} and {:.4f} rad, bending {:.3f} and {:.3f} J", own.sharpest,
                   reference->sharpest, own.bending, reference->bending),
       std::abs(own.sharpest / reference->sharpest - 1) < 0.1 &&
           std::abs(own.bending / reference->bending - 1) < 0.1},
      {"it is less curved than roll angles, with much less stretch (as printed)", "figure 3.13",
       compared(own, *reference), is_milder(own, *reference)},
      {"the same with roll angles whose energy lacks its half", "(3.31) as printed",
       compared(own, *as_printed), is_milder(own, *as_printed)}};
  return findings;
}

Result<Findings> spillmann_cost(const Effort& effort) {
  Findings findings;
  std::vector<double> each;
  for (const int segments : {20, 50, 100}) {
    effort.progress(fmt::format("{} segments", segments));
    RollAngleRod rod = reference_rod(0.5, Vec3::Zero(), segments);
    constexpr int kSteps = 100, kTrials = 7;
    StrandEngine engine;
    engine.strands.add(straight_strand(kLength, segments, 0.5), comparison_strand());
    double seconds = HUGE_VAL, corde = HUGE_VAL;
    for (int trial = 0; trial < kTrials; ++trial) {
      seconds = std::min(seconds, seconds_of([&] {
                                    for (int k = 0; k < kSteps; ++k) rod.step(1e-6);
                                  }) / kSteps);
      corde = std::min(corde, seconds_of([&] {
                                for (int k = 0; k < 10 * kSteps; ++k) engine.step(1e-6);
                              }) / (10 * kSteps));
    }
    each.push_back(seconds / corde);
    findings.figures.push_back({fmt::format("step of {} segments, roll angles and CoRDE", segments),
                                segments == 50 ? "beyond 50 nodes not interactive" : "",
                                fmt::format("{:.4f} and {:.4f} ms", 1e3 * seconds, 1e3 * corde)});
  }
  findings.figures.push_back({"one term of inertia", "355 multiplications, 5 divisions, 3 sines and roots",
                              "made by dual numbers, not by generated code"});
  findings.claims = {{"roll angles cost many times as much as CoRDE, with 100 segments", "3.5.3",
                      fmt::format("{:.0f}, {:.0f}, {:.0f} times", each[0], each[1], each[2]),
                      each.back() > 5}};
  return findings;
}

}  // namespace heddle
