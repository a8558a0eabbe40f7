#pragma once

#include <heddle/forces/spring/particle_model.h>

#include <complex>

namespace heddle {

/// A particle that moves along x: mass x'' = -stiffness (x - rest) - damping x'. Any sign is allowed.
struct Oscillator {
  double mass = 1;       // kg
  double stiffness = 0;  // N/m
  double damping = 0;    // N s/m
  double rest = 0;       // m
  double position = 1;   // m, at the start
  double velocity = 0;   // m/s, at the start

  ParticleModel model() const;
  /// Position (m) and velocity (m/s) at that time, exactly.
  Vec2 at(double time) const;
  double energy() const;  // J, at the start

  /// The oscillator whose motions grow as exp(lambda t) and exp(conj(lambda) t); unit mass.
  static Oscillator with_rate(std::complex<double> lambda);
};

}  // namespace heddle
