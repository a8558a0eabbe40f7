#include <heddle/render/element_colours.h>
#include <heddle/render/element_tubes.h>

#include <cmath>
#include <numbers>

namespace heddle {
namespace {

constexpr int kSides = 4;
/// In edges of the mesh; where lines cross, implicit elements lie above the others.
float radius_of(SnapshotTreatment treatment) {
  return 0.018f + 0.006f * static_cast<float>(treatment);
}

void add_tube(const ElementLine& line, float radius, Surface& surface) {
  const Vec3f along = line.to - line.from;
  if (!(along.squaredNorm() > 0)) return;
  const Vec3f first = along.unitOrthogonal(), second = along.normalized().cross(first);
  const int base = static_cast<int>(surface.positions.size());
  for (int k = 0; k < kSides; ++k) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / kSides;
    const Vec3f out = radius * (std::cos(angle) * first + std::sin(angle) * second);
    surface.positions.push_back(line.from + out);
    surface.positions.push_back(line.to + out);
  }
  for (int k = 0; k < kSides; ++k) {
    const int a = base + 2 * k, b = base + 2 * ((k + 1) % kSides);
    surface.triangles.push_back({a, b, a + 1});
    surface.triangles.push_back({b, b + 1, a + 1});
    surface.face_colours.insert(surface.face_colours.end(), 2, treatment_colour(line.treatment));
  }
}

}  // namespace

Surface element_tubes(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  Surface surface;
  surface.cloth = true;
  const float spacing = mean_edge(object);
  for (const ElementLine& line : element_lines(object, frame, spacing))
    add_tube(line, spacing * radius_of(line.treatment), surface);
  surface.unrounded = surface.positions;
  set_smooth_normals(surface);
  return surface;
}

}  // namespace heddle
