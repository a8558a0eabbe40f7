#pragma once

#include <heddle/sim/model.h>
#include <heddle/sim/prepared_rod.h>

#include <memory>
#include <vector>

namespace heddle {

/// What the clamps, pins and attachments to obstacles of a rod prescribe.
std::vector<std::unique_ptr<Constraint>> make_rod_holds(const RodDescription& description,
                                                        const PreparedRod& rod, const RodPlace& place,
                                                        std::span<const ObstaclePart> obstacles,
                                                        Diagnostics& diagnostics);

/// The moments that drive its clamped ends.
std::vector<std::unique_ptr<ForceTerm>> make_rod_torques(const RodDescription& description,
                                                         const PreparedRod& rod, const RodPlace& place,
                                                         Diagnostics& diagnostics);

}  // namespace heddle
