#pragma once

#include <heddle/core/text.h>
#include <heddle/math/types.h>

#include <cmath>

namespace heddle {

/// A place as messages name it, to a tenth of a millimetre.
inline std::string place_text(const Vec3& p) {
  const auto rounded = [](double x) { return short_number_text(std::round(x * 1e4) / 1e4 + 0.0); };
  return "(" + rounded(p[0]) + ", " + rounded(p[1]) + ", " + rounded(p[2]) + ") m";
}

}  // namespace heddle
