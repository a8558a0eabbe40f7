#include <heddle/constraints/strain_kernel.h>

#include <heddle/core/check.h>

namespace heddle {

namespace {

Mat2 matrix_of(const PlaneStrain& s) {
  return Mat2{{s.weft, s.shear}, {s.shear, s.warp}};
}

double cross(const Vec2& a, const Vec2& b) {
  return a[0] * b[1] - a[1] * b[0];
}

bool is_fixed(double mass) {
  return std::isinf(mass);
}

int fixed_count(const FaceMasses& mass) {
  return is_fixed(mass[0]) + is_fixed(mass[1]) + is_fixed(mass[2]);
}

/// Corners at rest around the point that stays: the centre of mass, or a fixed corner.
std::array<Vec2, 3> arms(const RestFace& rest, const FaceMasses& mass) {
  Vec2 centre = Vec2::Zero();
  if (is_fixed(mass[1]))
    centre = rest.a;
  else if (is_fixed(mass[2]))
    centre = rest.b;
  else if (!is_fixed(mass[0]))
    centre = (mass[1] * rest.a + mass[2] * rest.b) / (mass[0] + mass[1] + mass[2]);
  return {-centre, rest.a - centre, rest.b - centre};
}

/// sum m d d^T; a fixed corner has no arm.
Mat2 moment(const std::array<Vec2, 3>& d, const FaceMasses& mass) {
  Mat2 sum = Mat2::Zero();
  for (size_t i = 0; i < 3; ++i)
    if (!is_fixed(mass[i])) sum += mass[i] * d[i] * d[i].transpose();
  return sum;
}

/// Displacements R G d_i.
void apply(const FaceStretch& now, const Mat2& G, const std::array<Vec2, 3>& d, FacePoints& out) {
  const Vec3 weft = now.weft * G(0, 0) + now.warp * G(1, 0), warp = now.weft * G(0, 1) + now.warp * G(1, 1);
  for (size_t i = 0; i < 3; ++i) out[i] = weft * d[i][0] + warp * d[i][1];
}

/// Of the only free corner: least squares of sym(u g^T) - change.
void move_single(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change,
                 const FaceMasses& mass, FacePoints& out) {
  const std::array<Vec2, 3> gradients = rest.gradients();
  for (size_t i = 0; i < 3; ++i) {
    out[i].setZero();
    if (is_fixed(mass[i])) continue;
    const Vec2 g = gradients[i], pull = matrix_of(change) * g;
    const double square = g.squaredNorm();
    const Vec2 u = 2 / square * (pull - 0.5 * pull.dot(g) / square * g);
    out[i] = now.weft * u[0] + now.warp * u[1];
  }
}

}  // namespace

RestFace RestFace::of(const std::array<Vec2, 3>& corners) {
  RestFace face{corners[1] - corners[0], corners[2] - corners[0], {}};
  const double det = 2 * face.area();
  HEDDLE_CHECK_GT(det, 0.0);
  face.inverse = Mat2{{face.b[1], -face.b[0]}, {-face.a[1], face.a[0]}} / det;
  return face;
}

void move_to_strain(const RestFace& rest, const FaceStretch& now, const PlaneStrain& target,
                    const FaceMasses& mass, FacePoints& displacement) {
  if (fixed_count(mass) >= 2) return move_single(rest, now, target - now.strain(), mass, displacement);
  const std::array<Vec2, 3> d = arms(rest, mass);
  const Mat2 wanted = Mat2::Identity() + matrix_of(target);
  // Q is the rotation that makes Q A symmetric.
  const Mat2 A = wanted * moment(d, mass) * now.U;
  const double s = A(0, 1) - A(1, 0), c = A(0, 0) + A(1, 1), norm = 1 / std::sqrt(s * s + c * c);
  const Mat2 Q{{c * norm, -s * norm}, {s * norm, c * norm}};
  apply(now, Q * wanted - now.U, d, displacement);
}

void move_by_strain(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change,
                    const FaceMasses& mass, FacePoints& displacement) {
  if (fixed_count(mass) >= 2) return move_single(rest, now, change, mass, displacement);
  const std::array<Vec2, 3> d = arms(rest, mass);
  Mat2 G = matrix_of(change);
  double turning = 0, inertia = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (is_fixed(mass[i])) continue;
    const Vec2 l = now.U * d[i];
    turning += mass[i] * cross(l, G * d[i]);
    inertia += mass[i] * l.dot(d[i]);
  }
  const double omega = -turning / inertia;
  G(0, 1) -= omega;
  G(1, 0) += omega;
  apply(now, G, d, displacement);
}

