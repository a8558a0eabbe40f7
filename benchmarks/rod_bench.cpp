// Cost of an explicit step of a rod by its number of segments, on one thread.
//   rod_bench [MOST]     segments, 10 000 if not given

#include "timing.h"

#include <heddle/forces/rod/rod.h>
#include <heddle/integrate/symplectic_euler.h>
#include <heddle/parallel/scheduler.h>

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <vector>

namespace heddle {
namespace {

/// Seconds for one step.
double step_seconds(int segments, const RodForm& form) {
  std::vector<Vec3> points;
  for (int i = 0; i <= segments; ++i) points.emplace_back(0.05 * i, 0.01 * std::sin(0.3 * i), 0);
  RodSystem rods;
  const RodSection section{
      .radius = 0.01, .density = 1300, .young = 5e6, .shear = 4e6, .stretch = 2e7, .bending_friction = 1e-6};
  rods.add(rod_through(points, false, 1), section, form);
  const auto system = rods.system({0, 0, -9.81});
  SymplecticEulerIntegrator integrator;
  const VelocityFilter filter(rods.state.particle_count());
  std::vector<Vec3> reaction(rods.state.x.size());
  const int steps = std::max(20, 200000 / segments);
  return best_seconds(5,
                      [&] {
                        for (int k = 0; k < steps; ++k) {
                          integrator.step(*system, filter, {}, 1e-6, rods.state, reaction);
                          system->take_up_turns(rods.state);
                        }
                      }) /
         steps;
}

/// Of a straight line through the costs.
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

void measure(const char* name, const RodForm& form, int most) {
  std::vector<double> counts, seconds;
  for (int segments = 50; segments <= most; segments *= 2) {
    counts.push_back(segments);
    seconds.push_back(step_seconds(segments, form));
    fmt::print("{:12} {:6} segments {:9.2f} us, {:.4f} us for each\n", name, segments, 1e6 * seconds.back(),
               1e6 * seconds.back() / segments);
  }
  fmt::print("{:12} R^2 of a straight line: {:.5f}\n", name, determination(counts, seconds));
}

}  // namespace
}  // namespace heddle

int main(int count, char** words) {
  const int most = count > 1 ? std::atoi(words[1]) : 10000;
  heddle::ThreadPool(1).run([&] {
    heddle::measure("corde", {.corde = true}, most);
    heddle::measure("twist_angle", {}, most);
  });
}
