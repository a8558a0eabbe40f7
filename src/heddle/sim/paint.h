#pragma once

#include <heddle/sim/prepared_cloth.h>

namespace heddle {

/// Sets the painted parameters in the fabrics of the faces; from then on every face has a fabric of its own.
/// Reports everything that is wrong with every paint of the cloth.
void apply_paints(const ClothDescription& description, const Catalogue& catalogue, PreparedCloth& cloth,
                  Diagnostics& diagnostics);
/// What can be said of them without a mesh.
void check_paints(const ClothDescription& description, Diagnostics& diagnostics);

}  // namespace heddle
