#include <heddle/integrate/bdf.h>
#include <heddle/integrate/runge_kutta.h>
#include <heddle/reproduce/eurographics.h>
#include <heddle/study/amplification.h>

#include <fmt/core.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

namespace heddle {

namespace {

using Complex = std::complex<double>;

constexpr double kRounding = 1e-9;

std::vector<double> equal_weights(int order) {
  std::vector<double> ages(static_cast<size_t>(order));
  std::iota(ages.begin(), ages.end(), 1.0);
  const auto weights = bdf_weights(ages);
  return {weights.begin(), weights.begin() + order + 1};
}

/// Largest root of (alpha_0 - z) r^k + alpha_1 r^(k-1) + ... = 0, by Durand and Kerner's method.
double bdf_amplification(int order, Complex z) {
  const std::vector<double> weights = equal_weights(order);
  std::vector<Complex> roots;
  for (int k = 0; k < order; ++k) roots.push_back(std::pow(Complex(0.4, 0.9), k));
  for (int round = 0; round < 200; ++round)
    for (size_t k = 0; k < roots.size(); ++k) {
      Complex value = 1, others = 1;
      for (size_t j = 1; j < weights.size(); ++j) value = value * roots[k] + weights[j] / (weights[0] - z);
      for (size_t j = 0; j < roots.size(); ++j)
        if (j != k) others *= roots[k] - roots[j];
      roots[k] -= value / others;
    }
  double largest = 0;
  for (const Complex& root : roots) largest = std::max(largest, std::abs(root));
  return largest;
}

/// Where the boundary of a BDF method leaves the widest sector around the negative axis.
struct Sector {
  double angle = 0.5 * std::numbers::pi;  // half of it
  Complex touch;                          // h lambda
};

Sector bdf_sector(int order) {
  const std::vector<double> weights = equal_weights(order);
  Sector sector;
  for (int k = 1; k < 20000; ++k) {
    Complex z = 0;
    for (size_t j = 0; j < weights.size(); ++j)
      z += weights[j] * std::polar(1.0, -static_cast<double>(j) * std::numbers::pi * k / 20000);
    const double angle = std::numbers::pi - std::abs(std::arg(z));
    if (z.real() < 0 && angle < sector.angle) sector = {angle, z};
  }
  return sector;
}

/// Largest value of a function over samples of the left half-plane, 0.01 <= |z| <= 1000.
template <class Function>
double largest_on_left(const Function& amplification_at) {
  double largest = 0;
  for (int i = 0; i <= 40; ++i)
    for (int k = 0; k <= 50; ++k) {
      const double angle = 0.5 * std::numbers::pi * (1 + i / 40.0);
      largest = std::max(largest, amplification_at(std::polar(std::pow(10.0, -2 + 0.1 * k), angle)));
    }
  return largest;
}

/// How far from zero a method is stable in a direction, up to 100; 0 if not even at 0.01.
double reach(const Method& method, Complex direction) {
  const auto stable = [&](double r) { return amplification(method, r * direction) <= 1 + kRounding; };
  if (!stable(0.01)) return 0;
  double low = 0.01, high = 100;
  if (stable(high)) return high;
  while (high - low > 1e-5) (stable(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
  return low;
}

/// Order of BDF2 on steps of 1.3 and 0.7 of the mean in turn, on example 3.
double alternating_order() {
  const StudyProblem problem = find_problem("damped_spring")->make();
  const auto error = [&](int pairs) {
    ParticleModel model = problem.model();
    const auto integrator = known_method(bdf_of_order(2)).build();
    const VelocityFilter filter = model.filter();
    std::vector<Vec3> reaction(1);
    const double mean = problem.duration / (2 * pairs);
    for (int k = 0; k < 2 * pairs; ++k)
      integrator->step(*model.system, filter, {}, mean * (k % 2 == 0 ? 1.3 : 0.7), model.state, reaction);
    return problem.error(model.state);
  };
  return std::log2(error(4000) / error(8000));
}

/// e^2 by (28) and (29) as printed, which forget to evaluate f once more.
double printed_midpoint() {
  constexpr int kSteps = 10000;
  constexpr double h = 1.0 / kSteps, lambda = 2;
  double y = 1;
  for (int k = 0; k < kSteps; ++k) y += h * (y + 0.5 * h * lambda * y);
  return y;
}

std::string numbers_text(std::span<const double> numbers) {
  std::string text;
  for (const double number : numbers) text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", number);
  return text;
}

}  // namespace

Result<Findings> eurographics_regions(const Effort& effort) {
  constexpr double kPublished[] = {86.03, 73.35, 51.84, 17.84};
  constexpr double kDegree = std::numbers::pi / 180;
  Findings findings;
  const auto worst_of = [&](const Method& method) {
    return largest_on_left([&](Complex z) { return amplification(method, z); });
  };
  effort.progress("left half-plane");
  const double euler = worst_of(known_method("implicit_euler"));
  const double midpoint = worst_of(known_method(kUndampedMidpoint));
  const double bdf2 = largest_on_left([](Complex z) { return bdf_amplification(2, z); });
  double sector_error = 0, roots_error = 0;
  for (int order = 3; order <= 6; ++order) {
    const Sector sector = bdf_sector(order);
    const double degrees = sector.angle / kDegree, published = kPublished[order - 3];
    findings.figures.push_back({fmt::format("BDF{}: half angle of its sector", order),
                                fmt::format("{:.2f} degrees", published),
                                fmt::format("{:.2f} degrees", degrees)});
    sector_error = std::max(sector_error, std::abs(degrees - published));
    for (const double beside : {-8.0, 8.0}) {
      const Complex z =
          std::polar(std::abs(sector.touch), std::numbers::pi - sector.angle - beside * kDegree);
      const double stepped = amplification(known_method(bdf_of_order(order)), z);
      roots_error = std::max(roots_error, std::abs(stepped - bdf_amplification(order, z)));
    }
  }
  findings.figures.push_back({"BDF3 to 6: steps against roots, beside the sectors", "",
                              fmt::format("amplification differs by at most {:.1e}", roots_error)});
  double farthest = 0;
  for (const auto& [name, real, imaginary] :
       {std::tuple{"explicit_euler", 2.0, 0.0}, {"explicit_midpoint", 2.0, 0.0}, {"rk4", 2.7853, 2.8284}}) {
    const Method method = known_method(name);
    const double along_real = reach(method, -1), along_imaginary = reach(method, {0, 1});
    findings.figures.push_back({fmt::format("{}: stable on the negative and the imaginary axis to", name),
                                fmt::format("{:.4f}, {:.4f}", real, imaginary),
                                fmt::format("{:.4f}, {:.4f}", along_real, along_imaginary)});
    for (int k = 0; k <= 90; ++k)
      farthest = std::max(farthest, reach(method, std::polar(1.0, (90 + k) * kDegree)));
  }
  findings.claims = {{"the left half-plane is stable: implicit Euler", "A-stable",
                      fmt::format("largest {:.9f}", euler), euler <= 1 + kRounding},
                     {"the left half-plane is stable: implicit midpoint", "A-stable",
                      fmt::format("largest {:.9f}", midpoint), midpoint <= 1 + kRounding},
                     {"the left half-plane is stable: BDF2", "A-stable", fmt::format("largest {:.9f}", bdf2),
                      bdf2 <= 1 + kRounding},
                     {"BDF3 to BDF6 are stable in sectors", "86.03, 73.35, 51.84, 17.84",
                      fmt::format("largest difference {:.3f} degrees", sector_error), sector_error < 0.02},
                     {"regions of explicit methods are bounded", "figure 9",
                      fmt::format("within |z| <= {:.2f}", farthest), farthest < 100}};
  return findings;
}

Result<Findings> eurographics_tables(const Effort& effort) {
  const std::vector<double> table[] = {{3. / 2, -2, 1. / 2},
                                       {11. / 6, -3, 3. / 2, -1. / 3},
                                       {25. / 12, -4, 3, -4. / 3, 1. / 4},
                                       {137. / 60, -5, 5, -10. / 3, 5. / 4, -1. / 5},
                                       {147. / 60, -6, 15. / 2, -20. / 3, 15. / 4, -6. / 5, 1. / 6}};
  const int halvings = effort.quick ? 8 : 10;
  const StudyProblem problem = wave_problem();
  Findings findings;
  double difference = 0;
  Worst order_error;
  double order_excess = 0;  // largest difference from k + 1
  for (int order = 2; order <= 6; ++order) {
    const std::vector<double>& printed = table[order - 2];
    const std::vector<double> ours = equal_weights(order);
    for (size_t j = 0; j < ours.size(); ++j)
      difference = std::max(difference, std::abs(ours[j] - printed[j]));
    const double measured =
        measured_order(problem, known_method(bdf_of_order(order)), problem.duration / 128, halvings, 1e-11);
    order_error.see(std::abs(measured - order), fmt::format("BDF{}", order));
    order_excess = std::max(order_excess, std::abs(measured - (order + 1)));
    findings.figures.push_back({fmt::format("BDF{}", order), numbers_text(printed), numbers_text(ours)});
    findings.figures.push_back(
        {fmt::format("BDF{}: order", order), fmt::format("{}", order), fmt::format("{:.3f}", measured)});
  }
  const ButcherTableau midpoint = ButcherTableau::midpoint(), classical = ButcherTableau::classical();
  const bool same_tables = midpoint.a[1] == std::vector{0.5} && midpoint.b == std::vector{0.0, 1.0} &&
                           classical.c == std::vector{0.0, 0.5, 0.5, 1.0} &&
                           classical.b == std::vector{1. / 6, 1. / 3, 1. / 3, 1. / 6};
  const double alternating = alternating_order(), as_printed = printed_midpoint();
  findings.figures.push_back({"weights of RK4", numbers_text(std::vector{1. / 6, 2. / 6, 2. / 6, 1. / 6}),
                              numbers_text(classical.b)});
  findings.claims = {
      {"coefficients of BDF2 to BDF6", "table 4", fmt::format("largest difference {:.0e}", difference),
       difference < 1e-12},
      {"coefficients of the midpoint rule and of RK4", "table 3",
       fmt::format("{}; orders {} and {}", same_tables ? "the same" : "different", midpoint.order(),
                   classical.order()),
       same_tables && midpoint.order() == 2 && classical.order() == 4},
      {"BDF with k steps is of order k", "2 to 6",
       fmt::format("largest difference {:.3f}, {}", order_error.value, order_error.where),
       order_error.value < kOrderTolerance},
      {"BDF2 on steps of changing length is of order 2 (73)", "2",
       fmt::format("{:.3f} with steps of 1.3 and 0.7 in turn", alternating),
       std::abs(alternating - 2) < kOrderTolerance},
      {"k + 1 points give order k + 1 (as printed)", "3 to 7", "see above", order_excess < kOrderTolerance},
      {"the midpoint rule (28), (29) as printed comes to e^2", "7.389", fmt::format("{:.3f}", as_printed),
       std::abs(as_printed - std::exp(2.0)) < 0.01}};
  return findings;
}

}  // namespace heddle
