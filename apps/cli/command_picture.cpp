#include "commands.h"
#include "terminal.h"

#include <heddle/io/frame_survey.h>
#include <heddle/io/image.h>
#include <heddle/io/overwrite.h>
#include <heddle/io/run_folder.h>
#include <heddle/render/colour_field.h>
#include <heddle/render/movie.h>
#include <heddle/render/picture.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

namespace heddle::cli {

namespace {

struct Options {
  std::string folder;
  std::string out;
  std::string size = "1280x720";
  std::int64_t frame = -1;
  std::string fit = "frame";
  std::vector<double> position, target;  // of the camera, m; empty: it shows all
  double field_of_view = Camera().field_of_view;
  bool overwrite = false;
  bool json = false;
  MovieOptions movie;
};

Status apply_size(const std::string& text, PictureOptions& picture) {
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &picture.width, &picture.height, &rest) != 2)
    return failure({"--size"}, "cannot read the size \"" + text + "\"",
                   "expected WIDTHxHEIGHT, e.g. 1280x720");
  // With the rest as it should be, whatever is wrong is the size.
  const Diagnostics wrong = check(PictureOptions{.width = picture.width, .height = picture.height});
  if (!wrong.has_errors()) return Done{};
  Diagnostics named;
  for (const Diagnostic& item : wrong.items()) named.error({"--size"}, item.message, item.remedy);
  return named;
}

void apply_camera(const Options& given, PictureOptions& picture) {
  if (given.position.empty()) return;
  picture.camera = Camera{.position = Vec3(given.position.data()),
                          .target = Vec3(given.target.data()),
                          .field_of_view = given.field_of_view};
}

/// Refuses names that promise another format than what is written.
Status check_name(const std::filesystem::path& file) {
  if (file.extension() == ".png") return Done{};
  return failure({file.string()}, "a picture is a .png file", "end the name in .png");
}

/// Place of the frame in the list of frames present; the last one if none is named.
Result<int> position_of(const RunReader& reader, std::int64_t frame) {
  const auto& indices = reader.frame_indices();
  if (frame < 0) frame = std::max<std::int64_t>(reader.last_frame(), 0);
  if (const FrameSurvey gap = survey_gaps(reader, frame, frame); !gap.good()) return gap.problems;
  if (indices.empty()) return failure({reader.folder().root().string()}, "the run has no frames yet");
  const auto found = std::find(indices.begin(), indices.end(), frame);
  if (found == indices.end())
    return failure(
        {reader.folder().root().string()}, "there is no frame " + std::to_string(frame),
        "the run has frames " + std::to_string(indices.front()) + " to " + std::to_string(indices.back()));
  return static_cast<int>(found - indices.begin());
}

/// Ground and colours are those of the run in any case, so that pictures of different frames can be compared.
Result<PictureOptions> fit(const RunReader& reader, const Snapshot& snapshot, const Options& given) {
  if (given.fit == "run") return fit_to_run(reader, given.movie.picture);
  const Result<PictureOptions> framed = fit_to_frame(reader.model(), snapshot, given.movie.picture);
  return framed ? fit_to_run(reader, *framed) : framed;
}

int execute_picture(Options given) {
  if (const Status named = check_name(given.out); !named) return reject(named.errors());
  if (const Status allowed = check_overwrite(given.out, given.overwrite); !allowed)
    return reject(allowed.errors());
  const Result<RunReader> reader = RunReader::open(given.folder);
  if (!reader) return reject(reader.errors());
  if (const Status sized = apply_size(given.size, given.movie.picture); !sized) return reject(sized.errors());
  apply_camera(given, given.movie.picture);
  const Result<int> position = position_of(*reader, given.frame);
  if (!position) return reject(position.errors());
  if (const FrameSurvey gaps = survey_gaps(*reader, 0, reader->last_frame()); !gaps.good())
    fmt::print(stderr, "{}: warning: {}; continue the run with --resume to write them again\n", given.folder,
               gaps.text());
  const Result<Snapshot> snapshot = reader->read(*position);
  if (!snapshot) return reject(snapshot.errors());
  const Result<PictureOptions> fitted = fit(*reader, *snapshot, given);
  if (!fitted) return reject(fitted.errors());
  const Result<Image> image = render_picture(reader->model(), *snapshot, *fitted);
  if (!image) return reject(image.errors());
  if (const Status written = write_png(given.out, *image); !written) return reject(written.errors());
  report_written(given.out, given.json,
                 {{"frame", snapshot->frame}, {"width", image->width}, {"height", image->height}});
  return kSuccess;
}

