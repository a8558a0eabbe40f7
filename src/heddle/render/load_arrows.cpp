#include <heddle/render/load_arrows.h>

#include <heddle/render/strokes.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace heddle {
namespace {

const Vec3f kForceColour(0.75f, 0.06f, 0.03f), kTorqueColour(0.03f, 0.16f, 0.62f);
constexpr float kLongest = 0.35f;  // of an arrow, by the size of all that is magnetic
constexpr float kThickness = 0.012f;
constexpr float kLeast = 0.02f;        // of the longest; shorter arrows are left out
constexpr float kLeastTorque = 1e-3f;  // of the strongest force times the size
constexpr float kMostTurn = 1.6f * std::numbers::pi_v<float>;

/// A load and the points of what it acts on.
struct Loaded {
  SnapshotLoad load;
  std::vector<Vec3f> points;
};

std::vector<Loaded> loaded_things(const SnapshotModel& model, const Snapshot& snapshot) {
  std::vector<Loaded> all;
  for (const SnapshotMagnet& magnet : snapshot.magnets) {
    const auto object = static_cast<size_t>(magnet.object);
    Loaded& loaded = all.emplace_back(Loaded{magnet.load, {}});
    for (size_t i = 0; i < model.objects[object].rest_positions.size(); ++i)
      loaded.points.push_back(
          world_position(model.objects[object], snapshot.objects[object], i).cast<float>());
  }
  for (const SnapshotCoil& coil : snapshot.coils) all.push_back({coil.load, coil.points});
  return all;
}

/// How far the points go along a direction from a centre.
float extent(const Loaded& loaded, const Vec3f& centre, const Vec3f& direction) {
  float farthest = 0;
  for (const Vec3f& point : loaded.points) farthest = std::max(farthest, (point - centre).dot(direction));
  return farthest;
}

void add_force(const Loaded& loaded, float strongest, float size, Surface& surface) {
  const Vec3f force = loaded.load.force.cast<float>(), centre = loaded.load.centre.cast<float>();
  const float share = force.norm() / strongest;
  if (!(share > kLeast)) return;
  const Vec3f direction = force.normalized();
  const Vec3f from = centre + extent(loaded, centre, direction) * direction;
  const float length = kLongest * size * share, radius = kThickness * size * std::min(1.0f, 4 * share);
  const Vec3f points[] = {from, from + 0.5f * length * direction, from + length * direction};
  add_arrow(points, radius, std::min(0.45f * length, 5 * radius), kForceColour, surface);
}

/// Bent about the torque, the longer the stronger it is.
void add_torque(const Loaded& loaded, float strongest, float size, Surface& surface) {
  constexpr int kPoints = 40;
  const Vec3f torque = loaded.load.torque.cast<float>(), centre = loaded.load.centre.cast<float>();
  const float share = torque.norm() / strongest;
  if (!(share > kLeast)) return;
  const Vec3f axis = torque.normalized(), first = axis.unitOrthogonal(), second = axis.cross(first);
  float radius = 0;
  for (const Vec3f& point : loaded.points) radius = std::max(radius, (point - centre).cross(axis).norm());
  radius = 1.2f * radius + 0.02f * size;
  std::vector<Vec3f> points;
  for (int k = 0; k < kPoints; ++k) {
    const float angle = share * kMostTurn * static_cast<float>(k) / (kPoints - 1);
    points.push_back(centre + radius * (std::cos(angle) * first + std::sin(angle) * second));
  }
  const float thickness = std::min(kThickness * size, 0.12f * radius) * std::min(1.0f, 4 * share);
  add_arrow(points, thickness, std::min(5 * thickness, 0.4f * share * kMostTurn * radius), kTorqueColour,
            surface);
}

}  // namespace

LoadArrows load_arrows(const SnapshotModel& model, const Snapshot& snapshot) {
  const std::vector<Loaded> all = loaded_things(model, snapshot);
  Bounds box;
  float force = 0, torque = 0;
  for (const Loaded& loaded : all) {
    for (const Vec3f& point : loaded.points) box.extend(point);
    force = std::max(force, static_cast<float>(loaded.load.force.norm()));
    torque = std::max(torque, static_cast<float>(loaded.load.torque.norm()));
  }
  LoadArrows out;
  const float size = box.isEmpty() ? 0 : box.sizes().norm();
  // What rounding or a lattice of cells leaves is no torque.
  const bool has_torques = torque > kLeastTorque * force * size;
  for (const Loaded& loaded : all) {
    if (force > 0) add_force(loaded, force, size, out.surface);
    if (has_torques) add_torque(loaded, torque, size, out.surface);
  }
  set_smooth_normals(out.surface);
  out.legend.push_back({fmt::format("FORCE  LONGEST {:.2G} N", force), kForceColour});
  if (has_torques) out.legend.push_back({fmt::format("TORQUE  LONGEST {:.2G} N m", torque), kTorqueColour});
  return out;
}

}  // namespace heddle
