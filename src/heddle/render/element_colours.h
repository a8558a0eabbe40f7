#pragma once

#include <heddle/render/colour_field.h>

namespace heddle {

// Colours of kinds: how elements are treated, and to which component of the linear system vertices belong.

/// Linear RGB of every face. Treatment: that of its element, plain where the term has none of faces.
/// Components: that of its corners, plain where they differ; fixed corners do not count. Empty for fields of
/// values.
std::vector<Vec3f> face_colours(ColourField field, const SnapshotObject& object,
                                const SnapshotObjectFrame& frame);

/// A line of an element as it is drawn.
struct ElementLine {
  Vec3f from, to;  // m
  SnapshotTreatment treatment;
};

/// Of elements that are lines or outlines. Terms lie side by side, so that none hides the others. `spacing`
/// (m) is the mean length of the mesh's edges.
std::vector<ElementLine> element_lines(const SnapshotObject& object, const SnapshotObjectFrame& frame,
                                       float spacing);
float mean_edge(const SnapshotObject& object);

Vec3f treatment_colour(SnapshotTreatment treatment);

struct ColourKey {
  std::string text;
  std::optional<Vec3f> colour;  // linear RGB
};

/// What the kinds are and how many of each the frame has.
std::vector<ColourKey> legend_entries(ColourField field, const SnapshotModel& model,
                                      const Snapshot& snapshot);

}  // namespace heddle
