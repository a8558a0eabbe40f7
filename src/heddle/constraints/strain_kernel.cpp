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

/// In the face at rest: the centre of mass, or a fixed corner.
Vec2 point_that_stays(const RestFace& rest, const FaceMasses& mass) {
  if (is_fixed(mass[0])) return Vec2::Zero();
  if (is_fixed(mass[1])) return rest.a;
  if (is_fixed(mass[2])) return rest.b;
  return (mass[1] * rest.a + mass[2] * rest.b) / (mass[0] + mass[1] + mass[2]);
}

/// Corners at rest around the point that stays.
std::array<Vec2, 3> arms(const RestFace& rest, const FaceMasses& mass) {
  const Vec2 centre = point_that_stays(rest, mass);
  return {-centre, rest.a - centre, rest.b - centre};
}

/// sum m d d^T around a point; a fixed corner has no arm.
struct Moment {
  double xx = 0, xy = 0, yy = 0;
};
Moment moment(const RestFace& rest, const FaceMasses& mass, const Vec2& centre) {
  const Vec2 d1 = rest.a - centre, d2 = rest.b - centre;
  const double m0 = is_fixed(mass[0]) ? 0 : mass[0], m1 = is_fixed(mass[1]) ? 0 : mass[1],
               m2 = is_fixed(mass[2]) ? 0 : mass[2];
  return {m0 * centre[0] * centre[0] + m1 * d1[0] * d1[0] + m2 * d2[0] * d2[0],
          m0 * centre[0] * centre[1] + m1 * d1[0] * d1[1] + m2 * d2[0] * d2[1],
          m0 * centre[1] * centre[1] + m1 * d1[1] * d1[1] + m2 * d2[1] * d2[1]};
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
  const Vec2 centre = point_that_stays(rest, mass);
  const auto [xx, xy, yy] = moment(rest, mass, centre);
  // A = W S U, with the moment S and what is wanted, W = I + target; Q is the rotation that makes Q A
  // symmetric.
  const double w00 = 1 + target.weft, w11 = 1 + target.warp, w01 = target.shear;
  const double u00 = now.U(0, 0), u11 = now.U(1, 1), u01 = now.U(0, 1);
  const double p00 = w00 * xx + w01 * xy, p01 = w00 * xy + w01 * yy;
  const double p10 = w01 * xx + w11 * xy, p11 = w01 * xy + w11 * yy;
  const double sine = p00 * u01 + p01 * u11 - (p10 * u00 + p11 * u01);
  const double cosine = p00 * u00 + p01 * u01 + p10 * u01 + p11 * u11;
  const double norm = 1 / std::sqrt(sine * sine + cosine * cosine), s = sine * norm, c = cosine * norm;
  // Q W - U
  const double g00 = c * w00 - s * w01 - u00, g01 = c * w01 - s * w11 - u01;
  const double g10 = s * w00 + c * w01 - u01, g11 = s * w01 + c * w11 - u11;
  const Vec3 weft = now.weft * g00 + now.warp * g10, warp = now.weft * g01 + now.warp * g11;
  // A fixed corner is the centre: it stays to the last bit.
  const Vec2 d1 = rest.a - centre, d2 = rest.b - centre;
  displacement[0] = -centre[0] * weft - centre[1] * warp;
  displacement[1] = d1[0] * weft + d1[1] * warp;
  displacement[2] = d2[0] * weft + d2[1] * warp;
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
