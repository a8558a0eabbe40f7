#include <heddle/io/atomic_file.h>
#include <heddle/io/frame_survey.h>
#include <heddle/io/overwrite.h>
#include <heddle/render/encoder_process.h>
#include <heddle/render/movie.h>
#include <heddle/render/mp4_check.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace heddle {
namespace {

namespace fs = std::filesystem;

Diagnostics check_movie(const RunReader& run, const fs::path& file, const MovieOptions& options, int last) {
  Diagnostics out = check(options.picture);
  const SourceLocation where{file.string()};
  if (file.extension() != ".mp4") out.error(where, "a movie is an .mp4 file", "end the name in .mp4");
  if (run.frame_count() == 0)
    out.error({run.folder().root().string()}, "the run has no frames", "run the scene first");
  else if (options.first < 0 || last < options.first || last >= run.frame_count())
    out.error({run.folder().root().string()},
              fmt::format("frames {} to {} were asked for, the run has 0 to {}", options.first, last,
                          run.frame_count() - 1),
              "choose frames that exist");
  if (options.every < 1) out.error({}, "movie option every is less than 1", "use 1 to show all frames");
  if (options.quality < 0 || options.quality > 51)
    out.error({}, fmt::format("movie option quality is {}", options.quality), "choose 0 (best) to 51");
  if (options.frame_rate && !(*options.frame_rate > 0 && *options.frame_rate <= 1000))
    out.error({}, fmt::format("movie option frame_rate is {}", *options.frame_rate),
              "choose more than 0 and up to 1000");
  return out;
}

std::vector<std::string> encoder_arguments(const MovieOptions& options, double rate, const fs::path& file) {
  return {
      options.encoder,
      "-hide_banner",
      "-loglevel",
      "level+error",
      "-nostats",
      "-y",
      "-f",
      "rawvideo",
      "-pixel_format",
      "rgb24",
      "-video_size",
      fmt::format("{}x{}", options.picture.width, options.picture.height),
      "-framerate",
      fmt::format("{:.6f}", rate),
      "-i",
      "pipe:0",
      "-an",
      "-vf",
      "scale=out_color_matrix=bt709:out_range=tv",
      "-c:v",
      "libx264",
      "-preset",
      "medium",
      "-crf",
      std::to_string(options.quality),
      "-pix_fmt",
      "yuv420p",
      "-colorspace",
      "bt709",
      "-color_primaries",
      "bt709",
      "-color_trc",
      "bt709",
      "-metadata",
      fmt::format("comment={}", kHeddleMark),
      "-movflags",
      "+faststart",
      "-f",
      "mp4",
      "file:" + file.string()};  // the prefix keeps names like -x or a:b from being read as something else
}

/// The same errors, told of the movie that was asked for; the encoder has its own words for a full disk.
Diagnostics of_file(const Diagnostics& errors, const fs::path& file) {
  Diagnostics out;
  for (Diagnostic item : errors.items()) {
    item.where = {file.string()};
    for (const int reason : {ENOSPC, EDQUOT, EFBIG, EIO})
      if (item.message.find(std::strerror(reason)) != std::string::npos)
        return system_failure(file, "write the file", reason);
    out.append(item);
  }
  return out;
}

Status send_frames(const RunReader& run, const MovieOptions& options, int last, EncoderProcess& encoder,
                   const MovieProgress& progress) {
  const int total = (last - options.first) / options.every + 1;
  for (int i = 0; i < total; ++i) {
    const Result<Snapshot> snapshot = run.read(options.first + i * options.every);
    if (!snapshot) return snapshot.errors();
    const Result<Image> image = render_picture(run.model(), *snapshot, options.picture);
    if (!image) return image.errors();
    if (!encoder.send(image->rgb)) return Done{};  // finish() tells why it stopped listening
    if (progress) progress(i + 1, total);
  }
  return Done{};
}

}  // namespace

void MovieOptions::describe(Describer<MovieOptions>& d) {
  using Self = MovieOptions;
  d.type("movie", "", "How a movie of a run is made.");
  d.parameter("picture", &Self::picture, {.unit = "", .doc = "How each frame is drawn."});
  d.parameter("frame_rate", &Self::frame_rate,
              {.unit = "1/s",
               .doc = "Frames shown a second; the run's own rate if absent.",
               .minimum = 0,
               .maximum = 1000,
               .above_minimum = true});
  d.parameter("first", &Self::first, {.doc = "First frame shown, counted from 0.", .minimum = 0});
  d.parameter("last", &Self::last, {.doc = "Last frame shown; the run's last if absent.", .minimum = 0});
  d.parameter("every", &Self::every, {.doc = "Show every n-th frame only.", .minimum = 1});
  d.parameter("quality", &Self::quality,
              {.doc = "H.264 constant rate factor; 0 is lossless.", .minimum = 0, .maximum = 51});
}

Status write_movie(const RunReader& run, const fs::path& file, const MovieOptions& options,
                   const MovieProgress& progress) {
  const int last = options.last.value_or(run.frame_count() - 1);
  const Diagnostics problems = check_movie(run, file, options, last);
  if (problems.has_errors()) return problems;
  // Before the first picture is drawn: the last frame may come hours later.
  if (const FrameSurvey survey = survey_frames(run); !survey.good()) return survey.problems;
  MovieOptions fixed = options;
  fixed.picture.width += fixed.picture.width % 2;
  fixed.picture.height += fixed.picture.height % 2;
  const Result<PictureOptions> picture = fit_to_run(run, fixed.picture);
  if (!picture) return picture.errors();
  fixed.picture = *picture;
  const double rate = options.frame_rate.value_or(run.model().frame_rate) / options.every;
  Result<AtomicFile> unfinished = AtomicFile::create(file);
  if (!unfinished) return unfinished.errors();
  Result<EncoderProcess> encoder =
      EncoderProcess::start(encoder_arguments(fixed, rate, unfinished->temporary()));
  if (!encoder) return encoder.errors();
  if (Status sent = send_frames(run, fixed, last, *encoder, progress); !sent) return sent;
  if (const Status finished = encoder->finish(); !finished) return of_file(finished.errors(), file);
  if (const Status whole = check_mp4(unfinished->temporary()); !whole) return of_file(whole.errors(), file);
  return unfinished->commit();
}

}  // namespace heddle
