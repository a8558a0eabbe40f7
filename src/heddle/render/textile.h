#pragma once

#include <heddle/io/snapshot.h>

#include <optional>

namespace heddle {

enum class Pattern { plain, weave, checker };

/// Empty if there is no such pattern.
std::optional<Pattern> pattern_from_name(const std::string& name);

/// What a pattern does to the surface at one point.
struct PatternSample {
  float brightness = 1;        // factor on the colour
  float whiteness = 0;         // how much of the colour is replaced by off-white, in [0, 1]
  Eigen::Vector2f tilt{0, 0};  // slope of the yarn along weft and warp
};

/// The pattern at rest coordinates `uv` (m). `size` is the period in m. Details fade to their average as
/// `footprint`, the width of what a pixel sees (m), approaches their size.
PatternSample evaluate_pattern(Pattern pattern, float size, const Eigen::Vector2f& uv, float footprint);

/// Diffuse reflection and transmission below a fuzzy layer of fibres that shines at grazing angles.
struct TextileSurface {
  Vec3f albedo{0.5f, 0.5f, 0.5f};
  float translucency = 0;  // share of the diffuse light that passes through
  float sheen = 0;         // strength of the fuzz
  Vec3f sheen_colour{1, 1, 1};
};

/// Scattered over incoming radiance, cosine included, divided by the cosine density |cos| / pi. Both cosines
/// are to the shading normal on the viewer's side; a negative `cos_in` asks for transmission.
Vec3f scatter(const TextileSurface& surface, float cos_out, float cos_in, float cos_half);

}  // namespace heddle
