#include <heddle/forces/bending/hinge_bending.h>

#include <heddle/core/check.h>

#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

using Row = Eigen::Matrix<double, 3, 12>;  // derivative of a vector by the four nodes

struct Hinge {
  Vec3 N1, N2, E;
  double length;
  double angle;
};

Hinge hinge_of(const std::array<Vec3, 4>& x) {
  Hinge h;
  h.E = x[3] - x[2];
  h.length = h.E.norm();
  h.N1 = (x[0] - x[2]).cross(x[0] - x[3]);
  h.N2 = (x[1] - x[3]).cross(x[1] - x[2]);
  h.angle = std::atan2(h.N1.cross(h.N2).dot(h.E) / h.length, h.N1.dot(h.N2));
  return h;
}

/// u_i = -dtheta/dx_i.
std::array<Vec3, 4> directions(const Hinge& h, const std::array<Vec3, 4>& x) {
  const Vec3 a1 = h.N1 / h.N1.squaredNorm(), a2 = h.N2 / h.N2.squaredNorm();
  const Vec3 e = h.E / h.length;
  return {h.length * a1, h.length * a2, (x[0] - x[3]).dot(e) * a1 + (x[1] - x[3]).dot(e) * a2,
          -(x[0] - x[2]).dot(e) * a1 - (x[1] - x[2]).dot(e) * a2};
}

Mat3 cross_matrix(const Vec3& a) {
  return Mat3{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
}

/// Derivative of N / |N|^2 where N = (p - q) x (p - r).
Row scaled_normal_derivative(const Vec3& N, const std::array<Vec3, 4>& x, int p, int q, int r) {
  const Mat3 outer =
      Mat3::Identity() / N.squaredNorm() - 2 * N * N.transpose() / std::pow(N.squaredNorm(), 2);
  const Mat3 by_first = -cross_matrix(x[at(p)] - x[at(r)]);  // d(a x b)/da
  const Mat3 by_second = cross_matrix(x[at(p)] - x[at(q)]);  // d(a x b)/db
  Row result = Row::Zero();
  result.block<3, 3>(0, 3 * p) = outer * (by_first + by_second);
  result.block<3, 3>(0, 3 * q) = -outer * by_first;
  result.block<3, 3>(0, 3 * r) = -outer * by_second;
  return result;
}

/// Derivative of (x_p - x_q) . E / |E| with E = x4 - x3.
Eigen::Matrix<double, 1, 12> projection_derivative(const std::array<Vec3, 4>& x, int p, int q,
                                                   double length) {
  const Vec3 e = (x[3] - x[2]) / length;
  const Vec3 d = x[at(p)] - x[at(q)];
  const Vec3 by_edge = (d - e * e.dot(d)) / length;
  Eigen::Matrix<double, 1, 12> result = Eigen::Matrix<double, 1, 12>::Zero();
  result.segment<3>(3 * p) += e.transpose();
  result.segment<3>(3 * q) -= e.transpose();
  result.segment<3>(9) += by_edge.transpose();
  result.segment<3>(6) -= by_edge.transpose();
  return result;
}

/// du_i/dx_j = -d2theta/dx_i dx_j.
Eigen::Matrix<double, 12, 12> directions_derivative(const Hinge& h, const std::array<Vec3, 4>& x) {
  const Vec3 a1 = h.N1 / h.N1.squaredNorm(), a2 = h.N2 / h.N2.squaredNorm();
  const Row da1 = scaled_normal_derivative(h.N1, x, 0, 2, 3);
  const Row da2 = scaled_normal_derivative(h.N2, x, 1, 3, 2);
  const Vec3 e = h.E / h.length;
  Eigen::Matrix<double, 1, 12> dlength = Eigen::Matrix<double, 1, 12>::Zero();
  dlength.segment<3>(9) = e.transpose();
  dlength.segment<3>(6) = -e.transpose();
  Eigen::Matrix<double, 12, 12> result;
  result.middleRows<3>(0) = a1 * dlength + h.length * da1;
  result.middleRows<3>(3) = a2 * dlength + h.length * da2;
  result.middleRows<3>(6) = a1 * projection_derivative(x, 0, 3, h.length) + (x[0] - x[3]).dot(e) * da1 +
                            a2 * projection_derivative(x, 1, 3, h.length) + (x[1] - x[3]).dot(e) * da2;
  result.middleRows<3>(9) = -a1 * projection_derivative(x, 0, 2, h.length) - (x[0] - x[2]).dot(e) * da1 -
                            a2 * projection_derivative(x, 1, 2, h.length) - (x[1] - x[2]).dot(e) * da2;
  return result;
}

double rate_along(const std::array<Vec3, 4>& u, const std::array<Vec3, 4>& v) {
  return u[0].dot(v[0]) + u[1].dot(v[1]) + u[2].dot(v[2]) + u[3].dot(v[3]);
}

}  // namespace

