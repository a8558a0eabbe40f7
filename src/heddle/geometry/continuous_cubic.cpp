#include <heddle/geometry/continuous.h>

namespace heddle {

namespace {

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3
using Cubic = std::array<double, 4>;

double value(const Cubic& c, double t) {
  return ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
}

/// Six times the volume of the four points, V(t) of Thomaszewski 2010, 2.4.2, with e_i = x_i - x_0.
Cubic volume(const PairPoints& x0, const PairPoints& x1) {
  std::array<Vec3, 3> e, v;
  for (size_t i = 0; i < 3; ++i) {
    e[i] = x0[i + 1] - x0[0];
    v[i] = (x1[i + 1] - x1[0]) - e[i];
  }
  const Vec3 ee = e[1].cross(e[2]), vv = v[1].cross(v[2]);
  const Vec3 ev = e[1].cross(v[2]) + v[1].cross(e[2]);
  return {e[0].dot(ee), v[0].dot(ee) + e[0].dot(ev), e[0].dot(vv) + v[0].dot(ev), v[0].dot(vv)};
}

/// Up to four numbers.
struct Few {
  std::array<double, 4> items{};
  size_t count = 0;
  void add(double item) { items[count++] = item; }
};

/// 0, the extrema of the cubic within (0, 1) ascending, and 1: between them it is monotonic.
Few monotonic_pieces(const Cubic& c) {
  Few ends;
  ends.add(0);
  const double a = 3 * c[3], b = c[2], d = b * b - a * c[1];  // a t^2 + 2 b t + c[1] = 0
  if (d > 0) {
    const double q = -(b + std::copysign(std::sqrt(d), b));
    const double r0 = a != 0 ? q / a : HUGE_VAL, r1 = q != 0 ? c[1] / q : HUGE_VAL;
    for (const double r : {std::min(r0, r1), std::max(r0, r1)})
      if (r > 0 && r < 1) ends.add(r);
  }
  ends.add(1);
  return ends;
}

/// The root between ends of opposite sign: bisection, with Newton's method where it stays inside.
double root_between(const Cubic& c, double low, double high) {
  const bool falling = value(c, low) > 0;
  double t = 0.5 * (low + high);
  for (int i = 0; i < 80 && low < high; ++i) {
    const double f = value(c, t);
    if (f == 0) return t;
    ((f > 0) == falling ? low : high) = t;
    const double slope = (3 * c[3] * t + 2 * c[2]) * t + c[1];
    const double newton = t - f / slope;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (std::abs(next - t) <= 1e-16) return next;
    t = next;
  }
  return t;
}

/// In [0, 1], ascending; none if the cubic vanishes.
Few roots(const Cubic& c) {
  Few found;
  if (c == Cubic{}) return found;
  const Few ends = monotonic_pieces(c);
  for (size_t i = 0; i + 1 < ends.count; ++i) {
    const double low = ends.items[i], high = ends.items[i + 1];
    const double f = value(c, low), g = value(c, high);
    if (f == 0)
      found.add(low);
    else if (f * g < 0)
      found.add(root_between(c, low, high));
  }
  if (value(c, 1) == 0) found.add(1);
  return found;
}

template <class Function>
std::optional<Contact> first_root(const PairPoints& x0, const PairPoints& x1, double separation,
                                  const Function& proximity_of) {
  double size = 0;
  for (size_t i = 1; i < 4; ++i) size = std::max({size, (x0[i] - x0[0]).norm(), (x1[i] - x1[0]).norm()});
  const Few times = roots(volume(x0, x1));
  for (size_t k = 0; k < times.count; ++k) {
    const double t = times.items[k];
    PairPoints x;
    for (size_t i = 0; i < 4; ++i) x[i] = (1 - t) * (x0[i] - x0[0]) + t * (x1[i] - x1[0]);
    const Proximity proximity = proximity_of(x);
    // A root is known to about half the digits where it is double.
    if (proximity.distance <= std::max(separation, 1e-8 * size))
      return Contact{t, proximity.weights, proximity.normal, proximity.distance};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Contact> cubic_vertex_triangle_time(const PairPoints& x0, const PairPoints& x1,
                                                  double separation) {
  return first_root(x0, x1, separation, vertex_triangle_proximity);
}

std::optional<Contact> cubic_edge_edge_time(const PairPoints& x0, const PairPoints& x1, double separation) {
  return first_root(x0, x1, separation, edge_edge_proximity);
}

}  // namespace heddle
