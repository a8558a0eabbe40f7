#pragma once

#include <heddle/constraints/limited_faces.h>
#include <heddle/math/block_projection.h>

#include <cstdint>
#include <span>

namespace heddle {

/// What limiting took.
struct LimitReport {
  int iterations = 0;         // passes over the faces, with the one that found nothing more to do
  int solver_iterations = 0;  // of linear systems, if there were some
  long corrections = 0;       // of single elements, or elements that took part, over all iterations
  bool converged = true;      // all within their bounds, to the tolerance
};

/// The particles as limiting sees them.
struct LimitedParticles {
  std::span<const double> mass;       // kg
  const BlockProjection& projection;  // what is prescribed stays
  double dt = 0;                      // s, of the step that they end
  std::uint64_t salt = 0;             // makes random orders differ from step to step
};

/// Brings strains within their bounds: a filter behind the integrator (Thomaszewski 2010, Alg. 3.2). Keeps
/// memory between calls only as scratch.
class StrainLimiter {
 public:
  virtual ~StrainLimiter() = default;
  /// Changes positions, m. Linear and angular momentum stay as far as nothing is prescribed.
  virtual LimitReport limit(const LimitedParticles& particles, std::span<Vec3> x) = 0;
  /// Changes velocities so that no strain rate is beyond its bound, if there is one.
  virtual LimitReport limit_rates(const LimitedParticles& particles, std::span<const Vec3> x,
                                  std::span<Vec3> v) = 0;
  /// 1, by which strains may be beyond their bounds.
  virtual double tolerance() const = 0;
  /// The bounds it keeps; null if it keeps others than those of faces.
  virtual const LimitedFaces* faces() const = 0;
  /// All faces that it knows, whatever it keeps.
  virtual const LimitedFaces& known_faces() const = 0;
};

}  // namespace heddle
