#include <heddle/io/run_folder.h>
#include <heddle/render/denoise.h>
#include <heddle/render/legend.h>
#include <heddle/render/magnetic_field.h>
#include <heddle/render/picture.h>
#include <heddle/render/tone.h>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr int kLargestSide = 16384;  // pixels
constexpr int kMostSamples = 65536;
constexpr int kFramesToFit = 32;      // of a run, to find a view that suits all
constexpr float kGroundGap = 0.002f;  // of the box below which the ground is laid

void check_number(Diagnostics& out, const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return;
  out.error({}, fmt::format("picture option {} is {}", name, value),
            fmt::format("choose {} to {}", low, high));
}

void check_camera(Diagnostics& out, const Camera& camera) {
  check_number(out, "camera.field_of_view", camera.field_of_view, 1, 150);
  const double distance = (camera.position - camera.target).norm();
  if (!(distance > 0) || !std::isfinite(distance))
    out.error({}, "the camera's position and target coincide or are not finite",
              "move the position away from the target");
  if (!camera.up.allFinite() || camera.up.isZero())
    out.error({}, "the camera's up direction has no length", "use [0, 0, 1]");
}

std::string describe_object(const SnapshotObject& object) {
  return (object.kind == SnapshotObject::Kind::cloth ? "cloth '" : "obstacle '") + object.name + "'";
}

void check_indices(Diagnostics& out, const SnapshotModel& model, const SnapshotObject& object) {
  const auto vertices = static_cast<int>(object.rest_positions.size());
  for (const Triangle& triangle : object.triangles) {
    for (int vertex : triangle) {
      if (vertex >= 0 && vertex < vertices) continue;
      return out.error(
          {}, fmt::format("{} has a triangle at vertex {} of {}", describe_object(object), vertex, vertices),
          "write the run again");
    }
  }
  const auto materials = std::max<std::int32_t>(1, static_cast<std::int32_t>(model.materials.size()));
  const bool good = object.face_material.empty() || object.face_material.size() == object.triangles.size();
  const bool known =
      std::all_of(object.face_material.begin(), object.face_material.end(),
                  [&](std::int32_t material) { return material >= 0 && material < materials; });
  if (!good || !known)
    out.error({}, describe_object(object) + " has faces without a material", "write the run again");
  if (!object.uv.empty() && object.uv.size() != object.rest_positions.size())
    out.error({}, describe_object(object) + " has rest coordinates for only some vertices",
              "write the run again");
}

void check_cloth(Diagnostics& out, const SnapshotObject& object, const SnapshotObjectFrame& frame,
                 std::int64_t number) {
  if (frame.positions.size() != object.rest_positions.size())
    return out.error(
        {},
        fmt::format("frame {} has {} positions for {} with {} vertices", number, frame.positions.size(),
                    describe_object(object), object.rest_positions.size()),
        "read model and frames from the same run folder");
  const bool finite = std::all_of(frame.positions.begin(), frame.positions.end(),
                                  [](const Vec3f& position) { return position.allFinite(); });
  if (!finite)
    out.error(
        {}, fmt::format("frame {} has positions of {} that are not numbers", number, describe_object(object)),
        "draw an earlier frame and look why the run diverged");
  const bool has_all = (frame.treatments.empty() || frame.treatments.size() == element_count(object)) &&
                       (frame.components.empty() || frame.components.size() == object.rest_positions.size());
  if (!has_all)
    out.error({},
              fmt::format("frame {} has elements or components of {} that its model lacks", number,
                          describe_object(object)),
              "read model and frames from the same run folder");
}

Diagnostics check_snapshot(const SnapshotModel& model, const Snapshot& snapshot) {
  Diagnostics out;
  if (snapshot.objects.size() != model.objects.size())
    return failure({},
                   fmt::format("frame {} has {} objects, its model {}", snapshot.frame,
                               snapshot.objects.size(), model.objects.size()),
                   "read model and frames from the same run folder");
  for (size_t i = 0; i < model.objects.size(); ++i) {
    check_indices(out, model, model.objects[i]);
    if (model.objects[i].kind == SnapshotObject::Kind::cloth)
      check_cloth(out, model.objects[i], snapshot.objects[i], snapshot.frame);
  }
  return out;
}

Camera default_camera(const Bounds& bounds, const PictureOptions& options) {
  const Bounds box = bounds.isEmpty() ? Bounds(Vec3f::Zero(), Vec3f::Ones()) : bounds;
  return frame_camera(box, static_cast<double>(options.width) / options.height);
}

double range_of(ColourField field, const SnapshotModel& model, const Snapshot& snapshot,
                const PictureOptions& options) {
  return options.colour_range ? *options.colour_range : typical_range(field, model, snapshot);
}

}  // namespace

void PictureOptions::describe(Describer<PictureOptions>& d) {
  using Self = PictureOptions;
  d.type("picture", "", "How a picture is taken.");
  d.parameter("width", &Self::width,
              {.unit = "pixels", .doc = "Width.", .minimum = 1, .maximum = kLargestSide});
  d.parameter("height", &Self::height,
              {.unit = "pixels", .doc = "Height.", .minimum = 1, .maximum = kLargestSide});
  d.parameter(
      "samples", &Self::samples,
      {.doc = "Light paths a pixel; more is smoother and slower.", .minimum = 1, .maximum = kMostSamples});
  d.parameter("denoise", &Self::denoise, {.unit = "", .doc = "Smooth the noise that the samples leave."});
  d.parameter("exposure", &Self::exposure, {.doc = "Factor on the light.", .minimum = 0.01, .maximum = 100});
  d.parameter("colour", &Self::colour,
              {.unit = "", .doc = "What the cloth's colour shows.", .choices = colour_field_names()});
  d.parameter("colour_range", &Self::colour_range,
              {.doc = "Strain, speed in m/s or force in N, at the end of the colour bar; found from the "
                      "frame if absent.",
               .minimum = 0,
               .above_minimum = true});
  d.parameter("camera", &Self::camera, {.unit = "", .doc = "The camera; frames the cloth if absent."});
  d.parameter("ground_height", &Self::ground_height,
              {.unit = "m", .doc = "Height of the studio's ground where the scene has no level plane."});
  d.parameter("magnets", &Self::magnets, {.unit = "", .doc = "What is shown of magnetism."});
}

