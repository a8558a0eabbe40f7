#include <heddle/reproduce/boxerman.h>
#include <heddle/reproduce/boxerman_rig.h>
#include <heddle/reproduce/eurographics.h>

#include <heddle/integrate/imex.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle {

namespace {

std::vector<std::string> explicit_names(const KindTreatment& treatment) {
  std::vector<std::string> names{"bend_springs"};
  if (!treatment.stretch) names.push_back("stretch_springs");
  if (!treatment.shear) names.push_back("shear_springs");
  return names;
}

/// Adaptive IMEX of the thesis on steps of changing length: kinds of springs change sides.
class SwitchingImex {
 public:
  explicit SwitchingImex(const BoxermanCase& of) : case_(of) {}

  /// Integrator for a step of length dt, s.
  SemiImplicitEulerIntegrator& at(double dt) {
    case_.step = dt;
    const KindTreatment treatment = adaptive_treatment(case_);
    auto& integrator = integrators_[2 * treatment.stretch + treatment.shear];
    if (!integrator) {
      SolverParameters linear = boxerman_solver(dt);
      linear.tolerance = boxerman_tolerance(1e-6);
      integrator = std::make_unique<SemiImplicitEulerIntegrator>(
          "boxerman",
          StageSettings{.linear = linear,
                        .splitting = {.explicit_terms = explicit_names(treatment), .stable = {}}});
    }
    return *integrator;
  }
  /// How many of the four ways were used.
  int ways() const {
    return static_cast<int>(
        std::count_if(integrators_.begin(), integrators_.end(), [](const auto& i) { return i != nullptr; }));
  }

 private:
  BoxermanCase case_;
  std::array<std::unique_ptr<SemiImplicitEulerIntegrator>, 4> integrators_;
};

/// The step at which the larger kappa of a case has a value, s.
double step_with(BoxermanCase of, double kappa) {
  double low = 1e-9, high = 1;
  for (int k = 0; k < 100; ++k) {
    of.step = 0.5 * (low + high);
    (of.largest_kappa() < kappa ? low : high) = of.step;
  }
  return low;
}

/// The k-th step of a course from one length to the other, at once or gradually.
double switched_step(bool alternates, int k, double shortest, double longest) {
  if (alternates) return k % 2 == 0 ? shortest : longest;
  constexpr int kSweep = 50;
  const double share = std::abs(k % (2 * kSweep) - kSweep) / static_cast<double>(kSweep);
  return shortest * std::pow(longest / shortest, share);
}

struct Switching {
  double growth = 0;       // of energy above the start, of what the sheet weighs
  double late_growth = 0;  // the same in the second half of the steps
  int ways = 0;
  bool is_sound = true;
  int shortest_iterations = 0;  // largest count in steps where all is explicit
};

Switching switch_steps(const BoxermanCase& of, bool alternates, int steps) {
  BoxermanRig rig(of);
  SwitchingImex imex(of);
  const double shortest = step_with(of, 0.15), longest = of.step;
  const double scale = of.mass() * of.side * of.side * 9.81 * of.side * of.spacing;
  Switching out;
  for (int k = 0; k < steps && out.is_sound; ++k) {
    const double dt = switched_step(alternates, k, shortest, longest);
    const RigStep step = rig.attempt(imex.at(dt), dt);
    out.is_sound = step.went() && is_finite(step.end);
    rig.accept(step);
    out.growth = std::max(out.growth, rig.energy() / scale);
    if (2 * k >= steps) out.late_growth = std::max(out.late_growth, rig.energy() / scale);
    if (dt == shortest)
      out.shortest_iterations = std::max(out.shortest_iterations, step.report.solver_iterations);
  }
  out.ways = imex.ways();
  return out;
}

int blocks_of(const KindTreatment& treatment) {
  const BoxermanRig rig({.side = 10}, treatment);
  return rig.model().system->pattern().block_count();
}

/// Blocks that are not zero after a while of swinging: compressed springs leave holes.
int used_blocks() {
  const BoxermanCase of{.side = 10, .spacing = 0.1};
  BoxermanRig rig(of, {.bend = false});
  rig.run(*make_boxerman_integrator(boxerman_solver(of.step)), 0.4);
  const BlockMatrix matrix = rig.matrix(of.step);
  int count = 0;
  for (int k = 0; k < matrix.pattern().general.block_count(); ++k) count += matrix.block(k) != Mat3::Zero();
  return 2 * count - matrix.row_count();  // the diagonal is never zero
}

// ---- adaptive against implicit

BoxermanCase adaptive_case(Random& random) {
  BoxermanCase out;
  out.scene = drawn(random, {BoxermanScene::corners, BoxermanScene::table, BoxermanScene::sphere});
  out.side = drawn(random, {10, 20, 40});
  out.spacing = drawn(random, {0.001, 0.01, 0.05, 0.1});
  out.density = drawn(random, {0.03, 0.1, 0.3, 1.0});
  out.stretch = drawn(random, {10.0, 100.0, 1000.0, 3000.0});
  out.shear = drawn(random, {10.0, 100.0, 1000.0, 3000.0});
  out.bend = drawn(random, {0.001, 0.01, 0.1});
  out.stretch_damping = drawn(random, {0.0, 0.01, 0.1, 1.0, 10.0});
  out.shear_damping = drawn(random, {0.0, 0.01, 0.1, 1.0, 10.0});
  out.air = drawn(random, {0.0, 0.001, 0.003, 0.01});
  out.step = drawn(random, {0.0001, 0.001, 0.005, 0.01, 0.02});
  return out;
}

struct Comparison {
  double difference = 0;  // m, largest of a coordinate over the time
  RigSum implicit, adaptive;

