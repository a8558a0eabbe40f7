// Compares the linear solvers on the systems of a cloth that drapes over a sphere: the cloth falls for some
// steps, then the system of the next one is solved by each method to the same residual.
//   solver_bench [drape [LARGEST]]      block-Jacobi and multigrid, by size, stiffness and tolerance
//   solver_bench compare [RESOLUTION]   all solvers with all preconditioners on one system
//   solver_bench growth [LARGEST]       time of the default solver on finer and finer cloth, and its exponent
//   solver_bench memory [RESOLUTION]    bytes a vertex
//   solver_bench promise [LARGEST]      growth at one stiffness, for bench.py
//   solver_bench choose [LARGEST]       what "auto" chooses from, by size, step and tolerance

#include <heddle/parallel/scheduler.h>
#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/step.h>
#include <heddle/solve/choose_solver.h>
#include <heddle/solve/solver_registry.h>

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>

namespace heddle {
namespace {

constexpr double kTimeStep = 0.01;  // s
constexpr int kStepsBefore = 30;
constexpr int kStepsOfGrowth = 4, kMomentsOfGrowth = 3;  // the finest cloth takes seconds for each
constexpr double kGrowthTolerance = 1e-3;
constexpr int kStepsOfChoice = 15;
constexpr int kLargestFactored = 41;  // a side; later direct takes seconds and never wins
constexpr int kRepeats = 5;

/// The linear system of one time step.
struct Problem {
  BlockMatrix matrix;
  std::vector<Vec3> rhs, external, start;
  BlockProjection projection;
};

std::string scene_text(int resolution, int stiffness) {
  return fmt::format(R"({{"heddle": 1, "title": "drape", "duration": 2, "frame_rate": 25,
    "fabrics": {{"cloth": {{"base": "cotton", "weft_stiffness": {1}, "warp_stiffness": {1}}}}},
    "cloths": [{{"name": "cloth", "mesh": {{"type": "grid", "size": [1, 1], "resolution": [{0}, {0}]}},
                "translation": [0, 0, 0.22], "fabric": "cloth"}}],
    "obstacles": [{{"name": "ball", "shape": {{"type": "sphere", "radius": 0.2}}}}]}})",
                     resolution, stiffness);
}

void advance(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) step(simulation, [](const Snapshot&) { return Status(Done{}); });
}

Simulation draped(int resolution, int stiffness, int steps = kStepsBefore) {
  const Catalogue catalogue = make_catalogue();
  const Result<LoadedScene> scene =
      load_scene_text(scene_text(resolution, stiffness), "bench.json", catalogue);
  if (!scene) throw std::runtime_error(scene.errors().text());
  Diagnostics warnings;
  Result<Simulation> built = build(scene->description, catalogue, warnings);
  if (!built) throw std::runtime_error(built.errors().text());
  Simulation simulation = std::move(*built);
  advance(simulation, steps);
  return simulation;
}

Problem next_step(Simulation& sim, double dt = kTimeStep) {
  const System& system = *sim.model.system;
  const State& state = sim.state;
  const auto n = state.x.size();
  VelocityFilter filter(state.particle_count());
  std::vector<Vec3> load(n, Vec3::Zero()), force(n), stiffness_velocity(n);
  system.constrain(state, dt, filter);
  sim.contact->detect(state, dt, sim.model.gravity);
  sim.contact->respond(state, dt, filter, load);
  Problem problem{BlockMatrix(system.pattern()), std::vector<Vec3>(n), std::vector<Vec3>(n), state.v,
                  filter.projection()};
  BlockMatrix constant(system.pattern());
  system.constant_matrix(dt * dt, dt, constant);
  Linearisation linear{.stiffness_scale = dt * dt,
                       .damping_scale = dt,
                       .form = JacobianForm::positive,
                       .matrix = &problem.matrix,
                       .force = force,
                       .stiffness_velocity = stiffness_velocity};
  system.linearise(configuration_of(state), constant, linear, problem.external);
  filter.impose(problem.start);
  for (size_t i = 0; i < n; ++i) {
    problem.start[i] -= state.v[i];
    problem.rhs[i] = dt * (force[i] + load[i] - dt * stiffness_velocity[i]);
    problem.external[i] *= dt;
  }
  return problem;
}

/// Processor time, which other programs on the machine disturb least.
double milliseconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Residual against the outer forces and the right side, computed without the solver's own products.
double true_residual(const Problem& p, std::span<const Vec3> x) {
  FilteredMatrix metric;
  metric.assign(p.matrix, p.projection);
  std::vector<Vec3> r(x.size());
  p.matrix.multiply(x, r);
  for (size_t i = 0; i < x.size(); ++i) r[i] = p.rhs[i] - r[i];
  p.projection.apply(r);
  double residual = 0, rhs = 0, external = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const auto square = [&](const Vec3& v) {
      return v.dot(metric.diagonal_inverse(static_cast<int>(i)) * v);
    };
    residual += square(r[i]);
    rhs += square(p.rhs[i]);
    external += square(p.external[i]);
  }
  return std::sqrt(residual / std::max(rhs, external));
}

