#include "server/live_command.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace heddle {
namespace {

using Json = nlohmann::json;

/// A target this far away (m) is a mistake of the sender, and would ruin the simulation.
constexpr double kFarthestTarget = 1e6;

Diagnostics refused(std::string message, std::string remedy) {
  return failure({}, std::move(message), std::move(remedy));
}

std::optional<std::int64_t> integer_member(const Json& json, const char* name) {
  const auto it = json.find(name);
  if (it == json.end() || !it->is_number_integer()) return std::nullopt;
  if (it->is_number_unsigned() && it->get<std::uint64_t>() > INT32_MAX) return std::nullopt;
  return it->get<std::int64_t>();
}

std::optional<Vec3> point_member(const Json& json, const char* name) {
  const auto it = json.find(name);
  if (it == json.end() || !it->is_array() || it->size() != 3) return std::nullopt;
  Vec3 point;
  for (int k = 0; k < 3; ++k) {
    const Json& number = (*it)[static_cast<size_t>(k)];
    if (!number.is_number()) return std::nullopt;
    point[k] = number.get<double>();
    if (!(std::abs(point[k]) <= kFarthestTarget)) return std::nullopt;
  }
  return point;
}

Result<LiveCommand> parse_grab(const Json& json, const SnapshotModel& model) {
  const auto object = integer_member(json, "object");
  const auto vertex = integer_member(json, "vertex");
  const auto target = point_member(json, "target");
  if (!object || !vertex || !target)
    return refused("a grab needs whole numbers \"object\" and \"vertex\" and three finite numbers \"target\"",
                   R"(send {"type": "grab", "object": 0, "vertex": 12, "target": [0, 0, 1]})");
  if (*object < 0 || *object >= static_cast<std::int64_t>(model.objects.size()))
    return refused(fmt::format("there is no object {}", *object), "see the objects of /api/model");
  const SnapshotObject& chosen = model.objects[static_cast<size_t>(*object)];
  if (chosen.kind != SnapshotObject::Kind::cloth)
    return refused(fmt::format("object {} is an obstacle", *object), "only cloth can be grabbed");
  if (*vertex < 0 || *vertex >= static_cast<std::int64_t>(chosen.rest_positions.size()))
    return refused(fmt::format("object {} has no vertex {}", *object, *vertex),
                   fmt::format("vertices run from 0 to {}", chosen.rest_positions.size() - 1));
  return LiveCommand(GrabCommand{static_cast<int>(*object), static_cast<int>(*vertex), *target});
}

}  // namespace

Result<LiveCommand> parse_live_command(std::string_view text, const SnapshotModel& model) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto type = json.is_object() ? json.find("type") : json.end();
  if (!json.is_object() || type == json.end() || !type->is_string())
    return refused("a message must be a JSON object with a \"type\"", R"(send {"type": "step"})");
  const std::string name = type->get<std::string>();
  if (name == "step") return LiveCommand(StepCommand{});
  if (name == "seen") return LiveCommand(SeenCommand{});
  if (name == "release") return LiveCommand(ReleaseCommand{});
  if (name == "grab") return parse_grab(json, model);
  if (name == "pause") {
    const auto on = json.find("on");
    if (on != json.end() && on->is_boolean()) return LiveCommand(PauseCommand{on->get<bool>()});
    return refused("\"pause\" needs \"on\"", R"(send {"type": "pause", "on": true})");
  }
  return refused("unknown \"type\" of message", "known are pause, step, grab, release and seen");
}

}  // namespace heddle