  bool is_sound() const { return implicit.is_sound && adaptive.is_sound; }
};

Comparison compare(const BoxermanCase& of, double duration, double tolerance) {
  SolverParameters linear = boxerman_solver(of.step);
  linear.tolerance = tolerance;
  BoxermanRig all(of), some(of, adaptive_treatment(of));
  const auto implicit = make_boxerman_integrator(linear), adaptive = make_boxerman_integrator(linear);
  Comparison out;
  const int steps = static_cast<int>(std::lround(duration / of.step));
  for (int k = 0; k < steps && out.is_sound(); ++k) {
    const RigStep a = all.attempt(*implicit, of.step), b = some.attempt(*adaptive, of.step);
    out.implicit.add(a);
    out.adaptive.add(b);
    all.accept(a);
    some.accept(b);
    for (size_t i = 0; i < a.end.x.size(); ++i)
      out.difference = std::max(out.difference, (a.end.x[i] - b.end.x[i]).cwiseAbs().maxCoeff());
  }
  return out;
}

/// 0: both implicit, 1: shear explicit, 2: stretch explicit, 3: both.
int class_of(const BoxermanCase& of) {
  const KindTreatment treatment = adaptive_treatment(of);
  return 2 * !treatment.stretch + !treatment.shear;
}

struct PublishedClass {
  const char* name;
  int runs;
  double seconds, iterations;  // ratios
};

constexpr PublishedClass kClasses[] = {{"implicit stretch, implicit shear", 412, 0.83, 1.00},
                                       {"implicit stretch, explicit shear", 18, 0.71, 1.02},
                                       {"explicit stretch, implicit shear", 37, 0.71, 0.96},
                                       {"explicit stretch, explicit shear", 33, 0.47, 0.47}};

struct ClassSum {
  int runs = 0, failed = 0;
  double seconds = 0, iterations = 0;  // sums of ratios
  int counted = 0;                     // with iterations of the implicit one

  void add(const Comparison& run) {
    if (!run.is_sound()) {
      ++failed;
      return;
    }
    ++runs;
    seconds += run.adaptive.seconds / run.implicit.seconds;
    if (run.implicit.iterations == 0) return;
    ++counted;
    iterations += static_cast<double>(run.adaptive.iterations) / static_cast<double>(run.implicit.iterations);
  }
  double mean_seconds() const { return seconds / std::max(1, runs); }
  double mean_iterations() const { return iterations / std::max(1, counted); }
};

/// Stiff and soft sheets with the largest steps that they get.
constexpr BoxermanCase kSwitched[] = {
    {.side = 10, .spacing = 0.05, .stretch = 1000, .shear = 100, .step = 0.01},
    {.side = 15,
     .spacing = 0.03,
     .density = 0.3,
     .stretch = 1000,
     .shear = 1000,
     .stretch_damping = 1,
     .step = 0.02},
    {.side = 20,
     .spacing = 0.05,
     .density = 0.1,
     .stretch = 3000,
     .shear = 100,
     .shear_damping = 0.01,
     .step = 0.01},
};
/// Figure 4.12.
constexpr BoxermanCase kWorst{.side = 40,
                              .spacing = 0.03,
                              .density = 10,
                              .stretch = 100,
                              .shear = 1000,
                              .stretch_damping = 1,
                              .air = 0.001,
                              .step = 0.001};
/// Figure 4.13.
constexpr BoxermanCase kUsual{.scene = BoxermanScene::table,
                              .side = 20,
                              .spacing = 0.1,
                              .stretch_damping = 1,
                              .shear_damping = 1,
                              .air = 0.003,
                              .step = 0.01};
}  // namespace

