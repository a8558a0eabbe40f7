#include <heddle/reproduce/boxerman.h>
#include <heddle/reproduce/boxerman_rig.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle {

namespace {

using Integrators = std::vector<std::unique_ptr<SemiImplicitEulerIntegrator>>;

/// Lets several solvers take the same steps; the sheet goes on with what the last of them found.
std::vector<RigSum> race(const BoxermanCase& of, const std::vector<SolverParameters>& solvers,
                         double duration) {
  BoxermanRig rig(of);
  Integrators integrators;
  for (const SolverParameters& linear : solvers) integrators.push_back(make_boxerman_integrator(linear));
  std::vector<RigSum> sums(solvers.size());
  const int steps = static_cast<int>(std::lround(duration / of.step));
  for (int k = 0; k < steps; ++k) {
    RigStep last;
    for (size_t i = 0; i < solvers.size(); ++i) {
      last = rig.attempt(*integrators[i], of.step);
      sums[i].add(last);
      if (!sums[i].is_sound) return sums;
    }
    rig.accept(last);
  }
  return sums;
}

bool all_sound(const std::vector<RigSum>& sums) {
  return std::all_of(sums.begin(), sums.end(), [](const RigSum& sum) { return sum.is_sound; });
}

double ratio(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) / static_cast<double>(std::max<std::int64_t>(1, b));
}

/// Slope of log y over log x.
double exponent(const std::vector<std::array<double, 2>>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [a, b] : points) {
    x += std::log(a);
    y += std::log(b);
    xx += std::log(a) * std::log(a);
    xy += std::log(a) * std::log(b);
  }
  const double n = static_cast<double>(points.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(std::max<size_t>(1, values.size()));
}

std::string mean_text(const std::vector<double>& values) {
  return values.empty() ? "no run" : fmt::format("{:.2f}", mean(values));
}

/// What draws of 5.3.1 gave, for no preconditioner, A-Block and the constrained one.
struct PreconditionerStudy {
  std::vector<std::array<double, 2>> none_growth, constrained_growth;  // particles, iterations a step
  std::vector<double> block_ratio, constrained_ratio, shared_ratio;    // of iterations, against none
  std::vector<double> stiff_block, stiff_constrained;                  // the same for kappa above 1000
  std::vector<double> usual_constrained, soft_constrained;             // for 100 to 1000, and below
  double block_seconds = 0, constrained_seconds = 0;
  bool same_counts = true;
  int failed = 0;

  void add(const BoxermanCase& of, const std::vector<RigSum>& sums);
  std::vector<double> above_100() const {
    std::vector<double> all = usual_constrained;
    all.insert(all.end(), stiff_constrained.begin(), stiff_constrained.end());
    return all;
  }
};

std::vector<SolverParameters> three_preconditioners(double step, const char* solver) {
  SolverParameters none = boxerman_solver(step);
  none.solver = solver;
  SolverParameters block = none, constrained = none;
  none.preconditioner = "none";
  block.constrained_preconditioner = false;
  return {none, block, constrained};
}

void PreconditionerStudy::add(const BoxermanCase& of, const std::vector<RigSum>& sums) {
  if (!all_sound(sums)) {
    ++failed;
    return;
  }
  const double n = of.side * of.side, steps = static_cast<double>(sums[0].steps);
  const double block = ratio(sums[1].iterations, sums[0].iterations),
               constrained = ratio(sums[2].iterations, sums[0].iterations), kappa = of.largest_kappa();
  none_growth.push_back({n, std::max(1.0, static_cast<double>(sums[0].iterations)) / steps});
  constrained_growth.push_back({n, std::max(1.0, static_cast<double>(sums[2].iterations)) / steps});
  block_ratio.push_back(block);
  constrained_ratio.push_back(constrained);
  shared_ratio.push_back(ratio(sums[5].iterations, sums[3].iterations));
  if (kappa > 1000) {
    stiff_block.push_back(block);
    stiff_constrained.push_back(constrained);
  }
  if (kappa <= 1000) (kappa > 100 ? usual_constrained : soft_constrained).push_back(constrained);
  block_seconds += sums[1].seconds;
  constrained_seconds += sums[2].seconds;
  same_counts = same_counts && sums[1].iterations == sums[2].iterations;
}

PreconditionerStudy study_preconditioners(BoxermanScene scene, const Effort& effort) {
  const int draws = effort.quick ? 6 : 32, largest_side = effort.quick ? 20 : 60;
  Random random(7);
  PreconditionerStudy study;
  for (int k = 0; k < draws; ++k) {
    const BoxermanCase of = preconditioner_case(random, scene, 1, largest_side);
    effort.progress(fmt::format("{} of {}, {} particles", k, draws, of.side * of.side));
    std::vector<SolverParameters> solvers = three_preconditioners(of.step, "conjugate_gradient");
    const std::vector<SolverParameters> own = three_preconditioners(of.step, "mpcg");
    solvers.insert(solvers.begin(), own.begin(), own.end());
    study.add(of, race(of, solvers, effort.quick ? 0.5 : 1));
  }
  return study;
}

