#pragma once

#include <heddle/io/snapshot.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// What the cloth's colour shows.
enum class ColourField {
  fabric,
  strain_weft,
  strain_warp,
  strain_shear,
  speed,
  contact,
  treatment,
  components,
  step,
  events,
  // Of the surface of rods, which have stretch, curvature and twist as their strains.
  tension,
  curvature,
  twist
};

/// All names, in the order of the enumeration.
const std::vector<std::string>& colour_field_names();
/// Empty if there is no such field.
std::optional<ColourField> colour_field_from_name(const std::string& name);
/// True if colours stand for kinds instead of values, see element_colours.h.
bool is_of_kinds(ColourField field);
/// True for what elements that step at their own pace do; frames of other methods have none of it.
bool is_of_events(ColourField field);
/// True if values start at zero, false if they have either sign.
bool is_one_sided(ColourField field);
/// What the legend says, with the unit.
std::string legend_title(ColourField field);

/// The field at every vertex of a cloth; strains are averaged over the faces around a vertex. Empty for
/// `fabric` and for kinds, zeros where the frame holds no such data.
std::vector<float> vertex_values(ColourField field, const SnapshotObject& object,
                                 const SnapshotObjectFrame& frame);

/// The next of 1, 2, 5 times a power of ten.
double round_up(double value);

/// A round number that 98 % of the frame's values other than zero stay below (in magnitude); 0 for fields
/// without values.
double typical_range(ColourField field, const SnapshotModel& model, const Snapshot& snapshot);

/// Colour (linear RGB) of a value. Strains: blue - grey - red over [-range, range]; speed, steps
/// and events: dark to pale over [0, range]; contact: grey, then yellow to dark red over [0, range].
/// Interpolated in Oklab, so that equal steps look equal.
Vec3f field_colour(ColourField field, float value, float range);

}  // namespace heddle
