#include "server/frame_codec.h"

#include "server/wire_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle {
namespace {

constexpr float kPositionLevels = 65535;
constexpr float kScalarLevels = 2047;
constexpr int kLastComponent = 65535;

void include_finite(float& largest, float value) {
  if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
}

float step_of(float largest, float levels) {
  return largest > 0 ? largest / levels : 1.0f;
}

std::uint16_t level(float value, float step, float lowest, float highest) {
  if (std::isnan(value)) return 0;
  return static_cast<std::uint16_t>(static_cast<int>(std::clamp(std::round(value / step), lowest, highest)));
}

std::vector<std::uint16_t> position_levels(const SnapshotObject& object, const SnapshotObjectFrame& frame,
                                           const ObjectQuantisation& q) {
  std::vector<std::uint16_t> levels;
  levels.reserve(q.vertices * 4 + q.pressed_vertices + q.strained_faces * 3 + q.treated_elements +
                 q.component_vertices + q.paced_vertices);
  for (int k = 0; k < 3; ++k)
    for (size_t i = 0; i < q.vertices; ++i) {
      const float x = static_cast<float>(world_position(object, frame, i)[k]);
      levels.push_back(level(x - q.origin[k], q.step, 0, kPositionLevels));
    }
  return levels;
}

std::vector<std::uint16_t> cloth_levels(const SnapshotObject& object, const SnapshotObjectFrame& frame,
                                        const ObjectQuantisation& q) {
  std::vector<std::uint16_t> levels = position_levels(object, frame, q);
  for (size_t i = 0; i < frame.positions.size(); ++i) {
    const float speed = frame.velocities.empty() ? 0 : frame.velocities[i].norm();
    levels.push_back(level(speed, q.speed_step, 0, kScalarLevels));
  }
  for (size_t i = 0; i < q.pressed_vertices; ++i)
    levels.push_back(level(frame.pressures[i], q.pressure_step, 0, kScalarLevels));
  for (int k = 0; k < 3; ++k)
    for (size_t f = 0; f < q.strained_faces; ++f)
      levels.push_back(level(frame.strains[f][k], q.strain_step, -kScalarLevels, kScalarLevels));
  for (size_t e = 0; e < q.treated_elements; ++e)
    levels.push_back(e < frame.treatments.size() ? static_cast<std::uint16_t>(frame.treatments[e]) : 0);
  for (size_t i = 0; i < q.component_vertices; ++i)
    levels.push_back(i < frame.components.size()
                         ? static_cast<std::uint16_t>(std::min(frame.components[i] + 1, kLastComponent))
                         : 0);
  for (size_t i = 0; i < q.paced_vertices; ++i)
    levels.push_back(i < frame.paces.size() ? level(frame.paces[i], q.pace_step, 0, kScalarLevels) : 0);
  return levels;
}

/// Small differences of either sign become small numbers, whose high bytes are nearly all zero.
std::uint16_t zigzag(std::uint16_t now, std::uint16_t before) {
  const auto difference = static_cast<std::int16_t>(now - before);
  return static_cast<std::uint16_t>((static_cast<std::uint16_t>(difference) << 1) ^ (difference >> 15));
}

}  // namespace

QuantisationRange::QuantisationRange(const SnapshotModel& model) : ranges_(model.objects.size()) {}

void QuantisationRange::include(const Snapshot& frame) {
  for (size_t i = 0; i < ranges_.size(); ++i) {
    const SnapshotObjectFrame& object = frame.objects[i];
    Range& range = ranges_[i];
    for (const Vec3f& x : object.positions)
      if (x.allFinite()) range.box.extend(x);
    for (const Vec3f& v : object.velocities) include_finite(range.speed, v.norm());
    for (const Vec3f& e : object.strains) include_finite(range.strain, e.cwiseAbs().maxCoeff());
    for (const float p : object.pressures) include_finite(range.pressure, p);
    for (const float p : object.paces) include_finite(range.pace, p);
    range.vertices = std::max(range.vertices, object.positions.size());
    const size_t strained = object.strains.size(), pressed = object.pressures.size();
    range.strained_faces = range.first ? strained : std::min(range.strained_faces, strained);
    range.pressed_vertices = range.first ? pressed : std::min(range.pressed_vertices, pressed);
    range.treated_elements = std::max(range.treated_elements, object.treatments.size());
    range.component_vertices = std::max(range.component_vertices, object.components.size());
    range.paced_vertices = std::max(range.paced_vertices, object.paces.size());
    range.first = false;
  }
}

std::vector<ObjectQuantisation> QuantisationRange::quantisation() const {
  std::vector<ObjectQuantisation> result(ranges_.size());
  for (size_t i = 0; i < ranges_.size(); ++i) {
    const Range& range = ranges_[i];
    if (!range.box.isEmpty()) {
      result[i].origin = range.box.min();
      result[i].step = step_of(range.box.sizes().maxCoeff(), kPositionLevels);
    }
    result[i].speed_step = step_of(range.speed, kScalarLevels);
    result[i].strain_step = step_of(range.strain, kScalarLevels);
    result[i].pressure_step = step_of(range.pressure, kScalarLevels);
    result[i].pace_step = step_of(range.pace, kScalarLevels);
    result[i].vertices = range.vertices;
    result[i].strained_faces = range.strained_faces;
    result[i].pressed_vertices = range.pressed_vertices;
    result[i].treated_elements = range.treated_elements;
    result[i].component_vertices = range.component_vertices;
    result[i].paced_vertices = range.paced_vertices;
  }
  return result;
}

ChunkEncoder::ChunkEncoder(const SnapshotModel& model, std::vector<ObjectQuantisation> quantisation)
    : model_(model), quantisation_(std::move(quantisation)), previous_(model.objects.size()) {}

void ChunkEncoder::add(const Snapshot& frame) {
  for (size_t i = 0; i < model_.objects.size(); ++i) {
    const SnapshotObject& object = model_.objects[i];
    const SnapshotObjectFrame& moving = frame.objects[i];
    if (object.kind == SnapshotObject::Kind::cloth) {
      add_levels(i, cloth_levels(object, moving, quantisation_[i]));
      continue;
    }
    if (quantisation_[i].vertices > 0) {
      add_levels(i, position_levels(object, moving, quantisation_[i]));
      continue;
    }
    const RigidTransform& pose = moving.pose;
    WireWriter out;
    for (int k = 0; k < 4; ++k) out.put(static_cast<float>(pose.rotation.coeffs()[k]));
    for (int k = 0; k < 3; ++k) out.put(static_cast<float>(pose.translation[k]));
    out.put(0.0f);
    bytes_ += out.take();
  }
}

void ChunkEncoder::add_levels(size_t object, std::vector<std::uint16_t> levels) {
  const std::vector<std::uint16_t>& previous = previous_[object];
  const size_t start = bytes_.size(), count = levels.size();
  bytes_.resize(start + 2 * count);
  for (size_t i = 0; i < count; ++i) {
    const std::uint16_t before = !previous.empty() ? previous[i] : i > 0 ? levels[i - 1] : 0;
    const std::uint16_t code = zigzag(levels[i], before);
    bytes_[start + i] = static_cast<char>(code & 0xff);
    bytes_[start + count + i] = static_cast<char>(code >> 8);
  }
  previous_[object] = std::move(levels);
}

std::string ChunkEncoder::take() {
  for (auto& levels : previous_) levels.clear();
  return std::exchange(bytes_, {});
}

}  // namespace heddle
