#include "server/wire.h"

#include "server/wire_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json colour_json(const Vec3f& colour) {
  return Json::array({colour.x(), colour.y(), colour.z()});
}

Json material_json(const SnapshotMaterial& material) {
  return {{"name", material.name},
          {"front", colour_json(material.front_colour)},
          {"back", colour_json(material.back_colour)},
          {"pattern", material.pattern},
          {"pattern_size", material.pattern_size}};
}

/// Appends an array to the body and returns its offset there.
template <class T>
std::int64_t put_body(WireWriter& body, const std::vector<T>& array) {
  if (array.empty()) return -1;
  const auto offset = static_cast<std::int64_t>(body.size());
  body.put_array(array.data(), array.size());
  return offset;
}

Json elements_json(const SnapshotObject& object, WireWriter& body) {
  static constexpr std::array kShapes{"line", "face", "outline"};
  Json groups = Json::array();
  for (const SnapshotElements& elements : object.elements)
    groups.push_back({{"term", elements.term},
                      {"shape", kShapes[static_cast<size_t>(elements.shape)]},
                      {"count", elements.count()},
                      {"corners", put_body(body, elements.corners)}});
  return groups;
}

Json object_json(const SnapshotObject& object, WireWriter& body) {
  return {{"kind", object.kind == SnapshotObject::Kind::cloth ? "cloth" : "obstacle"},
          {"name", object.name},
          {"thickness", object.thickness},
          {"radius", object.curves.radius},
          {"vertices", object.rest_positions.size()},
          {"faces", object.triangles.size()},
          {"triangles", put_body(body, object.triangles)},
          {"rest", put_body(body, object.rest_positions)},
          {"uv", put_body(body, object.uv)},
          {"face_material", put_body(body, object.face_material)},
          {"elements", elements_json(object, body)}};
}

Diagnostics mismatch(const Snapshot& frame, const std::string& what) {
  return failure({}, fmt::format("frame {} does not fit the model of its run: {}", frame.frame, what),
                 "the folder mixes two runs; run the scene again into an empty folder");
}

float strain_step(const std::vector<Vec3f>& strains) {
  float largest = 0;
  for (const Vec3f& strain : strains) {
    const float size = strain.cwiseAbs().maxCoeff();
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest > 0 ? largest / 32767.0f : 1.0f;
}

std::int16_t quantised(float value, float step) {
  if (std::isnan(value)) return 0;
  return static_cast<std::int16_t>(std::clamp(std::round(value / step), -32767.0f, 32767.0f));
}

void put_cloth(WireWriter& out, const SnapshotObjectFrame& object) {
  const float step = strain_step(object.strains);
  out.put<std::uint32_t>(0);
  out.put(static_cast<std::uint32_t>(object.positions.size()));
  out.put(static_cast<std::uint32_t>(object.strains.size()));
  out.put(static_cast<std::uint32_t>(object.pressures.size()));
  out.put(step);
  out.put(static_cast<std::uint32_t>(object.treatments.size()));
  out.put(static_cast<std::uint32_t>(object.components.size()));
  out.put(static_cast<std::uint32_t>(object.paces.size()));
  out.put_array(object.positions.data(), object.positions.size());
  for (size_t i = 0; i < object.positions.size(); ++i)
    out.put(object.velocities.empty() ? 0.0f : object.velocities[i].norm());
  out.put_array(object.pressures.data(), object.pressures.size());
  out.put_array(object.components.data(), object.components.size());
  out.put_array(object.paces.data(), object.paces.size());
  for (const Vec3f& strain : object.strains)
    for (int k = 0; k < 3; ++k) out.put(quantised(strain[k], step));
  out.put_array(object.treatments.data(), object.treatments.size());
  out.align(4);
}

void put_obstacle(WireWriter& out, const SnapshotObjectFrame& object) {
  out.put<std::uint32_t>(1);
  out.put(static_cast<std::uint32_t>(object.positions.size()));
  out.put<std::uint32_t>(0);
  out.put<std::uint32_t>(0);
  out.put(0.0f);
  out.put<std::uint32_t>(0);
  out.put<std::uint32_t>(0);
  out.put<std::uint32_t>(0);
  if (!object.positions.empty()) return out.put_array(object.positions.data(), object.positions.size());
  const RigidTransform& pose = object.pose;
  for (int k = 0; k < 4; ++k) out.put(static_cast<float>(pose.rotation.coeffs()[k]));
  for (int k = 0; k < 3; ++k) out.put(static_cast<float>(pose.translation[k]));
  out.put(0.0f);
}

void put_load(WireWriter& out, const SnapshotLoad& load) {
  for (const Vec3& vector : {load.centre, load.force, load.torque})
    for (int k = 0; k < 3; ++k) out.put(static_cast<float>(vector[k]));
}

size_t load_count(const Snapshot& frame) {
  return frame.magnets.size() + frame.coils.size();
}

size_t frame_size(const Snapshot& frame) {
  size_t bytes = 32 + 36 * load_count(frame);
  for (const SnapshotObjectFrame& object : frame.objects)
    bytes += 64 + object.positions.size() * 16 + object.pressures.size() * 4 + object.strains.size() * 6 +
             object.treatments.size() + (object.components.size() + object.paces.size()) * 4;
  return bytes;
}

}  // namespace

