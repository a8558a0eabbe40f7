#pragma once

#include <heddle/solve/filtered_matrix.h>

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

/// P^T S C S P for the couplings C of a matrix.
void restrict_couplings(const PairCouplings& fine, const FilteredMatrix& matrix, const Interpolation& p,
                        PairCouplings& coarse);

/// P^T S A S P for fixed patterns, each row by itself in a fixed order. Row sums pass exactly because the
/// weights sum to 1.
class GalerkinProduct {
 public:
  GalerkinProduct(const FilteredMatrix& fine, const Interpolation& interpolation);

  /// Gives a matrix its pattern.
  void shape(FilteredMatrix& coarse) const;
  void compute(const FilteredMatrix& fine, const Interpolation& p, FilteredMatrix& coarse);
  /// (S A S P c)_row of the fine matrix last computed with; c has one spare entry, see FilteredMatrix.
  Lanes half_times(int row, const Vec3* c) const;
  size_t bytes() const;

 private:
  /// Place of a block within its row; small, because there are many of them.
  using Slot = uint16_t;
  static constexpr Slot kDiagonal = 0xffff;
  static Slot slot(std::span<const int> sorted, int value);
  void map_half_product(const FilteredMatrix& fine, const Interpolation& p);
  void map_coarse(const Interpolation& p);
  void half_product_row(int row, const FilteredMatrix& fine, const Interpolation& p);
  void coarse_row(int row, const Interpolation& p, FilteredMatrix& coarse) const;

  BlockPattern half_;  // of A P
  std::vector<float> half_values_;
  std::vector<Mat3> half_sum_;     // per fine row: sum of its filtered blocks
  std::vector<int> half_begin_;    // per fine row: into half_slot_
  std::vector<Slot> half_slot_;    // for each block of the row, then for each of its weights
  Shared<BlockPattern> coarse_;    // without diagonal
  std::vector<int> coarse_begin_;  // per coarse row: into coarse_slot_
  std::vector<Slot> coarse_slot_;  // for each fine row seen, then for each of its half blocks
};

}  // namespace heddle
