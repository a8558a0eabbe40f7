#include <heddle/study/course.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace heddle {

/// A term without any force.
class CallCounter::Term final : public ForceTerm {
 public:
  explicit Term(std::shared_ptr<Calls> calls) : calls_(std::move(calls)) {}
  std::string_view name() const override { return "call_counter"; }
  bool is_conservative() const override { return false; }
  bool is_implicit() const override { return true; }
  void add_force(const Configuration&, std::span<Vec3>) const override { ++calls_->forces; }
  void add_linearisation(const Configuration&, const Linearisation&) const override {
    ++calls_->linearisations;
  }

 private:
  std::shared_ptr<Calls> calls_;
};

CallCounter::CallCounter(System& system) : calls_(std::make_shared<Calls>()) {
  system.add(std::make_unique<Term>(calls_));
}

Work CallCounter::work(const System& system, const SolverWork& solver, double seconds) const {
  // Operations of one pair or particle, counted in the kernel of springs; of one block in a product.
  constexpr double kForceFlops = 30, kLinearisationFlops = 120, kBlockFlops = 18, kRowFlops = 30;
  const double rows = system.particle_count(), blocks = system.pattern().block_count();
  const double elements = rows + 0.5 * (blocks - rows);
  const Work work{.evaluations = calls_->forces,
                  .linearisations = calls_->linearisations,
                  .iterations = solver.iterations,
                  .row_products = solver.row_products,
                  .flops = elements * (kForceFlops * static_cast<double>(calls_->forces) +
                                       kLinearisationFlops * static_cast<double>(calls_->linearisations)) +
                           static_cast<double>(solver.iterations) * (kBlockFlops * blocks + kRowFlops * rows),
                  .seconds = seconds};
  return work;
}

Course advance(ParticleModel model, const Method& method, double dt, int steps, const StepWatcher& watch) {
  CallCounter counter(*model.system);
  const VelocityFilter filter = model.filter();
  const auto integrator = method.build();
  Course course{.is_sound = true, .end = std::move(model.state), .work = {}};
  std::vector<Vec3> reaction(course.end.x.size());
  SolverWork solver;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < steps && course.is_sound; ++i) {
    const StepReport report = integrator->step(*model.system, filter, {}, dt, course.end, reaction);
    solver.iterations += report.solver_iterations;
    solver.row_products += report.row_products;
    const bool went = report.outcome == StepOutcome::accepted || report.outcome == StepOutcome::doubtful;
    course.is_sound = went && is_finite(course.end);
    if (course.is_sound && watch && !watch(course.end)) break;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  course.work = counter.work(*model.system, solver, elapsed.count());
  return course;
}

int steps_to_end(double duration, double dt) {
  return std::max(1, static_cast<int>(std::lround(duration / dt)));
}

Course advance_to_end(const StudyProblem& problem, const Method& method, double dt) {
  const int steps = steps_to_end(problem.duration, dt);
  return advance(problem.model(), method, problem.duration / steps, steps);
}

}  // namespace heddle
