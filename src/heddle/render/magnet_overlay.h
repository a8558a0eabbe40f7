#pragma once

#include <heddle/core/describe.h>
#include <heddle/render/legend.h>
#include <heddle/render/surface.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// What a picture shows of magnetism beside the magnets.
struct MagnetPictureOptions {
  std::vector<std::string> field;     // see field_picture_names()
  bool forces = false;                // arrows of magnetic forces and torques
  int lines = 40;                     // field lines, about
  std::string plane;                  // of slice and filings, such as "y=0"; chosen if empty
  std::optional<double> field_range;  // T, at the end of the colour bar; chosen from the frame if empty

  static void describe(Describer<MagnetPictureOptions>& d);
  bool shows_field() const { return !field.empty(); }
  bool shows_anything() const { return forces || shows_field(); }
};

/// lines, slice, filings.
const std::vector<std::string>& field_picture_names();
/// What is wrong with the options; empty if nothing is.
Diagnostics check(const MagnetPictureOptions& options);
/// What colours of flux densities mean, T.
ColourBar flux_bar(double range);

/// What is drawn in addition, and its legends.
struct MagnetOverlay {
  std::vector<Surface> surfaces;
  std::optional<double> flux_range;  // T, if colours show flux densities
  std::vector<ColourKey> arrows;     // empty if there are none
};

/// `eye`: where the camera is, m. The frame has something magnetic.
MagnetOverlay magnet_overlay(const SnapshotModel& model, const Snapshot& snapshot,
                             const MagnetPictureOptions& options, const Vec3& eye);

}  // namespace heddle
