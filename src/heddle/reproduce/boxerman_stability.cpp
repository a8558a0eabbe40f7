#include <heddle/reproduce/boxerman.h>
#include <heddle/reproduce/boxerman_rig.h>
#include <heddle/reproduce/eurographics.h>
#include <heddle/study/amplification.h>
#include <heddle/study/critical_step.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace heddle {

namespace {

using Complex = std::complex<double>;

/// The step at which the numerical stiffness (4.8) is kappa, s.
double step_of(double kappa, double mass, double stiffness, double damping) {
  if (stiffness == 0) return 0.5 * kappa * mass / damping;
  return (std::sqrt(damping * damping + stiffness * kappa * mass) - damping) / stiffness;
}

double kappa_of(double step, double mass, double stiffness, double damping) {
  return step / mass * (stiffness * step + 2 * damping);
}

// ---- the chain

/// A chain whose particles all swing a little, so that its stiffest mode is there too.
StudyProblem shaken_truss(const Truss& truss) {
  StudyProblem problem;
  problem.model = [truss] {
    ParticleModel model = make_truss(truss);
    Random random(3);
    const double h = truss.length / (truss.particles - 1);
    for (size_t i = 1; i < model.state.x.size(); ++i) model.state.x[i][0] += 1e-3 * h * random.uniform(-1, 1);
    return model;
  };
  const ParticleModel model = problem.model();
  problem.energy_scale = model.system->potential_energy(configuration_of(model.state));
  return problem;
}

double critical_kappa(const Truss& truss) {
  const double h = truss.length / (truss.particles - 1), mass = truss.density * h;
  const double stiffness = truss.stiffness / h, damping = truss.viscosity / h;
  const CriticalSearch search{.shortest = step_of(0.1, mass, stiffness, damping),
                              .longest = step_of(10, mass, stiffness, damping),
                              .steps = 4000,
                              .start = 0,
                              .margin = 100,
                              .precision = 1e-3};
  const auto step = critical_step(shaken_truss(truss), known_method("symplectic_euler"), search);
  return step ? kappa_of(*step, mass, stiffness, damping) : 0;
}

/// The lowest oscillation of a viscous bar against that of its particles: error of the end, m.
double continuum_error(int particles) {
  const Truss truss{.particles = particles, .viscosity = 0.02};
  const double amplitude = 1e-3, wave = 0.5 * std::numbers::pi / truss.length,
               mode = wave * wave / truss.density;
  const Oscillator bar{
      .stiffness = truss.stiffness * mode, .damping = truss.viscosity * mode, .position = amplitude};
  ParticleModel model = make_truss(truss);
  for (Vec3& x : model.state.x) x[0] += amplitude * std::sin(wave * x[0]);
  const double time = 0.15;
  const Course course = advance(std::move(model), known_method("rk4"), time / 2000, 2000);
  return std::abs(course.end.x.back()[0] - truss.length - bar.at(time)[0]);
}

// ---- sheets

struct SheetLimits {
  double largest, sum, stretch;  // kappa at the longest stable step
  bool is_soft;                  // dense, soft and hardly damped
};

/// Nothing if the sheet has neither stiffness nor damping, or no limit was found.
std::optional<SheetLimits> sheet_limits(Random& random, int largest_side) {
  const int side = std::min(largest_side, drawn(random, {10, 20, 30}));
  const double h = drawn(random, {0.001, 0.01, 0.05, 0.1, 1.0});
  const double density = drawn(random, {0.01, 0.1, 1.0, 10.0, 100.0});
  const double stretch = drawn(random, {0.0, 10.0, 100.0, 1000.0, 10000.0});
  const double shear = drawn(random, {0.0, 10.0, 100.0, 1000.0, 10000.0});
  const double stretch_damping = drawn(random, {0.0, 0.01, 0.1, 1.0, 10.0});
  const double shear_damping = drawn(random, {0.0, 0.01, 0.1, 1.0, 10.0});
  if (stretch + shear == 0) return std::nullopt;
  const double mass = density * h * h;
  StudyProblem problem;
  problem.model = [=] {
    return make_spring_sheet({.columns = side,
                              .rows = side,
                              .spacing = h,
                              .density = density,
                              .stretch_stiffness = stretch,
                              .shear_stiffness = shear,
                              .stretch_damping = stretch_damping,
                              .shear_damping = shear_damping,
                              .holds_corner = {false, false, true, true}});
  };
  problem.energy_scale = mass * side * side * 9.81 * h * side;
  // Both ends by the stiffer kind of springs.
  const auto step_at = [&](double kappa) {
    double step = INFINITY;
    for (const auto& [k, d] : {std::pair{stretch, stretch_damping}, {shear, shear_damping}})
      if (k + d > 0) step = std::min(step, step_of(kappa, mass, k, d));
    return step;
  };
  const CriticalSearch search{.shortest = step_at(0.05),
                              .longest = step_at(6),
                              .steps = 1000,
                              .start = 0,
                              .margin = 0.05,
                              .precision = 0.01};
  const auto step = critical_step(problem, known_method("symplectic_euler"), search);
  if (!step || *step >= search.longest) return std::nullopt;
  const double a = kappa_of(*step, mass, stretch, stretch_damping),
               b = kappa_of(*step, mass, shear, shear_damping);
  // Under its weight a column of the sheet hangs by springs that grow longer by their own length.
  const bool is_soft = side * mass * 9.81 > std::max(stretch, shear) * h;
  return SheetLimits{std::max(a, b), a + b, a, is_soft};
}

double share_below(std::span<const double> sorted, double bound) {
  const auto end = std::lower_bound(sorted.begin(), sorted.end(), bound);
  return static_cast<double>(end - sorted.begin()) / static_cast<double>(sorted.size());
}

// ---- one mass

/// Rates of unit mass with k_s = stiffness and k_d = damping, per step of length k.
Complex rate(double step, double stiffness, double damping) {
  const Complex root = std::sqrt(Complex(0.25 * damping * damping - stiffness, 0));
  return step * (-0.5 * damping + root);
}

/// What a scheme does to the oscillation in a step, and formulas for it.
struct Scheme {
  const char* name;
  const char* method;
  double (*determinant)(double k, double ks, double kd);  // as printed for the magnitude
};

constexpr Scheme kSchemes[] = {
    {"forward-backward Euler", "symplectic_euler", [](double k, double, double kd) { return 1 - k * kd; }},
    {"forward Euler", "explicit_euler", [](double k, double ks, double kd) { return 1 - k * (kd - k * ks); }},
    {"backward Euler", "semi_implicit_euler",
     [](double k, double ks, double kd) { return 1 / (1 + k * kd + k * k * ks); }},
};

/// Largest difference of the magnitudes of forward-backward and backward Euler for kappa up to a bound,
/// (4.16).
double largest_gap(double kappa, bool printed) {
  double largest = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double p = 0.5 * kappa * i / 1000, q = kappa - 2 * p;
    const double explicit_one = 1 - p, implicit_one = 1 / (1 + p + q);
    largest = std::max(largest, printed ? std::abs(explicit_one - implicit_one)
                                        : std::abs(std::sqrt(explicit_one) - std::sqrt(implicit_one)));
  }
  return largest;
}

