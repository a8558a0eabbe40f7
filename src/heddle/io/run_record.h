#pragma once

#include <heddle/core/result.h>
#include <heddle/io/run_folder.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle {

/// The content of run.json: what was run, with which settings, and how far it came.
struct RunRecord {
  std::string version;
  std::string title;  // of the scene, or the name of its file
  std::string scene_file;
  std::string scene_hash;                           // of all its files
  std::map<std::string, std::string> scene_texts;   // by name, so that the run can be repeated
  std::map<std::string, std::string> input_hashes;  // of meshes and textures, by name; empty in old records
  // running, complete, stopped, failed; never in a file: unchanged, when there was nothing to do
  std::string status = "running";
  std::string reason;      // of a failure, or why nothing was done
  double frame_rate = 25;  // 1/s
  double until = 0;        // s, what the run was asked for
  double time_step = 0;    // s
  std::string integrator;  // which one, and why; empty in old records
  int threads = 0;
  int vertices = 0;
  int faces = 0;
  std::vector<std::string>
      without_energy;       // force terms whose energy metrics.csv cannot tell; not in old records
  std::int64_t frame = -1;  // the last one written
  double wall_seconds = 0;  // of all sessions of the run together
  std::string state_hash;   // of the last frame
  /// Steps in which somebody held a vertex of the live run: the scene alone does not lead to such a state.
  std::int64_t grabbed_steps = 0;
  std::vector<std::string> warnings;
};

Status write_record(const RunFolder& folder, const RunRecord& record);
Result<RunRecord> read_record(const RunFolder& folder);
/// Whether there is a record that is empty or ends too early, as a power cut may leave it; a whole record of
/// another program is none.
bool is_record_cut(const RunFolder& folder);

/// 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace heddle
