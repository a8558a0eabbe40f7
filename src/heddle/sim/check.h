#pragma once

#include <heddle/sim/simulation.h>

namespace heddle {

/// Looks at a built simulation before its first step for cloth that starts inside obstacles. Only warnings:
/// the run can start, but the user should know.
Diagnostics check(const Simulation& simulation);

}  // namespace heddle
