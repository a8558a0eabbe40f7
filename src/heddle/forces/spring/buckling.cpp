#include <heddle/forces/spring/buckling.h>

#include <heddle/core/check.h>
#include <heddle/forces/spring/axial.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// From here on the line lies below the polynomial wherever the strip is shorter than where they meet.
constexpr double kLeastRatio = 10;  // linear stiffness times length per stiffness

/// Where ratio (1 - s) = -f(s), by bisection: the difference changes its sign once.
double meeting_point(double ratio) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double s = 0.5 * (low + high);
    (ratio * (1 - s) + buckling_pull(s) > 0 ? low : high) = s;
  }
  return 0.5 * (low + high);
}

}  // namespace

void BucklingSprings::describe(Describer<BucklingSprings>& d) {
  d.type(
      "buckling", "bending",
      "Springs to the next but one vertices of a grid that bend into an arc when compressed (Choi and Ko).");
  d.parameter("stiffness", &BucklingSprings::stiffness,
              {.unit = "N",
               .doc = "A third of the force at which a spring buckles; without it from the bending rigidity "
                      "of the fabric.",
               .minimum = 0,
               .maximum = 1e6});
  d.parameter(
      "linear_stiffness", &BucklingSprings::linear_stiffness,
      {.unit = "N/m",
       .doc = "Stiffness against small compression, before the spring buckles; without it the stretch "
              "stiffness of the fabric.",
       .minimum = 0,
       .maximum = 1e9});
  d.parameter("treatment", &BucklingSprings::treatment,
              {.unit = "",
               .doc = "Whether the solver knows the Jacobian, or the force alone enters the step.",
               .choices = {"implicit", "explicit"}});
}

double buckling_pull(double s) {
  return (((-11.541 * s + 34.193) * s - 39.083) * s + 23.116) * s - 9.713;
}

double buckling_pull_slope(double s) {
  return ((-46.164 * s + 102.579) * s - 78.166) * s + 23.116;
}

double buckling_pull_integral(double s) {
  return ((((-11.541 / 5 * s + 34.193 / 4) * s - 39.083 / 3) * s + 23.116 / 2) * s - 9.713) * s;
}

void BucklingKernel::add(const Nodes& particles, double rest, double stiffness, double linear_stiffness) {
  HEDDLE_CHECK_GT(rest, 0.0);
  const double linear = std::max(linear_stiffness, kLeastRatio * stiffness / rest);
  nodes.push_back(particles);
  elements_.push_back(
      {rest, stiffness, linear, stiffness > 0 ? meeting_point(linear * rest / stiffness) : 1});
}

double BucklingKernel::tension(const Element& e, double length) {
  const double s = length / e.rest;
  if (s >= 1) return 0;
  return s > e.meeting ? e.linear * (length - e.rest) : e.stiffness * buckling_pull(s);
}

double BucklingKernel::slope(const Element& e, double length) {
  const double s = length / e.rest;
  if (s >= 1) return 0;
  return s > e.meeting ? e.linear : e.stiffness / e.rest * buckling_pull_slope(s);
}

bool BucklingKernel::is_active(int element, const ElementState<2>& q) const {
  return axial_line(q).length < elements_[at(element)].rest;
}

double BucklingKernel::energy(int element, const ElementState<2>& q) const {
  const Element& e = elements_[at(element)];
  const double s = axial_line(q).length / e.rest;
  if (s >= 1) return 0;
  const double linear_part = e.rest * (1 - std::max(s, e.meeting));  // m
  double energy = 0.5 * e.linear * linear_part * linear_part;
  if (s < e.meeting)
    energy -= e.stiffness * e.rest * (buckling_pull_integral(e.meeting) - buckling_pull_integral(s));
  return energy;
}

void BucklingKernel::force(int element, const ElementState<2>& q, std::array<Vec3, 2>& force) const {
  const AxialLine line = axial_line(q);
  set_pull(tension(elements_[at(element)], line.length) * line.direction, force);
}

void BucklingKernel::linearise(int element, const ElementState<2>& q, const ElementScales& scales,
                               ElementSystem<2>& out) const {
  const Element& e = elements_[at(element)];
  const AxialLine line = axial_line(q);
  const double pull = tension(e, line.length);
  set_pull(pull * line.direction, out.force);
  set_jacobian(axial_stiffness(line, pull, slope(e, line.length), scales.form), Mat3::Zero(), line, scales,
               out);
}

}  // namespace heddle
