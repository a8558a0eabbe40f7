#pragma once

#include <heddle/core/describe.h>
#include <heddle/io/mesh_import.h>
#include <heddle/mesh/moving_surface.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

/// What a scene tells of every kind of sequence.
struct SequenceParameters {
  std::string path;         // relative to the scene's folder
  double frame_rate = 25;   // 1/s
  double start = 0;         // s, time of the first frame
  std::string up = "auto";  // auto, y, z
  double scale = 1;         // m per unit of the file
};

/// A numbered file for every frame: {"type": "files", "path": "walk_####.obj"}.
struct FileSequence : SequenceParameters {
  static void describe(Describer<FileSequence>& d);
};

/// A point cache and the mesh whose vertices it moves: {"type": "pc2", "path": "a.pc2", "mesh": "a.obj"}.
struct Pc2Sequence : SequenceParameters {
  std::string mesh;
  static void describe(Describer<Pc2Sequence>& d);
};

/// The skeleton, nodes and morph targets of a file: {"type": "animation", "path": "walk.glb"}.
struct AnimationSequence : SequenceParameters {
  AnimationSequence() { frame_rate = 60; }
  std::string animation;  // its name; empty: the first one
  static void describe(Describer<AnimationSequence>& d);
};

void add_sequences(Catalogue& catalogue);

/// A surface whose vertices move: positions of the mesh are those of the first sample.
struct MeshSequence {
  TriangleMesh mesh;  // m, z up
  VertexSamples samples;
};

/// Loads any of the above; every sample is finite and within the largest scene. `warnings` may be null.
Result<MeshSequence> load_sequence(const Entity& sequence, const std::filesystem::path& base_folder,
                                   Diagnostics* warnings = nullptr);

/// All files that a sequence comes from; empty where they cannot be listed.
std::vector<std::filesystem::path> sequence_files(const Entity& sequence,
                                                  const std::filesystem::path& base_folder);

// The readers behind load_sequence: places as they stand in the files, in units and axes of the files.

/// The vertices of a sequence, not yet turned and scaled.
struct RawSequence {
  TriangleMesh mesh;
  std::vector<Vec3f> positions;  // sample after sample
  double frames_per_sample = 1;
};

/// Files whose names differ in their number only, ascending and without a gap. `pattern` is a folder, or a
/// name with one run of # in place of the number, which has at least that many digits.
Result<std::vector<std::filesystem::path>> numbered_files(const std::filesystem::path& pattern);
Result<RawSequence> read_file_sequence(const std::filesystem::path& pattern, Diagnostics* warnings);
Result<RawSequence> read_pc2(const std::filesystem::path& file, const std::filesystem::path& mesh,
                             Diagnostics* warnings);
/// Samples an animation `frame_rate` times a second: nodes, linear blend skinning, morph targets. Vertices
/// that are at equal places in every sample are joined.
Result<RawSequence> read_animation(const std::filesystem::path& file, const std::string& animation,
                                   double frame_rate, Diagnostics* warnings);

}  // namespace heddle