void show(const PreconditionerStudy& study, Findings& findings) {
  findings.figures.push_back(
      {"runs, of them with a failed solve", "500",
       fmt::format("{}, {}", study.block_ratio.size() + static_cast<size_t>(study.failed), study.failed)});
  findings.figures.push_back(
      {"iterations with A-Block and with CP against none", "",
       fmt::format("{:.2f}, {:.2f}", mean(study.block_ratio), mean(study.constrained_ratio))});
  findings.figures.push_back({"CP against none, with a stop that all preconditioners share", "",
                              fmt::format("{:.2f}", mean(study.shared_ratio))});
  findings.figures.push_back(
      {"CP against none for kappa below 100, 100 to 1000, above",
       "smaller with kappa; 0.65 to 0.70 at 100 to 1000",
       fmt::format("{}, {}, {}", mean_text(study.soft_constrained), mean_text(study.usual_constrained),
                   mean_text(study.stiff_constrained))});
}

}  // namespace

Result<Findings> boxerman_start(const Effort& effort) {
  Findings findings;
  const int side = effort.quick ? 15 : 40;
  double best = 1, worst = 0;
  for (const auto& [scene, name] : {std::pair{BoxermanScene::corners, "two corners"},
                                    {BoxermanScene::table, "table"},
                                    {BoxermanScene::sphere, "sphere"}})
    for (const double step : {0.005, 0.02}) {
      effort.progress(name);
      const BoxermanCase of{.scene = scene,
                            .side = side,
                            .spacing = 1.0 / side,
                            .bend = 0.01,
                            .stretch_damping = 0.1,
                            .shear_damping = 0.1,
                            .step = step};
      SolverParameters published = boxerman_solver(step), cold = published;
      published.solver = "mpcg_published";
      published.warm_start = cold.warm_start = false;
      const auto sums = race(of, {published, cold, boxerman_solver(step)}, 1);
      const double share = ratio(sums[2].iterations, sums[0].iterations);
      findings.figures.push_back(
          {fmt::format("{}, k = {:g} s: iterations of the original, corrected, with start", name, step),
           "1, -, 0.45 to 0.75",
           fmt::format("1, {:.2f}, {:.2f} of {}{}", ratio(sums[1].iterations, sums[0].iterations), share,
                       sums[0].iterations, all_sound(sums) ? "" : ", failed")});
      best = std::min(best, share);
      worst = std::max(worst, share);
    }
  findings.claims = {{"C16: the last solution as a start saves iterations", "always fewer",
                      fmt::format("{:.2f} to {:.2f} of them", best, worst), worst < 1},
                     {"C16: 45 to 75 % are left in some problems", "0.45 to 0.75",
                      fmt::format("{:.2f} to {:.2f}", best, worst), best <= 0.75}};
  return findings;
}

Result<Findings> boxerman_preconditioners(const Effort& effort) {
  const PreconditionerStudy study = study_preconditioners(BoxermanScene::corners, effort);
  Findings findings;
  show(study, findings);
  const double gain = mean(study.constrained_ratio);
  const double overhead = study.constrained_seconds / study.block_seconds - 1;
  findings.figures.push_back(
      {"iterations grow with particles as n to the power, none and CP", "",
       fmt::format("{:.3f}, {:.3f}", exponent(study.none_growth), exponent(study.constrained_growth))});
  findings.figures.push_back(
      {"time of CP above that of A-Block", "0.8 %", fmt::format("{:.1f} %", 100 * overhead)});
  findings.claims = {
      {"C17: A-Block and CP take the same iterations without sliding contacts", "identical",
       study.same_counts ? "identical in all runs" : "not in all runs", study.same_counts},
      {"C17: about 30 % fewer than none", "0.70", fmt::format("{:.2f}", gain), gain < 0.8},
      {"C17: the gain grows with kappa", "above 50 % in extreme cases",
       fmt::format("{} below kappa 100, {} above; at best {:.2f}", mean_text(study.soft_constrained),
                   mean_text(study.above_100()),
                   *std::min_element(study.constrained_ratio.begin(), study.constrained_ratio.end())),
       mean(study.above_100()) < mean(study.soft_constrained)}};
  if (!effort.quick)
    findings.claims.push_back({"C19: CP costs hardly more time than A-Block", "0.8 %",
                               fmt::format("{:.1f} %", 100 * overhead), overhead < 0.02});
  return findings;
}

Result<Findings> boxerman_constrained(const Effort& effort) {
  const PreconditionerStudy study = study_preconditioners(BoxermanScene::sphere, effort);
  Findings findings;
  show(study, findings);
  const double none = exponent(study.none_growth), constrained = exponent(study.constrained_growth);
  findings.figures.push_back({"iterations grow with particles as n to the power, none and CP", "0.512, 0.436",
                              fmt::format("{:.3f}, {:.3f}", none, constrained)});
  findings.claims = {
      {"C18: A-Block needs more iterations than none", "more",
       fmt::format("{:.2f} of them", mean(study.block_ratio)), mean(study.block_ratio) > 1},
      {"C18: CP needs about 30 % fewer", "0.70", fmt::format("{:.2f}", mean(study.constrained_ratio)),
       mean(study.constrained_ratio) < 0.75},
      {"C18: and gains more on finer sheets", "0.436 < 0.512",
       fmt::format("{:.3f}, {:.3f}", constrained, none), constrained < none}};
  if (!study.stiff_block.empty())
    findings.claims.push_back({"C18: A-Block needs more also for kappa above 1000", "gets worse",
                               fmt::format("{:.2f} of them", mean(study.stiff_block)),
                               mean(study.stiff_block) >= 1});
  return findings;
}

}  // namespace heddle
