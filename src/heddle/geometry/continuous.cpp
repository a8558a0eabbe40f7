#include <heddle/geometry/continuous.h>

namespace heddle {

namespace {

// A side is a range of the four vertices; the second side is the rest.
struct VertexTriangle {
  static constexpr size_t kFirst = 1;
  static Proximity proximity(const PairPoints& x) { return vertex_triangle_proximity(x); }
};

struct EdgeEdge {
  static constexpr size_t kFirst = 2;
  static Proximity proximity(const PairPoints& x) { return edge_edge_proximity(x); }
};

/// Positions relative to the first vertex at both ends of the step: of everything far from the origin only
/// the differences remain, each with one rounding.
struct Motion {
  PairPoints from, to;
  double size = 0.0;   // m, the largest component
  bool finite = true;  // and of a size whose squares neither overflow nor underflow

  Motion(const PairPoints& x0, const PairPoints& x1) {
    from[0] = to[0] = Vec3::Zero();
    for (size_t i = 1; i < 4; ++i) {
      from[i] = x0[i] - x0[0];
      to[i] = x1[i] - x1[0];
      size = std::max({size, from[i].cwiseAbs().maxCoeff(), to[i].cwiseAbs().maxCoeff()});
      finite = finite && (from[i] + to[i]).allFinite();
    }
    finite = finite && size > 1e-60 && size < 1e70;
  }

  PairPoints at(double t) const {
    PairPoints x;
    for (size_t i = 0; i < 4; ++i) x[i] = (1 - t) * from[i] + t * to[i];
    return x;
  }
};

/// The smallest gap along a direction between the sides, at t, and when it first falls to a given value.
struct Advance {
  double gap = HUGE_VAL;
  double time = HUGE_VAL;
};

template <class Pair>
Advance advance(const Motion& motion, const Vec3& normal, double t, double target) {
  std::array<double, 4> from, to;
  for (size_t i = 0; i < 4; ++i) {
    from[i] = normal.dot(motion.from[i]);
    to[i] = normal.dot(motion.to[i]);
  }
  Advance result;
  for (size_t i = 0; i < Pair::kFirst; ++i)
    for (size_t j = Pair::kFirst; j < 4; ++j) {
      const double start = from[i] - from[j], end = to[i] - to[j];
      result.gap = std::min(result.gap, (1 - t) * start + t * end);
      if (end < target) result.time = std::min(result.time, (start - target) / (start - end));
    }
  return result;
}

Contact contact_at(double t, const Proximity& proximity) {
  return {t, proximity.weights, proximity.normal, proximity.distance};
}

template <class Pair>
std::optional<Contact> time_of(const PairPoints& x0, const PairPoints& x1, double separation) {
  const Motion motion(x0, x1);
  const double error = 0x1.0p-47 * motion.size;  // 64 u S
  Proximity proximity = Pair::proximity(motion.from);
  if (!motion.finite) return contact_at(0, proximity);
  const double near = std::max(std::min(separation, kKeptFraction * proximity.distance), 16 * error);
  const double target = kKeptFraction * near + error;
  double t = 0;
  for (int i = 0; i < kMaxAdvances; ++i) {
    if (!(proximity.distance > near)) break;
    const Advance next = advance<Pair>(motion, proximity.normal, t, target);
    if (!(next.gap > target)) break;
    if (next.time > 1) return std::nullopt;
    if (!(next.time > t)) break;
    t = next.time;
    proximity = Pair::proximity(motion.at(t));
  }
  return contact_at(t, proximity);
}

}  // namespace

std::optional<Contact> vertex_triangle_time(const PairPoints& x0, const PairPoints& x1, double separation) {
  return time_of<VertexTriangle>(x0, x1, separation);
}

std::optional<Contact> edge_edge_time(const PairPoints& x0, const PairPoints& x1, double separation) {
  return time_of<EdgeEdge>(x0, x1, separation);
}

std::span<const ContinuousMethod> continuous_methods() {
  static constexpr std::array<ContinuousMethod, 2> kMethods{
      {{"advancement", vertex_triangle_time, edge_edge_time, true},
       {"cubic", cubic_vertex_triangle_time, cubic_edge_edge_time, false}}};
  return kMethods;
}

}  // namespace heddle