StrainGradients strain_gradients(const RestFace& rest, const Mat2& U) {
  // R^T dF = dU + w J U with the skew matrix J of a quarter turn; tr(U) w is its skew part, doubled.
  const double trace = U(0, 0) + U(1, 1);
  const double b = U(0, 1) / trace, c = 0.5 * (U(0, 0) - U(1, 1)) / trace;
  StrainGradients out;
  const std::array<Vec2, 3> gradients = rest.gradients();
  for (size_t i = 0; i < 3; ++i) {
    const double x = gradients[i][0], y = gradients[i][1];
    out[0][i] = Vec2(x - b * y, b * x);
    out[1][i] = Vec2(b * y, y - b * x);
    out[2][i] = Vec2((0.5 + c) * y, (0.5 - c) * x);
  }
  return out;
}

PlaneStrain strain_rate(const RestFace& rest, const FaceStretch& now, const FacePoints& v) {
  const StrainGradients q = strain_gradients(rest, now.U);
  std::array<double, 3> rate{};
  for (size_t i = 0; i < 3; ++i) {
    const Vec2 flat(now.weft.dot(v[i]), now.warp.dot(v[i]));
    for (size_t k = 0; k < 3; ++k) rate[k] += q[k][i].dot(flat);
  }
  return {rate[0], rate[1], rate[2]};
}

namespace {

/// Solves the k x k system whose rows and columns are the given modes.
Vec3 solve_modes(const Mat3& W, const Vec3& wanted, const std::array<int, 3>& modes, int count) {
  Vec3 out = Vec3::Zero();
  if (count == 0) return out;
  const int i = modes[0], j = modes[1];
  if (count == 1) {
    out[i] = wanted[i] / W(i, i);
  } else if (count == 2) {
    const double det = W(i, i) * W(j, j) - W(i, j) * W(i, j);
    out[i] = (W(j, j) * wanted[i] - W(i, j) * wanted[j]) / det;
    out[j] = (W(i, i) * wanted[j] - W(i, j) * wanted[i]) / det;
  } else {
    out = W.inverse() * wanted;
  }
  return out;
}

}  // namespace

void move_least(const RestFace& rest, const FaceStretch& now, const PlaneStrain& change,
                const FaceMasses& mass, FacePoints& displacement) {
  if (fixed_count(mass) >= 2) return move_single(rest, now, change, mass, displacement);
  const StrainGradients q = strain_gradients(rest, now.U);
  const std::array<double, 3> w{1 / mass[0], 1 / mass[1], 1 / mass[2]};
  const Vec3 wanted(change.weft, change.warp, change.shear);
  std::array<int, 3> modes{};
  int count = 0;
  for (int k = 0; k < 3; ++k)
    if (wanted[k] != 0) modes[static_cast<size_t>(count++)] = k;
  Mat3 W = Mat3::Zero();
  for (int a = 0; a < count; ++a)
    for (int b = a; b < count; ++b) {
      const auto k = static_cast<size_t>(modes[static_cast<size_t>(a)]),
                 l = static_cast<size_t>(modes[static_cast<size_t>(b)]);
      const double sum =
          w[0] * q[k][0].dot(q[l][0]) + w[1] * q[k][1].dot(q[l][1]) + w[2] * q[k][2].dot(q[l][2]);
      W(static_cast<int>(k), static_cast<int>(l)) = W(static_cast<int>(l), static_cast<int>(k)) = sum;
    }
  const Vec3 pull = solve_modes(W, wanted, modes, count);
  for (size_t i = 0; i < 3; ++i) {
    const Vec2 u = w[i] * (pull[0] * q[0][i] + pull[1] * q[1][i] + pull[2] * q[2][i]);
    displacement[i] = now.weft * u[0] + now.warp * u[1];
  }
}

}  // namespace heddle
