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

/// The matrix sum_c strength_c a_c a_c^T of couplings that come and go, beside a matrix of fixed pattern.
class PairCouplings {
 public:
  void assign(std::span<const PairCoupling> couplings, int row_count);
  bool empty() const { return couplings_.empty(); }
  /// Rows that take part, ascending.
  std::span<const int> rows() const { return rows_; }
  /// Diagonal block of rows()[k].
  Mat3 diagonal(int k) const;
  /// y += scale C x; returns x.C x.
  double add_product(std::span<const Vec3> x, double scale, std::span<Vec3> y);

 private:
  struct Use {
    int coupling, place;
  };
  std::vector<PairCoupling> couplings_;
  std::vector<double> tension_;
  std::vector<int> rows_, row_start_;  // into uses_
  std::vector<Use> uses_;
  std::vector<double> partial_;
};

}  // namespace heddle
