#include <heddle/reproduce/spillmann.h>
#include <heddle/reproduce/spillmann_rig.h>
#include <heddle/reproduce/spillmann_strands.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

constexpr double kLength = 10;  // m

/// s, forces and integration.
double seconds_of_steps(int segments, int steps) {
  StrandEngine engine;
  engine.gravity = Vec3(0, 0, -9.81);
  engine.strands.add(straight_strand(kLength, segments, 3), rope_strand());
  hold(engine.strands, 0);
  hold(engine.strands, segments - 1);
  double seconds = 0;
  for (int k = 0; k < steps; ++k) seconds += engine.step(1e-6).force_seconds;
  return seconds / steps;
}

/// Of a straight line through costs by numbers.
double determination(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  const auto n = static_cast<double>(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
    syy += y[i] * y[i];
  }
  const double covariance = sxy - sx * sy / n;
  return covariance * covariance / ((sxx - sx * sx / n) * (syy - sy * sy / n));
}

}  // namespace

Result<Findings> spillmann_resolution(const Effort& effort) {
  Findings findings;
  std::vector<double> each, counts, costs;
  const double published[] = {0.051 + 0.018, 0.096 + 0.035, 0.91 + 0.33};  // ms
  size_t k = 0;
  for (const int segments : {50, 100, 1000}) {
    effort.progress(fmt::format("{} segments", segments));
    double seconds = HUGE_VAL;
    for (int trial = 0; trial < 5; ++trial)
      seconds = std::min(seconds, seconds_of_steps(segments, 100000 / segments));
    counts.push_back(segments);
    costs.push_back(seconds);
    each.push_back(1e6 * seconds / segments);
    findings.figures.push_back({fmt::format("step with {} segments", segments),
                                fmt::format("{:.3f} ms", published[k++]),
                                fmt::format("{:.4f} ms, {:.3f} us for each", 1e3 * seconds, each.back())});
  }
  std::vector<double> sags;
  for (const int segments : effort.quick ? std::vector{25, 50, 100} : std::vector{50, 100, 1000}) {
    effort.progress(fmt::format("shape of {} segments", segments));
    RodSection rope = ropes();
    rope.bending_friction = rope.bending_stiffness();
    // The ends of the free part, the same for all.
    RodRig rig(straight_rod(kLength * segments / (segments - 1.0), segments, 2), rope, {}, {0, 0, -0.2});
    rig.clamp(0);
    rig.clamp(segments - 1);
    if (!rig.step_implicit(0.1, 200)) return failure({}, "a step failed");
    sags.push_back(-rig.node(segments / 2)[2]);
    findings.figures.push_back(
        {fmt::format("sag of {} segments", segments), "", fmt::format("{:.5f} m", sags.back())});
  }
  findings.claims = {{"the shape does not depend on the number of segments", "figure 3.12",
                      fmt::format("sags {:.5f}, {:.5f}, {:.5f} m", sags[0], sags[1], sags[2]),
                      std::abs(sags[0] / sags[2] - 1) < 0.02 && std::abs(sags[1] / sags[2] - 1) < 0.01}};
  if (effort.quick) return findings;  // times are not judged then
  findings.claims.push_back({"the cost of a step is linear in the number of segments", "Table 3.1",
                             fmt::format("{:.3f}, {:.3f}, {:.3f} us for each, R^2 {:.5f}", each[0], each[1],
                                         each[2], determination(counts, costs)),
                             each[2] < 1.5 * each[0] && determination(counts, costs) > 0.99});
  const double dearest = *std::max_element(each.begin(), each.end());
  findings.claims.push_back({"an element takes no more than 0.15 us", "1.24 to 1.38 us",
                             fmt::format("{:.3f} us", dearest), dearest < 0.15});
  return findings;
}

}  // namespace heddle
