#include <heddle/plot/scale.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace heddle {

namespace {

constexpr double kTicksWanted = 6;

std::string fixed(double value, int decimals) {
  std::array<char, 64> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
  std::string text(buffer.data(), end.ptr);
  return text.find_first_not_of("-0.") == std::string::npos && text[0] == '-' ? text.substr(1) : text;
}

/// The one of 1, 2 or 5 times a power of ten that is nearest in proportion.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  const double figure = step / power;
  if (figure < std::sqrt(2.0)) return power;
  if (figure < std::sqrt(10.0)) return 2 * power;
  return figure < std::sqrt(50.0) ? 5 * power : 10 * power;
}

bool can_be_drawn(double value, bool logarithmic) {
  return std::isfinite(value) && (!logarithmic || value > 0);
}

}  // namespace

std::string power_of_ten(int exponent) {
  constexpr std::array kFigures{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  if (exponent < 0) text += "⁻";
  for (const char figure : std::to_string(std::abs(exponent)))
    text += kFigures[static_cast<size_t>(figure - '0')];
  return text;
}

Scale::Scale(const PlotAxis& axis, std::span<const double> values) : axis_(axis) {
  find_range(axis, values);
  axis.logarithmic ? add_logarithmic_ticks() : add_linear_ticks();
}

void Scale::find_range(const PlotAxis& axis, std::span<const double> values) {
  bool is_first = true;
  for (const double value : values) {
    if (!can_be_drawn(value, axis.logarithmic)) continue;
    low_ = is_first ? value : std::min(low_, value);
    high_ = is_first ? value : std::max(high_, value);
    is_first = false;
  }
  if (is_first) low_ = axis.logarithmic ? 1 : 0, high_ = axis.logarithmic ? 10 : 1;
  const bool is_free_low = !axis.low || !can_be_drawn(*axis.low, axis.logarithmic);
  const bool is_free_high = !axis.high || !can_be_drawn(*axis.high, axis.logarithmic);
  if (!is_free_low) low_ = *axis.low;
  if (!is_free_high) high_ = *axis.high;
  if (axis.logarithmic) {
    if (high_ <= low_) low_ /= 3, high_ = 3 * std::max(high_, low_);
    const double margin = std::pow(high_ / low_, 0.04);
    if (is_free_low) low_ /= margin;
    if (is_free_high) high_ *= margin;
    return;
  }
  if (high_ <= low_) {
    const double half = low_ == 0 ? 1 : 0.1 * std::abs(low_);
    low_ -= half, high_ = low_ + 2 * half;
  }
  const double margin = 0.04 * (high_ - low_);
  // An axis that begins at zero keeps it as its end.
  if (is_free_low && low_ != 0) low_ -= margin;
  if (is_free_high && high_ != 0) high_ += margin;
}

void Scale::add_linear_ticks() {
  const double step = round_step((high_ - low_) / kTicksWanted);
  const double largest = std::max(std::abs(low_), std::abs(high_));
  const int magnitude = static_cast<int>(std::floor(std::log10(largest)));
  if (magnitude >= 5 || magnitude <= -3) power_ = magnitude;
  const double unit = std::pow(10, power_);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + 1e-9)));
  const double first = std::ceil(low_ / step - 1e-9), last = std::floor(high_ / step + 1e-9);
  for (double k = first; k <= last; ++k) ticks_.push_back({k * step, fixed(k * step / unit, decimals)});
}

void Scale::add_logarithmic_ticks() {
  const int first = static_cast<int>(std::floor(std::log10(low_) + 1e-12));
  const int last = static_cast<int>(std::ceil(std::log10(high_) - 1e-12));
  const double decades = std::log10(high_ / low_);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / 8)));
  for (int exponent = first; exponent <= last; ++exponent)
    for (int figure = 1; figure < 10; ++figure) {
      const double value = figure * std::pow(10, exponent);
      if (value < low_ * (1 - 1e-9) || value > high_ * (1 + 1e-9)) continue;
      const bool is_decade = figure == 1;
      std::string label;
      if (is_decade && exponent % every == 0)
        label = power_of_ten(exponent);
      else if (!is_decade && decades < 1.5 && (figure == 2 || figure == 5))
        label = std::to_string(figure) + "·" + power_of_ten(exponent);
      if (!label.empty() || is_decade || decades < 6) ticks_.push_back({value, label});
    }
}

std::optional<double> Scale::place(double value) const {
  if (!can_be_drawn(value, axis_.logarithmic)) return std::nullopt;
  if (axis_.logarithmic) return std::log(value / low_) / std::log(high_ / low_);
  return (value - low_) / (high_ - low_);
}

std::string Scale::caption() const {
  std::string unit = power_ == 0 ? "" : power_of_ten(power_);
  if (!axis_.unit.empty()) unit += (unit.empty() ? "" : " ") + axis_.unit;
  if (unit.empty()) return axis_.title;
  return axis_.title + (axis_.title.empty() ? "(" : " (") + unit + ")";
}

}  // namespace heddle
