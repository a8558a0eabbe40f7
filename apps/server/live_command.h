#pragma once

#include <heddle/core/result.h>
#include <heddle/io/snapshot.h>

#include <string_view>
#include <variant>

namespace heddle {

/// What a page may say over /live: {"type": "pause", "on": true}, {"type": "step"}, {"type": "release"},
/// {"type": "grab", "object": 0, "vertex": 12, "target": [x, y, z]}, and {"type": "seen"} after each frame
/// that it has shown: from the first one on, a new frame is sent only when the one before was seen.
struct PauseCommand {
  bool on = false;
};
struct StepCommand {};
struct GrabCommand {
  int object = 0;
  int vertex = 0;
  Vec3 target = Vec3::Zero();  // m
};
struct ReleaseCommand {};
struct SeenCommand {};
using LiveCommand = std::variant<PauseCommand, StepCommand, GrabCommand, ReleaseCommand, SeenCommand>;

/// Takes any bytes. A grab is accepted only for an existing vertex of a cloth and a finite target.
Result<LiveCommand> parse_live_command(std::string_view text, const SnapshotModel& model);

}  // namespace heddle
