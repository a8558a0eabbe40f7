#include <heddle/strands/roll_angle_rod.h>

#include <heddle/core/check.h>
#include <heddle/forces/rod/rod_segment.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

using namespace rod;

template <class S>
using Segment = std::array<S, 4>;  // edge and roll angle

template <class S>
Turn<S> frame_of(const Segment<S>& y) {
  return segment_now(Triple<S>{y[0], y[1], y[2]}, y[3]).turn;
}

/// l u of the joint of two segments.
template <class S>
Triple<S> bend_between(const Segment<S>& a, const Segment<S>& b) {
  return rotation_vector(product(inverse(frame_of(a)), frame_of(b))).vector;
}

template <class S>
S joint_energy(const RodSection& section, double length, const Segment<S>& a, const Segment<S>& b) {
  const Triple<S> u = bend_between(a, b);
  return 0.5 / length *
         (section.bending_stiffness() * (u[0] * u[0] + u[1] * u[1]) +
          section.twist_stiffness() * (u[2] * u[2]));
}

/// How a segment turns: the rate of its direction, and the spin about it.
template <class S>
struct SegmentTurning {
  Triple<S> direction_rate;
  S spin;
  Triple<S> t;
  S inverse_length;
};

/// With the twist g = -(e3 x t) / (1 + t3) of the shortest rotation from e3.
template <class S>
SegmentTurning<S> turning_of(const Segment<S>& y, const Segment<double>& rate) {
  using std::sqrt;
  SegmentTurning<S> out;
  const Triple<S> edge{y[0], y[1], y[2]};
  out.inverse_length = 1.0 / sqrt(dot(edge, edge));
  out.t = scaled(out.inverse_length, edge);
  const Triple<S> moving{S(rate[0]), S(rate[1]), S(rate[2])};
  out.direction_rate = scaled(out.inverse_length, plus(moving, -dot(out.t, moving), out.t));
  out.spin =
      rate[3] + (out.t[1] * out.direction_rate[0] - out.t[0] * out.direction_rate[1]) / (1.0 + out.t[2]);
  return out;
}

/// Kinetic energy of the directors; `inertia` about d1 and d3.
template <class S>
S turning_energy(const Segment<S>& y, const Segment<double>& rate, const std::array<double, 2>& inertia) {
  const SegmentTurning<S> now = turning_of(y, rate);
  return 0.5 *
         (inertia[0] * dot(now.direction_rate, now.direction_rate) + inertia[1] * (now.spin * now.spin));
}

/// d/d rate of it.
template <class S>
Segment<S> turning_momentum(const Segment<S>& y, const Segment<double>& rate,
                            const std::array<double, 2>& inertia) {
  const SegmentTurning<S> now = turning_of(y, rate);
  const S along = inertia[1] * now.spin, k = along / (1.0 + now.t[2]);
  // Of the direction's rate, which is perpendicular to it.
  Triple<S> p = scaled(inertia[0], now.direction_rate);
  p = {p[0] + k * now.t[1], p[1] - k * now.t[0], p[2]};
  p = scaled(now.inverse_length, plus(p, -dot(now.t, p), now.t));
  return {p[0], p[1], p[2], along};
}

}  // namespace

RollAngleRod::RollAngleRod(const std::vector<Vec3>& points, const std::vector<double>& angles,
                           const RodSection& section, const Vec3& gravity)
    : section_(section), gravity_(gravity), nodes_(static_cast<int>(points.size())) {
  HEDDLE_CHECK_EQ(angles.size() + 1, points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    g_.insert(g_.end(), points[i].begin(), points[i].end());
    if (i + 1 < points.size()) {
      g_.push_back(angles[i]);
      length_.push_back((points[i + 1] - points[i]).norm());
    }
  }
  rate_.assign(g_.size(), 0);
  held_.assign(g_.size(), 0);
}

void RollAngleRod::hold_node(int node) {
  for (int k = 0; k < 3; ++k) held_[at(4 * node + k)] = 1;
}

