#pragma once

#include <heddle/core/result.h>
#include <heddle/io/snapshot.h>

#include <string>
#include <string_view>

namespace heddle {

/// The bytes of a .snap file, all little-endian:
///   8 bytes "HEDDLESN", u32 version, u32 kind (1 model, 2 snapshot), u64 size of the payload,
///   payload, u64 FNV-1a checksum of everything before it.
/// Arrays are a u64 count and the elements; texts a u64 count and UTF-8.
std::string encode_model(const SnapshotModel& model);
std::string encode_snapshot(const Snapshot& snapshot);

/// Any bytes are safe to pass. `name` is the file that errors name. Indices of a decoded model are in range,
/// its per-vertex and per-face arrays are empty or complete.
Result<SnapshotModel> decode_model(std::string_view bytes, const std::string& name);
Result<Snapshot> decode_snapshot(std::string_view bytes, const std::string& name);

}  // namespace heddle
