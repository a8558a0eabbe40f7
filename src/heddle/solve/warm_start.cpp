#include <heddle/solve/warm_start.h>

#include <algorithm>

namespace heddle {

SolverReport WarmStart::solve(const BlockMatrix& matrix, std::span<const Vec3> b,
                              std::span<const Vec3> reference, const BlockProjection& projection,
                              const SolverSettings& settings, std::span<Vec3> x,
                              std::span<const PairCoupling> couplings) {
  if (settings.resembles_last && last_.size() == x.size()) {
    for (size_t k = 0; k < projection.particles().size(); ++k) {
      const auto i = static_cast<size_t>(projection.particles()[k]);
      last_[i] = x[i] + projection.free(k) * (last_[i] - x[i]);
    }
    std::copy(last_.begin(), last_.end(), x.begin());
  }
  const SolverReport report = solver_->solve(matrix, b, reference, projection, settings, x, couplings);
  if (!settings.resembles_last) return report;
  last_.clear();
  if (report.converged) last_.assign(x.begin(), x.end());
  return report;
}

}  // namespace heddle
