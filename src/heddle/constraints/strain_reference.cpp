#include <heddle/constraints/strain_reference.h>

namespace heddle {

namespace {

/// Corners around their centre of mass, in the plane of the face.
std::array<Vec2, 3> arms_now(const RestFace& rest, const FaceStretch& now, const FaceMasses& mass) {
  const Vec2 a = now.U * rest.a, b = now.U * rest.b;
  const Vec2 centre = (mass[1] * a + mass[2] * b) / (mass[0] + mass[1] + mass[2]);
  return {-centre, a - centre, b - centre};
}

FaceVector right_side(const PlaneStrain& change) {
  FaceVector r = FaceVector::Zero();
  r.head<3>() << change.weft, change.warp, change.shear;
  return r;
}

FacePoints in_space(const FaceStretch& now, const FaceVector& u) {
  FacePoints out;
  for (int i = 0; i < 3; ++i) out[static_cast<size_t>(i)] = now.weft * u[2 * i] + now.warp * u[2 * i + 1];
  return out;
}

/// Mass of the fixed corners for the rows of momentum, which they take up whatever it is.
FaceMasses finite(const FaceMasses& mass) {
  FaceMasses out = mass;
  for (double& m : out)
    if (std::isinf(m)) m = 0;
  return out;
}

}  // namespace

FaceMatrix strain_system(const RestFace& rest, const FaceStretch& now, const FaceMasses& mass) {
  const std::array<Vec2, 3> g = rest.gradients(), l = arms_now(rest, now, mass);
  FaceMatrix A = FaceMatrix::Zero();
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<size_t>(i);
    A(0, 2 * i) = g[k][0];
    A(1, 2 * i + 1) = g[k][1];
    A(2, 2 * i) = 0.5 * g[k][1];
    A(2, 2 * i + 1) = 0.5 * g[k][0];
    A(3, 2 * i) = A(4, 2 * i + 1) = mass[k];
    A(5, 2 * i) = -mass[k] * l[k][1];
    A(5, 2 * i + 1) = mass[k] * l[k][0];
  }
  return A;
}

FacePoints move_by_dense_solve(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change,
                               const FaceMasses& mass) {
  return in_space(now, strain_system(rest, now, mass).fullPivLu().solve(right_side(change)));
}

SchurFace::SchurFace(const RestFace& rest, const FaceMasses& mass) : mass_(mass) {
  const FaceMatrix A = strain_system(rest, {}, mass);
  double best = -1;
  for (int last = 0; last < 6; ++last) {
    Eigen::Matrix<double, 5, 6> rows = A.topRows<5>();
    rows.col(last).swap(rows.col(5));
    const Eigen::FullPivLU<Eigen::Matrix<double, 5, 5>> lu(rows.leftCols<5>());
    const double pivot = std::abs(lu.matrixLU()(4, 4)) / lu.maxPivot();
    if (pivot <= best) continue;
    best = pivot;
    last_ = last;
    inverse_ = lu.inverse();
    eliminated_ = inverse_ * rows.col(5);
  }
}

FacePoints SchurFace::move(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change) const {
  FaceMatrix A = strain_system(rest, now, mass_);
  A.col(last_).swap(A.col(5));
  const Eigen::Matrix<double, 5, 1> first = inverse_ * right_side(change).head<5>();
  const Eigen::Matrix<double, 1, 5> angular = A.row(5).head<5>();
  const double complement = A(5, 5) - angular.dot(eliminated_);
  const double s2 = -angular.dot(first) / complement;
  FaceVector u;
  u.head<5>() = first - eliminated_ * s2;
  u[5] = s2;
  std::swap(u[last_], u[5]);
  return in_space(now, u);
}

FacePoints move_by_least_squares(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change,
                                 const FaceMasses& mass) {
  FaceMatrix A = strain_system(rest, now, finite(mass));
  FaceMatrix fixed = FaceMatrix::Zero();
  for (int i = 0; i < 3; ++i) {
    if (!std::isinf(mass[static_cast<size_t>(i)])) continue;
    A.middleCols<2>(2 * i).setZero();
    fixed(2 * i, 2 * i) = fixed(2 * i + 1, 2 * i + 1) = 1;
  }
  const FaceMatrix normal = A.transpose() * A + fixed;
  return in_space(now, normal.fullPivLu().solve(A.transpose() * right_side(change)));
}

}  // namespace heddle
