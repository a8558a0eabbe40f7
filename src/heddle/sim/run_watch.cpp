#include <heddle/sim/run_watch.h>

#include <heddle/core/text.h>
#include <heddle/sim/place_text.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Of the length at rest; knits tear at about this, wovens long before.
constexpr double kTorn = 2;

struct Stretch {
  double factor = 1;  // of the length at rest
  int face = -1;
};

Stretch largest_stretch(const ClothPart& cloth, const State& state) {
  Stretch largest;
  double green = 0;
  for (int face = 0; face < cloth.gauge.face_count(); ++face) {
    const FaceStrain strain = cloth.gauge.strain(face, state.x);
    if (std::max(strain.weft, strain.warp) <= green) continue;
    green = std::max(strain.weft, strain.warp);
    largest.face = face;
  }
  largest.factor = std::sqrt(1 + 2 * green);
  return largest;
}

}  // namespace

Diagnostics RunWatch::after_step(const Model& model, const StepSummary& summary,
                                 const std::string& scene_file) {
  Diagnostics found;
  if (!summary.squeeze) return found;
  const auto& [particle, place, time] = *summary.squeeze;
  for (const ClothPart& cloth : model.cloths) {
    const int index = particle - cloth.first_particle;
    if (index < 0 || index >= cloth.particle_count || !squeezed_.insert(cloth.name).second) continue;
    found.warning({scene_file},
                  "cloth " + in_quotes(cloth.name) + " has no room near " + place_text(place) + " at " +
                      short_number_text(time) + " s; it may pass into what squeezes it until that gives way",
                  "leave at least " + short_number_text(cloth.thickness) + " m between what moves as told");
  }
  return found;
}

Diagnostics RunWatch::after_frame(const Model& model, const State& state, const std::string& scene_file) {
  Diagnostics found;
  for (const ClothPart& cloth : model.cloths) {
    if (overstretched_.contains(cloth.name)) continue;
    const Stretch stretch = largest_stretch(cloth, state);
    if (stretch.factor < kTorn) continue;
    overstretched_.insert(cloth.name);
    const int particle = cloth.first_particle + cloth.triangles[at(stretch.face)][0];
    found.warning(
        {scene_file},
        "cloth " + in_quotes(cloth.name) + " is stretched to " + short_number_text(stretch.factor) +
            " times its length near " + place_text(state.x[at(particle)]) + " at " +
            short_number_text(state.time) + " s; no fabric bears that",
        "look for pins and obstacles that pull it apart or hold it between them, and leave at least " +
            short_number_text(cloth.thickness) +
            " m between obstacles, more where edges are longer than a quarter of their radius");
  }
  return found;
}

}  // namespace heddle
