#include <heddle/contact/friction.h>

#include <cmath>

namespace heddle {

Friction FrictionTable::between(const Roughness& a, const Roughness& b) const {
  if (!pairs_.empty())
    if (const auto known = pairs_.find(ordered(a.material, b.material)); known != pairs_.end())
      return known->second;
  return {std::sqrt(a.friction.resting * b.friction.resting),
          std::sqrt(a.friction.sliding * b.friction.sliding)};
}

}  // namespace heddle
