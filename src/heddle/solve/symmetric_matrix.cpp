#include <heddle/solve/symmetric_matrix.h>

#include <heddle/core/check.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

template <class Real>
void SymmetricMatrix<Real>::set_pattern() {
  inner_ = outer_ = {};
  const auto divide = [&](const BlockPattern& all, int row, BlockPattern& inner, BlockPattern& outer) {
    for (int k = all.row_start[at(row)]; k < all.row_start[at(row) + 1]; ++k) {
      const int column = all.columns[at(k)];
      const bool is_inner = column / kPartitionRows == row / kPartitionRows;
      if (!is_inner || column > row) (is_inner ? inner : outer).columns.push_back(column);
    }
    inner.row_start.push_back(inner.block_count());
    outer.row_start.push_back(outer.block_count());
  };
  for (int row = 0; row < full_->row_count(); ++row) {
    divide(full_->general, row, inner_.general, outer_.general);
    divide(full_->isotropic, row, inner_.isotropic, outer_.isotropic);
  }
  for (Part* part : {&inner_, &outer_}) {
    part->values.resize(9 * part->general.columns.size());
    part->isotropic_values.resize(part->isotropic.columns.size());
  }
  row_sum_.resize(at(full_->row_count()));
}

template <class Real>
void SymmetricMatrix<Real>::assign_row(int row, const BlockMatrix& matrix, Part& part) {
  for (int k = part.general.row_start[at(row)]; k < part.general.row_start[at(row) + 1]; ++k)
    Eigen::Map<Block>(part.values.data() + 9 * k) =
        matrix.block(full_->general.slot(row, part.general.columns[at(k)])).template cast<Real>();
  for (int k = part.isotropic.row_start[at(row)]; k < part.isotropic.row_start[at(row) + 1]; ++k)
    part.isotropic_values[at(k)] =
        matrix.isotropic_block(full_->isotropic.slot(row, part.isotropic.columns[at(k)]));
}

template <class Real>
void SymmetricMatrix<Real>::assign(const BlockMatrix& matrix) {
  if (matrix.shared_pattern() != full_) {
    full_ = matrix.shared_pattern();
    set_pattern();
  }
  parallel_for(matrix.row_count(), [&](int row) {
    assign_row(row, matrix, inner_);
    assign_row(row, matrix, outer_);
    Mat3& sum = row_sum_[at(row)] = Mat3::Zero();
    for (int k = full_->general.row_start[at(row)]; k < full_->general.row_start[at(row) + 1]; ++k)
      sum += matrix.block(k);
  });
}

template <class Real>
void SymmetricMatrix<Real>::multiply_inner(RowRange rows, std::span<const Vec3> x, std::span<Vec3> y) const {
  for (int row = rows.begin; row < rows.end; ++row) y[at(row)] = row_sum_[at(row)] * x[at(row)];
  for (int row = rows.begin; row < rows.end; ++row) {
    Vec3 sum = Vec3::Zero();
    for (int k = inner_.general.row_start[at(row)]; k < inner_.general.row_start[at(row) + 1]; ++k) {
      const int column = inner_.general.columns[at(k)];
      const Mat3 block = inner_.block(k);
      const Vec3 difference = x[at(column)] - x[at(row)];
      sum += block * difference;
      y[at(column)] -= block.transpose() * difference;
    }
    for (int k = inner_.isotropic.row_start[at(row)]; k < inner_.isotropic.row_start[at(row) + 1]; ++k) {
      const int column = inner_.isotropic.columns[at(k)];
      sum += inner_.isotropic_values[at(k)] * x[at(column)];
      y[at(column)] += inner_.isotropic_values[at(k)] * x[at(row)];
    }
    y[at(row)] += sum;
  }
}

template <class Real>
void SymmetricMatrix<Real>::add_outer(int row, std::span<const Vec3> x, Vec3& y) const {
  for (int k = outer_.general.row_start[at(row)]; k < outer_.general.row_start[at(row) + 1]; ++k)
    y += outer_.block(k) * (x[at(outer_.general.columns[at(k)])] - x[at(row)]);
  for (int k = outer_.isotropic.row_start[at(row)]; k < outer_.isotropic.row_start[at(row) + 1]; ++k)
    y += outer_.isotropic_values[at(k)] * x[at(outer_.isotropic.columns[at(k)])];
}

template <class Real>
void SymmetricMatrix<Real>::multiply(std::span<const Vec3> x, std::span<Vec3> y) const {
  for_chunks(
      row_count(),
      [&](int begin, int end, int) {
        multiply_inner({begin, end}, x, y);
        for (int row = begin; row < end; ++row) add_outer(row, x, y[at(row)]);
      },
      kPartitionRows);
}

template <class Real>
size_t SymmetricMatrix<Real>::bytes() const {
  return inner_.bytes() + outer_.bytes() + bytes_of(row_sum_);
}

template class SymmetricMatrix<float>;
template class SymmetricMatrix<double>;

}  // namespace heddle
