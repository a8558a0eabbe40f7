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
  sparse.set_zero();
  parallel_for(matrix.row_count(), [&](int row) {
    // What acts from outside, such as wind, shows in the sum of the row; it stays as it is.
    Mat3 rest = matrix.diagonal(row) - mass[at(row)] * Mat3::Identity();
    double sum = mass[at(row)];
    const auto set = [&](int column, double weight) {
      sparse.isotropic_block(to.slot(row, column)) = -weight;
      sum += weight;
    };
    for (int k = from.general.row_start[at(row)]; k < from.general.row_start[at(row) + 1]; ++k) {
      const int column = from.general.columns[at(k)];
      if (column == row) continue;
      rest += matrix.block(k);
      set(column, matrix.block(k).norm());
    }
    for (int k = from.isotropic.row_start[at(row)]; k < from.isotropic.row_start[at(row) + 1]; ++k) {
      rest += matrix.isotropic_block(k) * Mat3::Identity();
      set(from.isotropic.columns[at(k)], std::abs(matrix.isotropic_block(k)));
    }
    const Mat3 outer = 0.5 * (rest + rest.transpose());
    sparse.diagonal(row) = sum * Mat3::Identity() + (outer.trace() > 0 ? outer : Mat3(Mat3::Zero()));
  });
}

}  // namespace heddle
