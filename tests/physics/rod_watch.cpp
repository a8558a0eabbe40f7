#include "rod_watch.h"

#include <heddle/sim/rod_contact.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace heddle::test {

Watched watch(Simulation& sim, double until) {
  RodOverlapCounter counter(sim.model, sim.state.x);
  Watched seen;
  while (sim.state.time < until - 0.5 * sim.model.step_length()) {
    const StepSummary summary = step(sim);
    if (summary.outcome != StepOutcome::accepted) {
      ADD_FAILURE() << "at " << sim.state.time << " s: " << summary.reason;
      return seen;
    }
    const RodOverlaps overlaps = counter.count(sim.state.x);
    seen.deepest = std::max(seen.deepest, overlaps.deepest);
    seen.overlaps += overlaps.rods + overlaps.cloth;
    seen.contacts = std::max(seen.contacts, overlaps.contacts);
    ++seen.steps;
    seen.pieces += summary.pieces;
    for (const double seconds : summary.seconds) seen.seconds += seconds;
  }
  return seen;
}

void print(const char* name, const Watched& seen) {
  std::printf(
      "%s: deepest %.1e of the radius, %d overlaps, up to %d contacts, %d pieces for %d steps, %.1f ms "
      "each\n",
      name, seen.deepest, seen.overlaps, seen.contacts, seen.pieces, seen.steps,
      1e3 * seen.seconds / seen.steps);
}

}  // namespace heddle::test