int execute_movie(Options given) {
  if (const Status allowed = check_overwrite(given.out, given.overwrite); !allowed)
    return reject(allowed.errors());
  const Result<RunReader> reader = RunReader::open(given.folder);
  if (!reader) return reject(reader.errors());
  if (const Status sized = apply_size(given.size, given.movie.picture); !sized) return reject(sized.errors());
  apply_camera(given, given.movie.picture);
  ProgressLine line;
  const Status written = write_movie(*reader, given.out, given.movie, [&](int done, int total) {
    line.show(fmt::format("picture {}/{}", done, total));
  });
  line.clear();
  if (!written) return reject(written.errors());
  report_written(given.out, given.json);
  return kSuccess;
}

void add_magnets(CLI::App* command, MagnetPictureOptions& magnets) {
  auto* field =
      command
          ->add_option("--field", magnets.field,
                       "Shows the magnetic field: lines, slice (colours in a plane), filings (of iron "
                       "on paper), or several with commas")
          ->delimiter(',')
          ->check(CLI::IsMember(field_picture_names()));
  command->add_flag("--forces", magnets.forces, "Shows magnetic forces and torques as arrows");
  command->add_option("--lines", magnets.lines, "Number of field lines, about")->needs(field);
  command
      ->add_option(
          "--plane", magnets.plane,
          "Of slice and filings: an axis and a place in m, such as y=0.01; default through the magnets")
      ->needs(field);
  command->add_option("--field-range", magnets.field_range, "T at the end of the colour bar of the field")
      ->check(CLI::PositiveNumber)
      ->needs(field);
}

void add_common(CLI::App* command, const std::shared_ptr<Options>& options, const std::string& file) {
  command->add_option("folder", options->folder, "Run folder")->required();
  command->add_option("-o,--output", options->out, file)->required()->check(is_named);
  command->add_option("--size", options->size, "WIDTHxHEIGHT in pixels");
  command->add_option("--samples", options->movie.picture.samples, "Light paths a pixel");
  command->add_option("--colour", options->movie.picture.colour, "What colours show")
      ->check(CLI::IsMember(colour_field_names()));
  command
      ->add_option(
          "--range", options->movie.picture.colour_range,
          "Strain, speed in m/s or force in N, at the end of the colour bar; default found from the run")
      ->check(CLI::PositiveNumber);
  auto* camera =
      command->add_option("--camera", options->position, "X,Y,Z in m of the camera; default it shows all")
          ->delimiter(',')
          ->expected(3);
  auto* target = command->add_option("--target", options->target, "X,Y,Z in m that the camera looks at")
                     ->delimiter(',')
                     ->expected(3);
  camera->needs(target);
  target->needs(camera);
  command->add_option("--field-of-view", options->field_of_view, "Degrees from the lower to the upper edge")
      ->check(CLI::Range(1.0, 150.0))
      ->needs(camera);
  add_magnets(command, options->movie.picture.magnets);
  command->add_option("--exposure", options->movie.picture.exposure, "Factor on the light");
  command->add_flag("--json", options->json, "Print the name of what was written as JSON");
  command->add_flag("--overwrite", options->overwrite, "Replace the file, even if Heddle did not write it");
}

}  // namespace

void add_picture(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("picture", "Render a frame as PNG");
  command->footer(
      "Example: heddle picture out/drape_sphere --frame 50 -o drape.png --size 1280x720\n"
      "         heddle picture out/drape_sphere -o strain.png --colour strain_weft --range 0.02\n"
      "         heddle picture out/drape_sphere -o side.png --camera 0,-3,0.2 --target 0,0,0\n"
      "         heddle picture out/magnet_lift -o field.png --field lines,slice --forces");
  add_common(command, options, "File to write, .png");
  command->add_option("--frame", options->frame, "Frame number; default the last one")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--fit", options->fit,
                   "What the camera shows: all of the frame, or the same view for all frames of the run")
      ->check(CLI::IsMember({"frame", "run"}))
      ->capture_default_str();
  command->callback([=, &action] { action = [=] { return execute_picture(*options); }; });
}

void add_movie(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  options->size = "960x540";
  CLI::App* command = program.add_subcommand("movie", "Render a run as MP4 (needs ffmpeg)");
  command->footer(
      "Example: heddle movie out/drape_sphere -o drape.mp4 --every 2\n"
      "         heddle movie out/drape_sphere -o slow.mp4 --first 10 --last 40 --frame-rate 10");
  add_common(command, options, "File to write, .mp4");
  command->add_option("--first", options->movie.first, "First frame shown")->check(CLI::NonNegativeNumber);
  command->add_option("--last", options->movie.last, "Last frame shown; default the end of the run")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--frame-rate", options->movie.frame_rate,
                   "Frames of the run shown a second; default the run's own rate")
      ->check(CLI::Range(0.001, 1000.0));
  command->add_option("--every", options->movie.every, "Show every n-th frame only");
  command->add_option("--quality", options->movie.quality, "H.264 rate factor: 0 is lossless, 51 the worst");
  command->callback([=, &action] { action = [=] { return execute_movie(*options); }; });
}

}  // namespace heddle::cli
