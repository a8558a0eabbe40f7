#pragma once

#include <heddle/plot/plot.h>

#include <span>
#include <string>
#include <vector>

namespace heddle {

struct Tick {
  double value = 0;
  std::string label;  // empty: a small one
};

/// The range of an axis, its ticks, and where values lie on it.
class Scale {
 public:
  /// `values` are those that are to be seen; what cannot be drawn is ignored. A range of no length is
  /// widened.
  Scale(const PlotAxis& axis, std::span<const double> values);

  /// 0 at the lower limit, 1 at the upper one; nothing if the value cannot be drawn.
  std::optional<double> place(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }
  double low() const { return low_; }
  double high() const { return high_; }
  /// Title with unit, and the power of ten by which the labels are to be multiplied.
  std::string caption() const;

 private:
  void find_range(const PlotAxis& axis, std::span<const double> values);
  void add_linear_ticks();
  void add_logarithmic_ticks();

  PlotAxis axis_;
  double low_ = 0, high_ = 1;
  int power_ = 0;  // of ten, common to all labels
  std::vector<Tick> ticks_;
};

/// 10 to that power with superior figures: 10⁻³.
std::string power_of_ten(int exponent);

}  // namespace heddle
