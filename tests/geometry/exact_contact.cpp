#include "exact_contact.h"

#include "exact_polynomial.h"

#include <heddle/core/check.h>

namespace heddle::test {

namespace {

using Vector = std::array<Polynomial, 3>;
using Points = std::array<Vector, 4>;
using test::operator-;  // or the one below would hide it

Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Polynomial dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// All coordinates times one power of 2 that makes them whole.
Points exact_points(const PairPoints& x0, const PairPoints& x1) {
  int lowest = 1000, exponent = 0;
  for (const PairPoints* x : {&x0, &x1})
    for (const Vec3& point : *x)
      for (const double c : point)
        if (c != 0) {
          std::frexp(c, &exponent);
          lowest = std::min(lowest, exponent - 53);
        }
  const auto whole = [&](double c) {
    if (c == 0) return Integer(0);
    const double mantissa = std::ldexp(std::frexp(c, &exponent), 53);
    return Integer(Integer(static_cast<std::int64_t>(mantissa)) << (exponent - 53 - lowest));
  };
  Points points;
  for (size_t i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      const Integer from = whole(x0[i][k]), to = whole(x1[i][k]);
      points[i][static_cast<size_t>(k)] = Polynomial{from} + Polynomial{0, to - from};
    }
  return points;
}

bool all_zero_at(const Vector& v, Root& root) {
  return sign_at(v[0], root) == 0 && sign_at(v[1], root) == 0 && sign_at(v[2], root) == 0;
}

// --- at one time ---

bool on_segment_at(const Vector& p, const Vector& a, const Vector& b, Root& root) {
  return sign_at(dot(p - a, p - b), root) <= 0 && all_zero_at(cross(p - a, p - b), root);
}

/// Four points in a plane.
bool in_triangle_at(const Points& x, Root& root) {
  const auto& [p, a, b, c] = x;
  const Vector normal = cross(b - a, c - a);
  for (size_t axis = 0; axis < 3; ++axis) {
    const int turn = sign_at(normal[axis], root);
    if (turn == 0) continue;
    for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &c), std::pair(&c, &a)})
      if (sign_at(cross(*to - *from, p - *from)[axis], root) * turn < 0) return false;
    return true;
  }
  return on_segment_at(p, a, b, root) || on_segment_at(p, b, c, root) || on_segment_at(p, c, a, root);
}

/// Four points in a plane.
bool edges_cross_at(const Points& x, Root& root) {
  const auto& [a, b, c, d] = x;
  const Vector u = b - a, v = d - c;
  const Vector normal = cross(u, v);
  for (size_t axis = 0; axis < 3; ++axis) {
    if (sign_at(normal[axis], root) == 0) continue;
    const auto side = [&](const Vector& edge, const Vector& from, const Vector& point) {
      return sign_at(cross(edge, point - from)[axis], root);
    };
    return side(u, a, c) * side(u, a, d) <= 0 && side(v, c, a) * side(v, c, b) <= 0;
  }
  return on_segment_at(a, c, d, root) || on_segment_at(b, c, d, root) || on_segment_at(c, a, b, root) ||
         on_segment_at(d, a, b, root);
}

// --- at any time ---

const Polynomial* first_not_zero(const Vector& v) {
  for (const Polynomial& p : v)
    if (!p.empty()) return &p;
  return nullptr;
}

bool ever_equal(const Vector& p, const Vector& a) {
  const Vector difference = p - a;
  const Polynomial* some = first_not_zero(difference);
  if (!some) return true;
  for (Root& root : roots_in_unit_interval(*some))
    if (all_zero_at(difference, root)) return true;
  return false;
}

bool ever_on_segment(const Vector& p, const Vector& a, const Vector& b) {
  const Vector area = cross(p - a, p - b);
  const Polynomial* some = first_not_zero(area);
  if (!some) {  // always on a line: there from the start, or coming over an end
    Root start = root_at_zero();
    return on_segment_at(p, a, b, start) || ever_equal(p, a) || ever_equal(p, b);
  }
  for (Root& root : roots_in_unit_interval(*some))
    if (on_segment_at(p, a, b, root)) return true;
  return false;
}

