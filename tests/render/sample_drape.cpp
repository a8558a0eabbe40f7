#include "sample_drape.h"

#include <cmath>
#include <numbers>

namespace heddle::test {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kBall = 0.2f;             // m
constexpr float kSheet = kBall + 0.004f;  // radius of the cloth on the ball
constexpr float kLeave = 1.4f;            // angle from the top at which the cloth leaves the ball
constexpr float kCentre = 0.55f;          // height of the ball's centre, m
constexpr float kHalfSide = 0.5f;         // m

/// Beyond the ball the cloth hangs; folds take up the length by which its circle is too long.
Vec3f hanging(float s, float turn) {
  const float below = s - kSheet * kLeave;
  const float radius = kSheet * std::sin(kLeave) + 0.30f * below;
  const float folds = 7;
  const float excess = std::max(0.0f, s / radius - 1);
  const float amplitude = 1.35f * radius / folds * std::sqrt(excess) * std::min(1.0f, below / 0.12f);
  const float wave = std::cos(folds * turn + 0.6f * std::sin(2 * turn) + 0.3f);
  const float r = radius + 0.75f * amplitude * (wave + 1);
  const float swing = 0.25f * amplitude / radius * std::sin(2 * folds * turn);
  const float z = kCentre + kSheet * std::cos(kLeave) - 0.93f * below;
  return {r * std::cos(turn + swing), r * std::sin(turn + swing), z};
}

Vec3f draped(const Eigen::Vector2f& uv) {
  const float s = uv.norm();
  const float turn = std::atan2(uv.y(), uv.x());
  if (s > kSheet * kLeave) return hanging(s, turn);
  const float angle = s / kSheet;
  const float r = kSheet * std::sin(angle);
  return {r * std::cos(turn), r * std::sin(turn), kCentre + kSheet * std::cos(angle)};
}

SnapshotObject grid(int cells, float half) {
  SnapshotObject object;
  object.name = "sheet";
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i)
      object.uv.emplace_back(half * (2.0f * static_cast<float>(i) / static_cast<float>(cells) - 1),
                             half * (2.0f * static_cast<float>(j) / static_cast<float>(cells) - 1));
  for (int j = 0; j < cells; ++j) {
    for (int i = 0; i < cells; ++i) {
      const int a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
      if ((i + j) % 2 == 0)
        object.triangles.insert(object.triangles.end(), {{a, b, d}, {a, d, c}});
      else
        object.triangles.insert(object.triangles.end(), {{a, b, c}, {b, d, c}});
    }
  }
  object.face_material.assign(object.triangles.size(), 0);
  return object;
}

void add_obstacle(Drape& drape, SnapshotObject object, const Vec3f& translation) {
  object.kind = SnapshotObject::Kind::obstacle;
  SnapshotObjectFrame frame;
  frame.pose.translation = translation.cast<double>();
  drape.model.objects.push_back(std::move(object));
  drape.snapshot.objects.push_back(std::move(frame));
}

}  // namespace

Drape sample_drape(int cells) {
  Drape drape;
  SnapshotObject cloth = grid(cells, kHalfSide);
  SnapshotObjectFrame frame;
  for (const Eigen::Vector2f& uv : cloth.uv) {
    cloth.rest_positions.emplace_back(uv.x(), uv.y(), 1.0f);
    frame.positions.push_back(draped(uv));
    frame.velocities.emplace_back(0, 0, -uv.squaredNorm());
    frame.pressures.push_back(std::max(0.0f, 1e-3f - 0.05f * uv.squaredNorm()));
  }
  for (const Triangle& triangle : cloth.triangles) {
    const Eigen::Vector2f uv = cloth.uv[static_cast<size_t>(triangle[0])];
    frame.strains.emplace_back(0.02f * std::cos(6 * uv.x()), 0.02f * std::sin(6 * uv.y()),
                               0.05f * uv.x() * uv.y() / (kHalfSide * kHalfSide));
  }
  drape.model.objects.push_back(std::move(cloth));
  drape.model.materials.push_back({.name = "cotton"});
  drape.snapshot.objects.push_back(std::move(frame));
  add_ball(drape, {0, 0, kCentre}, kBall);
  return drape;
}

void add_ball(Drape& drape, const Vec3f& centre, float radius) {
  constexpr int kRings = 32, kSectors = 64;
  SnapshotObject ball;
  ball.name = "ball";
  for (int ring = 0; ring <= kRings; ++ring) {
    for (int sector = 0; sector < kSectors; ++sector) {
      const float polar = kPi * static_cast<float>(ring) / kRings;
      const float turn = 2 * kPi * static_cast<float>(sector) / kSectors;
      ball.rest_positions.emplace_back(radius * std::sin(polar) * std::cos(turn),
                                       radius * std::sin(polar) * std::sin(turn), radius * std::cos(polar));
      if (ring == kRings) continue;
      const int a = ring * kSectors + sector, b = ring * kSectors + (sector + 1) % kSectors;
      ball.triangles.push_back({a, a + kSectors, b});
      ball.triangles.push_back({b, a + kSectors, b + kSectors});
    }
  }
  add_obstacle(drape, std::move(ball), centre);
}

void add_level_plane(Drape& drape, float height, float half_width) {
  SnapshotObject plane;
  plane.name = "floor";
  const float w = half_width;
  plane.rest_positions = {{-w, -w, 0}, {w, -w, 0}, {w, w, 0}, {-w, w, 0}};
  plane.triangles = {{0, 1, 2}, {0, 2, 3}};
  add_obstacle(drape, std::move(plane), {0, 0, height});
}

Drape flat_cloth(float size, float height, const Vec3f& colour) {
  Drape drape;
  SnapshotObject cloth = grid(1, 0.5f * size);
  SnapshotObjectFrame frame;
  for (const Eigen::Vector2f& uv : cloth.uv) frame.positions.emplace_back(uv.x(), uv.y(), height);
  cloth.rest_positions = frame.positions;
  drape.model.objects.push_back(std::move(cloth));
  drape.model.materials.push_back(
      {.name = "paper", .front_colour = colour, .back_colour = colour, .pattern = "plain"});
  drape.snapshot.objects.push_back(std::move(frame));
  return drape;
}

}  // namespace heddle::test
