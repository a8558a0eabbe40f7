#include "commands.h"
#include "study_plot.h"
#include "terminal.h"

#include <heddle/core/text.h>
#include <heddle/parallel/scheduler.h>
#include <heddle/sim/build.h>
#include <heddle/study/critical_step.h>
#include <heddle/study/plots.h>
#include <heddle/study/scene_study.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

namespace heddle::cli {

namespace {

using Json = nlohmann::json;

struct Options {
  std::vector<std::string> methods;
  std::string problem = "truss", scene, reference;
  double longest = 0;  // s
  int count = 8, steps = 1000;
  RegionWindow window;
  int threads = 0;
  bool json = false, overwrite = false;
  std::string plot, measure = "flops";
};

/// A number, or null where it is none: JSON knows neither infinity nor NaN.
Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Result<std::vector<Method>> chosen_methods(const Options& options, const Catalogue& catalogue) {
  if (options.methods.empty()) return all_methods(catalogue);
  Diagnostics errors;
  std::vector<Method> methods;
  for (const std::string& text : options.methods) {
    Result<Method> method = find_method(text, catalogue);
    if (method)
      methods.push_back(std::move(*method));
    else
      errors.append(method.errors());
  }
  if (errors.has_errors()) return errors;
  return methods;
}

Result<const ProblemEntry*> chosen_problem(const std::string& name) {
  if (const ProblemEntry* entry = find_problem(name)) return entry;
  std::vector<std::string> known;
  for (const ProblemEntry& entry : problem_registry()) known.emplace_back(entry.name);
  const std::string nearest = nearest_name(name, known);
  Diagnostics errors;
  errors.error(
      {}, "there is no problem " + in_quotes(name),
      nearest.empty() ? "use one of " + quoted_list(known) : "did you mean " + in_quotes(nearest) + "?");
  return errors;
}

Json to_json(const Convergence& result) {
  auto errors = Json::array();
  for (const ErrorAtStep& at : result.errors)
    errors.push_back({{"step", at.step},
                      {"error", number_or_null(at.error)},
                      {"evaluations", at.work.evaluations},
                      {"linearisations", at.work.linearisations},
                      {"iterations", at.work.iterations},
                      {"row_products", at.work.row_products},
                      {"flops", at.work.flops},
                      {"seconds", at.work.seconds}});
  const auto order = result.order();
  return {{"method", result.method}, {"order", order ? Json(*order) : Json(nullptr)}, {"errors", errors}};
}

void print_table(const std::vector<Convergence>& results, const std::string& unit) {
  for (const Convergence& result : results) {
    const auto order = result.order();
    fmt::print("{}: order {}\n", result.method, order ? fmt::format("{:.2f}", *order) : "unknown");
    fmt::print("{:>12} {:>14} {:>12} {:>12} {:>12} {:>12} {:>10}\n", "step (s)", "error (" + unit + ")",
               "forces", "Jacobians", "iterations", "flops", "time (s)");
    for (const ErrorAtStep& at : result.errors)
      fmt::print("{:>12.3g} {:>14} {:>12} {:>12} {:>12} {:>12.3g} {:>10.2g}\n", at.step,
                 std::isfinite(at.error) ? fmt::format("{:.3e}", at.error) : "failed", at.work.evaluations,
                 at.work.linearisations, at.work.iterations, at.work.flops, at.work.seconds);
    fmt::print("\n");
  }
}

/// Errors of all methods on the scene, or on the problem if there is none.
Result<std::vector<Convergence>> measure(const Options& options, const std::vector<Method>& methods,
                                         const Catalogue& catalogue) {
  ProgressLine progress;
  std::vector<Convergence> results;
  if (options.scene.empty()) {
    const auto entry = chosen_problem(options.problem);
    if (!entry) return entry.errors();
    const StudyProblem problem = (*entry)->make();
    const double longest = options.longest > 0 ? options.longest : problem.duration / 50;
    for (const Method& method : methods) {
      progress.show(method.name);
      results.push_back(convergence(problem, method, halved_steps(longest, options.count)));
    }
    return results;
  }
  const auto scene = load_scene(options.scene, catalogue, check_parts(catalogue));
  if (!scene) return scene.errors();
  const double longest = options.longest > 0 ? options.longest : 0.02;
  for (const Method& method : methods) {
    progress.show(method.name);
    const auto reference =
        options.reference.empty() ? Result<Method>(method) : find_method(options.reference, catalogue);
    if (!reference) return reference.errors();
    auto result = scene_convergence(scene->description, method, *reference,
                                    halved_steps(longest, options.count), catalogue);
    if (!result) return result.errors();
    results.push_back(std::move(*result));
  }
  return results;
}

std::string unit_of(const Options& options) {
  const ProblemEntry* entry = options.scene.empty() ? find_problem(options.problem) : nullptr;
  return entry && entry->make().measures_speed ? "m/s" : "m";
}

std::string subject_of(const Options& options) {
  return options.scene.empty() ? options.problem : std::filesystem::path(options.scene).stem().string();
}

WorkMeasure measure_from(const std::string& word) {
  if (word == "time") return WorkMeasure::seconds;
  return word == "rows" ? WorkMeasure::row_products : WorkMeasure::flops;
}

int study_errors(const Options& options, bool against_work) {
  if (const Status plot = check_plot(options.plot, options.overwrite); !plot) return reject(plot.errors());
  const Catalogue catalogue = make_catalogue();
  const auto methods = chosen_methods(options, catalogue);
  if (!methods) return reject(methods.errors());
  const auto results = ThreadPool(options.threads).run([&] { return measure(options, *methods, catalogue); });
  if (!results) return reject(results.errors());
  const std::string unit = unit_of(options),
                    title = (against_work ? "Work and error: " : "Convergence: ") + subject_of(options);
  const LinePlot plot = against_work ? work_plot(title, unit, measure_from(options.measure), *results)
                                     : convergence_plot(title, unit, *results);
  if (const Status written = write_plot(options.plot, plot); !written) return reject(written.errors());
  if (options.json) {
    auto out = Json::array();
    for (const Convergence& result : *results) out.push_back(to_json(result));
    fmt::print("{}\n", Json{{"subject", subject_of(options)}, {"unit", unit}, {"methods", out}}.dump(2));
  } else {
    print_table(*results, unit);
  }
  return kSuccess;
}

/// Where the method leaves its region on the axes, as far as the window shows it.
struct Reach {
  double real = 0, imaginary = 0;  // h |lambda|; infinite if it is stable up to the border
};

double reach_along(const Method& method, std::complex<double> direction, double farthest) {
  constexpr double kStable = 1 + 1e-6;
  const auto is_stable_at = [&](double distance) {
    return amplification(method, distance * direction) <= kStable;
  };
  constexpr int kLooks = 200;
  double low = 0, high = 0;
  for (int k = 1; k <= kLooks && high == 0; ++k) {
    const double distance = farthest * k / kLooks;
    (is_stable_at(distance) ? low : high) = distance;
  }
  if (high == 0) return HUGE_VAL;
  for (int k = 0; k < 30; ++k) {
    const double middle = 0.5 * (low + high);
    (is_stable_at(middle) ? low : high) = middle;
  }
  return low;
}

struct Stability {
  std::string method;
  Reach reach;
  std::optional<double> critical;  // s, on the problem; infinite if all that were tried are stable
};

std::string step_text(const std::optional<double>& step) {
  if (!step) return "never stable";
  return std::isfinite(*step) ? fmt::format("{:.3g}", *step) : "none seen";
}

/// Of one method (s); infinite if all that were tried are stable.
using StepSearch = std::function<Result<std::optional<double>>(const Method&)>;

StepSearch search_on(const StudyProblem& problem) {
  return [problem](const Method& method) -> Result<std::optional<double>> {
    const CriticalSearch search{.longest = 10 * problem.duration};
    const auto found = critical_step(problem, method, search);
    return found == search.longest ? HUGE_VAL : found;
  };
}

StepSearch search_on(const SceneDescription& scene, int steps, const Catalogue& catalogue) {
  return [scene, steps, &catalogue](const Method& method) -> Result<std::optional<double>> {
    const CriticalSearch search{.longest = 0.1, .steps = steps, .margin = 1};
    auto found = scene_critical_step(scene, method, search, catalogue);
    if (found && *found == search.longest) return std::optional(HUGE_VAL);
    return found;
  };
}

Result<StepSearch> chosen_search(const Options& options, const Catalogue& catalogue) {
  if (options.scene.empty()) {
    const auto entry = chosen_problem(options.problem);
    if (!entry) return entry.errors();
    return search_on((*entry)->make());
  }
  const auto scene = load_scene(options.scene, catalogue, check_parts(catalogue));
  if (!scene) return scene.errors();
  return search_on(scene->description, options.steps, catalogue);
}

Result<std::vector<Stability>> measure_stability(const Options& options, const std::vector<Method>& methods,
                                                 const StepSearch& longest_step,
                                                 std::vector<PlotRegion>& regions) {
  constexpr double kFarthest = 20;
  std::vector<Stability> results;
  ProgressLine progress;
  for (const Method& method : methods) {
    progress.show(method.name);
    const auto critical = longest_step(method);
    if (!critical) return critical.errors();
    results.push_back({method.name,
                       {reach_along(method, -1, kFarthest), reach_along(method, {0, 1}, kFarthest)},
                       *critical});
    if (!options.plot.empty()) regions.push_back(stability_region(method, options.window));
  }
  progress.clear();
  return results;
}

std::string limit_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : "none seen";
}

void print_table(const std::vector<Stability>& results, const std::string& problem) {
  fmt::print("{:<24} {:>16} {:>16} {:>22}\n", "method", "real axis", "imaginary axis",
             "step on " + problem + " (s)");
  for (const Stability& result : results)
    fmt::print("{:<24} {:>16} {:>16} {:>22}\n", result.method, limit_text(result.reach.real),
               limit_text(result.reach.imaginary), step_text(result.critical));
}

Json to_json(const Stability& result) {
  return {{"method", result.method},
          {"real_limit", number_or_null(result.reach.real)},
          {"imaginary_limit", number_or_null(result.reach.imaginary)},
          {"is_ever_stable", result.critical.has_value()},
          {"critical_step", number_or_null(result.critical.value_or(HUGE_VAL))}};
}

int study_stability(const Options& options) {
  if (const Status plot = check_plot(options.plot, options.overwrite); !plot) return reject(plot.errors());
  const Catalogue catalogue = make_catalogue();
  const auto methods = chosen_methods(options, catalogue);
  if (!methods) return reject(methods.errors());
  const auto longest_step = chosen_search(options, catalogue);
  if (!longest_step) return reject(longest_step.errors());
  std::vector<PlotRegion> regions;
  const auto results = ThreadPool(options.threads).run([&] {
    return measure_stability(options, *methods, *longest_step, regions);
  });
  if (!results) return reject(results.errors());
  const Status written =
      write_plot(options.plot, region_plot("Regions of stability", options.window, regions));
  if (!written) return reject(written.errors());
  if (options.json) {
    auto out = Json::array();
    for (const Stability& result : *results) out.push_back(to_json(result));
    const char* kind = options.scene.empty() ? "problem" : "scene";
    fmt::print("{}\n", Json{{kind, subject_of(options)}, {"methods", out}}.dump(2));
  } else {
    print_table(*results, subject_of(options));
  }
  return kSuccess;
}

void add_common(CLI::App* command, Options& options) {
  command->add_option("methods", options.methods,
                      "Integrators: their names, or {\"type\": …} with parameters; without them all");
  command->add_option("--problem", options.problem, "What is integrated; heddle study problems names all");
  command->add_option("--scene", options.scene, "A scene file instead of a problem")->check(is_named);
  command->add_option("--plot", options.plot, "Write a diagram (.svg or .png)")->check(is_named);
  command->add_flag("--overwrite", options.overwrite, "Replace the diagram if it exists");
  command->add_flag("--json", options.json, "Print JSON");
  command->add_option("--threads", options.threads, "Threads; 0 means all processors")
      ->check(CLI::Range(0, 1024));
}

void add_steps(CLI::App* command, Options& options) {
  command->add_option("--reference", options.reference,
                      "Integrator whose short steps count as exact on a scene; without it each its own");
  command->add_option("--longest", options.longest, "Longest step (s)")->check(CLI::PositiveNumber);
  command->add_option("--count", options.count, "How many steps, each half of the one before")
      ->check(CLI::Range(1, 20));
}

int list_problems(bool json) {
  auto entries = Json::array();
  for (const ProblemEntry& entry : problem_registry()) {
    if (!json) fmt::print("{:<16} {}\n", entry.name, entry.summary);
    entries.push_back({{"name", entry.name}, {"summary", entry.summary}});
  }
  if (json) fmt::print("{}\n", entries.dump(2));
  return kSuccess;
}

}  // namespace