Result<Findings> boxerman_switching(const Effort& effort) {
  const int steps = effort.quick ? 200 : 2000;
  Findings findings;
  double growth = 0, late_growth = 0, modest_growth = 0;
  int single = 0;
  bool is_sound = true;
  for (BoxermanCase of : kSwitched)
    for (const double kappa : {2.0, 20.0, of.largest_kappa()})
      for (const bool alternates : {true, false}) {
        effort.progress(fmt::format("{} x {}, kappa {:.0f}", of.side, of.side, kappa));
        of.step = step_with(of, kappa);
        const Switching run = switch_steps(of, alternates, steps);
        findings.figures.push_back(
            {fmt::format("{} x {}, kappa up to {:.0f}, steps {}", of.side, of.side, kappa,
                         alternates ? "alternate" : "sweep"),
             "stable",
             fmt::format("{} ways, energy at most {:.4f} of m g L above the start", run.ways, run.growth)});
        growth = std::max(growth, run.growth);
        late_growth = std::max(late_growth, run.late_growth);
        if (kappa <= 20) modest_growth = std::max(modest_growth, run.growth);
        single = std::max(single, run.shortest_iterations);
        is_sound = is_sound && run.is_sound;
      }
  const int all = blocks_of({}), both = blocks_of({.bend = false}),
            stretch = blocks_of({.shear = false, .bend = false}), none = blocks_of({false, false, false});
  findings.figures.push_back({"blocks of 10 x 10: all, stretch and shear, stretch, none implicit",
                              "1360, 784, 460, 100",
                              fmt::format("{}, {}, {}, {}", all, both, stretch, none)});
  findings.figures.push_back({"blocks that are not zero while it swings, stretch and shear implicit",
                              "figure 4.11", fmt::format("{} of {}", used_blocks(), both)});
  findings.claims = {
      {"C11: adaptive IMEX is stable while steps change", "in all cases",
       fmt::format("{}energy at most {:.4f} of m g L above the start, {:.4f} in the second half; up to kappa "
                   "20 {:.4f}",
                   is_sound ? "" : "failed, ", growth, late_growth, modest_growth),
       is_sound && growth < 0.1 && late_growth < 0.01 + 0.5 * growth && modest_growth < 0.01},
      {"C11: with short steps the matrix is block-diagonal: one iteration", "1",
       fmt::format("at most {}", single), single <= 1 && none == 100},
      {"C14: blocks of the matrix", "1360, 784, 460", fmt::format("{}, {}, {}", all, both, stretch),
       all == 1360 && both == 784 && stretch == 460}};
  return findings;
}

