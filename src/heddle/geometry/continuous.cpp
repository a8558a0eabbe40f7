#include <heddle/geometry/continuous.h>

namespace heddle {

namespace {

// A side is a range of the four vertices; the second side is the rest.
struct VertexTriangle {
  static constexpr size_t kFirst = 1;
  static Proximity proximity(const PairPoints& x) { return vertex_triangle_proximity(x); }
  static Vec3 normal(const PairPoints& x) { return (x[2] - x[1]).cross(x[3] - x[1]); }
};

struct EdgeEdge {
  static constexpr size_t kFirst = 2;
  static Proximity proximity(const PairPoints& x) { return edge_edge_proximity(x); }
  static Vec3 normal(const PairPoints& x) { return (x[1] - x[0]).cross(x[3] - x[2]); }
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

/// Do all gaps along a direction, of any length, stay above `distance` over the whole step?
template <class Pair>
bool stay_apart_along(const Motion& motion, const Vec3& direction, double distance) {
  const double length2 = direction.squaredNorm(), limit = distance * std::sqrt(length2);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const PairPoints* x : {&motion.from, &motion.to}) {
    std::array<double, 4> h;
    for (size_t i = 0; i < 4; ++i) h[i] = direction.dot((*x)[i]);
    for (size_t i = 0; i < Pair::kFirst; ++i)
      for (size_t j = Pair::kFirst; j < 4; ++j) {
        low = std::min(low, h[i] - h[j]);
        high = std::max(high, h[i] - h[j]);
      }
  }
  return length2 > detail::kTiny && (low > limit || high < -limit);
}

/// One time of the motion.
struct Moment {
  double t = 0.0;
  PairPoints x;
  Proximity proximity;
};

template <class Pair>
Moment moment(const Motion& motion, double t) {
  const PairPoints x = motion.at(t);
  return {t, x, Pair::proximity(x)};
}

/// The first time at which a gap along the normal falls to `target`: safe to go to. Infinite if none does,
/// and not after m.t if one has.
template <class Pair>
double safe_time(const Motion& motion, const Moment& m, double target) {
  std::array<double, 4> now, end;
  for (size_t i = 0; i < 4; ++i) {
    now[i] = m.proximity.normal.dot(m.x[i]);
    end[i] = m.proximity.normal.dot(motion.to[i]);
  }
  double part = HUGE_VAL;  // of the rest of the step
  for (size_t i = 0; i < Pair::kFirst; ++i)
    for (size_t j = Pair::kFirst; j < 4; ++j) {
      const double gap = now[i] - now[j], last = end[i] - end[j];
      if (!(gap > target)) return m.t;
      if (last < target) part = std::min(part, (gap - target) / (gap - last));
    }
  return m.t + part * (1 - m.t);
}

/// Do all gaps stay above `target` from a to b along a direction that turns from the one normal to the other?
/// The direction is linear in time and never longer than 1, the gaps are quadratic: their Bernstein
/// coefficients tell.
template <class Pair>
bool stay_apart(const Moment& a, const Moment& b, double target) {
  const Vec3 &n = a.proximity.normal, &m = b.proximity.normal;
  for (size_t i = 0; i < Pair::kFirst; ++i)
    for (size_t j = Pair::kFirst; j < 4; ++j) {
      const Vec3 g = a.x[i] - a.x[j], h = b.x[i] - b.x[j];
      const bool apart = n.dot(g) > target && m.dot(h) > target && 0.5 * (n.dot(h) + m.dot(g)) > target;
      if (!apart) return false;
    }
  return true;
}

/// When the distance will be `aim`, judged by its present rate; at most 1.
double expected_time(const Motion& motion, const Moment& m, double aim) {
  double rate = 0;
  for (size_t i = 0; i < 4; ++i)
    rate += m.proximity.weights[i] * m.proximity.normal.dot(motion.to[i] - motion.from[i]);
  const double time = m.t + (m.proximity.distance - aim) / -rate;
  return rate < 0 && time < 1 ? time : 1.0;
}

Contact contact_at(const Moment& m) {
  return {m.t, m.proximity.weights, m.proximity.normal, m.proximity.distance};
}

/// Distances (m) of the contract: a contact is reported from `near` on, nothing goes below `target`.
struct Limits {
  double near, target;
};

/// Goes on from m to a later safe time. Leaps that turn the direction are tried first, as far as `leap` and
/// halved until one is proved safe or no longer than the step to `safe`. `left` counts down the distances
/// computed.
template <class Pair>
Moment next_moment(const Motion& motion, const Moment& m, double safe, const Limits& limits, double& leap,
                   int& left) {
  double time = std::min(expected_time(motion, m, 0.5 * (limits.near + limits.target)), m.t + leap);
  while (time > safe && --left > 0) {
    const Moment trial = moment<Pair>(motion, time);
    if (trial.t > m.t && stay_apart<Pair>(m, trial, limits.target)) {
      leap = 4 * (time - m.t);
      return trial;
    }
    time = m.t + 0.5 * (time - m.t);
  }
  leap = 4 * (safe - m.t);
  --left;
  return moment<Pair>(motion, safe);
}

// Comparisons are written so that nothing but a proof goes on.
template <class Pair>
std::optional<Contact> time_of(const PairPoints& x0, const PairPoints& x1, double separation, double core) {
  const Motion motion(x0, x1);
  const double error = 0x1.0p-47 * motion.size;  // 64 u S
  // Most pairs stay on one side of a plane; this is cheaper to see than their distance.
  if (motion.finite && stay_apart_along<Pair>(motion, Pair::normal(motion.from), core + separation + error))
    return {};
  Moment m{0, motion.from, Pair::proximity(motion.from)};
  if (!motion.finite) return contact_at(m);
  const double gap = m.proximity.distance - core;
  const double reported = std::max(std::min(separation, kKeptFraction * gap), 16 * error);
  const double near = core + reported;
  const Limits limits{near, core + kKeptFraction * reported + error};
  double leap = 1;
  for (int left = kMaxDistances; left > 0 && m.proximity.distance > near;) {
    if (m.t == 1) return std::nullopt;
    const double safe = safe_time<Pair>(motion, m, limits.target);
    if (safe > 1) return std::nullopt;
    if (!(safe > m.t)) break;
    m = next_moment<Pair>(motion, m, safe, limits, leap, left);
  }
  return contact_at(m);
}

}  // namespace

std::optional<Contact> vertex_triangle_time(const PairPoints& x0, const PairPoints& x1, double separation,
                                            double core) {
  return time_of<VertexTriangle>(x0, x1, separation, core);
}

std::optional<Contact> edge_edge_time(const PairPoints& x0, const PairPoints& x1, double separation,
                                      double core) {
  return time_of<EdgeEdge>(x0, x1, separation, core);
}

std::span<const ContinuousMethod> continuous_methods() {
  static constexpr std::array<ContinuousMethod, 2> kMethods{
      {{"advancement",
        [](const PairPoints& x0, const PairPoints& x1, double separation) {
          return vertex_triangle_time(x0, x1, separation);
        },
        [](const PairPoints& x0, const PairPoints& x1, double separation) {
          return edge_edge_time(x0, x1, separation);
        },
        true},
       {"cubic", cubic_vertex_triangle_time, cubic_edge_edge_time, false}}};
  return kMethods;
}

}  // namespace heddle
