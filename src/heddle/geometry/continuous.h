#pragma once

#include <heddle/geometry/proximity.h>

#include <optional>
#include <span>

namespace heddle {

/// Where and when the sides of a pair come together within a step; weights and normal as in Proximity, at t.
struct Contact {
  double t = 0.0;  // of the step, in [0, 1]
  std::array<double, 4> weights{};
  Vec3 normal = Vec3::UnitZ();
  double distance = 0.0;  // m, at t
};

/// Of the distance that a pair may not go below, and of the distance it starts with: see below.
inline constexpr double kKeptFraction = 0.8;

// Continuous detection. Each vertex moves on a straight line from x0[i] to x1[i] at constant velocity.
// `separation` >= 0 is the distance (m) at which a pair counts as in contact.
//
// With d(t) the true distance of the motion (real arithmetic on the given doubles), d0 = d(0) as computed,
// and
//   near = min(separation, kKeptFraction * d0),   kept = kKeptFraction * near:
//   - nothing returned:   d(t) > kept for all t in [0, 1];
//   - Contact returned:   d(t) > kept for all t in [0, Contact::t]; the step may be done up to there.
//     The distance at t is at most `near`, or the pair is so close to touching or so badly shaped that
//     rounding hides whether it does, or kMaxDistances were spent; the latter two are the only false alarms.
// So nothing that touches, d(t) = 0, is ever missed, whatever the shape: flat, parallel, sliding, not moving,
// far from the origin. A pair that starts nearer than `separation` is judged by its own starting distance, so
// that it may rest or part; one that starts at distance zero (up to rounding) is a contact at t = 0 with kept
// = 0. Pairs that are not finite, larger than 1e70 m or smaller than 1e-60 m give a contact at t = 0.
//
// How (conservative advancement): the direction n of the shortest difference at t separates the sides, and
// along n the gap between any two vertices is linear in time. The time at which the first of these gaps falls
// to `kept` is a safe time to go on from. Where things turn, a direction that turns with them proves longer
// leaps safe: along (1 - s) n + s m, with m the direction after the leap, gaps are quadratic in s. Only
// differences of positions enter; they have a relative error of one rounding, so the error of a gap is at
// most 64 u S, with u = 2^-53 and S the largest component of a difference at either end of the step. That is
// added to `kept`.
//
// Sides may have a hard `core` (m): then all of this holds for the distance between their surfaces, d(t) -
// core instead of d(t). A pair that starts nearer than its core is a contact at t = 0: give it a smaller one.
std::optional<Contact> vertex_triangle_time(const PairPoints& x0, const PairPoints& x1, double separation,
                                            double core = 0);
std::optional<Contact> edge_edge_time(const PairPoints& x0, const PairPoints& x1, double separation,
                                      double core = 0);

/// After so many computed distances a contact is reported at the time reached.
inline constexpr int kMaxDistances = 256;

// The method of the literature, for comparison: roots of the volume of the four points, a cubic in time, and
// a test of the distance at each, in ascending order (Thomaszewski 2010, 2.4.2). Misses motions within a
// plane, where the cubic vanishes, contacts that end above zero distance, and roots lost in rounding.
std::optional<Contact> cubic_vertex_triangle_time(const PairPoints& x0, const PairPoints& x1,
                                                  double separation);
std::optional<Contact> cubic_edge_edge_time(const PairPoints& x0, const PairPoints& x1, double separation);

struct ContinuousMethod {
  using Time = std::optional<Contact> (*)(const PairPoints& x0, const PairPoints& x1, double separation);
  const char* name;
  Time vertex_triangle;
  Time edge_edge;
  bool misses_nothing;
};

/// All methods; the first is the default.
std::span<const ContinuousMethod> continuous_methods();

}  // namespace heddle
