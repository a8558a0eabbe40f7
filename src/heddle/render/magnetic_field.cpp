#include <heddle/render/magnetic_field.h>

#include <heddle/render/surface.h>

#include <cmath>

namespace heddle {
namespace {

constexpr float kRegionShare = 0.45f;  // of the diagonal of what is magnetic, shown around it

Coil coil_of(const SnapshotCoil& coil) {
  Coil out{.points = {}, .current = coil.current};
  for (const Vec3f& point : coil.points) out.points.push_back(point.cast<double>());
  return out;
}

/// Whether the ray from a place along a direction meets a triangle.
bool meets(const std::array<Vec3, 3>& face, const Vec3& place, const Vec3& direction) {
  const Vec3 b = face[1] - face[0], c = face[2] - face[0], p = direction.cross(c), s = place - face[0];
  const double determinant = b.dot(p);
  if (determinant == 0) return false;
  const double u = s.dot(p) / determinant;
  const Vec3 q = s.cross(b);
  const double v = direction.dot(q) / determinant;
  return u >= 0 && v >= 0 && u + v <= 1 && c.dot(q) / determinant > 0;
}

}  // namespace

MagneticField::MagneticField(const Snapshot& snapshot) {
  for (const SnapshotMagnet& magnet : snapshot.magnets) {
    // Magnets of equal cells, such as many balls, share a list.
    const double nearest = magnet.nearest;
    auto cells =
        std::find_if(cells_.begin(), cells_.end(), [&](const Cells& c) { return c.nearest == nearest; });
    if (cells == cells_.end()) cells = cells_.insert(cells_.end(), Cells{.dipoles = {}, .nearest = nearest});
    for (size_t i = 0; i < magnet.places.size(); ++i)
      cells->dipoles.add(magnet.places[i].cast<double>(), magnet.moments[i].cast<double>());
  }
  for (Cells& cells : cells_) cells.dipoles.finish();
  for (const SnapshotCoil& coil : snapshot.coils)
    if (coil.points.size() > 2) coils_.emplace_back(coil_of(coil), RigidTransform{});
}

Vec3 MagneticField::at(const Vec3& place) const {
  Vec3 sum = Vec3::Zero();
  for (const Cells& cells : cells_) sum += field_of(cells.dipoles, place, cells.nearest);
  for (const PlacedCoil& coil : coils_) sum += coil.field(place);
  return sum;
}

bool is_magnetic(const Snapshot& snapshot) {
  return !snapshot.magnets.empty() || !snapshot.coils.empty();
}

Bounds field_region(const SnapshotModel& model, const Snapshot& snapshot) {
  Bounds box;
  for (const SnapshotMagnet& magnet : snapshot.magnets) {
    const auto object = static_cast<size_t>(magnet.object);
    for (size_t i = 0; i < model.objects[object].rest_positions.size(); ++i)
      box.extend(world_position(model.objects[object], snapshot.objects[object], i).cast<float>());
  }
  for (const SnapshotCoil& coil : snapshot.coils)
    for (const Vec3f& point : coil.points) box.extend(point);
  if (box.isEmpty()) return box;
  const float share = kRegionShare * box.sizes().norm(), lowest = box.min().z();
  Bounds region(box.min().array() - share, box.max().array() + share);
  for (size_t i = 0; i < model.objects.size(); ++i) {
    if (model.objects[i].kind != SnapshotObject::Kind::obstacle) continue;
    const auto ground = level_height(obstacle_surface(model.objects[i], snapshot.objects[i]));
    if (ground && *ground <= lowest) region.min().z() = std::max(region.min().z(), *ground);
  }
  return region;
}

InsideTest::InsideTest(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  for (const Triangle& triangle : object.triangles) {
    std::array<Vec3, 3>& face = faces_.emplace_back();
    for (size_t k = 0; k < 3; ++k) {
      face[k] = world_position(object, frame, static_cast<size_t>(triangle[k]));
      box_.extend(face[k]);
    }
  }
}

bool InsideTest::operator()(const Vec3& place) const {
  if (!box_.contains(place)) return false;
  // In no direction that edges of scenes are likely to have.
  const Vec3 direction = Vec3(0.3719, 0.1337, 0.9186).normalized();
  bool inside = false;
  for (const auto& face : faces_)
    if (meets(face, place, direction)) inside = !inside;
  return inside;
}

}  // namespace heddle
