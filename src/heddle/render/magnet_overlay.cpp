#include <heddle/render/magnet_overlay.h>

#include <heddle/render/field_lines.h>
#include <heddle/render/field_plane.h>
#include <heddle/render/load_arrows.h>
#include <heddle/render/strokes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

constexpr float kLineRadius = 0.0022f;  // of the region's diagonal
constexpr int kMostLines = 1000;
constexpr int kThin = 2;  // every so many points of a line are drawn

bool shows(const MagnetPictureOptions& options, const char* what) {
  return std::find(options.field.begin(), options.field.end(), what) != options.field.end();
}

/// A tube with a head in the middle that points along the field.
void add_line(const FieldLine& line, float radius, double range, Surface& surface) {
  std::vector<Vec3f> points, colours;
  for (size_t i = 0; i < line.points.size(); i += kThin) {
    points.push_back(line.points[i].cast<float>());
    colours.push_back(flux_colour(line.flux[i], range));
  }
  add_tube(points, radius, colours, surface);
  if (points.size() < 3) return;
  const size_t middle = points.size() / 2;
  const Vec3f direction = (points[middle] - points[middle - 1]).normalized();
  add_cone(points[middle] - 3 * radius * direction, points[middle] + 4 * radius * direction, 2.8f * radius,
           colours[middle], surface);
}

Surface line_surface(const std::vector<FieldLine>& lines, float radius, double range) {
  Surface surface;
  for (const FieldLine& line : lines) add_line(line, radius, range, surface);
  set_smooth_normals(surface);
  return surface;
}

}  // namespace

const std::vector<std::string>& field_picture_names() {
  static const std::vector<std::string> names{"lines", "slice", "filings"};
  return names;
}

void MagnetPictureOptions::describe(Describer<MagnetPictureOptions>& d) {
  using Self = MagnetPictureOptions;
  d.type("magnet_picture", "", "What a picture shows of magnetism.");
  d.parameter("field", &Self::field,
              {.unit = "", .doc = "How the field is shown: \"lines\", \"slice\", \"filings\", or several."});
  d.parameter("forces", &Self::forces, {.unit = "", .doc = "Arrows of magnetic forces and torques."});
  d.parameter("lines", &Self::lines, {.doc = "Field lines, about.", .minimum = 1, .maximum = kMostLines});
  d.parameter("plane", &Self::plane,
              {.unit = "", .doc = "Of slice and filings, such as \"y=0\" (m); chosen if empty."});
  d.parameter("field_range", &Self::field_range,
              {.unit = "T",
               .doc = "Flux density at the end of the colour bar; chosen from the frame if absent.",
               .minimum = 0,
               .above_minimum = true});
}

Diagnostics check(const MagnetPictureOptions& options) {
  Diagnostics out;
  const std::vector<std::string>& names = field_picture_names();
  for (const std::string& name : options.field)
    if (std::find(names.begin(), names.end(), name) == names.end())
      out.error({}, "the field cannot be shown as '" + name + "'",
                fmt::format("choose one of {}", fmt::join(names, ", ")));
  if (options.lines < 1 || options.lines > kMostLines)
    out.error({}, fmt::format("picture option lines is {}", options.lines),
              fmt::format("choose 1 to {}", kMostLines));
  if (!options.plane.empty() && !FieldPlane::from_text(options.plane))
    out.error({}, "cannot read the plane '" + options.plane + "'",
              "write an axis and a place in m, such as y=0.01");
  if (options.field_range && !(*options.field_range > 0))
    out.error({}, fmt::format("picture option field_range is {}", *options.field_range),
              "choose more than 0 T");
  return out;
}

ColourBar flux_bar(double range) {
  ColourBar bar{.title = "FLUX DENSITY T", .ticks = {}, .colour = {}};
  for (const double share : {1e-3, 1e-2, 1e-1, 1.0})
    bar.ticks.push_back(fmt::format("{:.2G}", share * range));
  bar.colour = [=](float t) { return flux_colour(range * std::pow(10, 3 * (t - 1)), range); };
  return bar;
}

MagnetOverlay magnet_overlay(const SnapshotModel& model, const Snapshot& snapshot,
                             const MagnetPictureOptions& options, const Vec3& eye) {
  MagnetOverlay overlay;
  const Bounds region = field_region(model, snapshot);
  if (options.shows_field()) {
    const MagneticField field(snapshot);
    const Vec3 view = region.center().cast<double>() - eye;
    const FieldPlane plane =
        options.plane.empty() ? usual_plane(snapshot, view) : *FieldPlane::from_text(options.plane);
    const double range = options.field_range ? *options.field_range : typical_flux(field, region, plane);
    if (shows(options, "slice")) overlay.surfaces.push_back(field_slice(field, region, plane, range));
    if (shows(options, "lines"))
      overlay.surfaces.push_back(line_surface(field_lines(model, snapshot, field, region, options.lines),
                                              kLineRadius * region.sizes().norm(), range));
    if (shows(options, "filings"))
      for (Surface& surface : iron_filings(field, region, plane, eye))
        overlay.surfaces.push_back(std::move(surface));
    if (shows(options, "slice") || shows(options, "lines")) overlay.flux_range = range;
  }
  if (options.forces) {
    LoadArrows arrows = load_arrows(model, snapshot);
    overlay.surfaces.push_back(std::move(arrows.surface));
    overlay.arrows = std::move(arrows.legend);
  }
  return overlay;
}

}  // namespace heddle
