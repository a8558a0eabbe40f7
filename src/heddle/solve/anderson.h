#pragma once

#include <heddle/math/types.h>

#include <span>
#include <vector>

namespace heddle {

/// Anderson's acceleration of an iteration r <- T(r) (Walker and Ni 2011): the next iterate is the
/// combination of the last images whose residuals T(r) - r cancel best, in a weighted norm.
class Anderson {
 public:
  /// So many residuals are remembered besides the present one; values come in blocks with one weight each.
  Anderson(int memory, int block) : memory_(memory), block_(block) {}

  /// Begins anew, with the weights of the blocks.
  void begin(std::span<const double> weights);
  /// `image` = T(r) becomes the next iterate. Returns the size of the residual.
  double next(std::span<const double> residual, std::span<double> image);
  /// Takes the last extrapolation back: `image` becomes T(r) as it was, and the memory is lost.
  void retreat(std::span<double> image);
  /// Whether the last iterate was extrapolated at all.
  bool is_ahead() const { return is_ahead_; }

 private:
  double product(std::span<const double> a, std::span<const double> b);
  void remember(std::span<const double> residual, std::span<const double> image);

  int memory_, block_, count_ = 0, slot_ = 0;
  bool has_last_ = false, is_ahead_ = false;
  std::vector<double> weights_, residual_, image_, partial_;
  std::vector<std::vector<double>> residuals_, images_;  // differences of successive ones
  Eigen::MatrixXd products_;                             // of residuals_
};

}  // namespace heddle
