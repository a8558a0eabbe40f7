#pragma once

#include <heddle/solve/preconditioner.h>
#include <heddle/solve/row_partition.h>

#include <limits>

namespace heddle {

/// Most rows of a partition of the preconditioner "partition_ssor". Partitions belong to the system, not to
/// the threads, so that their number does not change the result.
inline constexpr int kSsorPartitionRows = 512;

/// Symmetric successive over-relaxation with 3x3 blocks,
///   P = 1/(2 - w) (D/w + L) (D/w)^-1 (D/w + L)^T,   S A S = L + D + L^T,
/// in partitions of the graph, in parallel: blocks between partitions are left out, and the partitions
/// are preconditioned one by one (Eurographics tutorial 2007, 5.6). D knows couplings, L does not.
class Ssor final : public Preconditioner {
 public:
  explicit Ssor(int partition_rows = std::numeric_limits<int>::max(), double relaxation = 1)
      : partition_rows_(partition_rows), relaxation_(relaxation) {}

  void factor(const FilteredMatrix& matrix, PairCouplings& couplings) override;
  void apply(std::vector<Vec3>& r, std::vector<Vec3>& z) override;
  size_t bytes() const override { return partition_.bytes(); }

 private:
  /// Calls visit(column, block) for the blocks of a row right of its diagonal, within its partition; a block
  /// is a matrix or a number.
  template <class Visit>
  void for_blocks(int row, const Visit& visit) const;
  void sweep(std::span<const int> rows, const std::vector<Vec3>& r, std::vector<Vec3>& z) const;

  int partition_rows_;
  double relaxation_;
  const FilteredMatrix* matrix_ = nullptr;
  Shared<MatrixPattern> pattern_;  // that the partition was made for
  RowPartition partition_;
};

}  // namespace heddle
