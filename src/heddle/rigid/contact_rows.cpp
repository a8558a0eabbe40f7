#include <heddle/rigid/contact_rows.h>

#include <cmath>

namespace heddle {

namespace {

Mat3 cross_matrix(const Vec3& v) {
  Mat3 matrix;
  matrix << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return matrix;
}

}  // namespace

Mat3 BodyInertia::compliance(const Vec3& arm) const {
  const Mat3 cross = cross_matrix(arm);
  return inverse_mass * Mat3::Identity() + cross * inverse * cross.transpose();
}

void prepare(ContactRow& row, std::span<const BodyInertia> bodies) {
  Mat3 compliance = bodies[static_cast<size_t>(row.first)].compliance(row.arm_first);
  if (row.second >= 0) compliance += bodies[static_cast<size_t>(row.second)].compliance(row.arm_second);
  const Mat3 local = row.axes.transpose() * compliance * row.axes;
  row.normal_mass = 1 / local(0, 0);
  const Mat2 across = local.bottomRightCorner<2, 2>();
  const double mean = 0.5 * across.trace();
  row.tangent_mass = 1 / (mean + std::hypot(0.5 * (across(0, 0) - across(1, 1)), across(0, 1)));
}

void prepare(JointRow& row, std::span<const BodyInertia> bodies) {
  const auto share = [&](int body, const Vec3& arm) {
    const BodyInertia& inertia = bodies[static_cast<size_t>(body)];
    const Vec3 turning = arm.cross(row.linear) + row.angular;
    return inertia.inverse_mass * row.linear.squaredNorm() + turning.dot(inertia.inverse * turning);
  };
  double compliance = share(row.first, row.arm_first);
  if (row.second >= 0) compliance += share(row.second, row.arm_second);
  row.mass = 1 / compliance;
}

}  // namespace heddle