std::string model_message(const SnapshotModel& model) {
  WireWriter body;
  Json header = {{"frame_rate", model.frame_rate}, {"materials", Json::array()}, {"objects", Json::array()}};
  for (const SnapshotMaterial& material : model.materials)
    header["materials"].push_back(material_json(material));
  for (const SnapshotObject& object : model.objects) header["objects"].push_back(object_json(object, body));
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');

  WireWriter out(16 + text.size() + body.size());
  out.put(kModelMagic);
  out.put(kWireVersion);
  out.put(static_cast<std::uint32_t>(text.size()));
  out.put<std::uint32_t>(0);
  return out.take() + text + body.take();
}

Status check_frame(const SnapshotModel& model, const Snapshot& frame) {
  if (frame.objects.size() != model.objects.size())
    return mismatch(
        frame, fmt::format("{} objects where the model has {}", frame.objects.size(), model.objects.size()));
  for (size_t i = 0; i < frame.objects.size(); ++i) {
    const SnapshotObject& object = model.objects[i];
    if (object.kind == SnapshotObject::Kind::obstacle && frame.objects[i].positions.empty()) continue;
    const auto wrong = [&](const char* what, size_t found, size_t expected) {
      return mismatch(
          frame, fmt::format("{} {} of \"{}\" where the model has {}", found, what, object.name, expected));
    };
    const SnapshotObjectFrame& moving = frame.objects[i];
    const size_t vertices = object.rest_positions.size(), faces = object.triangles.size();
    if (moving.positions.size() != vertices) return wrong("positions", moving.positions.size(), vertices);
    if (!moving.velocities.empty() && moving.velocities.size() != vertices)
      return wrong("velocities", moving.velocities.size(), vertices);
    if (!moving.strains.empty() && moving.strains.size() != faces)
      return wrong("strains", moving.strains.size(), faces);
    if (!moving.pressures.empty() && moving.pressures.size() != vertices)
      return wrong("pressures", moving.pressures.size(), vertices);
    if (!moving.treatments.empty() && moving.treatments.size() != element_count(object))
      return wrong("treatments", moving.treatments.size(), element_count(object));
    if (!moving.components.empty() && moving.components.size() != vertices)
      return wrong("components", moving.components.size(), vertices);
    if (!moving.paces.empty() && moving.paces.size() != vertices)
      return wrong("paces", moving.paces.size(), vertices);
  }
  return Done{};
}

Result<std::string> frame_message(const SnapshotModel& model, const Snapshot& frame) {
  if (Status fits = check_frame(model, frame); !fits) return fits.errors();
  WireWriter out(frame_size(frame));
  out.put(kFrameMagic);
  out.put(kWireVersion);
  out.put(frame.time);
  out.put(frame.frame);
  out.put(static_cast<std::uint32_t>(frame.objects.size()));
  out.put(static_cast<std::uint32_t>(load_count(frame)));
  for (size_t i = 0; i < frame.objects.size(); ++i) {
    if (model.objects[i].kind == SnapshotObject::Kind::cloth)
      put_cloth(out, frame.objects[i]);
    else
      put_obstacle(out, frame.objects[i]);
  }
  for (const SnapshotMagnet& magnet : frame.magnets) put_load(out, magnet.load);
  for (const SnapshotCoil& coil : frame.coils) put_load(out, coil.load);
  return out.take();
}

}  // namespace heddle
