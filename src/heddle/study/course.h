#pragma once

#include <heddle/study/method.h>
#include <heddle/study/problem.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace heddle {

/// What a computation cost, independent of the machine but for the time.
struct Work {
  std::int64_t evaluations = 0;     // of all forces
  std::int64_t linearisations = 0;  // of forces with Jacobians
  std::int64_t iterations = 0;      // of the linear solver
  std::int64_t row_products = 0;    // rows of the matrix times a vector
  double flops = 0;                 // about
  double seconds = 0;
};

/// What the linear solver did.
struct SolverWork {
  std::int64_t iterations = 0, row_products = 0;
};

/// Counts how often a system is evaluated; lives as a term of it. Take one for each system.
class CallCounter {
 public:
  explicit CallCounter(System& system);
  /// Since it was made; `solver` and `seconds` are passed through.
  Work work(const System& system, const SolverWork& solver, double seconds) const;

 private:
  struct Calls {
    std::int64_t forces = 0, linearisations = 0;
  };
  class Term;
  std::shared_ptr<Calls> calls_;
};

/// How a computation went.
struct Course {
  bool is_sound = false;  // no step failed and all numbers are finite
  State end;
  Work work;
};

/// Called after every step; false stops.
using StepWatcher = std::function<bool(const State&)>;

/// Takes that many steps of length dt (s).
Course advance(ParticleModel model, const Method& method, double dt, int steps,
               const StepWatcher& watch = {});

/// Over the duration of the problem in whole steps, as near to dt as they can be.
Course advance_to_end(const StudyProblem& problem, const Method& method, double dt);
int steps_to_end(double duration, double dt);

}  // namespace heddle
