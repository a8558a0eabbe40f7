#pragma once

#include <map>
#include <utility>

namespace heddle {

/// Coulomb's coefficients.
struct Friction {
  double resting = 0;  // 1, up to which two surfaces stick
  double sliding = 0;  // 1
};

/// What one surface brings into the friction of a pair.
struct Roughness {
  Friction friction;
  int material = -1;  // a number of a FrictionTable; -1: no pair is named for it
};

/// The friction of two surfaces: what is known of their pair of materials, or else the geometric mean.
class FrictionTable {
 public:
  void set(int material, int other, const Friction& friction) { pairs_[ordered(material, other)] = friction; }
  Friction between(const Roughness& a, const Roughness& b) const;

 private:
  static std::pair<int, int> ordered(int a, int b) { return a < b ? std::pair(a, b) : std::pair(b, a); }
  std::map<std::pair<int, int>, Friction> pairs_;
};

}  // namespace heddle
