#pragma once

#include <heddle/render/magnetic_field.h>

namespace heddle {

/// A line along the field, from where it leaves a magnet.
struct FieldLine {
  std::vector<Vec3> points;  // m, about evenly spaced
  std::vector<double> flux;  // T, its magnitude at each point
};

/// About `count` lines from the surfaces of permanent magnets and through coils, each of which stands for
/// the same flux: they are dense where the field is strong. They end in magnets or where they leave the
/// region.
std::vector<FieldLine> field_lines(const SnapshotModel& model, const Snapshot& snapshot,
                                   const MagneticField& field, const Bounds& region, int count);

}  // namespace heddle
