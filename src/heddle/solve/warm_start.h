#pragma once

#include <heddle/solve/linear_solver.h>

#include <memory>

namespace heddle {

/// Starts another solver with its last solution in the free directions: x = S x_last + (I - S) x (Boxerman
/// 2003, (5.2)), if the caller says that solutions resemble each other.
class WarmStart final : public LinearSolver {
 public:
  explicit WarmStart(std::unique_ptr<LinearSolver> solver) : solver_(std::move(solver)) {}

  std::string_view name() const override { return solver_->name(); }
  SolverReport solve(const BlockMatrix& matrix, std::span<const Vec3> b, std::span<const Vec3> reference,
                     const BlockProjection& projection, const SolverSettings& settings, std::span<Vec3> x,
                     std::span<const PairCoupling> couplings = {}) override;
  std::span<const int> components() const override { return solver_->components(); }
  size_t bytes() const override { return solver_->bytes() + bytes_of(last_); }

 private:
  std::unique_ptr<LinearSolver> solver_;
  std::vector<Vec3> last_;
};

}  // namespace heddle
