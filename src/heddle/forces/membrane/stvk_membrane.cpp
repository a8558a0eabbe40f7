#include <heddle/forces/membrane/stvk_membrane.h>

#include <heddle/core/check.h>
#include <heddle/math/symmetric_eigen.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Symmetric 2x2 tensor of strain or stress.
struct Plane {
  double xx = 0, yy = 0, xy = 0;
};

Plane stress(const PlaneModuli& m, const Plane& strain) {
  return {m.a11 * strain.xx + m.a12 * strain.yy, m.a12 * strain.xx + m.a22 * strain.yy, 2 * m.g * strain.xy};
}

Plane green_strain(const Mat32& F) {
  return {0.5 * (F.col(0).squaredNorm() - 1), 0.5 * (F.col(1).squaredNorm() - 1),
          0.5 * F.col(0).dot(F.col(1))};
}

Plane green_strain_rate(const Mat32& F, const Mat32& rate) {
  return {F.col(0).dot(rate.col(0)), F.col(1).dot(rate.col(1)),
          0.5 * (F.col(0).dot(rate.col(1)) + F.col(1).dot(rate.col(0)))};
}

Plane squared(const Mat32& rate) {
  return {rate.col(0).squaredNorm(), rate.col(1).squaredNorm(), rate.col(0).dot(rate.col(1))};
}

Plane scaled(double factor, const Plane& s) {
  return {factor * s.xx, factor * s.yy, factor * s.xy};
}

/// Radians a step: cloth that turns faster is taken as it is, for without its tension it would leap. See
/// docs/models/semi_implicit_euler.md.
constexpr double kLargestTurn = 0.1;

/// straight_motion F'^T F', see Linearisation; less where cloth turns too fast, nothing where it turns far
/// too fast.
Plane turned_strain(double straight_motion, const Mat32& rate) {
  const Plane strain = scaled(straight_motion, squared(rate));
  const double excess = (strain.xx + strain.yy) / (kLargestTurn * kLargestTurn);
  return excess <= 1 ? strain : scaled(std::max(0.0, 2 - excess), strain);
}

Mat2 matrix_of(const Plane& s) {
  return Mat2{{s.xx, s.xy}, {s.xy, s.yy}};
}

Mat32 gradient(const std::array<Vec3, 3>& values, const std::array<Vec2, 3>& shape) {
  Mat32 result;
  for (int c = 0; c < 2; ++c)
    result.col(c) = shape[0][c] * values[0] + shape[1][c] * values[1] + shape[2][c] * values[2];
  return result;
}

/// The 2x2 matrix M_ij with B_i C B_j^T = F M_ij F^T, where B_i maps a displacement of node i to strain.
Mat2 moduli_between(const PlaneModuli& m, const Vec2& gi, const Vec2& gj) {
  const double xx = gi[0] * gj[0], yy = gi[1] * gj[1], xy = gi[0] * gj[1], yx = gi[1] * gj[0];
  return Mat2{{m.a11 * xx + m.g * yy, m.a12 * xy + m.g * yx}, {m.a12 * yx + m.g * xy, m.a22 * yy + m.g * xx}};
}

}  // namespace

PlaneModuli PlaneModuli::orthotropic(double weft, double warp, double shear, double poisson) {
  const double other = poisson * warp / weft;
  const double factor = 1 / (1 - poisson * other);
  return {factor * weft, factor * warp, factor * poisson * warp, shear};
}

PlaneModuli PlaneModuli::isotropic(double lambda, double mu) {
  return {lambda + 2 * mu, lambda + 2 * mu, lambda, mu};
}

void StvkMembrane::describe(Describer<StvkMembrane>& d) {
  d.type("stvk", "membrane", "Orthotropic St. Venant-Kirchhoff membrane with viscous stress.");
  d.parameter("viscosity", &StvkMembrane::viscosity,
              {.unit = "N s/m",
               .doc = "Isotropic viscosity [lambda_d, mu_d] instead of the fabric's stretch_damping.",
               .minimum = 0,
               .maximum = 1e4});
}

