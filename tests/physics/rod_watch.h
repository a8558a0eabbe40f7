#pragma once

#include "stage.h"

#include <cmath>

namespace heddle::test {

/// What the steps of a run did.
struct Watched {
  double deepest = -HUGE_VAL;  // of the radius, after any step
  int overlaps = 0, contacts = 0, steps = 0, pieces = 0;
  double seconds = 0;
};

/// Steps until a time (s) and measures after every step how deep rods reach into each other and into cloth.
Watched watch(Simulation& sim, double until);
void print(const char* name, const Watched& seen);

}  // namespace heddle::test
