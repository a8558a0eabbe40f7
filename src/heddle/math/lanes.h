#pragma once

#include <heddle/math/types.h>

#include <cstring>

namespace heddle {

/// A vector of three numbers in one register; what the fourth place holds means nothing.
using Lanes = double __attribute__((vector_size(32)));
using FloatLanes = float __attribute__((vector_size(16)));

/// Reads the number behind v too: v must not be the last of its array.
inline Lanes load_beyond(const Vec3& v) {
  Lanes lanes;
  std::memcpy(&lanes, v.data(), sizeof lanes);
  return lanes;
}

inline FloatLanes load_floats(const float* from) {
  FloatLanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

inline Lanes load(const Vec3& v) {
  return Lanes{v[0], v[1], v[2], 0};
}

inline void store(Lanes lanes, Vec3& v) {
  std::memcpy(v.data(), &lanes, sizeof(double) * 3);
}

inline Lanes times(const Mat3& m, Lanes v) {
  const double* a = m.data();
  return (Lanes{a[0], a[1], a[2], 0} * v[0] + Lanes{a[3], a[4], a[5], 0} * v[1]) +
         Lanes{a[6], a[7], a[8], 0} * v[2];
}

inline double dot(Lanes a, Lanes b) {
  const Lanes product = a * b;
  return (product[0] + product[1]) + product[2];
}

}  // namespace heddle
