#pragma once

#include <heddle/forces/rod/rod_types.h>
#include <heddle/scene/scene_description.h>

#include <optional>
#include <string>

namespace heddle {

/// A rod of the scene with everything it is built from.
struct PreparedRod {
  std::string name;
  RodShape shape;
  RodSection section;
  RodForm form;
  RodSurface surface;

  /// One rod with two ends.
  bool has_ends() const { return shape.rows.size() == 1 && !shape.rows[0].closed; }
};

/// Makes the curve, checks it and places it. Reports everything that is wrong and then returns nothing.
std::optional<PreparedRod> prepare_rod(const RodDescription& rod, Diagnostics& diagnostics);

}  // namespace heddle