Result<Findings> boxerman_difference(const Effort& effort) {
  constexpr double kTight = 1e-6;
  const int draws = effort.quick ? 8 : 20;
  const double duration = 1;
  Random random(2);
  Findings findings;
  std::vector<double> shares;
  int failed = 0;
  for (int k = 0; k < draws; ++k) {
    effort.progress(fmt::format("{} of {}", k, draws));
    BoxermanCase of = adaptive_case(random);
    of.side = std::min(of.side, effort.quick ? 10 : 20);
    of.step = std::max(of.step, effort.quick ? 0.005 : 0.001);
    const Comparison run = compare(of, duration, kTight);
    failed += !run.is_sound();
    shares.push_back(run.is_sound() ? run.difference / of.spacing : INFINITY);
  }
  std::sort(shares.begin(), shares.end());
  const auto small = std::lower_bound(shares.begin(), shares.end(), 0.1) - shares.begin();
  effort.progress("figures 4.12 and 4.13");
  BoxermanCase worst = kWorst;
  if (effort.quick) worst.side = 20;
  const double at_worst = compare(worst, duration, kTight).difference / worst.spacing;
  const double at_usual = compare(kUsual, duration, kTight).difference / kUsual.spacing;
  findings.figures = {
      {"runs, of them with a failed solve", "500", fmt::format("{}, {}", draws, failed)},
      {"differences below 0.1 h", "most", fmt::format("{} of {}", small, draws)},
      {"quartiles of the difference", "",
       fmt::format("{:.2g} h, {:.2g} h, {:.2g} h", shares[shares.size() / 4], shares[shares.size() / 2],
                   shares[3 * shares.size() / 4])},
      {"figure 4.12: latex-like sheet at two corners", "1.68 h", fmt::format("{:.2f} h", at_worst)},
      {"figure 4.13: table", "0.63 h", fmt::format("{:.2f} h", at_usual)}};
  findings.claims = {{"C12: most differ by less than 0.1 h over 1 s", "most",
                      fmt::format("{} of {}", small, draws), 2 * small > draws},
                     {"C12: figure 4.12 differs by about as much", "1.68 h",
                      fmt::format("{:.2f} h", at_worst), at_worst < 2 * 1.68 && at_worst > 0.5 * 1.68},
                     {"C12: figure 4.13 differs by about as much", "0.63 h",
                      fmt::format("{:.2f} h", at_usual), at_usual < 2 * 0.63 && at_usual > 0.5 * 0.63}};
  return findings;
}

Result<Findings> boxerman_adaptive_cost(const Effort& effort) {
  const int per_class = effort.quick ? 2 : 10;
  Random random(4);
  std::array<int, 4> counts{};
  std::array<ClassSum, 4> sums;
  for (int k = 0; k < 500; ++k) {
    BoxermanCase of = adaptive_case(random);
    const auto kind = static_cast<size_t>(class_of(of));
    ++counts[kind];
    ClassSum& sum = sums[kind];
    if (effort.quick && of.step < 0.001) continue;
    if (sum.runs + sum.failed >= per_class) continue;
    if (effort.quick) of.side = std::min(of.side, 20);
    effort.progress(fmt::format("{}, {}", kClasses[kind].name, sum.runs));
    const int steps = effort.quick ? 50 : 200;
    sum.add(compare(of, std::min(1.0, steps * of.step), boxerman_tolerance(of.step)));
  }
  Findings findings;
  bool all_faster = true, same_iterations = true;
  for (size_t k = 0; k < 4; ++k) {
    const PublishedClass& published = kClasses[k];
    findings.figures.push_back(
        {fmt::format("{}: of 500 draws, time, iterations", published.name),
         fmt::format("{}, {:.2f}, {:.2f}", published.runs, published.seconds, published.iterations),
         fmt::format("{}, {:.2f}, {:.2f} ({} runs{})", counts[k], sums[k].mean_seconds(),
                     sums[k].mean_iterations(), sums[k].runs,
                     sums[k].failed > 0 ? fmt::format(", {} failed", sums[k].failed) : "")});
    all_faster = all_faster && sums[k].mean_seconds() < 1;
    if (k < 3) same_iterations = same_iterations && std::abs(sums[k].mean_iterations() - 1) < 0.15;
  }
  const double none = sums[0].mean_seconds(), one = 0.5 * (sums[1].mean_seconds() + sums[2].mean_seconds()),
               both = sums[3].mean_seconds();
  findings.claims = {{"C13: iterations are the same unless all is explicit", "1.00, 1.02, 0.96",
                      fmt::format("{:.2f}, {:.2f}, {:.2f}", sums[0].mean_iterations(),
                                  sums[1].mean_iterations(), sums[2].mean_iterations()),
                      same_iterations},
                     {"C13: and fewer if it is", "0.47", fmt::format("{:.2f}", sums[3].mean_iterations()),
                      sums[3].mean_iterations() < 0.8}};
  if (!effort.quick) {
    findings.claims.push_back({"C13: adaptive IMEX is faster in every class", "0.83, 0.71, 0.71, 0.47",
                               fmt::format("{:.2f}, {:.2f}, {:.2f}, {:.2f}", sums[0].mean_seconds(),
                                           sums[1].mean_seconds(), sums[2].mean_seconds(), both),
                               all_faster});
    findings.claims.push_back({"C13: the more is explicit the faster", "0.83 > 0.71 > 0.47",
                               fmt::format("{:.2f} > {:.2f} > {:.2f}", none, one, both),
                               none > one && one > both});
  }
  return findings;
}

}  // namespace heddle
