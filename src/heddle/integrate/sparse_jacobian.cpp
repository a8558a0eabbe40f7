#include <heddle/integrate/sparse_jacobian.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

MatrixPattern sparse_pattern(const MatrixPattern& pattern) {
  MatrixPattern sparse;
  for (int row = 0; row < pattern.row_count(); ++row) {
    sparse.general.columns.push_back(row);
    sparse.general.row_start.push_back(row + 1);
    std::vector<int>& columns = sparse.isotropic.columns;
    const auto begin = static_cast<std::ptrdiff_t>(columns.size());
    for (const BlockPattern* part : {&pattern.general, &pattern.isotropic})
      for (int k = part->row_start[at(row)]; k < part->row_start[at(row) + 1]; ++k)
        if (part->columns[at(k)] != row) columns.push_back(part->columns[at(k)]);
    std::sort(columns.begin() + begin, columns.end());
    sparse.isotropic.row_start.push_back(static_cast<int>(columns.size()));
  }
  return sparse;
}

void sparsify(const BlockMatrix& matrix, std::span<const double> mass, BlockMatrix& sparse) {
  const MatrixPattern& from = matrix.pattern();
  const BlockPattern& to = sparse.pattern().isotropic;
  const int n = matrix.row_count();
  // What acts from outside, such as wind, shows in the sum of a row; it stays as it is.
  std::vector<Mat3> rest(at(n), Mat3::Zero());
  std::vector<double> sum(mass.begin(), mass.end());
  const auto set = [&](int row, int column, const Mat3& block, double weight) {
    sparse.isotropic_block(to.slot(row, column)) = -weight;
    sum[at(row)] += weight;
    sum[at(column)] += weight;
    rest[at(row)] += block;
    rest[at(column)] += block.transpose();
  };
  for (int row = 0; row < n; ++row) {
    for (int k = from.general.row_start[at(row)] + 1; k < from.general.row_start[at(row) + 1]; ++k)
      set(row, from.general.columns[at(k)], matrix.block(k), matrix.block(k).norm());
    for (int k = from.isotropic.row_start[at(row)]; k < from.isotropic.row_start[at(row) + 1]; ++k)
      set(row, from.isotropic.columns[at(k)], matrix.isotropic_block(k) * Mat3::Identity(),
          std::abs(matrix.isotropic_block(k)));
  }
  parallel_for(n, [&](int row) {
    rest[at(row)] += matrix.diagonal(row) - mass[at(row)] * Mat3::Identity();
    const Mat3 outer = 0.5 * (rest[at(row)] + rest[at(row)].transpose());
    sparse.diagonal(row) = sum[at(row)] * Mat3::Identity() + (outer.trace() > 0 ? outer : Mat3(Mat3::Zero()));
  });
}

}  // namespace heddle
