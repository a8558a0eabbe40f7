#include <heddle/io/frame_survey.h>

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

constexpr const char* kRemedy = "write it again by continuing the run with --resume";

void add_missing(const RunReader& run, FrameRange range, FrameSurvey& survey) {
  survey.missing.push_back(range);
  const std::string others =
      range.first == range.last ? "" : fmt::format(", and so are all to frame {}", range.last);
  survey.problems.error({run.folder().frame(range.first).string()}, "the frame is missing" + others, kRemedy);
}

std::string range_text(FrameRange range) {
  return range.first == range.last ? fmt::format("{}", range.first)
                                   : fmt::format("{} to {}", range.first, range.last);
}

/// "frame 3 missing", "frames 3 to 5, 9 missing".
std::string list_text(const std::vector<FrameRange>& ranges, const char* what) {
  if (ranges.empty()) return {};
  const bool single = ranges.size() == 1 && ranges[0].first == ranges[0].last;
  std::string text = single ? "frame " : "frames ";
  for (size_t i = 0; i < ranges.size(); ++i) text += (i > 0 ? ", " : "") + range_text(ranges[i]);
  return text + " " + what;
}

}  // namespace

std::optional<std::int64_t> FrameSurvey::first_bad() const {
  std::optional<std::int64_t> first;
  if (!missing.empty()) first = missing.front().first;
  if (!damaged.empty()) first = std::min(first.value_or(damaged.front()), damaged.front());
  return first;
}

std::string FrameSurvey::text() const {
  std::vector<FrameRange> ranges;
  for (const std::int64_t frame : damaged)
    if (!ranges.empty() && ranges.back().last + 1 == frame)
      ranges.back().last = frame;
    else
      ranges.push_back({frame, frame});
  const std::string gone = list_text(missing, "missing"), bad = list_text(ranges, "damaged");
  return gone + (gone.empty() || bad.empty() ? "" : ", ") + bad;
}

FrameSurvey survey_gaps(const RunReader& run, std::int64_t first, std::int64_t last) {
  FrameSurvey survey;
  std::int64_t next = first;
  for (const std::int64_t frame : run.frame_indices()) {
    if (frame < first) continue;
    if (frame > last) break;
    if (frame > next) add_missing(run, {next, frame - 1}, survey);
    next = frame + 1;
  }
  last = std::min(last, run.last_frame());
  if (next <= last) add_missing(run, {next, last}, survey);
  return survey;
}

FrameSurvey survey_frames(const RunReader& run, const std::function<bool()>& stop) {
  FrameSurvey survey = survey_gaps(run, 0, run.last_frame());
  for (int i = 0; i < run.frame_count() && !(stop && stop()); ++i) {
    const Result<Snapshot> snapshot = run.read(i);
    if (snapshot) continue;
    survey.damaged.push_back(run.frame_indices()[static_cast<size_t>(i)]);
    survey.problems.append(snapshot.errors());
  }
  return survey;
}

}  // namespace heddle
