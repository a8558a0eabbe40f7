#pragma once

#include <heddle/core/text.h>
#include <heddle/math/types.h>

namespace heddle {

/// A place as messages name it.
inline std::string place_text(const Vec3& p) {
  return "(" + short_number_text(p[0]) + ", " + short_number_text(p[1]) + ", " + short_number_text(p[2]) +
         ") m";
}

}  // namespace heddle
