#pragma once

#include <heddle/io/run_folder.h>

#include <string>
#include <vector>

namespace heddle {

struct ExportOptions;
enum class RodExport;

/// The objects and frames of a run that an export asked for; every frame was read once and is finite.
class ExportSource {
 public:
  static Result<ExportSource> open(const RunReader& run, const ExportOptions& options);

  const SnapshotModel& model() const { return run_->model(); }
  size_t object_count() const { return objects_.size(); }
  const SnapshotObject& object(size_t i) const { return objects_[i].object; }
  size_t frame_count() const { return positions_.size(); }
  /// The number in the name of the frame's file.
  std::int64_t frame_number(size_t k) const;
  /// Strictly ascending, s; from the frame rate where the run's own times do not ascend.
  const std::vector<double>& times() const { return times_; }
  /// The moving parts of the chosen objects, in the order of object().
  Result<std::vector<SnapshotObjectFrame>> read(size_t k) const;

 private:
  explicit ExportSource(const RunReader& run) : run_(&run) {}
  /// An object of the run as it is written.
  struct Chosen {
    size_t source = 0;  // of the model
    bool as_curves = false;
    SnapshotObject object;
  };

  Status choose_object(const std::string& name, RodExport rods);
  void choose(size_t source, RodExport rods);
  Status choose_frames(int first, int last);
  Status check_frames();

  const RunReader* run_;
  std::vector<Chosen> objects_;
  std::vector<int> positions_;
  std::vector<double> times_;
};

/// Where the vertices are in the world, m.
std::vector<Vec3f> world_positions(const SnapshotObject& object, const SnapshotObjectFrame& frame);

/// Area-weighted normals of length 1; z where a vertex has no face.
std::vector<Vec3f> vertex_normals(const std::vector<Triangle>& triangles,
                                  const std::vector<Vec3f>& positions);

/// Index into SnapshotModel::materials of a face; 0 where the object names none.
int face_material(const SnapshotObject& object, size_t face);

/// The names with everything but letters, digits and _ replaced by _, not starting with a digit, all
/// different.
std::vector<std::string> unique_identifiers(const std::vector<std::string>& names);
std::vector<std::string> object_identifiers(const ExportSource& source);

}  // namespace heddle
