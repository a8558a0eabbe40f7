#include <heddle/solve/linear_solver.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {}  // namespace

bool keeps(std::span<const NetLimit> limits, double share, std::span<const Vec3> r) {
  return std::all_of(limits.begin(), limits.end(), [&](const NetLimit& limit) {
    const Vec3 sum =
        std::accumulate(r.begin() + limit.rows.begin, r.begin() + limit.rows.end, Vec3(Vec3::Zero()));
    return sum.norm() <= share * limit.length;
  });
}

void find_residual(const BlockMatrix& matrix, PairCouplings& couplings, const BlockProjection& projection,
                   std::span<const Vec3> b, std::span<const Vec3> x, std::span<Vec3> r) {
  matrix.multiply(x, r);
  parallel_for(matrix.row_count(), [&](int row) {
    const auto i = static_cast<size_t>(row);
    r[i] = b[i] - r[i];
  });
  if (!couplings.empty()) couplings.add_product(x, -1, r);
  projection.apply(r);
}

}  // namespace heddle
