#include <heddle/render/appearance.h>

namespace heddle {
namespace {

using Vec2f = Eigen::Vector2f;

const Vec3f kGroundColour(0.5f, 0.495f, 0.48f);
const Vec3f kObstacleColour(0.38f, 0.37f, 0.36f);
const Vec3f kOffWhite(0.80f, 0.78f, 0.73f);
constexpr float kFabricSheen = 0.28f;
constexpr float kFieldSheen = 0.04f;  // little, because sheen would wash out the colours to be read
constexpr float kTranslucency = 0.14f;
constexpr float kGrazing = 0.2f;  // least cosine by which a footprint is stretched

template <class T>
T interpolate(const std::vector<T>& values, const Triangle& triangle, const Hit& hit) {
  const auto at = [&](int corner) {
    return values[static_cast<size_t>(triangle[static_cast<size_t>(corner)])];
  };
  return (1 - hit.u - hit.v) * at(0) + hit.u * at(1) + hit.v * at(2);
}

/// Directions of growing weft and warp coordinate on the triangle; false if its coordinates are degenerate.
bool yarn_directions(const Surface& surface, const Triangle& triangle, Vec3f& weft, Vec3f& warp) {
  const auto a = static_cast<size_t>(triangle[0]), b = static_cast<size_t>(triangle[1]),
             c = static_cast<size_t>(triangle[2]);
  const Vec2f ub = surface.uv[b] - surface.uv[a], uc = surface.uv[c] - surface.uv[a];
  const float determinant = ub.x() * uc.y() - ub.y() * uc.x();
  if (determinant == 0) return false;
  const Vec3f pb = surface.positions[b] - surface.positions[a],
              pc = surface.positions[c] - surface.positions[a];
  weft = ((uc.y() * pb - ub.y() * pc) / determinant).normalized();
  warp = ((ub.x() * pc - uc.x() * pb) / determinant).normalized();
  return true;
}

void apply_pattern(const Appearance::Fabric& fabric, const Hit& hit, float footprint, ShadingPoint& point) {
  const Surface& mesh = *hit.surface;
  if (fabric.pattern == Pattern::plain || mesh.uv.empty()) return;
  const Triangle& triangle = mesh.triangles[static_cast<size_t>(hit.face)];
  const Vec2f uv = interpolate(mesh.uv, triangle, hit);
  const PatternSample sample = evaluate_pattern(fabric.pattern, fabric.size, uv, footprint);
  point.surface.albedo += sample.whiteness * (kOffWhite - point.surface.albedo);
  point.surface.albedo *= sample.brightness;
  Vec3f weft, warp;
  if (sample.tilt.isZero() || !yarn_directions(mesh, triangle, weft, warp)) return;
  point.normal = (point.normal + sample.tilt.x() * weft + sample.tilt.y() * warp).normalized();
}

Vec3f field_albedo(const Appearance& appearance, const Hit& hit) {
  const Surface& mesh = *hit.surface;
  if (!mesh.face_colours.empty()) return mesh.face_colours[static_cast<size_t>(hit.face)];
  const float value = interpolate(mesh.values, mesh.triangles[static_cast<size_t>(hit.face)], hit);
  return field_colour(appearance.field, value, appearance.range);
}

void shade_cloth(const Appearance& appearance, const Hit& hit, float footprint, ShadingPoint& point) {
  TextileSurface& surface = point.surface;
  surface.translucency = kTranslucency;
  const Surface& mesh = *hit.surface;
  if (appearance.field != ColourField::fabric) {
    surface.albedo = field_albedo(appearance, hit);
    surface.translucency = 0;
    surface.sheen = kFieldSheen;
    return;
  }
  const size_t material =
      mesh.face_material.empty() ? 0 : static_cast<size_t>(mesh.face_material[static_cast<size_t>(hit.face)]);
  const Appearance::Fabric& fabric = appearance.fabrics[material];
  surface.albedo = hit.front ? fabric.front : fabric.back;
  surface.sheen = kFabricSheen;
  surface.sheen_colour = 0.3f * Vec3f::Ones() + 0.7f * surface.albedo.cwiseSqrt();
  apply_pattern(fabric, hit, footprint, point);
}

/// Bends the normal until the viewer is on its side, so that interpolation cannot turn it away.
Vec3f visible_normal(const Vec3f& normal, const Vec3f& direction) {
  constexpr float kLeast = 0.02f;
  const float cosine = -normal.dot(direction);
  if (cosine >= kLeast) return normal;
  return (normal - (kLeast - cosine) * direction).normalized();
}

}  // namespace

Result<Appearance> make_appearance(const SnapshotModel& model, ColourField field, double range) {
  Appearance appearance;
  Diagnostics diagnostics;
  for (const SnapshotMaterial& material : model.materials) {
    const std::optional<Pattern> pattern = pattern_from_name(material.pattern);
    if (!pattern)
      diagnostics.error({},
                        "material '" + material.name + "' has the unknown pattern '" + material.pattern + "'",
                        "use plain, weave or checker");
    if (!(material.pattern_size > 0))
      diagnostics.error({}, "material '" + material.name + "' has a pattern size that is not positive",
                        "give the size of the pattern in metres, for example 0.02");
    appearance.fabrics.push_back({material.front_colour, material.back_colour,
                                  pattern.value_or(Pattern::plain), material.pattern_size});
  }
  if (diagnostics.has_errors()) return diagnostics;
  if (appearance.fabrics.empty()) {
    const SnapshotMaterial standard;
    appearance.fabrics.push_back({standard.front_colour, standard.back_colour, Pattern::plain, 1});
  }
  appearance.field = field;
  appearance.range = static_cast<float>(range);
  return appearance;
}

ShadingPoint shade(const Appearance& appearance, const Hit& hit, const Vec3f& direction, float footprint) {
  ShadingPoint point;
  point.position = hit.position;
  const float side = hit.geometric_normal.dot(direction) < 0 ? 1.0f : -1.0f;
  point.geometric_normal = side * hit.geometric_normal;
  point.normal = side * hit.normal;
  if (hit.kind == Hit::Kind::ground) {
    point.surface.albedo = kGroundColour;
  } else if (hit.kind == Hit::Kind::obstacle) {
    const auto& colours = hit.surface->face_colours;
    point.surface.albedo = colours.empty() ? kObstacleColour : colours[static_cast<size_t>(hit.face)];
    point.surface.sheen = 0.06f;
  } else {
    const float cosine = std::max(kGrazing, -point.geometric_normal.dot(direction));
    shade_cloth(appearance, hit, footprint / cosine, point);
  }
  point.normal = visible_normal(point.normal, direction);
  return point;
}

}  // namespace heddle
