#pragma once

#include <heddle/constraints/sweep_limits.h>
#include <heddle/solve/anderson.h>
#include <heddle/solve/linear_solver.h>

#include <memory>
#include <vector>

namespace heddle {

/// Scene parameters of limits kept by all faces together.
struct GlobalLimits {
  LimitParameters common;
  int sweeps = 10;
  int iterations = 200;

  static void describe(Describer<GlobalLimits>& d);
  std::unique_ptr<StrainLimiter> build(LimitedFaces faces) const;
};

/// A few Gauss-Seidel sweeps for what is beyond its limits here and there; where they do not suffice,
/// positions near the wanted ones x* and within the limits, min sum m_i |x_i - x_i*|^2, by alternating
/// directions (ADMM; Boyd et al. 2011, 3.1 and 3.4.3): each face moves its deformation gradient to the
/// nearest one within its bounds, then one linear system finds the positions that fit all of them. Its
/// matrix, masses and a Laplacian, is always the same and carries corrections over the whole cloth at once,
/// so iterations hardly grow with the mesh. They are an iteration of the gradients alone (Douglas and
/// Rachford), which is accelerated as in Zhang et al. 2019. Rates are limited by sweeps.
class GlobalLimiter final : public SweepLimiter {
 public:
  GlobalLimiter(LimitedFaces faces, const GlobalLimits& parameters);
  LimitReport limit(const LimitedParticles& particles, std::span<Vec3> x) override;

 private:
  bool is_within(std::span<const Vec3> x) const;
  void make_matrix(const LimitedParticles& particles);
  /// Cuts the gradient of a face at its bounds.
  void project(int face);
  /// How far the positions want the gradient of a face to move.
  void move(int face, std::span<const Vec3> x);
  /// Adds the forces with which faces pull towards their gradients, and those back to the wanted positions.
  void find_residual(const LimitedParticles& particles, std::span<const Vec3> x);
  int solve(const LimitedParticles& particles, std::span<Vec3> x);
  /// To the next gradients; the size of the residual, and `last` that of the one before.
  double advance(double last);
  LimitReport alternate(const LimitedParticles& particles, std::span<Vec3> x);

  int most_sweeps_, most_iterations_;
  double mass_ = 0;  // kg, that the matrix was made for
  std::unique_ptr<LinearSolver> solver_;
  BlockMatrix matrix_;
  bool is_known_ = false;  // the solver has seen the matrix
  Anderson anderson_;
  /// By face: a gradient that may be beyond its bounds, the nearest one within them, how far the iteration
  /// moves the former, and where to.
  std::vector<Mat32> gradient_, allowed_, residual_, image_;
  std::vector<double> areas_;  // m2
  std::vector<Vec3> wanted_, rhs_, step_;
};

}  // namespace heddle