void RollAngleRod::set_node(int i, const Vec3& x) {
  for (int k = 0; k < 3; ++k) g_[at(4 * i + k)] = x[k];
}

namespace {

/// Edge and angle of a segment among the unknowns, or their rates.
Segment<double> segment_of(const std::vector<double>& g, int s) {
  const double* p = g.data() + 4 * s;
  return {p[4] - p[0], p[5] - p[1], p[6] - p[2], p[3]};
}

/// Adds what acts on a segment's edge and angle to the unknowns.
template <class Values>
void add_to(const Values& on, int s, double factor, std::vector<double>& out) {
  double* p = out.data() + 4 * s;
  for (size_t k = 0; k < 3; ++k) {
    p[k] -= factor * on[k];
    p[4 + k] += factor * on[k];
  }
  p[3] += factor * on[3];
}

std::array<double, 2> inertia_of(const RodSection& section, double length) {
  const Vec3 all = section.inertia(length);
  return {all[0], all[2]};
}

}  // namespace

double RollAngleRod::bend(int segment) const {
  const Vec3 a = node(segment + 1) - node(segment), b = node(segment + 2) - node(segment + 1);
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

RollAngleRod::Energies RollAngleRod::energies() const {
  Energies sum;
  for (int s = 0; s + 1 < nodes_; ++s) {
    const Segment<double> y = segment_of(g_, s);
    const double strain = Vec3(y[0], y[1], y[2]).norm() / length_[at(s)] - 1;
    sum.stretch += 0.5 * length_[at(s)] * section_.stretch_stiffness() * strain * strain;
    sum.kinetic += turning_energy(y, segment_of(rate_, s), inertia_of(section_, length_[at(s)]));
    const double half = 0.5 * section_.line_density() * length_[at(s)];
    for (const int i : {s, s + 1}) {
      const double* v = rate_.data() + 4 * i;
      sum.kinetic += 0.5 * half * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      sum.weight -= half * gravity_.dot(node(i));
    }
    if (s + 2 == nodes_) break;
    const double length = 0.5 * (length_[at(s)] + length_[at(s + 1)]);
    const auto u = bend_between(y, segment_of(g_, s + 1));
    sum.bending += 0.5 / length * section_.bending_stiffness() * (u[0] * u[0] + u[1] * u[1]);
    sum.twist += 0.5 / length * section_.twist_stiffness() * u[2] * u[2];
  }
  return sum;
}

std::vector<double> RollAngleRod::forces() const {
  std::vector<double> out(g_.size(), 0);
  for (int s = 0; s + 1 < nodes_; ++s) {
    const Segment<double> y = segment_of(g_, s);
    const double l = length_[at(s)], length = Vec3(y[0], y[1], y[2]).norm();
    const double pull = section_.stretch_stiffness() * (length / l - 1) / length;
    add_to(Segment<double>{pull * y[0], pull * y[1], pull * y[2], 0}, s, -1, out);
    const double half = 0.5 * section_.line_density() * l;
    for (const int i : {s, s + 1})
      for (int k = 0; k < 3; ++k) out[at(4 * i + k)] += half * gravity_[k];
    if (s + 2 == nodes_) break;
    Segment<Dual<8>> a, b;
    const Segment<double> z = segment_of(g_, s + 1);
    for (int k = 0; k < 4; ++k) {
      a[at(k)] = Dual<8>::variable(y[at(k)], k);
      b[at(k)] = Dual<8>::variable(z[at(k)], 4 + k);
    }
    const Dual<8> energy = joint_energy(section_, 0.5 * (l + length_[at(s + 1)]), a, b);
    add_to(energy.slope.data(), s, -1, out);
    add_to(energy.slope.data() + 4, s + 1, -1, out);
  }
  return out;
}

std::vector<double> RollAngleRod::inertial_forces() const {
  std::vector<double> out(g_.size(), 0);
  for (int s = 0; s + 1 < nodes_; ++s) {
    const Segment<double> y = segment_of(g_, s), rate = segment_of(rate_, s);
    const auto inertia = inertia_of(section_, length_[at(s)]);
    Segment<Dual<1>> moving;
    Segment<Dual<4>> varied;
    for (int k = 0; k < 4; ++k) {
      moving[at(k)] = y[at(k)];
      moving[at(k)].slope[0] = rate[at(k)];
      varied[at(k)] = Dual<4>::variable(y[at(k)], k);
    }
    const auto momentum = turning_momentum(moving, rate, inertia);
    const Dual<4> energy = turning_energy(varied, rate, inertia);
    Segment<double> on;
    for (size_t k = 0; k < 4; ++k) on[k] = momentum[k].slope[0] - energy.slope[k];
    add_to(on, s, 1, out);
  }
  return out;
}

void RollAngleRod::assemble_mass() {
  band_.assign(g_.size() * (kHalfBand + 1), 0);
  for (int s = 0; s + 1 < nodes_; ++s) {
    const double half = 0.5 * section_.line_density() * length_[at(s)];
    for (const int i : {s, s + 1})
      for (int k = 0; k < 3; ++k) band(4 * i + k, 4 * i + k) += half;
    const Segment<double> y = segment_of(g_, s);
    const auto inertia = inertia_of(section_, length_[at(s)]);
    for (int column = 0; column < 7; ++column) {
      // The momentum of a unit rate of one unknown.
      Segment<double> rate{};
      if (column == 3)
        rate[3] = 1;
      else
        rate[at(column < 3 ? column : column - 4)] = column < 3 ? -1 : 1;
      const Segment<double> p = turning_momentum(y, rate, inertia);
      for (int row = column; row < 7; ++row)
        band(4 * s + row, 4 * s + column) += row == 3 ? p[3] : row < 3 ? -p[at(row)] : p[at(row - 4)];
    }
  }
}

std::vector<double> RollAngleRod::mass_matrix() const {
  RollAngleRod copy = *this;
  copy.assemble_mass();
  const int n = size();
  std::vector<double> full(at(n * n), 0);
  for (int row = 0; row < n; ++row)
    for (int column = std::max(0, row - kHalfBand); column <= row; ++column)
      full[at(row * n + column)] = full[at(column * n + row)] = copy.band(row, column);
  return full;
}

/// Cholesky's factorisation within the band, by hand: solvers of block matrices do not know seven numbers in
/// a row.
bool RollAngleRod::solve(std::vector<double>& right) {
  const int n = size();
  for (int i = 0; i < n; ++i)
    if (held_[at(i)]) {
      for (int j = std::max(0, i - kHalfBand); j < i; ++j) band(i, j) = 0;
      for (int j = i + 1; j < std::min(n, i + kHalfBand + 1); ++j) band(j, i) = 0;
      band(i, i) = 1;
      right[at(i)] = 0;
    }
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - kHalfBand); j <= i; ++j) {
      double sum = band(i, j);
      for (int k = std::max(0, i - kHalfBand); k < j; ++k) sum -= band(i, k) * band(j, k);
      if (i == j && !(sum > 0)) return false;
      band(i, j) = i == j ? std::sqrt(sum) : sum / band(j, j);
    }
    for (int k = std::max(0, i - kHalfBand); k < i; ++k) right[at(i)] -= band(i, k) * right[at(k)];
    right[at(i)] /= band(i, i);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < std::min(n, i + kHalfBand + 1); ++k) right[at(i)] -= band(k, i) * right[at(k)];
    right[at(i)] /= band(i, i);
  }
  return true;
}

bool RollAngleRod::step(double dt, double drag) {
  std::vector<double> acceleration = forces();
  const std::vector<double> inertial = inertial_forces();
  for (size_t i = 0; i < g_.size(); ++i) acceleration[i] -= inertial[i];
  assemble_mass();
  if (!solve(acceleration)) return false;
  const double kept = std::exp(-drag * dt);
  for (size_t i = 0; i < g_.size(); ++i) {
    rate_[i] = held_[i] ? 0 : kept * (rate_[i] + dt * acceleration[i]);
    g_[i] += dt * rate_[i];
  }
  return std::all_of(g_.begin(), g_.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace heddle
