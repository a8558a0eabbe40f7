#pragma once

#include <heddle/dynamics/system.h>

#include <vector>

namespace heddle {

/// Up to which step the explicit terms of the system are stable, per particle, s; infinite without such
/// terms.
///
/// A mode with stiffness k, damping d and mass m that is stepped by v -= h (k x + d v)/m, x += h v stays
/// bounded if h^2 k + 2 h d <= 4 m; without damping that is h sqrt(k/m) <= 2. The largest k/m and d/m of all
/// modes are bounded by Gershgorin's theorem: by the sum of the norms of the blocks in each row, over the
/// mass. So the limit is on the safe side.
std::vector<double> explicit_limits(const System& system, const State& state);

}  // namespace heddle
