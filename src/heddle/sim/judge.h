#pragma once

#include <heddle/sim/model.h>

namespace heddle {

/// True if kinetic energy and that of the forces between particles rose by more than the work from outside
/// (J) explains.
bool makes_energy(const System& system, const State& before, const State& after, double outer_work);

/// Decides whether a step may stand: numbers are finite, and no triangle changed its shape so much that the
/// linearisation the step rests on means nothing. Writes outcome and reason.
void judge(const Model& model, const State& before, const State& after, StepReport& report);

/// Largest and smallest Green strain of all triangles by mode.
struct StrainExtremes {
  FaceStrain largest;
  FaceStrain smallest;
};
StrainExtremes strain_extremes(const Model& model, const State& state);

}  // namespace heddle