/// Energy of an undamped chain after many steps of forward-backward Euler: largest drift of its mean,
/// relative.
double drift_of_mean_energy(int steps) {
  const Truss truss;
  const StudyProblem problem = shaken_truss(truss);
  const double h = truss.length / (truss.particles - 1);
  const double dt = step_of(0.5, truss.density * h, truss.stiffness / h, 0);
  ParticleModel model = problem.model();
  const System& system = *model.system;
  double first = 0, last = 0;
  int k = 0;
  advance(std::move(model), known_method("symplectic_euler"), dt, steps, [&](const State& state) {
    const Configuration q = configuration_of(state);
    const double energy = system.kinetic_energy(q) + system.potential_energy(q);
    (k++ < steps / 2 ? first : last) += energy;
    return true;
  });
  return std::abs(last / first - 1);
}

/// Largest amplification over oscillations that lose energy, of any stiffness and damping.
double largest_amplification(const char* method) {
  double largest = 0;
  for (int i = 0; i <= 20; ++i)
    for (int k = 0; k <= 30; ++k) {
      const double angle = 0.5 * std::numbers::pi * (1 + i / 20.0);
      largest = std::max(
          largest, amplification(known_method(method), std::polar(std::pow(10.0, -2 + 0.2 * k), angle)));
    }
  return largest;
}

}  // namespace

