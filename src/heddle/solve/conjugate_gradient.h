#pragma once

#include <heddle/math/block_matrix.h>
#include <heddle/math/block_projection.h>

#include <span>
#include <vector>

namespace heddle {

/// Inverse diagonal blocks: the preconditioner that costs nothing to build.
class BlockJacobi {
 public:
  void factor(const BlockMatrix& matrix);
  Vec3 apply(int row, const Vec3& r) const { return inverse_[static_cast<size_t>(row)] * r; }

 private:
  std::vector<Mat3> inverse_;
};

struct ConjugateGradientSettings {
  double tolerance = 1e-3;      // of the reference norm, see solve()
  int max_iterations = 1000;
};

struct ConjugateGradientReport {
  int iterations = 0;
  double relative_residual = 0;  // at the end, against the reference
  bool converged = false;
};

/// Preconditioned conjugate gradients restricted to the free directions of a projection S:
/// finds x = x_0 + S y with S (b - A x) = 0 (Baraff and Witkin 1998). Keeps its vectors from call to call.
class ConjugateGradient {
 public:
  /// `x` holds the start; its constrained components are the prescribed ones and stay.
  /// Stops when r.P^-1 r <= tolerance^2 max(b.P^-1 b, reference.P^-1 reference), with filtered vectors;
  /// `reference` keeps the tolerance meaningful when b vanishes (equilibrium).
  ConjugateGradientReport solve(const BlockMatrix& matrix, std::span<const Vec3> b,
                                std::span<const Vec3> reference, const BlockProjection& projection,
                                const ConjugateGradientSettings& settings, std::span<Vec3> x);

 private:
  double norm_of(std::span<const Vec3> values, const BlockProjection& projection);

  BlockJacobi preconditioner_;
  std::vector<Vec3> r_, d_, q_, s_;
  std::vector<double> partial_;
};

}  // namespace heddle
