#pragma once

#include <heddle/io/run_folder.h>
#include <heddle/render/picture.h>

#include <functional>

namespace heddle {

struct MovieOptions {
  PictureOptions picture;            // odd sizes are enlarged by a pixel, as H.264 needs even ones
  std::optional<double> frame_rate;  // 1/s; the run's own rate if empty
  int first = 0;                     // positions of the frames to show, counted from 0
  std::optional<int> last;           // the last of the run if empty
  int every = 1;                     // show every n-th frame only; lowers the frame rate alike
  int quality = 18;                  // H.264 constant rate factor: 0 is lossless, 51 the worst
  std::string encoder = "ffmpeg";    // the program that writes the file, looked up in PATH
  static void describe(Describer<MovieOptions>& d);
};

/// Called after each frame with how many of how many are done.
using MovieProgress = std::function<void(int done, int total)>;

/// Renders the frames of a run and writes them as an H.264 file (.mp4), whole or not at all, with the mark
/// of io/overwrite.h; replaces what is there. Camera, ground and colour range stay the same over the whole
/// movie.
Status write_movie(const RunReader& run, const std::filesystem::path& file, const MovieOptions& options,
                   const MovieProgress& progress = {});

}  // namespace heddle
