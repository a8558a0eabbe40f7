#pragma once

#include <heddle/io/snapshot.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// How the numbers of one object become 16-bit integers: value = origin + step * integer.
struct ObjectQuantisation {
  size_t vertices = 0;           // with positions in the frames; 0 for a rigid obstacle
  Vec3f origin = Vec3f::Zero();  // m
  float step = 1;                // m
  float speed_step = 1;          // m/s
  float strain_step = 1;
  float pressure_step = 1;      // N
  float pace_step = 1;          // s
  size_t strained_faces = 0;    // 0 if any frame lacks strains
  size_t pressed_vertices = 0;  // 0 if any frame lacks pressures
  size_t treated_elements = 0;
  size_t component_vertices = 0;  // 0 if no frame has components
  size_t paced_vertices = 0;      // 0 if no frame has paces
};

/// Collects the range of a run, frame by frame, and turns it into steps.
class QuantisationRange {
 public:
  explicit QuantisationRange(const SnapshotModel& model);
  void include(const Snapshot& frame);
  std::vector<ObjectQuantisation> quantisation() const;

 private:
  struct Range {
    Eigen::AlignedBox3f box;
    float speed = 0, strain = 0, pressure = 0, pace = 0;
    size_t vertices = 0, strained_faces = 0, pressed_vertices = 0;
    size_t treated_elements = 0, component_vertices = 0, paced_vertices = 0;
    bool first = true;
  };
  std::vector<Range> ranges_;
};

/// Codes successive frames of one chunk as html_export.h describes.
class ChunkEncoder {
 public:
  ChunkEncoder(const SnapshotModel& model, std::vector<ObjectQuantisation> quantisation);
  void add(const Snapshot& frame);
  /// The chunk so far; the encoder is then empty.
  std::string take();

 private:
  void add_levels(size_t object, std::vector<std::uint16_t> levels);

  const SnapshotModel& model_;
  std::vector<ObjectQuantisation> quantisation_;
  std::vector<std::vector<std::uint16_t>> previous_;  // per object; empty at the start of a chunk
  std::string bytes_;
};

}  // namespace heddle
