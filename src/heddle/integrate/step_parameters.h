#pragma once

#include <heddle/core/describe.h>

namespace heddle {

/// Describes `time_step` (s) of an integrator.
template <class T>
void describe_time_step(Describer<T>& d) {
  d.parameter("time_step", &T::time_step,
              {.unit = "s",
               .doc = "Length of a step; rounded so that frames hold a whole number of steps.",
               .minimum = 1e-8,
               .maximum = 0.1});
}

/// Describes `error_tolerance` (m) of an integrator whose error is measured by step doubling.
template <class T>
void describe_error_tolerance(Describer<T>& d) {
  d.parameter("error_tolerance", &T::error_tolerance,
              {.unit = "m",
               .doc = "Largest error of a position in one step; longer ones are cut. It is measured with "
                      "two half steps, which triples the cost. 0: not measured.",
               .minimum = 0,
               .maximum = 1});
}

}  // namespace heddle
