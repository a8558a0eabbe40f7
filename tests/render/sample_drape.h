#pragma once

#include <heddle/io/snapshot.h>

namespace heddle::test {

/// A run of one frame: a square cloth draped in folds over a ball, `cells` quads along each side.
struct Drape {
  SnapshotModel model;
  Snapshot snapshot;
};
Drape sample_drape(int cells);

/// Adds a posed obstacle.
void add_ball(Drape& drape, const Vec3f& centre, float radius);
void add_level_plane(Drape& drape, float height, float half_width);

/// A flat square cloth facing up, `size` m wide, at `height`; two triangles of the given colour, no pattern.
Drape flat_cloth(float size, float height, const Vec3f& colour);

}  // namespace heddle::test