void HingeBending::describe(Describer<HingeBending>& d) {
  d.type("hinge", "bending", "Bending by the angle between neighbouring triangles, with rest angles.");
  d.parameter("treatment", &HingeBending::treatment,
              {.unit = "",
               .doc = "Explicit bending is cheaper but limits the time step.",
               .choices = {"implicit", "explicit"}});
}

void HingeBendingKernel::add(const Nodes& hinge, const std::array<Vec3, 4>& rest, double rest_angle,
                             double rigidity, double damping) {
  const Hinge h = hinge_of(rest);
  const double normals = h.N1.norm() + h.N2.norm();
  HEDDLE_CHECK_GT(normals, 0.0);
  Element element;
  element.stiffness = 4 * rigidity * h.length * h.length / normals;
  element.damping = 0.5 * element.stiffness * damping;  // W'' = c/2 at the flat state
  element.rest_angle = rest_angle;
  element.sine_rest = std::sin(0.5 * rest_angle);
  nodes.push_back(hinge);
  elements_.push_back(element);
}

double HingeBendingKernel::energy(int element, const ElementState<4>& q) const {
  const Element& e = elements_[at(element)];
  const double angle = hinge_of(q.x).angle;
  return e.stiffness * (2 * std::cos(0.5 * e.rest_angle) - 2 * std::cos(0.5 * angle) -
                        (angle - e.rest_angle) * e.sine_rest);
}

void HingeBendingKernel::force(int element, const ElementState<4>& q, std::array<Vec3, 4>& force) const {
  const Element& e = elements_[at(element)];
  const Hinge h = hinge_of(q.x);
  const auto u = directions(h, q.x);
  const double moment =
      e.stiffness * (std::sin(0.5 * h.angle) - e.sine_rest) - e.damping * rate_along(u, q.v);
  for (size_t i = 0; i < 4; ++i) force[i] = moment * u[i];
}

void HingeBendingKernel::linearise(int element, const ElementState<4>& q, const ElementScales& scales,
                                   ElementSystem<4>& out) const {
  const Element& e = elements_[at(element)];
  const Hinge h = hinge_of(q.x);
  const auto u = directions(h, q.x);
  const double rate = rate_along(u, q.v);
  const double moment = e.stiffness * (std::sin(0.5 * h.angle) - e.sine_rest);
  const double slope = 0.5 * e.stiffness * std::cos(0.5 * h.angle);
  const double factor = scales.stiffness * slope + scales.damping * e.damping;
  for (size_t i = 0; i < 4; ++i) {
    out.force[i] = (moment - e.damping * rate) * u[i];
    out.stiffness_velocity[i] = slope * rate * u[i];
    for (size_t j = 0; j < 4; ++j) out.a[i][j] = factor * u[i] * u[j].transpose();
  }
  if (scales.form == JacobianForm::positive) return;
  const Eigen::Matrix<double, 12, 12> du = directions_derivative(h, q.x);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const Mat3 block = -moment * du.block<3, 3>(3 * i, 3 * j);
      out.a[at(i)][at(j)] += scales.stiffness * block;
      out.stiffness_velocity[at(i)] += block * q.v[at(j)];
    }
}

}  // namespace heddle
