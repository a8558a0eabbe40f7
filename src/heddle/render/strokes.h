#pragma once

#include <heddle/render/surface.h>

#include <span>

namespace heddle {

// Round strokes, added to a surface whose faces have colours. Lengths in m.

/// A tube through points; `colours` as many as points, each for the part behind its point.
void add_tube(std::span<const Vec3f> points, float radius, std::span<const Vec3f> colours, Surface& surface);
/// A cone from the middle of its base to its tip.
void add_cone(const Vec3f& base, const Vec3f& tip, float radius, const Vec3f& colour, Surface& surface);
/// A shaft along points that ends in a head at the last one, which is `head` long.
void add_arrow(std::span<const Vec3f> points, float radius, float head, const Vec3f& colour,
               Surface& surface);

}  // namespace heddle
