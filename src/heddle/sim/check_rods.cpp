#include <heddle/sim/check_meshes.h>
#include <heddle/sim/place_text.h>
#include <heddle/sim/rod_contact.h>

#include <algorithm>

namespace heddle {

namespace {

/// The rod that a particle belongs to; none if it is of cloth.
const RodPart* rod_of(const Model& model, int particle) {
  for (const RodPart& rod : model.rods)
    if (particle >= rod.place.first_particle && particle < rod.place.first_particle + rod.place.node_count)
      return &rod;
  return nullptr;
}

std::string name_of(const Model& model, int particle) {
  if (const RodPart* rod = rod_of(model, particle)) return "rod " + in_quotes(rod->name);
  for (const ClothPart& cloth : model.cloths)
    if (particle >= cloth.first_particle && particle < cloth.first_particle + cloth.particle_count)
      return "cloth " + in_quotes(cloth.name);
  return "";
}

}  // namespace

Diagnostics check_rod_overlaps(const Simulation& simulation, const SceneDescription& scene) {
  Diagnostics found;
  const Model& model = simulation.model;
  if (model.rods.empty() || !simulation.surface_contact || !simulation.surface_contact->scope().self)
    return found;
  const RodOverlaps overlaps = RodOverlapCounter(model, simulation.state.x).count(simulation.state.x);
  if (overlaps.rods + overlaps.cloth == 0) return found;
  const auto [a, b] = overlaps.particles;
  const RodPart* rod = rod_of(model, b) ? rod_of(model, b) : rod_of(model, a);
  const double depth = overlaps.deepest * rod->radius;
  found.error(scene.rods[static_cast<size_t>(rod - model.rods.data())].where,
              name_of(model, a) + " and " + name_of(model, b) + " start in each other by " +
                  short_number_text(depth) + " m near " + place_text(overlaps.place),
              "move one of them by more than that, or use a smaller radius");
  return found;
}

}  // namespace heddle