struct Measured {
  SolverReport report;
  double milliseconds = 0, residual = 0;
  size_t bytes = 0;
};

Measured measure(const SolverParameters& parameters, const Problem& p, double tolerance,
                 int repeats = kRepeats) {
  const auto solver = make_linear_solver(parameters);
  Measured best{.milliseconds = 1e30};
  std::vector<Vec3> x;
  for (int i = 0; i < repeats; ++i) {
    x = p.start;
    best.milliseconds = std::min(best.milliseconds, milliseconds([&] {
                                   best.report =
                                       solver->solve(p.matrix, p.rhs, p.external, p.projection,
                                                     {.tolerance = tolerance, .max_iterations = 5000}, x);
                                 }));
  }
  best.residual = true_residual(p, x);
  best.bytes = solver->bytes();
  return best;
}

void drape(int largest) {
  fmt::print(
      "| vertices | N/m | tolerance | preconditioner | iterations | total ms | residual |\n"
      "|---|---|---|---|---|---|---|\n");
  for (int resolution : {51, 101, 201}) {
    if (resolution > largest) break;
    for (int stiffness : {300, 3000, 10000}) {
      Simulation simulation = draped(resolution, stiffness);
      const Problem problem = next_step(simulation);
      for (double tolerance : {1e-2, 1e-3})
        for (const char* name : {"block_jacobi", "multigrid"}) {
          const Measured m = measure({.preconditioner = name}, problem, tolerance);
          fmt::print("| {} | {} | {:g} | {} | {} | {:.1f} | {:.1e} |\n", resolution * resolution, stiffness,
                     tolerance, name, m.report.iterations, m.milliseconds, m.residual);
          std::fflush(stdout);
        }
    }
  }
}

/// The default solver has the ratio 1.
void compare(int resolution) {
  constexpr double kTolerance = 1e-3;
  Simulation simulation = draped(resolution, 3000);
  const Problem problem = next_step(simulation);
  const double base = measure({}, problem, kTolerance).milliseconds;
  fmt::print("{} vertices, 3000 N/m, {} constrained, tolerance {:g}\n\n", resolution * resolution,
             problem.projection.particles().size(), kTolerance);
  fmt::print(
      "| solver | preconditioner | constrained | decomposed | iterations | rows times vector | ms | times "
      "the default | "
      "residual | bytes a vertex |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  const auto row = [&](const SolverParameters& parameters, bool preconditioned) {
    const Measured m = measure(parameters, problem, kTolerance, preconditioned ? kRepeats : 2);
    fmt::print("| {}{} | {} | {} | {} | {}{} | {} | {:.1f} | {:.2f} | {:.1e} | {} |\n", parameters.solver,
               parameters.single_precision ? ", single" : "",
               preconditioned ? parameters.preconditioner : "–",
               preconditioned ? (parameters.constrained_preconditioner ? "yes" : "no") : "–",
               parameters.decompose ? "yes" : "no", m.report.iterations,
               m.report.converged ? "" : " (not converged)", m.report.row_products, m.milliseconds,
               m.milliseconds / base, m.residual, m.bytes / problem.rhs.size());
    std::fflush(stdout);
  };
  for (const SolverEntry& solver : solver_registry()) {
    if (!solver.preconditioned) {
      row({.solver = solver.name}, false);
      continue;
    }
    for (const PreconditionerEntry& preconditioner : preconditioner_registry())
      for (const bool constrained : {true, false})
        row({.solver = solver.name,
             .preconditioner = preconditioner.name,
             .constrained_preconditioner = constrained},
            true);
    row({.solver = solver.name, .decompose = true}, true);
    if (solver.name == "mpcg")
      row({.solver = solver.name, .preconditioner = "block_jacobi", .single_precision = true}, true);
  }
}

/// One solve at each of some moments of the drape, to the same tolerance.
Measured solve_moments(int resolution, int stiffness, const SolverParameters& parameters) {
  Simulation simulation = draped(resolution, stiffness, 0);
  Measured sum;
  for (int moment = 0; moment < kMomentsOfGrowth; ++moment) {
    advance(simulation, kStepsOfGrowth);
    const Measured one = measure(parameters, next_step(simulation), kGrowthTolerance, 3);
    sum.report.iterations += one.report.iterations;
    sum.milliseconds += one.milliseconds;
  }
  return sum;
}

