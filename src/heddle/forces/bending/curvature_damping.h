#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// Projector on the directions in which a change of a curvature vector is damped: along it, because turning
/// it is rigid motion; all of them where there is no curvature yet (shorter than flat_limit).
inline Mat3 damped_directions(const Vec3& curvature, double flat_limit) {
  const double squared = curvature.squaredNorm();
  if (squared <= flat_limit * flat_limit) return Mat3::Identity();
  return curvature * curvature.transpose() / squared;
}

/// damped_directions(curvature, flat_limit) * rate
inline Vec3 damped_rate(const Vec3& curvature, const Vec3& rate, double flat_limit) {
  const double squared = curvature.squaredNorm();
  if (squared <= flat_limit * flat_limit) return rate;
  return curvature * (curvature.dot(rate) / squared);
}

}  // namespace heddle
