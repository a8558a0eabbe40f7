#pragma once

#include <heddle/math/types.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// One term strength (a.x)^2 / 2 of a quadratic form, where a has four blocks.
struct PairCoupling {
  std::array<int, 4> rows{};
  std::array<Vec3, 4> direction{};
  double strength = 0;

  /// a.x
  double length(std::span<const Vec3> x) const {
    double sum = 0;
    for (size_t i = 0; i < 4; ++i) sum += direction[i].dot(x[static_cast<size_t>(rows[i])]);
    return sum;
  }
  /// y += amount a
  void add(double amount, std::span<Vec3> y) const {
    for (size_t i = 0; i < 4; ++i) y[static_cast<size_t>(rows[i])] += amount * direction[i];
  }
};

/// The matrix sum_c strength_c a_c a_c^T of couplings that come and go, beside a matrix of fixed pattern. On
/// coarser levels of a hierarchy, a has more than four blocks.
class PairCouplings {
 public:
  /// One block of some a.
  struct Entry {
    int row = 0;
    Vec3 direction;
  };

  /// To the entry of that row, if there is one.
  static void add_entry(int row, const Vec3& direction, std::vector<Entry>& entries);

  void assign(std::span<const PairCoupling> couplings, int row_count);
  /// Starts anew; append() follows, then finish().
  void clear();
  /// A coupling; of each row there is one entry at most.
  void append(std::span<const Entry> entries, double strength);
  void finish(int row_count);

  bool empty() const { return strength_.empty(); }
  int count() const { return static_cast<int>(strength_.size()); }
  double strength(int c) const { return strength_[static_cast<size_t>(c)]; }
  std::span<const Entry> entries(int c) const {
    const auto i = static_cast<size_t>(c);
    return {entries_.data() + start_[i], entries_.data() + start_[i + 1]};
  }
  /// Rows that take part, ascending.
  std::span<const int> rows() const { return rows_; }
  /// Of rows()[k]: a block whose sum with the others' bounds a quarter of the matrix from above, and is no
  /// smaller than the diagonal block.
  Mat3 diagonal(int k) const;
  /// y += scale C x; returns x.C x.
  double add_product(std::span<const Vec3> x, double scale, std::span<Vec3> y);
  size_t bytes() const;

 private:
  struct Use {
    int coupling, entry;
  };
  std::vector<double> strength_;
  std::vector<int> start_{0};  // into entries_
  std::vector<Entry> entries_;
  std::vector<double> reach_;  // sum of the lengths of each a's blocks
  std::vector<double> tension_;
  std::vector<int> rows_, row_start_;  // into uses_
  std::vector<Use> uses_;
  std::vector<int> counts_;
  std::vector<double> partial_;
};

}  // namespace heddle
