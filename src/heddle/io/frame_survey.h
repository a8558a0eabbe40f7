#pragma once

#include <heddle/io/run_folder.h>

#include <functional>
#include <optional>

namespace heddle {

/// Frame numbers, both ends included.
struct FrameRange {
  std::int64_t first, last;
};

/// What is wrong with the frames of a run.
struct FrameSurvey {
  std::vector<FrameRange> missing;    // ascending
  std::vector<std::int64_t> damaged;  // ascending
  Diagnostics problems;               // an error for each missing range and each damaged frame

  bool good() const { return missing.empty() && damaged.empty(); }
  std::optional<std::int64_t> first_bad() const;
  /// "frames 3 to 5 missing, frame 9 damaged"; empty if all are good.
  std::string text() const;
};

/// Only looks for gaps, from `first` to `last` or, if that comes earlier, the last frame of the run.
FrameSurvey survey_gaps(const RunReader& run, std::int64_t first, std::int64_t last);

/// Also reads every frame, until `stop` says so.
FrameSurvey survey_frames(const RunReader& run, const std::function<bool()>& stop = {});

}  // namespace heddle