Polynomial volume(const Points& x) {
  return dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]);
}

// --- what needs no long numbers ---

/// Is one side below the other along an axis at both ends of the step?
bool apart_along_axes(const PairPoints& x0, const PairPoints& x1, size_t first) {
  for (int k = 0; k < 3; ++k) {
    bool below = true, above = true;
    for (size_t i = 0; i < first; ++i)
      for (size_t j = first; j < 4; ++j) {
        below = below && x0[i][k] < x0[j][k] && x1[i][k] < x1[j][k];
        above = above && x0[i][k] > x0[j][k] && x1[i][k] > x1[j][k];
      }
    if (below || above) return true;
  }
  return false;
}

struct Bounded {
  double value = 0, size = 0;
  void add_determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 p = a.cwiseAbs(), q = b.cwiseAbs(), r = c.cwiseAbs();
    value += a.cross(b).dot(c);
    size += (p.y() * q.z() + p.z() * q.y()) * r.x() + (p.z() * q.x() + p.x() * q.z()) * r.y() +
            (p.x() * q.y() + p.y() * q.x()) * r.z();
  }
  int sign() const { return std::abs(value) > 1e-13 * size ? (value > 0 ? 1 : -1) : 0; }
};

/// Have the Bernstein coefficients of the volume one sign, beyond all rounding?
bool never_flat(const PairPoints& x0, const PairPoints& x1) {
  std::array<Vec3, 3> a, b;
  for (size_t i = 0; i < 3; ++i) {
    a[i] = x0[i + 1] - x0[0];
    b[i] = x1[i + 1] - x1[0];
  }
  std::array<Bounded, 4> c;
  c[0].add_determinant(a[0], a[1], a[2]);
  c[3].add_determinant(b[0], b[1], b[2]);
  for (size_t i = 0; i < 3; ++i) {
    c[1].add_determinant(i == 0 ? b[0] : a[0], i == 1 ? b[1] : a[1], i == 2 ? b[2] : a[2]);
    c[2].add_determinant(i == 0 ? a[0] : b[0], i == 1 ? a[1] : b[1], i == 2 ? a[2] : b[2]);
  }
  const int sign = c[0].sign();
  return sign != 0 && c[1].sign() == sign && c[2].sign() == sign && c[3].sign() == sign;
}

template <class AtTime>
bool ever_in_contact(const Points& x, const Polynomial& flat, const AtTime& in_contact_at) {
  for (Root& root : roots_in_unit_interval(flat))
    if (in_contact_at(x, root)) return true;
  return false;
}

}  // namespace

bool exact_vertex_triangle_contact(const PairPoints& x0, const PairPoints& x1) {
  if (apart_along_axes(x0, x1, 1) || never_flat(x0, x1)) return false;
  const Points x = exact_points(x0, x1);
  const Polynomial flat = volume(x);
  if (!flat.empty()) return ever_in_contact(x, flat, in_triangle_at);
  // Always in a plane: there from the start, or coming over an edge.
  Root start = root_at_zero();
  return in_triangle_at(x, start) || ever_on_segment(x[0], x[1], x[2]) || ever_on_segment(x[0], x[2], x[3]) ||
         ever_on_segment(x[0], x[3], x[1]);
}

bool exact_edge_edge_contact(const PairPoints& x0, const PairPoints& x1) {
  if (apart_along_axes(x0, x1, 2) || never_flat(x0, x1)) return false;
  const Points x = exact_points(x0, x1);
  const Polynomial flat = volume(x);
  if (!flat.empty()) return ever_in_contact(x, flat, edges_cross_at);
  Root start = root_at_zero();
  return edges_cross_at(x, start) || ever_on_segment(x[0], x[2], x[3]) || ever_on_segment(x[1], x[2], x[3]) ||
         ever_on_segment(x[2], x[0], x[1]) || ever_on_segment(x[3], x[0], x[1]);
}

}  // namespace heddle::test
