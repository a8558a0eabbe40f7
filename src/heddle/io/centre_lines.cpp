#include <heddle/io/centre_lines.h>

#include <numeric>

namespace heddle {
namespace {

size_t at(std::int32_t i) {
  return static_cast<size_t>(i);
}

std::vector<Vec3f> ring_middles(const SnapshotCurves& curves, const std::vector<Vec3f>& vertices) {
  std::vector<Vec3f> middles;
  for (const std::int32_t ring : curves.rings) {
    Vec3 sum = Vec3::Zero();
    for (std::int32_t k = 0; k < curves.ring_size; ++k) sum += vertices[at(ring + k)].cast<double>();
    middles.push_back((sum / curves.ring_size).cast<float>());
  }
  return middles;
}

/// Of each ring or line; empty if there are none.
template <class T>
std::vector<T> picked(const std::vector<T>& values, const std::vector<std::int32_t>& places) {
  std::vector<T> out;
  if (values.empty()) return out;
  for (const std::int32_t place : places) out.push_back(values[at(place)]);
  return out;
}

}  // namespace

SnapshotObject centre_lines(const SnapshotObject& rod) {
  SnapshotObject out;
  out.kind = rod.kind;
  out.name = rod.name;
  out.rest_positions = ring_middles(rod.curves, rod.rest_positions);
  out.face_material = picked(rod.face_material, rod.curves.faces);
  out.thickness = rod.thickness;
  out.curves.radius = rod.curves.radius;
  out.curves.ring_size = 1;
  out.curves.rings.resize(rod.curves.rings.size());
  std::iota(out.curves.rings.begin(), out.curves.rings.end(), 0);
  out.curves.lines = rod.curves.lines;
  return out;
}

SnapshotObjectFrame centre_lines(const SnapshotObject& rod, const SnapshotObjectFrame& frame) {
  SnapshotObjectFrame out;
  out.positions = ring_middles(rod.curves, frame.positions);
  out.velocities = picked(frame.velocities, rod.curves.rings);
  out.pressures = picked(frame.pressures, rod.curves.rings);
  out.strains = picked(frame.strains, rod.curves.faces);
  return out;
}

std::vector<std::vector<std::int32_t>> polylines(const SnapshotCurves& curves) {
  std::vector<std::vector<std::int32_t>> rows;
  for (const auto& [from, to] : curves.lines) {
    const bool is_ring = !rows.empty() && rows.back().front() == rows.back().back();
    if (rows.empty() || is_ring || rows.back().back() != from) rows.push_back({from});
    rows.back().push_back(to);
  }
  return rows;
}

}  // namespace heddle
