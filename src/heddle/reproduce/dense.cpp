#include <heddle/reproduce/dense.h>

#include <cmath>
#include <utility>

namespace heddle {

DenseMatrix dense_matrix(const BlockMatrix& matrix) {
  const auto n = static_cast<size_t>(matrix.row_count());
  DenseMatrix out(3 * n, std::vector<double>(3 * n));
  const BlockPattern &general = matrix.pattern().general, &isotropic = matrix.pattern().isotropic;
  const auto column = [](const BlockPattern& pattern, int k) {
    return 3 * static_cast<size_t>(pattern.columns[static_cast<size_t>(k)]);
  };
  const bool is_whole = matrix.pattern().is_whole;
  const auto set = [&](size_t row, size_t at, double value) {
    out[row][at] = value;
    if (!is_whole) out[at][row] = value;
  };
  for (size_t i = 0; i < n; ++i) {
    for (int k = general.row_start[i]; k < general.row_start[i + 1]; ++k)
      for (size_t c = 0; c < 9; ++c)
        set(3 * i + c % 3, column(general, k) + c / 3,
            matrix.block(k)(static_cast<int>(c % 3), static_cast<int>(c / 3)));
    for (int k = isotropic.row_start[i]; k < isotropic.row_start[i + 1]; ++k)
      for (size_t c = 0; c < 3; ++c) set(3 * i + c, column(isotropic, k) + c, matrix.isotropic_block(k));
  }
  return out;
}

std::vector<double> solve_dense(DenseMatrix a, std::vector<double> b) {
  const size_t n = b.size();
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      if (factor == 0) continue;
      for (size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

}  // namespace heddle