Result<Findings> boxerman_truss(const Effort& effort) {
  Findings findings;
  double worst = 0;
  for (const auto& [stiffness, viscosity, particles] :
       {std::tuple{100.0, 0.0, 21}, {100.0, 0.05, 21}, {1000.0, 0.02, 11}, {20.0, 0.5, 31}}) {
    if (effort.quick && particles > 21) continue;
    const double kappa =
        critical_kappa({.particles = particles, .stiffness = stiffness, .viscosity = viscosity});
    findings.figures.push_back({fmt::format("critical kappa, {} particles, EA = {:g} N, beta = {:g} N s",
                                            particles, stiffness, viscosity),
                                "1", fmt::format("{:.3f}", kappa)});
    worst = std::max(worst, std::abs(kappa - 1));
  }
  const double coarse = continuum_error(11), middle = continuum_error(21), fine = continuum_error(41);
  const double order = std::log2(middle / fine);
  findings.figures.push_back({"error against the viscous bar, 11, 21, 41 particles", "",
                              fmt::format("{:.1e}, {:.1e}, {:.1e} m of 1e-3 m", coarse, middle, fine)});
  findings.claims = {{"C1: the longest stable step of a chain has kappa = 1", "exactly",
                      fmt::format("at most {:.1f} % off", 100 * worst), worst < 0.02},
                     {"C1: EA = k_s h and beta = k_d h are those of the bar", "equivalent",
                      fmt::format("errors fall with order {:.2f}", order), std::abs(order - 2) < 0.1}};
  return findings;
}

Result<Findings> boxerman_stability(const Effort& effort) {
  const int draws = effort.quick ? 12 : 300, largest_side = effort.quick ? 10 : 30;
  Random random(1);
  std::vector<double> largest, sums;
  int violations = 0, explained = 0;
  for (int k = 0; k < draws; ++k) {
    effort.progress(fmt::format("{} of {}", k, draws));
    const auto limits = sheet_limits(random, largest_side);
    if (!limits) continue;
    largest.push_back(limits->largest);
    sums.push_back(limits->sum);
    violations += limits->largest < 0.5;
    explained += limits->largest < 0.5 && limits->is_soft;
  }
  std::sort(largest.begin(), largest.end());
  std::sort(sums.begin(), sums.end());
  const double above = 1 - share_below(largest, 0.5);
  Findings findings;
  findings.figures = {
      {"sheets with a limit between kappa 0.05 and 6", "500 sheets",
       fmt::format("{} of {}", largest.size(), draws)},
      {"kappa at the longest stable step, larger of stretch and shear", "0.35 to 2.69",
       fmt::format("{:.2f} to {:.2f}, median {:.2f}", largest.front(), largest.back(),
                   largest[largest.size() / 2])},
      {"the same, sum of stretch and shear", "",
       fmt::format("{:.2f} to {:.2f}, median {:.2f}", sums.front(), sums.back(), sums[sums.size() / 2])},
      {"above 1: hardly any motion in 1000 steps", "some",
       fmt::format("{:.0f} %", 100 * (1 - share_below(largest, 1)))}};
  findings.claims = {
      {"C2: most sheets are stable up to kappa = 0.5", "most", fmt::format("{:.0f} %", 100 * above),
       above > 0.5},
      {"C2: the others are dense, soft and stretch wildly", "only those",
       fmt::format("{} of {} hang by springs of twice their length or more", explained, violations),
       explained == violations},
      {"C2: the range is the published one", "0.35 to 2.69",
       fmt::format("{:.2f} to {:.2f}", largest.front(), largest.back()),
       largest.front() > 0.30 && largest.back() < 3.1}};
  return findings;
}