/// Returns the exponent e of the time, n^e, from the coarsest cloth to the finest.
double growth(int largest, int stiffness) {
  fmt::print(
      "sum of {} solves to {:g} at {} N/m\n| vertices | iterations | ms | grows like n to the "
      "|\n|---|---|---|---|\n",
      kMomentsOfGrowth, kGrowthTolerance, stiffness);
  double first = 0, exponent = 0;
  for (int resolution : {51, 101, 201, 401}) {
    if (resolution > largest) break;
    const Measured m = solve_moments(resolution, stiffness, {});
    if (first == 0) first = m.milliseconds;
    if (resolution > 51) exponent = std::log(m.milliseconds / first) / (2 * std::log(resolution / 51.0));
    fmt::print("| {} | {} | {:.1f} | {} |\n", resolution * resolution, m.report.iterations, m.milliseconds,
               resolution > 51 ? fmt::format("{:.2f}", exponent) : "");
    std::fflush(stdout);
  }
  return exponent;
}

void memory(int resolution) {
  Simulation simulation = draped(resolution, 3000, 1);
  const Problem problem = next_step(simulation);
  const auto bytes = [&](size_t sum) {
    return static_cast<double>(sum) / static_cast<double>(problem.rhs.size());
  };
  const auto solver = [&](const char* preconditioner) {
    return bytes(measure({.preconditioner = preconditioner}, problem, 1e-2, 1).bytes);
  };
  const double pattern = bytes(problem.matrix.pattern().bytes()), matrix = bytes(problem.matrix.bytes());
  const double alone = solver("block_jacobi"), multigrid = solver("multigrid");
  fmt::print(
      "{} vertices\n| what | bytes a vertex |\n|---|---|\n| places of blocks | {:.0f} |\n| numbers | {:.0f} "
      "|\n"
      "| conjugate gradients: vectors, inverse diagonal | {:.0f} |\n| levels of multigrid | {:.0f} |\n"
      "| sum | {:.0f} |\n",
      problem.rhs.size(), pattern, matrix - pattern, alone, multigrid - alone, matrix + multigrid);
  for (const PreconditionerEntry& preconditioner : preconditioner_registry())
    fmt::print("| conjugate_gradient with {} | {:.0f} |\n", preconditioner.name,
               solver(preconditioner.name.c_str()));
}

void choose(int largest) {
  fmt::print(
      "| vertices | step, s | stiffness | tolerance | multigrid ms | block_jacobi ms | direct ms | auto |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (int resolution : {6, 11, 21, 41, 101, 201}) {
    if (resolution > largest) break;
    Simulation simulation = draped(resolution, 3000, kStepsOfChoice);
    for (double dt : {1e-2, 2e-3, 5e-4, 1e-4}) {
      const Problem problem = next_step(simulation, dt);
      const SystemTraits traits = traits_of_system(problem.matrix, simulation.model.system->mass());
      for (double tolerance : {2e-2, 1e-3, 1e-6, 1e-9}) {
        const auto time = [&](const SolverParameters& parameters) {
          return measure(parameters, problem, tolerance, resolution > 50 ? 2 : kRepeats).milliseconds;
        };
        const SolverParameters chosen =
            choose_solver({.solver = kAuto, .preconditioner = kAuto, .tolerance = tolerance}, traits)
                .parameters;
        fmt::print("| {} | {:g} | {:.2g} | {:g} | {:.2f} | {:.2f} | {} | {} |\n", traits.rows, dt,
                   traits.stiffness, tolerance, time({}), time({.preconditioner = "block_jacobi"}),
                   resolution > kLargestFactored ? "–" : fmt::format("{:.2f}", time({.solver = "direct"})),
                   chosen.solver == "direct" ? chosen.solver : chosen.preconditioner);
        std::fflush(stdout);
      }
    }
  }
}

void run(const std::string& what, int resolution) {
  if (what == "drape")
    drape(resolution > 0 ? resolution : 101);
  else if (what == "compare")
    compare(resolution > 0 ? resolution : 101);
  else if (what == "growth")
    for (const int stiffness : {300, 3000}) growth(resolution > 0 ? resolution : 401, stiffness);
  else if (what == "memory")
    memory(resolution > 0 ? resolution : 101);
  else if (what == "promise")
    fmt::print("the exponent is {:.2f}\n", growth(resolution > 0 ? resolution : 401, 3000));
  else if (what == "choose")
    choose(resolution > 0 ? resolution : 101);
  else
    throw std::runtime_error("expected drape, compare, growth, memory, promise or choose");
}

}  // namespace
}  // namespace heddle

int main(int count, char** arguments) {
  try {
    heddle::run(count > 1 ? arguments[1] : "drape", count > 2 ? std::atoi(arguments[2]) : 0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
