#pragma once

#include <heddle/dynamics/state.h>
#include <heddle/io/run_folder.h>

#include <limits>
#include <optional>

namespace heddle {

/// A state that a run can be resumed from.
struct Checkpoint {
  std::int64_t frame = 0;  // the last complete one
  State state;
};

std::string encode_checkpoint(const Checkpoint& checkpoint);
/// Fails on bytes that are not a checkpoint of this version, cut off or damaged; `name` is shown in the
/// message.
Result<Checkpoint> decode_checkpoint(std::string_view bytes, const std::string& name);

/// Writes the checkpoint whole and then removes all but the newest two.
Status write_checkpoint(const RunFolder& folder, const Checkpoint& checkpoint);
/// The newest checkpoint up to `last_frame` that can be read, if there is one. `unusable` gets a warning for
/// each newer one that cannot.
std::optional<Checkpoint> newest_checkpoint(
    const RunFolder& folder, Diagnostics& unusable,
    std::int64_t last_frame = std::numeric_limits<std::int64_t>::max());
/// A run that goes back to `frame` must not be resumed from later ones.
void remove_checkpoints_after(const RunFolder& folder, std::int64_t frame);

/// Where the state before a failed step is kept.
std::filesystem::path failed_state_file(const RunFolder& folder);

}  // namespace heddle
