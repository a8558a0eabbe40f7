#include <heddle/forces/field/wind.h>

#include <heddle/math/symmetric_eigen.h>

namespace heddle {

namespace {

struct Flow {
  Vec3 n;           // unit normal on the side the triangle moves to
  Vec3 u;           // velocity of the triangle relative to the air, m/s
  double a;         // n.u, m/s
  double speed;     // |u|, m/s
  double pressure;  // rho/2 A, kg/m
};

Flow flow_of(const Wind& wind, const ElementState<3>& q) {
  const Vec3 cross = (q.x[1] - q.x[0]).cross(q.x[2] - q.x[0]);
  const double twice_area = cross.norm();
  Flow flow;
  flow.u = (q.v[0] + q.v[1] + q.v[2]) / 3 - wind.velocity.at(q.time);
  flow.n = twice_area > 0 ? Vec3(cross / twice_area) : Vec3::Zero();
  flow.a = flow.n.dot(flow.u);
  if (flow.a < 0) {
    flow.n = -flow.n;
    flow.a = -flow.a;
  }
  flow.speed = flow.u.norm();
  flow.pressure = 0.25 * wind.air_density * twice_area;
  return flow;
}

Vec3 total_force(const Wind& wind, const Flow& f) {
  if (f.speed == 0) return Vec3::Zero();
  const Vec3 lift = f.speed * f.a * f.n - (f.a * f.a / f.speed) * f.u;
  return -f.pressure * (wind.drag * f.a * f.u + wind.lift * lift);
}

/// -dF/du.
Mat3 resistance(const Wind& wind, const Flow& f) {
  if (f.speed == 0) return Mat3::Zero();
  const Vec3 direction = f.u / f.speed;
  const Mat3 drag = f.u * f.n.transpose() + f.a * Mat3::Identity();
  const Mat3 lift = f.n * (f.a * direction + f.speed * f.n).transpose() -
                    2 * f.a * direction * f.n.transpose() -
                    f.a * f.a / f.speed * (Mat3::Identity() - direction * direction.transpose());
  return f.pressure * (wind.drag * drag + wind.lift * lift);
}

}  // namespace

void Wind::describe(Describer<Wind>& d) {
  d.type("wind", "force", "Air that is still or moves, with drag and lift on every triangle.");
  d.parameter("velocity", &Wind::velocity,
              {.unit = "m/s", .doc = "Velocity of the air, constant or key-framed."});
  d.parameter("air_density", &Wind::air_density,
              {.unit = "kg/m3", .doc = "Density of the air.", .minimum = 0, .maximum = 2000});
  d.parameter(
      "drag", &Wind::drag,
      {.unit = "1", .doc = "Drag coefficient of a plate across the flow.", .minimum = 0, .maximum = 10});
  d.parameter("lift", &Wind::lift, {.unit = "1", .doc = "Lift coefficient.", .minimum = 0, .maximum = 10});
}

void WindKernel::force(int, const ElementState<3>& q, std::array<Vec3, 3>& force) const {
  force.fill(total_force(parameters_, flow_of(parameters_, q)) / 3);
}

void WindKernel::linearise(int, const ElementState<3>& q, const ElementScales& scales,
                           ElementSystem<3>& out) const {
  const Flow flow = flow_of(parameters_, q);
  Mat3 block = resistance(parameters_, flow);
  if (scales.form == JacobianForm::positive) block = positive_part(Mat3(0.5 * (block + block.transpose())));
  block *= scales.damping / 9;
  out.force.fill(total_force(parameters_, flow) / 3);
  out.stiffness_velocity.fill(Vec3::Zero());
  for (auto& row : out.a) row.fill(block);
}

}  // namespace heddle
