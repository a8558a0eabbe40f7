#pragma once

#include <heddle/plot/plot.h>
#include <heddle/study/method.h>

#include <complex>

namespace heddle {

/// By how much a step of length 1 multiplies the slowest-decaying motion of an oscillator with the rates
/// lambda and conj(lambda): the spectral radius of the step. Infinite if the method fails. Methods that
/// remember earlier steps are measured over many of them.
double amplification(const Method& method, std::complex<double> lambda);

/// The eigenvalues of one step of a method without memory on that oscillator; nothing if it has a memory.
std::optional<std::array<std::complex<double>, 2>> step_eigenvalues(const Method& method,
                                                                    std::complex<double> lambda);

/// A rectangle of the plane of h lambda.
struct RegionWindow {
  double left = -4, right = 2, low = -3, high = 3;
  int columns = 121, rows = 121;
};

/// Amplification over the window; the method is stable where it is at most 1.
PlotRegion stability_region(const Method& method, const RegionWindow& window);

}  // namespace heddle
