#pragma once

#include <heddle/core/result.h>
#include <heddle/io/snapshot.h>

#include <cstdint>
#include <string>

namespace heddle {

/// The bytes between the server and the page, little-endian, every array aligned to 4 bytes.
///
/// Model message (GET /api/model)
///   u32 "HDLM"   u32 version   u32 header_bytes (a multiple of 4)   u32 0
///   header: JSON, padded with spaces
///     {"frame_rate": 25,
///      "materials": [{"name", "front": [r, g, b], "back": [r, g, b], "pattern", "pattern_size"}],
///      "objects": [{"kind": "cloth" | "obstacle", "name", "thickness", "radius": r, "vertices": n, "faces":
///      m,
///                   "triangles": offset, "rest": offset, "uv": offset, "face_material": offset,
///                   "elements": [{"term", "shape": "line" | "face" | "outline", "count": e,
///                                 "corners": offset}]}]}
///     radius: of a rod (m), 0 for all else
///   body: the arrays, found by their offset in bytes from the start of the body; -1 if absent
///     triangles i32[3 m]   rest f32[3 n]   uv f32[2 n]   face_material i32[m]
///     corners i32[2 e] of lines, i32[3 e] of faces and outlines
///
/// Frame message (GET /api/frame/N and binary messages of /live)
///   u32 "HDLF"   u32 version   f64 time (s)   i64 frame   u32 objects   u32 loads l
///   then for every object of the model, in order
///     u32 kind (0 cloth, 1 obstacle)   u32 vertices n   u32 strained faces m
///     u32 pressed vertices p (n or 0)   f32 strain_step   u32 treated elements e (all or 0)
///     u32 vertices with components c (n or 0)   u32 vertices with paces k (n or 0)
///     cloth:    f32 positions[3 n] (m)   f32 speeds[n] (m/s)   f32 pressures[p] (N)
///               i32 components[c] (of the linear system, -1 for fixed vertices)
///               f32 paces[k] (s, from event to event of the quickest element)
///               i16 strains[3 m] (weft, warp, shear: Green strain = value * strain_step)
///               u8 treatments[e] (0 inactive, 1 explicit, 2 implicit), padded to 4 bytes
///     obstacle, rigid (n = 0): f32 rotation[4] (x, y, z, w)   f32 translation[3] (m)   f32 0
///     obstacle that deforms:   f32 positions[3 n] (m)
///   then for everything that magnets and coils act on
///     f32 centre[3] (m)   f32 force[3] (N)   f32 torque[3] (N m, about the centre)
inline constexpr std::uint32_t kWireVersion = 5;
inline constexpr std::uint32_t kModelMagic = 0x4D4C4448;
inline constexpr std::uint32_t kFrameMagic = 0x464C4448;

std::string model_message(const SnapshotModel& model);

/// Fails if the frame does not fit the model, as in a folder that mixes two runs.
Result<std::string> frame_message(const SnapshotModel& model, const Snapshot& frame);

/// The check that frame_message makes.
Status check_frame(const SnapshotModel& model, const Snapshot& frame);

}  // namespace heddle