void add_study(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("study", "Measure integrators, look at energies and matrices");
  command->footer(
      "Example: heddle study stability semi_implicit_euler --plot regions.svg\n"
      "         heddle study convergence --problem wave --plot errors.png\n"
      "         heddle study work-precision --scene scenes/spring_sheet.json --count 4\n"
      "         heddle study energy out/drape_sphere --plot energy.svg\n"
      "         heddle study sparsity scenes/adaptive_imex.json -o pictures");
  command->require_subcommand(1);

  CLI::App* stability = command->add_subcommand("stability", "Regions of stability and longest stable steps");
  stability->footer(
      "Example: heddle study stability semi_implicit_euler --problem truss --plot regions.svg\n"
      "         heddle study stability verlet --scene scenes/verlet_springs.json");
  add_common(stability, *options);
  stability
      ->add_option("--steps", options->steps,
                   "How many steps of each length are taken on a scene before it counts as stable")
      ->check(CLI::Range(1, 1000000));
  stability->callback([=, &action] { action = [=] { return study_stability(*options); }; });

  CLI::App* errors = command->add_subcommand("convergence", "Errors against the length of steps");
  errors->footer("Example: heddle study convergence --problem wave --count 8 --plot errors.svg");
  CLI::App* work = command->add_subcommand("work-precision", "Errors against the cost of computation");
  work->footer("Example: heddle study work-precision --problem damped_spring --against time --plot work.svg");
  for (CLI::App* each : {errors, work}) {
    add_common(each, *options);
    add_steps(each, *options);
    each->callback([=, &action] { action = [=] { return study_errors(*options, each == work); }; });
  }
  work->add_option("--against", options->measure,
                   "The cost that the diagram shows: flops, rows (times vector in the linear solver) or time")
      ->check(CLI::IsMember({"flops", "rows", "time"}));

  add_study_detail(*command, action);
  add_study_energy(*command, action);
  add_study_sparsity(*command, action);

  CLI::App* problems = command->add_subcommand("problems", "Names of the problems");
  problems->footer("Example: heddle study problems --json");
  problems->add_flag("--json", options->json, "Print JSON");
  problems->callback([=, &action] { action = [=] { return list_problems(options->json); }; });
}

}  // namespace heddle::cli
