#include <heddle/rigid/free_rotation.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle {

namespace {

/// Angle of the splitting in one sub-step, rad: the error of the energy is then about 1e-12 of it.
constexpr double kSubStep = 0.05;

/// H. Yoshida, Construction of higher order symplectic integrators, 1990, solution A of order 6.
constexpr double kW1 = -1.17767998417887, kW2 = 0.235573213359357, kW3 = 0.784513610477560;
constexpr std::array<double, 7> kStages{kW3, kW2, kW1, 1 - 2 * (kW1 + kW2 + kW3), kW1, kW2, kW3};

/// With the middle moment I2, the energy is |L|^2 / (2 I2) + sum over the axes 1 and 3 of
/// (1/Ik - 1/I2) Lk^2 / 2. The first part turns the body about L, which changes none of the Lk; each of the
/// others turns it about one of its own axes, at the rate (1/Ik - 1/I2) Lk.
void turn_about_own(int axis, double rate, double dt, const Vec3& momentum, Quat& rotation) {
  const Vec3 own = Vec3::Unit(axis);
  const double angle = dt * rate * (rotation * own).dot(momentum);
  rotation = rotation * Quat(Eigen::AngleAxisd(angle, own));
}

}  // namespace

PrincipalInertia principal_inertia(const Mat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  Mat3 axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  PrincipalInertia result{solver.eigenvalues(), Quat(axes)};
  // Equal moments that differ by rounding would be split in vain.
  constexpr double kRounding = 1e-12;
  for (const int k : {0, 2})
    if (std::abs(result.moments[k] - result.moments[1]) < kRounding * result.moments[1])
      result.moments[k] = result.moments[1];
  return result;
}

Quat turn_freely(const PrincipalInertia& inertia, const Quat& rotation, const Vec3& angular_momentum,
                 double dt) {
  const double size = angular_momentum.norm();
  if (size == 0) return rotation;
  const double middle = 1 / inertia.moments[1];
  const double first = 1 / inertia.moments[0] - middle, third = 1 / inertia.moments[2] - middle;
  Quat own = rotation * inertia.axes;
  const double fastest = size * std::max(first, -third) * std::abs(dt);
  const bool is_split = first != 0 && third != 0;
  const int steps = is_split ? std::max(1, static_cast<int>(std::ceil(fastest / kSubStep))) : 1;
  for (int k = 0; k < steps; ++k) {
    const double h = dt / steps;
    if (!is_split) {
      turn_about_own(0, first, h, angular_momentum, own);
      turn_about_own(2, third, h, angular_momentum, own);
      continue;
    }
    for (const double stage : kStages) {
      turn_about_own(0, first, 0.5 * stage * h, angular_momentum, own);
      turn_about_own(2, third, stage * h, angular_momentum, own);
      turn_about_own(0, first, 0.5 * stage * h, angular_momentum, own);
    }
  }
  own = Quat(Eigen::AngleAxisd(dt * middle * size, angular_momentum / size)) * own;
  return (own * inertia.axes.conjugate()).normalized();
}

}  // namespace heddle
