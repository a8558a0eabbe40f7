#pragma once

#include <heddle/sim/model.h>

namespace heddle {

/// Largest change of a component of Green strain.
double strain_change(const Model& model, const State& before, const State& after);

/// Looks at what the solver and the contact with obstacles made: a step that makes energy is doubtful. Writes
/// strain_change too.
void judge_energy(const Model& model, const State& before, const State& after, StepReport& report);

/// Decides whether a step may stand: numbers are finite, the solver converged, and no triangle changed its
/// shape so much that the linearisation the step rests on means nothing. Writes outcome and reason.
void judge(const State& after, StepReport& report);

/// Largest and smallest Green strain of all triangles by mode.
struct StrainExtremes {
  MembraneStrain largest;
  MembraneStrain smallest;
};
StrainExtremes strain_extremes(const Model& model, const State& state);

}  // namespace heddle
