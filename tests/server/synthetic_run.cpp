#include "synthetic_run.h"

#include <heddle/core/check.h>
#include <heddle/io/atomic_file.h>
#include <heddle/io/run_folder.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace heddle::test {
namespace {

constexpr float kWidth = 1.2f;
constexpr float kBallRadius = 0.28f;
constexpr float kPi = std::numbers::pi_v<float>;
const Vec3 kBallCentre(0, 0, 0.75);

SnapshotObject make_cloth(int cells) {
  SnapshotObject cloth;
  cloth.name = "cloth";
  cloth.thickness = 0.001f;
  const int side = cells + 1;
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      const float u = kWidth * static_cast<float>(i) / static_cast<float>(cells);
      const float v = kWidth * static_cast<float>(j) / static_cast<float>(cells);
      cloth.uv.emplace_back(u, v);
      cloth.rest_positions.emplace_back(u - kWidth / 2, v - kWidth / 2, 1.1f);
    }
  }
  for (int j = 0; j < cells; ++j) {
    for (int i = 0; i < cells; ++i) {
      const int a = j * side + i, b = a + 1, c = a + side, d = c + 1;
      cloth.triangles.push_back({a, b, d});
      cloth.triangles.push_back({a, d, c});
      const bool border = std::min({i, j, cells - 1 - i, cells - 1 - j}) < cells / 8;
      cloth.face_material.insert(cloth.face_material.end(), 2, border ? 1 : 0);
    }
  }
  return cloth;
}

