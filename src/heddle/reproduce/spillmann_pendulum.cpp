#include <heddle/reproduce/spillmann.h>
#include <heddle/reproduce/spillmann_rig.h>
#include <heddle/strands/roll_angle_rod.h>

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <optional>

namespace heddle {

namespace {

constexpr double kLength = 1, kAngle = 0.05, kGravity = 9.81;  // m, rad, m/s2
constexpr int kSegments = 10;

/// The material "Comparison" of Table 3.2.
RodSection comparison() {
  RodSection section = ropes();
  section.young = 1e6;
  section.shear = 4e6;
  section.stretch = 1e9;
  return section;
}

/// Period of a rod that hangs from one end, from a quarter of it, s. It starts along x, and gravity leans
/// away from that.
std::optional<double> period_of(const RodForm& form) {
  constexpr double kStep = 1e-5;
  constexpr int kLook = 20, kMost = 5000;
  RodRig rig(straight_rod(kLength, kSegments), comparison(), form,
             kGravity * Vec3(std::cos(kAngle), 0, -std::sin(kAngle)));
  rig.pin(0);
  const double middle = -kLength * std::sin(kAngle);
  double before = 0;
  for (int k = 1; k <= kMost; ++k) {
    if (!rig.step_explicit(kStep, kLook)) return std::nullopt;
    const double now = rig.node(kSegments)[2];
    if (now <= middle) return 4 * kStep * kLook * (k - 1 + (middle - before) / (now - before));
    before = now;
  }
  return std::nullopt;
}

/// The same of the model with roll angles and all of the inertia of its directors, or nearly none.
std::optional<double> period_of_roll_angles(double inertia) {
  constexpr double kStep = 1e-5;
  std::vector<Vec3> points;
  for (int i = 0; i <= kSegments; ++i) points.emplace_back(kLength * i / kSegments, 0, 0);
  RodSection section = comparison();
  // The moments of the physical law are 1e-4 of the printed ones here; stiffness stays.
  if (inertia < 1) {
    section.printed_law = false;
    section.young /= section.radius * section.radius;
    section.shear /= section.radius * section.radius;
  }
  RollAngleRod rod(points, std::vector<double>(kSegments, 0.0), section,
                   kGravity * Vec3(std::cos(kAngle), 0, -std::sin(kAngle)));
  rod.hold_node(0);
  const double middle = -kLength * std::sin(kAngle);
  double before = 0;
  for (int k = 1; k * kStep < 1; ++k) {
    if (!rod.step(kStep)) return std::nullopt;
    const double now = rod.node(kSegments)[2];
    if (now <= middle) return 4 * kStep * (k - 1 + (middle - before) / (now - before));
    before = now;
  }
  return std::nullopt;
}

}  // namespace

Result<Findings> spillmann_pendulum(const Effort& effort) {
  Findings findings;
  effort.progress("exact frames");
  const auto exact = period_of({});
  if (!exact) return failure({}, "the exact pendulum does not swing");
  const double rigid = 2 * std::numbers::pi * std::sqrt(2 * kLength / (3 * kGravity));
  findings.figures.push_back(
      {"period with exact frames, of a rigid rod", "", fmt::format("{:.5f}, {:.5f} s", *exact, rigid)});
  effort.progress("roll angles");
  const auto light = period_of_roll_angles(1e-4), heavy = period_of_roll_angles(1);
  if (!light || !heavy) return failure({}, "the pendulum of roll angles does not swing");
  findings.figures.push_back({"period of roll angles, with physical and with printed inertia", "",
                              fmt::format("{:.5f}, {:.5f} s", *light, *heavy)});
  std::vector<double> errors;
  bool as_expected = true;
  for (const double alpha : {1.0, 0.1, 0.01, 0.001}) {
    effort.progress(fmt::format("alpha {}", alpha));
    const auto period = period_of({.corde = true, .penalty = 1e6, .inertia_scale = alpha});
    if (!period) return failure({}, fmt::format("the pendulum with alpha {} does not swing", alpha));
    errors.push_back(*period / *light - 1);
    // Inertia of frames beside that of the rod, 0.75 alpha / L^2 (in m) by the printed law.
    const double expected = std::sqrt(1 + 0.75 * alpha / (kLength * kLength)) - 1;
    as_expected = as_expected && std::abs(errors.back() - expected) < 0.1 * expected + 5e-4;
    findings.figures.push_back(
        {fmt::format("period longer with alpha {}", alpha), "",
         fmt::format("by {:.3f} %, expected {:.3f} %", 100 * errors.back(), 100 * expected)});
  }
  findings.claims = {
      {"frames that follow their segments swing as roll angles", "3.5",
       fmt::format("{:.1e}", *exact / *light - 1), std::abs(*exact / *light - 1) < 1e-4},
      {"the smaller alpha, the nearer the period is to that of roll angles", "figure 3.15",
       fmt::format("errors {:.2e}, {:.2e}, {:.2e}, {:.2e}", errors[0], errors[1], errors[2], errors[3]),
       errors[0] > errors[1] && errors[1] > errors[2] && errors[2] > errors[3]},
      {"frames add the inertia that they have by the printed law", "3.3.3", "see above", as_expected}};
  return findings;
}

}  // namespace heddle
