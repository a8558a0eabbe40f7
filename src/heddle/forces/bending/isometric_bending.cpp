#include <heddle/forces/bending/isometric_bending.h>

#include <heddle/core/check.h>
#include <heddle/forces/bending/curvature_damping.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

double cotangent(const Vec3& a, const Vec3& b) {
  return a.dot(b) / a.cross(b).norm();
}

Vec3 weighted_sum(const std::array<double, 4>& w, const std::array<Vec3, 4>& x) {
  return w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3];
}

}  // namespace

void IsometricBending::describe(Describer<IsometricBending>& d) {
  d.type("isometric", "bending",
         "Quadratic bending of cloth that is flat at rest; constant Jacobian, cheapest.");
}

void IsometricBendingKernel::add(const Nodes& hinge, const std::array<Vec3, 4>& rest, double rigidity,
                                 double damping) {
  const Vec3 edge = rest[3] - rest[2];
  // Cotangents of the four angles at the shared edge: c01, c03 in the first triangle, c02, c04 in the second.
  const double at3_wing1 = cotangent(edge, rest[0] - rest[2]);
  const double at3_wing2 = cotangent(edge, rest[1] - rest[2]);
  const double at4_wing1 = cotangent(-edge, rest[0] - rest[3]);
  const double at4_wing2 = cotangent(-edge, rest[1] - rest[3]);
  const double areas =
      0.5 * edge.cross(rest[0] - rest[2]).norm() + 0.5 * edge.cross(rest[1] - rest[2]).norm();
  HEDDLE_CHECK_GT(areas, 0.0);
  Element element;
  element.weight = {-at3_wing1 - at4_wing1, -at3_wing2 - at4_wing2, at4_wing1 + at4_wing2,
                    at3_wing1 + at3_wing2};
  element.stiffness = rigidity / areas;
  element.damping = damping * element.stiffness;
  constexpr double kFlatAngle = 1e-6;  // rad
  element.flat_limit = kFlatAngle * edge.norm();
  nodes.push_back(hinge);
  elements_.push_back(element);
}

double IsometricBendingKernel::energy(int element, const ElementState<4>& q) const {
  const Element& e = elements_[at(element)];
  return 0.5 * e.stiffness * weighted_sum(e.weight, q.x).squaredNorm();
}

void IsometricBendingKernel::force(int element, const ElementState<4>& q, std::array<Vec3, 4>& force) const {
  const Element& e = elements_[at(element)];
  const Vec3 curvature = weighted_sum(e.weight, q.x);
  const Vec3 rate = weighted_sum(e.weight, q.v);
  const Vec3 pull = e.stiffness * curvature + e.damping * damped_rate(curvature, rate, e.flat_limit);
  for (size_t i = 0; i < 4; ++i) force[i] = -e.weight[i] * pull;
}

void IsometricBendingKernel::linearise(int element, const ElementState<4>& q, const ElementScales& scales,
                                       ElementSystem<4>& out) const {
  const Element& e = elements_[at(element)];
  const Vec3 curvature = weighted_sum(e.weight, q.x), rate = weighted_sum(e.weight, q.v);
  const Vec3 pull = e.stiffness * curvature + e.damping * damped_rate(curvature, rate, e.flat_limit);
  for (size_t i = 0; i < 4; ++i) {
    out.force[i] = -e.weight[i] * pull;
    out.stiffness_velocity[i] = e.weight[i] * e.stiffness * rate;
  }
  if (!scales.wants_blocks()) return;
  const bool exact = scales.form == JacobianForm::exact;
  Mat3 block = Mat3::Identity();
  if (exact) block = damped_directions(curvature, e.flat_limit);
  block *= scales.damping * e.damping;
  block.diagonal().array() += scales.stiffness * e.stiffness;
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < 4; ++j) out.a[i][j] = e.weight[i] * e.weight[j] * block;
}

}  // namespace heddle