Result<Findings> boxerman_amplification(const Effort& effort) {
  Findings findings;
  double corrected = 0, printed = 0;
  for (const Scheme& scheme : kSchemes)
    for (const auto& [k, ks, kd] : {std::tuple{0.1, 10.0, 0.0}, {0.1, 10.0, 2.0}, {0.05, 100.0, 1.0}}) {
      const double measured = amplification(known_method(scheme.method), rate(k, ks, kd));
      const double determinant = scheme.determinant(k, ks, kd);
      findings.figures.push_back(
          {fmt::format("{}, k = {:g}, k_s = {:g}, k_d = {:g}", scheme.name, k, ks, kd),
           fmt::format("{:.5f} (its root {:.5f})", determinant, std::sqrt(determinant)),
           fmt::format("{:.5f}", measured)});
      corrected = std::max(corrected, std::abs(measured - std::sqrt(determinant)));
      printed = std::max(printed, std::abs(measured - determinant));
    }
  for (const double kappa : {0.5, 0.2})
    findings.figures.push_back(
        {fmt::format("(4.16): largest difference of explicit and implicit magnitudes, kappa <= {:g}", kappa),
         fmt::format("{:.4f} as printed", largest_gap(kappa, true)),
         fmt::format("{:.4f} with roots", largest_gap(kappa, false))});
  const auto forward = [](double kd) {
    return amplification(known_method("explicit_euler"), rate(0.1, 10, kd));
  };
  const double drift = drift_of_mean_energy(effort.quick ? 20000 : 200000);
  const double below = forward(0.9), edge = forward(1), above = forward(1.1);
  const double soft = amplification(known_method("semi_implicit_euler"), rate(0.1, 10, 0)),
               stiff = amplification(known_method("semi_implicit_euler"), rate(0.1, 1000, 0));
  const double euler = largest_amplification("semi_implicit_euler"),
               bdf2 = largest_amplification(R"({"type": "bdf", "order": 2, "newton": "once"})");
  findings.claims = {
      {"C3: magnitudes are the roots of the printed ones", "corrected",
       fmt::format("largest difference {:.0e}", corrected), corrected < 1e-6},
      {"C3: magnitudes as printed, without roots", "4.1.4, 4.2.4",
       fmt::format("off by up to {:.3f}", printed), printed < 1e-6},
      {"C3: forward-backward Euler keeps undamped energy", "no numerical damping",
       fmt::format("its mean drifts by {:.0e}", drift), drift < 1e-3},
      {"C3: forward Euler grows unless k_d >= k k_s", "k_d = k k_s",
       fmt::format("{:.4f}, {:.4f}, {:.4f} with 0.9, 1, 1.1 of it", below, edge, above),
       below > 1 && std::abs(edge - 1) < 1e-6 && above < 1},
      {"C4: backward Euler and BDF2 are stable for any step", "any k",
       fmt::format("largest magnitudes {:.9f}, {:.9f}", euler, bdf2), euler <= 1 + 1e-9 && bdf2 <= 1 + 1e-9},
      {"C5: backward Euler damps without dampers, the more the stiffer", "grows with k_s k^2",
       fmt::format("{:.3f} a step at k^2 k_s = 0.1, {:.3f} at 10", soft, stiff), soft < 1 && stiff < soft}};
  return findings;
}

}  // namespace heddle
