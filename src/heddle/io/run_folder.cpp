#include <heddle/io/atomic_file.h>
#include <heddle/io/run_folder.h>
#include <heddle/io/run_record.h>
#include <heddle/io/snapshot_codec.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace heddle {
namespace fs = std::filesystem;
namespace {

/// The index in names such as 000012.snap.
std::optional<std::int64_t> index_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  if (file.extension() != ".snap" || stem.size() < 6) return std::nullopt;
  std::int64_t index = -1;
  const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), index);
  if (error != std::errc() || end != stem.data() + stem.size() || index < 0) return std::nullopt;
  return index;
}

/// Empty if the snapshot has the arrays that the model's object asks for.
std::string mismatch(const SnapshotObject& object, const SnapshotObjectFrame& frame) {
  const size_t vertices = object.rest_positions.size();
  const auto wrong = [](size_t found, size_t expected) { return found != 0 && found != expected; };
  const bool is_rigid = object.kind == SnapshotObject::Kind::obstacle && frame.positions.empty();
  if (!is_rigid && frame.positions.size() != vertices)
    return fmt::format("{} positions instead of {}", frame.positions.size(), vertices);
  if (wrong(frame.velocities.size(), vertices))
    return fmt::format("{} velocities instead of {}", frame.velocities.size(), vertices);
  if (wrong(frame.strains.size(), object.triangles.size()))
    return fmt::format("{} strains instead of {}", frame.strains.size(), object.triangles.size());
  if (wrong(frame.pressures.size(), vertices))
    return fmt::format("{} pressures instead of {}", frame.pressures.size(), vertices);
  if (wrong(frame.paces.size(), vertices))
    return fmt::format("{} paces instead of {}", frame.paces.size(), vertices);
  return {};
}

}  // namespace

fs::path RunFolder::frame(std::int64_t index) const {
  return frames() / fmt::format("{:06}.snap", index);
}

std::vector<std::int64_t> RunFolder::frame_indices() const {
  std::vector<std::int64_t> indices;
  std::error_code error;
  for (fs::directory_iterator entry(frames(), error), end; !error && entry != end; entry.increment(error))
    if (const auto index = index_of(entry->path())) indices.push_back(*index);
  std::sort(indices.begin(), indices.end());
  return indices;
}

Result<SnapshotModel> read_model(const fs::path& file) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  return decode_model(*bytes, file.string());
}

Result<Snapshot> read_snapshot(const fs::path& file) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  return decode_snapshot(*bytes, file.string());
}

Status write_model(const fs::path& file, const SnapshotModel& model) {
  return write_file_atomically(file, encode_model(model));
}

Status write_snapshot(const fs::path& file, const Snapshot& snapshot) {
  return write_file_atomically(file, encode_snapshot(snapshot));
}

Result<RunReader> RunReader::open(const fs::path& folder) {
  const RunFolder run(folder);
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return failure({folder.string()}, "is not a folder", "give the folder that `heddle run` wrote");
  if (!fs::exists(run.model(), error))
    return failure({folder.string()}, "is not a run folder: it has no model.snap",
                   "give the folder that `heddle run` wrote");
  Result<SnapshotModel> model = read_model(run.model());
  if (!model) return model.errors();
  // In this order: a run that is going on writes its frames before its record.
  const Result<RunRecord> record = read_record(run);
  std::vector<std::int64_t> indices = run.frame_indices();
  const std::int64_t last_frame =
      std::max(record ? record->frame : -1, indices.empty() ? -1 : indices.back());
  return RunReader(run, std::move(*model), std::move(indices), last_frame);
}

Result<Snapshot> RunReader::read(int position) const {
  HEDDLE_CHECK(position >= 0 && position < frame_count());
  const fs::path file = folder_.frame(indices_[static_cast<size_t>(position)]);
  Result<Snapshot> snapshot = read_snapshot(file);
  if (!snapshot) return snapshot;
  if (snapshot->objects.size() != model_.objects.size())
    return failure(
        {file.string()},
        fmt::format("holds {} objects, the model holds {}", snapshot->objects.size(), model_.objects.size()),
        "write it again by resuming or repeating the run");
  for (size_t i = 0; i < model_.objects.size(); ++i)
    if (const std::string problem = mismatch(model_.objects[i], snapshot->objects[i]); !problem.empty())
      return failure({file.string()}, fmt::format("object \"{}\" has {}", model_.objects[i].name, problem),
                     "write it again by resuming or repeating the run");
  return snapshot;
}

}  // namespace heddle
