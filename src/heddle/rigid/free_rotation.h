#pragma once

#include <heddle/math/types.h>

namespace heddle {

/// Moments of inertia about the principal axes, and how these lie in the body's own axes.
struct PrincipalInertia {
  Vec3 moments = Vec3::Ones();   // kg m2, ascending
  Quat axes = Quat::Identity();  // from principal to own axes
};
/// `inertia` must be symmetric and positive, kg m2.
PrincipalInertia principal_inertia(const Mat3& inertia);

/// The orientation of a body after `dt` (s) without torque; its angular momentum (kg m2/s, in space) stays
/// as it is. Exact for bodies with two equal moments. Otherwise the energy is split in two parts that are
/// solved exactly by turns, composed to order 6: the error of the energy is bounded for any time.
Quat turn_freely(const PrincipalInertia& inertia, const Quat& rotation, const Vec3& angular_momentum,
                 double dt);

}  // namespace heddle