Diagnostics check(const PictureOptions& options) {
  Diagnostics out;
  check_number(out, "width", options.width, 1, kLargestSide);
  check_number(out, "height", options.height, 1, kLargestSide);
  check_number(out, "samples", options.samples, 1, kMostSamples);
  check_number(out, "exposure", options.exposure, 0.01, 100);
  if (!colour_field_from_name(options.colour))
    out.error({}, "picture option colour is '" + options.colour + "'",
              fmt::format("choose one of {}", fmt::join(colour_field_names(), ", ")));
  if (options.colour_range) check_number(out, "colour_range", *options.colour_range, 1e-9, 1e9);
  if (options.ground_height) check_number(out, "ground_height", *options.ground_height, -1e6, 1e6);
  if (options.camera) check_camera(out, *options.camera);
  out.append(check(options.magnets));
  return out;
}

namespace {

/// What a picture should show all of.
Bounds picture_bounds(const SnapshotModel& model, const Snapshot& snapshot, const PictureOptions& options) {
  const Bounds bounds = snapshot_bounds(model, snapshot);
  return options.magnets.shows_field() ? bounds.merged(field_region(model, snapshot)) : bounds;
}

void draw_legends(Image& image, const SnapshotModel& model, const Snapshot& snapshot, ColourField field,
                  double range, const MagnetOverlay& overlay) {
  float above = 0;
  if (is_of_kinds(field))
    above = draw_legend(image, legend_title(field), legend_entries(field, model, snapshot));
  else if (field != ColourField::fabric)
    above = draw_legend(image, colour_bar(field, range));
  if (overlay.flux_range) above = draw_legend(image, flux_bar(*overlay.flux_range), above);
  if (!overlay.arrows.empty()) draw_legend(image, "MAGNETIC LOADS", overlay.arrows, above);
}

/// Of frames that have been checked.
Image photograph(const SnapshotModel& model, const Snapshot& snapshot, const PictureOptions& options,
                 const Appearance& appearance) {
  const Camera camera =
      options.camera ? *options.camera : default_camera(picture_bounds(model, snapshot, options), options);
  MagnetOverlay overlay;
  if (options.magnets.shows_anything())
    overlay = magnet_overlay(model, snapshot, options.magnets, camera.position);
  const PictureStage stage(model, snapshot, appearance.field, options.ground_height,
                           std::move(overlay.surfaces));
  const TraceOptions how{.width = options.width, .height = options.height, .samples = options.samples};
  Film film = trace(stage, appearance, studio_lighting(camera), camera, how);
  if (options.denoise) denoise(film);
  Image image = develop(film.radiance, film.width, film.height, static_cast<float>(options.exposure));
  draw_legends(image, model, snapshot, appearance.field, appearance.range, overlay);
  return image;
}

}  // namespace

Result<Image> render_picture(const SnapshotModel& model, const Snapshot& snapshot,
                             const PictureOptions& options) {
  Diagnostics problems = check(options);
  problems.append(check_snapshot(model, snapshot));
  if (options.magnets.shows_anything() && !is_magnetic(snapshot))
    problems.error({}, fmt::format("frame {} has nothing magnetic", snapshot.frame),
                   "leave out field and forces, or run the scene again if it is from an older Heddle");
  if (problems.has_errors()) return problems;
  const ColourField field = *colour_field_from_name(options.colour);
  const double range = range_of(field, model, snapshot, options);
  const Result<Appearance> appearance = make_appearance(model, field, range);
  if (!appearance) return appearance.errors();
  return photograph(model, snapshot, options, *appearance);
}

Result<PictureOptions> fit_to_frame(const SnapshotModel& model, const Snapshot& snapshot,
                                    PictureOptions options) {
  Diagnostics problems = check(options);
  problems.append(check_snapshot(model, snapshot));
  if (problems.has_errors()) return problems;
  if (!options.camera) options.camera = default_camera(picture_bounds(model, snapshot, options), options);
  return options;
}

Result<PictureOptions> fit_to_run(const RunReader& run, PictureOptions options) {
  const Diagnostics problems = check(options);
  if (problems.has_errors()) return problems;
  const ColourField field = *colour_field_from_name(options.colour);
  const int frames = std::min(run.frame_count(), kFramesToFit);
  Bounds bounds;
  double range = 0;
  for (int i = 0; i < frames; ++i) {
    const int position =
        frames == 1 ? 0
                    : static_cast<int>(static_cast<std::int64_t>(i) * (run.frame_count() - 1) / (frames - 1));
    const Result<Snapshot> snapshot = run.read(position);
    // A damaged frame need not keep the others from being drawn.
    if (!snapshot || check_snapshot(run.model(), *snapshot).has_errors()) continue;
    bounds.extend(picture_bounds(run.model(), *snapshot, options));
    range = std::max(range, typical_range(field, run.model(), *snapshot));
  }
  if (!options.camera) options.camera = default_camera(bounds, options);
  if (!options.ground_height && !bounds.isEmpty())
    options.ground_height = bounds.min().z() - kGroundGap * bounds.sizes().norm();
  if (!options.colour_range && range > 0) options.colour_range = range;
  return options;
}

}  // namespace heddle