void StvkMembraneKernel::add(const Nodes& triangle, const std::array<Vec2, 3>& rest,
                             const PlaneModuli& elastic, const PlaneModuli& viscous) {
  Element element;
  const Vec2 a = rest[1] - rest[0], b = rest[2] - rest[0];
  element.area = 0.5 * (a[0] * b[1] - a[1] * b[0]);
  HEDDLE_CHECK_GT(element.area, 0.0);
  for (int i = 0; i < 3; ++i) {
    const Vec2 edge = rest[at((i + 2) % 3)] - rest[at((i + 1) % 3)];
    element.gradient[at(i)] = Vec2(-edge[1], edge[0]) / (2 * element.area);
  }
  element.elastic = elastic;
  element.viscous = viscous;
  nodes.push_back(triangle);
  lengths.push_back({(rest[1] - rest[0]).norm(), (rest[2] - rest[1]).norm(), (rest[0] - rest[2]).norm()});
  elements_.push_back(element);
}

double StvkMembraneKernel::energy(int element, const ElementState<3>& q) const {
  const Element& e = elements_[at(element)];
  const Plane E = green_strain(gradient(q.x, e.gradient));
  const Plane S = stress(e.elastic, E);
  return 0.5 * e.area * (S.xx * E.xx + S.yy * E.yy + 2 * S.xy * E.xy);
}

void StvkMembraneKernel::force(int element, const ElementState<3>& q, std::array<Vec3, 3>& force) const {
  const Element& e = elements_[at(element)];
  const Mat32 F = gradient(q.x, e.gradient);
  const Plane S = stress(e.elastic, green_strain(F));
  const Plane Sv = stress(e.viscous, green_strain_rate(F, gradient(q.v, e.gradient)));
  const Mat32 P = e.area * F * (matrix_of(S) + matrix_of(Sv));
  for (int i = 0; i < 3; ++i) force[at(i)] = -(P * e.gradient[at(i)]);
}

void StvkMembraneKernel::linearise(int element, const ElementState<3>& q, const ElementScales& scales,
                                   ElementSystem<3>& out) const {
  const Element& e = elements_[at(element)];
  const Mat32 F = gradient(q.x, e.gradient);
  const Mat32 rate = gradient(q.v, e.gradient);
  const Plane E_rate = green_strain_rate(F, rate);
  const Mat2 S = matrix_of(stress(e.elastic, green_strain(F)));
  const Plane turned = turned_strain(scales.straight_motion, rate);
  const Mat2 S_geometric = scales.form == JacobianForm::positive
                               ? positive_part(Mat2(S - matrix_of(stress(e.elastic, turned))))
                               : S;
  const Mat32 P = e.area * F * (S + matrix_of(stress(e.viscous, E_rate)));
  const Mat32 Kv = e.area * (F * matrix_of(stress(e.elastic, E_rate)) + rate * S_geometric);
  for (int i = 0; i < 3; ++i) {
    out.force[at(i)] = -(P * e.gradient[at(i)]);
    out.stiffness_velocity[at(i)] = Kv * e.gradient[at(i)];
  }
  const PlaneModuli& k = e.elastic;
  const PlaneModuli& d = e.viscous;
  const double ks = scales.stiffness * e.area, ds = scales.damping * e.area;
  const PlaneModuli m{ks * k.a11 + ds * d.a11, ks * k.a22 + ds * d.a22, ks * k.a12 + ds * d.a12,
                      ks * k.g + ds * d.g};
  const auto block = [&](int i, int j) -> Mat3 {
    const Vec2 &gi = e.gradient[at(i)], &gj = e.gradient[at(j)];
    const Mat32 FM = F * moduli_between(m, gi, gj);
    Mat3 result = FM.col(0) * F.col(0).transpose() + FM.col(1) * F.col(1).transpose();
    result.diagonal().array() += ks * gi.dot(S_geometric * gj);
    return result;
  };
  // A rigid translation does nothing: rows and columns sum to zero, so three blocks give all nine.
  auto& a = out.a;
  a[0][0] = block(0, 0);
  a[0][1] = block(0, 1);
  a[1][1] = block(1, 1);
  a[1][0] = a[0][1].transpose();
  a[0][2] = -a[0][0] - a[0][1];
  a[1][2] = -a[1][0] - a[1][1];
  a[2][0] = a[0][2].transpose();
  a[2][1] = a[1][2].transpose();
  a[2][2] = -a[2][0] - a[2][1];
}

}  // namespace heddle
