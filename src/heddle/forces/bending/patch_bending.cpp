#include <heddle/forces/bending/patch_bending.h>

#include <heddle/forces/bending/curvature_damping.h>
#include <heddle/math/cholesky.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Directions of no rigidity get this much of the other's, so that compliances stay finite.
constexpr double kSoftest = 1e-4;

/// (u^2, v^2, 2uv)/2: what second derivatives (x_uu, x_vv, x_uv) add to a surface at p.
Vec3 quadratic(const Vec2& p) {
  return {0.5 * p[0] * p[0], 0.5 * p[1] * p[1], p[0] * p[1]};
}

/// Coordinates of p in the triangle of the first three points.
Vec3 barycentric(const std::array<Vec2, 6>& points, const Vec2& p) {
  const auto cross = [](const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; };
  const double area = cross(points[1] - points[0], points[2] - points[0]);
  const double b1 = cross(p - points[0], points[2] - points[0]) / area;
  const double b2 = cross(points[1] - points[0], p - points[0]) / area;
  return {1 - b1 - b2, b1, b2};
}

double triangle_area(const std::array<Vec2, 6>& points) {
  const Vec2 a = points[1] - points[0], b = points[2] - points[0];
  return 0.5 * (a[0] * b[1] - a[1] * b[0]);
}

/// How far each neighbour lies off the plane of the corners, as a function of the nodes and of the second
/// derivatives (x_uu, x_vv, x_uv). Rows of missing neighbours are zero.
struct Rise {
  Eigen::Matrix<double, 3, 6> from_nodes = Eigen::Matrix<double, 3, 6>::Zero();  // 1
  Mat3 from_curvature = Mat3::Zero();                                            // m^2
};

Rise rise_of_neighbours(const BendingPatch& shape) {
  Rise rise;
  for (int k = 0; k < 3; ++k) {
    if (!shape.has_neighbour[at(k)]) continue;
    const Vec2& p = shape.rest[at(3 + k)];
    const Vec3 b = barycentric(shape.rest, p);
    rise.from_nodes(k, 3 + k) = 1;
    rise.from_curvature.row(k) = quadratic(p).transpose();
    for (int i = 0; i < 3; ++i) {
      rise.from_nodes(k, i) = -b[i];
      rise.from_curvature.row(k) -= b[i] * quadratic(shape.rest[at(i)]).transpose();
    }
  }
  return rise;
}

/// Second derivative of the least energy that given rises need, N/m.
Mat3 rise_stiffness(const Mat3& rise, const BendingPatch& shape, const BendingModuli& moduli) {
  const double softest = kSoftest * std::max(moduli.weft, moduli.warp);
  const Vec3 compliance(1 / std::max(moduli.weft, softest), 1 / std::max(moduli.warp, softest),
                        0.5 / std::max(moduli.twist, softest));
  Mat3 flexibility = rise * compliance.asDiagonal() * rise.transpose() / triangle_area(shape.rest);
  // Six vertices near a conic hardly determine the surface; a little slack bounds their stiffness.
  constexpr double kSlack = 3e-4;
  const double slack = kSlack * flexibility.trace();
  for (int k = 0; k < 3; ++k) flexibility(k, k) += slack;
  return flexibility.inverse();
}

}  // namespace

void PatchBending::describe(Describer<PatchBending>& d) {
  d.type("patch", "bending",
         "Quadratic bending of cloth that is flat at rest, equally stiff in every direction for uniform "
         "bending; "
         "constant Jacobian. Strips with free borders on alternating or cross grids bend up to 6 % of their "
         "length "
         "too far.");
}

BendingModuli BendingModuli::orthotropic(double weft, double warp) {
  return {weft, warp, std::sqrt(weft * warp)};
}

void PatchBendingKernel::add(const Nodes& patch, const BendingPatch& shape, const BendingModuli& moduli,
                             double damping) {
  const bool bends = shape.has_neighbour[0] || shape.has_neighbour[1] || shape.has_neighbour[2];
  if (!bends || std::max(moduli.weft, moduli.warp) == 0) return;
  const Rise rise = rise_of_neighbours(shape);
  const Mat3 stiffness = rise_stiffness(rise.from_curvature, shape, moduli);
  Element element;
  element.weight = upper_cholesky(stiffness) * rise.from_nodes;
  element.damping = damping;
  constexpr double kFlatAngle = 1e-6;  // rad
  element.flat_limit = kFlatAngle * element.weight.norm() * std::sqrt(triangle_area(shape.rest));
  Nodes used = patch;
  for (int k = 0; k < 3; ++k)
    if (!shape.has_neighbour[at(k)]) used[at(3 + k)] = patch[at(k)];
  nodes.push_back(used);
  elements_.push_back(element);
}

PatchBendingKernel::Curvatures PatchBendingKernel::curvatures(const Element& e, const ElementState<6>& q) {
  Eigen::Matrix<double, 8, kNodes> nodes;
  for (int i = 0; i < kNodes; ++i) nodes.col(i) << q.x[at(i)], 0, q.v[at(i)], 0;
  return nodes.lazyProduct(e.weight.transpose());
}

void PatchBendingKernel::damp(const Element& e, Curvatures& modes) {
  if (e.damping == 0) return;
  for (int m = 0; m < kModes; ++m)
    modes.col(m).head<3>() +=
        e.damping * damped_rate(modes.col(m).head<3>(), modes.col(m).segment<3>(4), e.flat_limit);
}

double PatchBendingKernel::energy(int element, const ElementState<6>& q) const {
  return 0.5 * curvatures(elements_[at(element)], q).topRows<3>().squaredNorm();
}

void PatchBendingKernel::force(int element, const ElementState<6>& q, std::array<Vec3, 6>& force) const {
  const Element& e = elements_[at(element)];
  Curvatures modes = curvatures(e, q);
  damp(e, modes);
  for (int i = 0; i < kNodes; ++i) force[at(i)] = -(modes.topRows<3>() * e.weight.col(i));
}

void PatchBendingKernel::linearise(int element, const ElementState<6>& q, const ElementScales& scales,
                                   ElementSystem<6>& out) const {
  const Element& e = elements_[at(element)];
  Curvatures modes = curvatures(e, q);
  if (scales.wants_blocks()) set_blocks(e, modes, scales, out);
  damp(e, modes);
  const Eigen::Matrix<double, 8, kNodes> result = modes.lazyProduct(e.weight);
  for (int i = 0; i < kNodes; ++i) {
    out.force[at(i)] = -result.col(i).head<3>();
    out.stiffness_velocity[at(i)] = result.col(i).segment<3>(4);
  }
}

void PatchBendingKernel::set_blocks(const Element& e, const Curvatures& modes, const ElementScales& scales,
                                    ElementSystem<6>& out) {
  for (auto& row : out.a) row.fill(Mat3::Zero());
  for (int m = 0; m < kModes; ++m) {
    Mat3 block = Mat3::Identity();
    if (scales.form == JacobianForm::exact) block = damped_directions(modes.col(m).head<3>(), e.flat_limit);
    block *= scales.damping * e.damping;
    block.diagonal().array() += scales.stiffness;
    for (int i = 0; i < kNodes; ++i)
      for (int j = 0; j < kNodes; ++j) out.a[at(i)][at(j)] += e.weight(m, i) * e.weight(m, j) * block;
  }
}

}  // namespace heddle
