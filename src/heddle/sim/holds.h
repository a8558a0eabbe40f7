#pragma once

#include <heddle/dynamics/constraint.h>
#include <heddle/scene/scene_description.h>
#include <heddle/sim/model.h>
#include <heddle/sim/prepared_cloth.h>

#include <memory>
#include <span>
#include <vector>

namespace heddle {

/// The constraints of a cloth's pins and attachments. Reports selections that hold nothing, and vertices that
/// two of them would hold at different places at the same time.
std::vector<std::unique_ptr<Constraint>> make_holds(const ClothDescription& description,
                                                    const PreparedCloth& cloth,
                                                    std::span<const ObstaclePart> obstacles,
                                                    Diagnostics& diagnostics);

}  // namespace heddle
