#pragma once

#include <heddle/core/random.h>
#include <heddle/geometry/proximity.h>

#include <string>

namespace heddle::test {

/// The motion of a pair over one step.
struct PairMotion {
  PairPoints from, to;
  std::string kind;
};

/// Points and motions of about the size 1, in general position.
PairMotion random_motion(Random& random);

/// What breaks detection: flat, parallel, collinear, sliding, still, without length or area, touching exactly
/// at the start or the end, far from the origin, on a coarse grid where coincidences abound.
PairMotion degenerate_motion(Random& random);
int degenerate_kind_count();

}  // namespace heddle::test
