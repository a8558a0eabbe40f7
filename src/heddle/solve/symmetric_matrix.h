#pragma once

#include <heddle/math/block_matrix.h>

#include <span>
#include <vector>

namespace heddle {

/// A symmetric block matrix of which most blocks are stored, and read by a product, once (Eurographics
/// tutorial 2007, 5.4 to 5.7). Rows are cut into partitions of a fixed size, which threads share: of the
/// blocks within a partition those right of the diagonal are stored, of those between partitions both.
/// General blocks are applied to differences, see FilteredMatrix, so that single precision does not
/// disturb the mass.
template <class Real>
class SymmetricMatrix {
 public:
  static constexpr int kPartitionRows = 1024;

  /// Cheap if the pattern is that of the last call.
  void assign(const BlockMatrix& matrix);
  int row_count() const { return inner_.general.row_count(); }
  /// y = A x; the same bits for any number of threads. Entries behind the last row are left alone.
  void multiply(std::span<const Vec3> x, std::span<Vec3> y) const;
  size_t bytes() const;

 private:
  using Block = Eigen::Matrix<Real, 3, 3>;
  /// Places of the blocks of one kind, and their values.
  struct Part {
    BlockPattern general, isotropic;
    std::vector<Real> values;
    std::vector<double> isotropic_values;
    Eigen::Matrix3d block(int slot) const {
      return Eigen::Map<const Block>(values.data() + 9 * slot).template cast<double>();
    }
    size_t bytes() const { return general.bytes() + isotropic.bytes() + bytes_of(values, isotropic_values); }
  };
  void set_pattern();
  void assign_row(int row, const BlockMatrix& matrix, Part& part);
  void multiply_inner(RowRange rows, std::span<const Vec3> x, std::span<Vec3> y) const;
  void add_outer(int row, std::span<const Vec3> x, Vec3& y) const;

  Shared<MatrixPattern> full_;  // of the last matrix
  Part inner_, outer_;
  std::vector<Mat3> row_sum_;  // of the general blocks
};

}  // namespace heddle
