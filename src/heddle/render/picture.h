#pragma once

#include <heddle/core/result.h>
#include <heddle/io/image.h>
#include <heddle/io/snapshot.h>
#include <heddle/render/camera.h>
#include <heddle/render/magnet_overlay.h>

#include <optional>
#include <string>

namespace heddle {

class RunReader;

/// How a picture is taken.
struct PictureOptions {
  int width = 1280;                     // pixels
  int height = 720;                     // pixels
  int samples = 20;                     // light paths a pixel
  bool denoise = true;                  // smooth the noise that the samples leave
  double exposure = 1;                  // factor on the light
  std::string colour = "fabric";        // see colour_field_names()
  std::optional<double> colour_range;   // value at the end of the colour bar; chosen from the frame if empty
  std::optional<Camera> camera;         // frames the cloth if empty
  std::optional<double> ground_height;  // m, for scenes without a level plane; below the frame if empty
  MagnetPictureOptions magnets;         // field and forces
  static void describe(Describer<PictureOptions>& d);
};

/// Everything that is wrong with the options; empty if nothing is.
Diagnostics check(const PictureOptions& options);

/// A photograph of the frame in a neutral studio. Errors: bad options, or a frame that does not fit its
/// model. The same input gives the same bytes whatever the number of threads.
Result<Image> render_picture(const SnapshotModel& model, const Snapshot& snapshot,
                             const PictureOptions& options);

/// Fills an empty camera so that it suits this frame alone.
Result<PictureOptions> fit_to_frame(const SnapshotModel& model, const Snapshot& snapshot,
                                    PictureOptions options);

/// Fills the options left empty (camera, ground height, colour range) so that they suit all frames of a run.
Result<PictureOptions> fit_to_run(const RunReader& run, PictureOptions options);

}  // namespace heddle
