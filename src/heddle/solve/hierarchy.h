#pragma once

#include <heddle/parallel/chunk_colouring.h>
#include <heddle/solve/filtered_matrix.h>
#include <heddle/solve/rounded_matrix.h>

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// Values of fine rows as weighted means of coarse ones, and the transpose of that.
struct Interpolation {
  std::vector<int> fine_start{0}, coarse;  // coarse rows seen by each fine row, ascending
  std::vector<float> weight;               // sums to 1 in each fine row
  std::vector<int> coarse_start{0}, fine;  // fine rows that see each coarse row, ascending
  std::vector<float> fine_weight;

  int fine_count() const { return static_cast<int>(fine_start.size()) - 1; }
  int coarse_count() const { return static_cast<int>(coarse_start.size()) - 1; }
  size_t bytes() const { return bytes_of(fine_start, coarse, weight, coarse_start, fine, fine_weight); }
};

/// Groups rows with their neighbours (Vanek, Mandel, Brezina 1996) and takes for each row the mean over
/// itself and its neighbours of "belongs to this group": smoothed aggregation with the graph in place of the
/// matrix, so that the weights are plain numbers and belong to the pattern. `graph` is without diagonal.
Interpolation aggregate(const BlockPattern& graph);

/// P^T S C S P for the couplings C of a matrix; S is that of `filter`, if there is one.
void restrict_couplings(const PairCouplings& fine, const FilteredMatrix* filter, const Interpolation& p,
                        PairCouplings& coarse);

/// The matrix of a coarser level. No row is filtered: some directions may have no stiffness instead.
class CoarseMatrix {
 public:
  void set_pattern(const Shared<MatrixPattern>& pattern);
  RoundedMatrix& blocks() { return blocks_; }
  const RoundedMatrix& blocks() const { return blocks_; }
  /// To be called when all blocks are there.
  void invert_diagonal();
  /// The inverse of the diagonal learns of couplings that others add to the matrix.
  void couple(const PairCouplings& couplings);

  const MatrixPattern& pattern() const { return blocks_.pattern(); }
  int row_count() const { return blocks_.row_count(); }
  void multiply(std::span<const Vec3> x, std::span<Vec3> y) const { blocks_.multiply(x, y); }
  void sum_columns(int k, std::span<Vec3> y) const { blocks_.sum_columns(k, y); }
  Lanes inverse_times(int row, Lanes x) const { return inverse_[static_cast<size_t>(row)].times(x); }
  void filter(std::span<Vec3>) const {}
  bool is_filtered(int) const { return false; }
  size_t bytes() const;

 private:
  void invert(int row, const Mat3& extra = Mat3::Zero());

  RoundedMatrix blocks_;
  std::vector<SymmetricBlock> inverse_;
  std::vector<int> coupled_;  // rows whose inverse knows couplings
};

/// P^T S A S P for a fixed pattern. Runs of fine rows add what they give to the coarse matrix, in a fixed
/// order, and nothing between the two is stored.
class GalerkinProduct {
 public:
  GalerkinProduct(const MatrixPattern& fine, const Interpolation& p);

  const Shared<MatrixPattern>& pattern() const { return coarse_; }
  /// Makes the blocks of `coarse`; the vectors are scratch with at least as many entries as the matrices have
  /// rows.
  void compute(const FilteredMatrix& fine, const Interpolation& p, std::span<Vec3> fine_scratch,
               std::span<Vec3> coarse_scratch, CoarseMatrix& coarse) const;
  void compute(const CoarseMatrix& fine, const Interpolation& p, std::span<Vec3> fine_scratch,
               std::span<Vec3> coarse_scratch, CoarseMatrix& coarse) const;
  size_t bytes() const { return coarse_->bytes(); }

 private:
  /// What stands right of the diagonal in a row of A P, and half of what stands on it.
  struct HalfRow;
  template <class Fine>
  void compute_from(const Fine& fine, const Interpolation& p, std::span<Vec3> fine_scratch,
                    std::span<Vec3> coarse_scratch, CoarseMatrix& coarse) const;
  void add_row(int row, const HalfRow& half, const Interpolation& p, RoundedMatrix& coarse) const;

  Shared<MatrixPattern> coarse_;
  ChunkColouring colouring_;  // of fine rows, by the coarse rows that they add to
};

}  // namespace heddle