SnapshotObject make_ball() {
  SnapshotObject ball{.kind = SnapshotObject::Kind::obstacle, .name = "ball"};
  constexpr int kRings = 24, kSegments = 48;
  for (int r = 0; r <= kRings; ++r) {
    for (int s = 0; s <= kSegments; ++s) {
      const float theta = kPi * static_cast<float>(r) / kRings,
                  phi = 2 * kPi * static_cast<float>(s) / kSegments;
      ball.rest_positions.emplace_back(kBallRadius * Vec3f(std::sin(theta) * std::cos(phi),
                                                           std::sin(theta) * std::sin(phi), std::cos(theta)));
    }
  }
  for (int r = 0; r < kRings; ++r) {
    for (int s = 0; s < kSegments; ++s) {
      const int a = r * (kSegments + 1) + s, b = a + kSegments + 1;
      ball.triangles.push_back({a, b, b + 1});
      ball.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return ball;
}

SnapshotObject make_box() {
  SnapshotObject box{.kind = SnapshotObject::Kind::obstacle, .name = "box"};
  for (int i = 0; i < 8; ++i)
    box.rest_positions.emplace_back(i & 1 ? 0.1f : -0.1f, i & 2 ? 0.1f : -0.1f, i & 4 ? 0.1f : -0.1f);
  box.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return box;
}

void write_checked(const std::filesystem::path& file, const std::string& text) {
  HEDDLE_CHECK(write_file_atomically(file, text).ok());
}

std::string metrics_table(int frames) {
  std::string csv =
      "step,time,kinetic_energy,elastic_energy,potential_energy,newton_iterations,max_weft_strain,"
      "max_warp_strain,detect_ms,solve_ms\n";
  for (int i = 0; i < 4 * frames; ++i) {
    const double t = i / 100.0, fall = std::exp(-t);
    csv +=
        fmt::format("{},{:.3f},{:.5f},{:.5f},{:.5f},{},{:.4f},{:.4f},{:.2f},{:.2f}\n", i, t,
                    0.4 * t * fall * fall * 4, 0.3 * (1 - fall), 1.2 * fall + 0.6, 3 + i % 4,
                    0.04 * (1 - fall), 0.03 * (1 - fall * fall), 2 + std::sin(t), 14 + 3 * std::cos(5 * t));
  }
  return csv;
}

}  // namespace

SyntheticRun::SyntheticRun(int cells) {
  model_.frame_rate = 25;
  model_.objects = {make_cloth(cells), make_ball(), make_box()};
  model_.materials = {{"wool", {0.13f, 0.28f, 0.46f}, {0.42f, 0.46f, 0.5f}, "weave", 0.02f},
                      {"cotton", {0.72f, 0.4f, 0.16f}, {0.55f, 0.48f, 0.4f}, "checker", 0.03f}};
}

std::vector<Vec3f> SyntheticRun::positions(double time) const {
  const auto t = static_cast<float>(time);
  const float wrapped =
      1.05f * (1 - std::exp(-1.6f * t * t));  // rad of the ball that is covered, from its top
  std::vector<Vec3f> x;
  x.reserve(model_.objects[kCloth].rest_positions.size());
  for (const Vec3f& rest : model_.objects[kCloth].rest_positions) {
    const float s = std::hypot(rest.x(), rest.y()), phi = std::atan2(rest.y(), rest.x());
    const float theta = std::min(s / kBallRadius, wrapped), beyond = s - theta * kBallRadius;
    const float fold = 0.12f * wrapped * std::max(beyond - 0.06f, 0.0f) *
                       (1 + std::sin(9 * phi + 0.6f * std::sin(2.2f * t)));
    const float radius = kBallRadius + 0.03f;
    const float slope = std::min(theta + 0.9f * wrapped * beyond, 1.5f);
    const float r = radius * std::sin(theta) + beyond * std::cos(slope) + fold;
    const float z = radius * std::cos(theta) - beyond * std::sin(slope) + 0.4f * fold;
    x.emplace_back(r * std::cos(phi), r * std::sin(phi), z + static_cast<float>(kBallCentre.z()));
  }
  return x;
}

/// Green strain of every face against its rest coordinates.
std::vector<Vec3f> SyntheticRun::strains(const std::vector<Vec3f>& x) const {
  const SnapshotObject& cloth = model_.objects[kCloth];
  std::vector<Vec3f> result;
  result.reserve(cloth.triangles.size());
  for (const Triangle& face : cloth.triangles) {
    const auto at = [&](int k) { return static_cast<size_t>(face[static_cast<size_t>(k)]); };
    Eigen::Matrix<float, 3, 2> now;
    now << x[at(1)] - x[at(0)], x[at(2)] - x[at(0)];
    Eigen::Matrix2f rest;
    rest << cloth.uv[at(1)] - cloth.uv[at(0)], cloth.uv[at(2)] - cloth.uv[at(0)];
    const Eigen::Matrix<float, 3, 2> F = now * rest.inverse();
    const Eigen::Matrix2f E = 0.5f * (F.transpose() * F - Eigen::Matrix2f::Identity());
    result.emplace_back(E(0, 0), E(1, 1), E(0, 1));
  }
  return result;
}

/// Presses where the cloth lies on the ball, most at its top.
std::vector<float> SyntheticRun::pressures(const std::vector<Vec3f>& x) const {
  std::vector<float> result;
  result.reserve(x.size());
  for (const Vec3f& point : x) {
    const Vec3f from_centre = point - kBallCentre.cast<float>();
    const bool touches = from_centre.norm() < kBallRadius + 0.031f;
    result.push_back(touches ? 5e-3f * std::max(0.0f, from_centre.normalized().z()) : 0.0f);
  }
  return result;
}

Snapshot SyntheticRun::frame(std::int64_t index, double time) const {
  constexpr double kStep = 1e-3;
  Snapshot snapshot{.frame = index, .time = time, .objects = std::vector<SnapshotObjectFrame>(3)};
  SnapshotObjectFrame& cloth = snapshot.objects[kCloth];
  cloth.positions = positions(time);
  const std::vector<Vec3f> later = positions(time + kStep);
  for (size_t i = 0; i < later.size(); ++i)
    cloth.velocities.push_back((later[i] - cloth.positions[i]) / static_cast<float>(kStep));
  cloth.strains = strains(cloth.positions);
  cloth.pressures = pressures(cloth.positions);
  snapshot.objects[1].pose.translation = kBallCentre;
  snapshot.objects[2].pose = {Quat(Eigen::AngleAxisd(time, Vec3::UnitZ())), Vec3(0.75, -0.1, 0.1)};
  return snapshot;
}

void SyntheticRun::write(const std::filesystem::path& folder, int frames) const {
  const RunFolder run(folder);
  std::filesystem::create_directories(run.frames());
  HEDDLE_CHECK(write_model(run.model(), model_).ok());
  for (int i = 0; i < frames; ++i)
    HEDDLE_CHECK(write_snapshot(run.frame(i), frame(i, i / model_.frame_rate)).ok());
  write_checked(run.run_json(), R"({"title": "Cloth over a ball", "status": "finished"})");
  write_checked(run.metrics_csv(), metrics_table(frames));
}

}  // namespace heddle::test
