// Compares the linear solvers on the systems of a cloth that drapes over a sphere: for each size and
// stiffness the cloth falls for 0.3 s, then the system of the next step is solved by each method to the same
// residual. Usage: solver_bench [largest resolution, default 101]

#include <heddle/parallel/scheduler.h>
#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/step.h>
#include <heddle/solve/conjugate_gradient.h>
#include <heddle/solve/multigrid.h>

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>

namespace heddle {
namespace {

constexpr double kTimeStep = 0.01;  // s
constexpr int kStepsBefore = 30;
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

Simulation draped(int resolution, int stiffness) {
  const Catalogue catalogue = make_catalogue();
  const Result<LoadedScene> scene =
      load_scene_text(scene_text(resolution, stiffness), "bench.json", catalogue);
  if (!scene) throw std::runtime_error(scene.errors().text());
  Diagnostics warnings;
  Result<Simulation> built = build(scene->description, catalogue, warnings);
  if (!built) throw std::runtime_error(built.errors().text());
  Simulation simulation = std::move(*built);
  for (int i = 0; i < kStepsBefore; ++i) step(simulation, [](const Snapshot&) { return Status(Done{}); });
  return simulation;
}

Problem next_step(Simulation& sim) {
  const System& system = *sim.model.system;
  const State& state = sim.state;
  const auto n = state.x.size();
  VelocityFilter filter(state.particle_count());
  std::vector<Vec3> load(n, Vec3::Zero()), force(n), stiffness_velocity(n);
  system.constrain(state, kTimeStep, filter);
  sim.contact->detect(state, kTimeStep, sim.model.gravity);
  sim.contact->respond(filter, load);
  Problem problem{BlockMatrix(system.pattern()), std::vector<Vec3>(n), std::vector<Vec3>(n), state.v,
                  filter.projection()};
  BlockMatrix constant(system.pattern());
  system.constant_matrix(kTimeStep * kTimeStep, kTimeStep, constant);
  Linearisation linear{.stiffness_scale = kTimeStep * kTimeStep,
                       .damping_scale = kTimeStep,
                       .form = JacobianForm::positive,
                       .matrix = &problem.matrix,
                       .force = force,
                       .stiffness_velocity = stiffness_velocity};
  system.linearise(configuration_of(state), constant, linear, problem.external);
  filter.impose(problem.start);
  for (size_t i = 0; i < n; ++i) {
    problem.start[i] -= state.v[i];
    problem.rhs[i] = kTimeStep * (force[i] + load[i] - kTimeStep * stiffness_velocity[i]);
    problem.external[i] *= kTimeStep;
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
  double residual = 0, rhs = 0, external = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const auto square = [&](const Vec3& v) {
      return v.dot(metric.diagonal_inverse(static_cast<int>(i)) * v);
    };
    residual += square(p.rhs[i] - r[i]);
    rhs += square(p.rhs[i]);
    external += square(p.external[i]);
  }
  return std::sqrt(residual / std::max(rhs, external));
}

using Make = std::function<std::unique_ptr<Preconditioner>()>;

void measure(const std::string& label, const Make& make, const Problem& p, double tolerance) {
  double setup = 0;
  if (const auto preconditioner = make()) {
    FilteredMatrix filtered;
    filtered.assign(p.matrix, p.projection);
    preconditioner->factor(filtered);
    setup = 1e30;
    for (int i = 0; i < kRepeats; ++i)
      setup = std::min(setup, milliseconds([&] { preconditioner->factor(filtered); }));
  }
  ConjugateGradient solver(make());
  ConjugateGradientReport report;
  std::vector<Vec3> x;
  double total = 1e30;
  for (int i = 0; i < kRepeats; ++i) {
    x = p.start;
    total = std::min(total, milliseconds([&] {
                       report = solver.solve(p.matrix, p.rhs, p.external, p.projection,
                                             {.tolerance = tolerance, .max_iterations = 5000}, x);
                     }));
  }
  fmt::print("{} | {} | {:.2f} | {:.3f} | {:.1f} | {:.1e} |\n", label, report.iterations, setup,
             (total - setup) / std::max(1, report.iterations), total, true_residual(p, x));
  std::fflush(stdout);
}

void run(int largest) {
  fmt::print(
      "| vertices | N/m | tolerance | method | iterations | setup ms | ms per iteration | total ms | "
      "residual |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (int resolution : {51, 101, 201}) {
    if (resolution > largest) break;
    for (int stiffness : {300, 3000, 10000}) {
      Simulation simulation = draped(resolution, stiffness);
      const Problem problem = next_step(simulation);
      for (double tolerance : {1e-2, 1e-3}) {
        const std::string where =
            fmt::format("| {} | {} | {:g} |", resolution * resolution, stiffness, tolerance);
        measure(
            where + " block-Jacobi", [] { return nullptr; }, problem, tolerance);
        measure(
            where + " multigrid", [] { return std::make_unique<Multigrid>(); }, problem, tolerance);
      }
    }
  }
}

}  // namespace
}  // namespace heddle

int main(int count, char** arguments) {
  try {
    heddle::run(count > 1 ? std::atoi(arguments[1]) : 101);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
