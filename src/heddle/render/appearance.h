#pragma once

#include <heddle/core/result.h>
#include <heddle/render/picture_stage.h>

namespace heddle {

/// How things look: fabrics by index, or the colours of a field over its range.
struct Appearance {
  struct Fabric {
    Vec3f front, back;  // linear RGB
    Pattern pattern;
    float size;  // m
  };
  std::vector<Fabric> fabrics;
  ColourField field = ColourField::fabric;
  float range = 1;
};

/// Errors name the material whose pattern is unknown or whose size is not positive.
Result<Appearance> make_appearance(const SnapshotModel& model, ColourField field, double range);

/// A hit with everything needed to scatter light; normals point to the viewer.
struct ShadingPoint {
  Vec3f position;
  Vec3f geometric_normal;
  Vec3f normal;
  TextileSurface surface;
};

/// `footprint` is the width of what the ray stands for at the hit, m; patterns fade as it grows.
ShadingPoint shade(const Appearance& appearance, const Hit& hit, const Vec3f& direction, float footprint);

}  // namespace heddle
