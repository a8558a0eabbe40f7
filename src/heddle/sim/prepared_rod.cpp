#include <heddle/sim/prepared_rod.h>

#include <heddle/core/text.h>
#include <heddle/io/curve_file.h>
#include <heddle/sim/loaded_mesh.h>
#include <heddle/sim/place_text.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/rod_crossings.h>

#include <algorithm>
#include <numbers>

namespace heddle {

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kCoincident = 1e-9;  // m

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::optional<CurveNet> placed_curve(const RodDescription& rod, Diagnostics& out) {
  CurveNet net;
  if (rod.curve.is<CurveFile>()) {
    Result<CurveNet> read = make_curve(rod.curve.as<CurveFile>(), folder_of(rod.curve.where));
    if (!read) {
      append_at(rod.curve.where, "", read.errors(), out);
      return std::nullopt;
    }
    net = std::move(*read);
  } else {
    net = make_curve(rod.curve);
  }
  const RigidTransform place{rotation_from_degrees(rod.rotation), rod.translation};
  for (Vec3& point : net.points) point = place.point(rod.scale * point);
  return net;
}

double length_of(const CurveNet& net, int segment) {
  const auto& [a, b] = net.segments[at(segment)];
  return (net.points[at(b)] - net.points[at(a)]).norm();
}

/// True if all segments have a length.
bool check_points(const RodDescription& rod, const CurveNet& net, Diagnostics& out) {
  for (int s = 0; s < net.segment_count(); ++s)
    if (length_of(net, s) < kCoincident) {
      out.error(rod.curve.where,
                "points " + std::to_string(net.segments[at(s)][0]) + " and " +
                    std::to_string(net.segments[at(s)][1]) + " of rod " + in_quotes(rod.name) +
                    " coincide at " + place_text(net.points[at(net.segments[at(s)][0])]),
                "remove one of them, or give \"segments\" so that the curve is divided evenly");
      return false;
    }
  return true;
}

/// Lengths that no rod has are usually those of another unit.
void check_units(const RodDescription& rod, const CurveNet& net, const RodSection& section,
                 Diagnostics& out) {
  constexpr double kLongest = 1000, kThickest = 0.5, kSoftest = 1000;  // m, m, Pa
  double length = 0;
  for (int s = 0; s < net.segment_count(); ++s) length += length_of(net, s);
  const SourceLocation& where = rod.material ? rod.material.where : rod.where;
  if (length > kLongest)
    out.warning(rod.curve.where,
                "rod " + in_quotes(rod.name) + " is " + short_number_text(length) + " m long",
                "lengths are in metres: set \"scale\" to 0.001 if its points are in millimetres");
  if (section.radius > kThickest)
    out.warning(where,
                "rod " + in_quotes(rod.name) + " has a radius of " + short_number_text(section.radius) + " m",
                "the radius is in metres: 0.001 is a millimetre");
  if (!section.printed_law && std::min(section.young, section.stretch) < kSoftest)
    out.warning(where,
                "rod " + in_quotes(rod.name) + " has a modulus of only " +
                    short_number_text(std::min(section.young, section.stretch)) + " Pa",
                "moduli are in Pa: rubber has 1e6, nylon 3e9, steel 2e11; those of Spillmann 2008 belong to "
                "\"law\": \"printed\"");
}

void check_thickness(const RodDescription& rod, const CurveNet& net, const RodSection& section,
                     Diagnostics& out) {
  double shortest = length_of(net, 0);
  for (int s = 1; s < net.segment_count(); ++s) shortest = std::min(shortest, length_of(net, s));
  constexpr double kRounding = 1e-9;
  if (section.radius <= (0.5 + kRounding) * shortest) return;
  out.error(rod.material ? rod.material.where : rod.where,
            "the radius of rod " + in_quotes(rod.name) + ", " + short_number_text(section.radius) +
                " m, is more than half of its shortest segment of " + short_number_text(shortest) + " m",
            "use fewer segments, or a radius of at most " + short_number_text(0.5 * shortest) + " m");
}

void check_crossings(const RodDescription& rod, const CurveNet& net, double radius, Diagnostics& out) {
  const auto crossing = find_crossing(net, radius);
  if (!crossing) return;
  out.error(
      rod.curve.where,
      "rod " + in_quotes(rod.name) + " starts in itself: segments " + std::to_string(crossing->segments[0]) +
          " and " + std::to_string(crossing->segments[1]) + " are only " +
          short_number_text(crossing->distance) + " m apart at " + place_text(crossing->place) +
          ", less than twice its radius",
      "draw the curve wider, or use a radius below " + short_number_text(0.5 * crossing->distance) + " m");
}

void check_holds(const RodDescription& rod, const PreparedRod& prepared, Diagnostics& out) {
  for (const ClampDescription& clamp : rod.clamps)
    if (!prepared.has_ends()) {
      const bool ring = prepared.shape.rows.size() == 1;
      out.error(
          clamp.where,
          "rod " + in_quotes(rod.name) +
              (ring ? " is closed and has no ends to clamp" : " is a net, which has no two ends to clamp"),
          "hold nodes of it by \"pins\"");
    }
  for (size_t i = 1; i < rod.clamps.size(); ++i)
    if (rod.clamps[i].end == rod.clamps[0].end)
      out.error(rod.clamps[i].where,
                "the " + rod.clamps[i].end + " of rod " + in_quotes(rod.name) + " is clamped twice",
                "a rod has a \"start\" and an \"end\"");
  if (prepared.has_ends() && rod.clamps.size() > 1 && prepared.shape.segments.size() < 3)
    out.error(rod.clamps[1].where, "rod " + in_quotes(rod.name) + " has too few segments for two clamps",
              "each clamp holds one of them; use at least 3");
  if (rod.curvature && prepared.shape.rows.size() > 1)
    out.error(rod.where, "a net has no \"curvature\" that is the same everywhere", "use \"rest\"");
  if (rod.twist != 0 && prepared.shape.rows.size() > 1)
    out.error(rod.where, "a net has no \"twist\" from end to end", "twist single rods");
}

}  // namespace

std::optional<PreparedRod> prepare_rod(const RodDescription& rod, Diagnostics& diagnostics) {
  Diagnostics found;
  const Entity material = rod.material ? rod.material : default_entity(description_of<ElasticRod>());
  const Entity model = rod.model ? rod.model : default_entity(description_of<TwistAngleRod>());
  PreparedRod out{rod.name, {}, rod_section(material), rod_form(model), rod_surface(material)};
  const std::optional<CurveNet> placed = placed_curve(rod, found);
  if (placed && check_points(rod, *placed, found)) {
    const CurveNet& net = *placed;
    check_units(rod, net, out.section, found);
    check_thickness(rod, net, out.section, found);
    if (!found.has_errors()) check_crossings(rod, net, out.section.radius, found);
    out.shape = rods_along(net.points, net.segments, rod.twist * kDegree);
    if (rod.rest == "straight") out.shape.curvature = Vec3(Vec3::Zero());
    if (rod.curvature) out.shape.curvature = rod.curvature;
    check_holds(rod, out, found);
  }
  const bool good = !found.has_errors();
  diagnostics.append(found);
  if (!good) return std::nullopt;
  return out;
}

}  // namespace heddle
