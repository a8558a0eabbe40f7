#pragma once

#include <heddle/core/describe.h>
#include <heddle/math/types.h>

namespace heddle {

/// Fixed-size vectors are written as lists of numbers.
template <int N>
struct ValueTraits<Eigen::Matrix<double, N, 1>> {
  using Vector = Eigen::Matrix<double, N, 1>;
  using Array = std::array<double, static_cast<size_t>(N)>;
  static Shape shape(const ParameterOptions& options) { return ValueTraits<Array>::shape(options); }
  static bool read(const Value& value, Vector& out, const ParameterOptions& options, ReadContext& context) {
    Array numbers{};
    if (!ValueTraits<Array>::read(value, numbers, options, context)) return false;
    for (int i = 0; i < N; ++i) out[i] = numbers[static_cast<size_t>(i)];
    return true;
  }
  static std::string write(const Vector& value) {
    Array numbers{};
    for (int i = 0; i < N; ++i) numbers[static_cast<size_t>(i)] = value[i];
    return ValueTraits<Array>::write(numbers);
  }
};

}  // namespace heddle
