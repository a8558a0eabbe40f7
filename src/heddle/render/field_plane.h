#pragma once

#include <heddle/render/magnetic_field.h>
#include <heddle/render/surface.h>

#include <optional>
#include <string>

namespace heddle {

/// A plane across an axis, as "y=0.01" (m); nothing if the text is not one.
struct FieldPlane {
  int axis = 1;
  float place = 0;
  static std::optional<FieldPlane> from_text(const std::string& text);
};

/// Through the middle of the permanent magnets (and coils), across the axis along which they are magnetised
/// the least; of equal ones the nearest to the direction of view.
FieldPlane usual_plane(const Snapshot& snapshot, const Vec3& view);

/// Colour (linear RGB) of a flux density: dark to pale over three decades up to `range`, T.
Vec3f flux_colour(double flux, double range);

/// The part of a plane within the region, coloured by the magnitude of the field.
Surface field_slice(const MagneticField& field, const Bounds& region, const FieldPlane& plane, double range);

/// Iron filings on a sheet of paper in the plane, seen from `eye`.
std::vector<Surface> iron_filings(const MagneticField& field, const Bounds& region, const FieldPlane& plane,
                                  const Vec3& eye);

/// A round flux density (T) that is exceeded in a few places of the plane only.
double typical_flux(const MagneticField& field, const Bounds& region, const FieldPlane& plane);

}  // namespace heddle
