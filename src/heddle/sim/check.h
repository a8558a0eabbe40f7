#pragma once

#include <heddle/sim/simulation.h>

namespace heddle {

/// Looks at a built simulation before its first step for cloth that starts inside obstacles, and for cloth
/// that is too coarse for them. Only warnings: the run can start, but the user should know.
Diagnostics check(const Simulation& simulation);

}  // namespace heddle
