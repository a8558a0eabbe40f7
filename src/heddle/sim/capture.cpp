#include <heddle/sim/capture.h>

#include <heddle/sim/capture_elements.h>
#include <heddle/sim/capture_rods.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::vector<Vec3f> single_precision(std::span<const Vec3> values) {
  std::vector<Vec3f> result;
  result.reserve(values.size());
  for (const Vec3& value : values) result.push_back(value.cast<float>());
  return result;
}

SnapshotObject drawable_cloth(const Simulation& sim, const ClothPart& cloth) {
  SnapshotObject object;
  object.kind = SnapshotObject::Kind::cloth;
  object.name = cloth.name;
  object.triangles = cloth.triangles;
  object.rest_positions =
      single_precision(std::span(sim.state.x).subspan(at(cloth.first_particle), at(cloth.particle_count)));
  for (const Vec2& uv : cloth.uv) object.uv.push_back(uv.cast<float>());
  object.face_material.assign(cloth.face_material.begin(), cloth.face_material.end());
  object.thickness = static_cast<float>(cloth.thickness);
  object.elements = drawable_elements(sim, cloth);
  return object;
}

SnapshotObject drawable_obstacle(const ObstaclePart& obstacle) {
  SnapshotObject object;
  object.kind = SnapshotObject::Kind::obstacle;
  object.name = obstacle.name;
  object.triangles = obstacle.surface->triangles;
  const MovingSurface& surface = *obstacle.surface;
  object.rest_positions = single_precision(surface.deforms() ? surface.positions(0) : surface.vertices);
  object.thickness = static_cast<float>(obstacle.thickness);
  return object;
}

SnapshotObject drawable_body(const BodyPart& body) {
  SnapshotObject object;
  object.kind = SnapshotObject::Kind::obstacle;
  object.name = body.name;
  object.triangles = body.surface->triangles;
  object.rest_positions = single_precision(body.surface->vertices);
  return object;
}

/// A rigid surface needs its pose only.
SnapshotObjectFrame moved(const MovingSurface& surface, double time) {
  SnapshotObjectFrame frame;
  if (surface.deforms())
    frame.positions = single_precision(surface.positions(time));
  else
    frame.pose = surface.motion.at(time);
  return frame;
}

SnapshotMaterial drawable_material(const Material& material) {
  return {.name = material.name,
          .front_colour = material.fabric.colour.cast<float>(),
          .back_colour = material.fabric.back_colour.cast<float>(),
          .pattern = material.fabric.pattern,
          .pattern_size = static_cast<float>(material.fabric.pattern_size)};
}

std::vector<Vec3f> strains_of(const ClothPart& cloth, const State& state) {
  std::vector<Vec3f> strains(cloth.triangles.size());
  parallel_for(static_cast<int>(strains.size()), [&](int f) {
    const FaceStrain s = cloth.gauge.strain(f, state.x);
    strains[at(f)] = Vec3(s.weft, s.warp, s.shear).cast<float>();
  });
  return strains;
}

/// By particle, N.
std::vector<float> pressures_on(const State& state, std::span<const double> of_surfaces) {
  std::vector<double> sums(state.x.size(), 0);
  std::copy(of_surfaces.begin(), of_surfaces.end(), sums.begin());
  for (const ParticleContact& contact : state.contacts) sums[at(contact.particle)] += contact.normal_force;
  return {sums.begin(), sums.end()};
}

}  // namespace

SnapshotModel capture_model(const Simulation& sim) {
  const Model& model = sim.model;
  SnapshotModel result;
  result.frame_rate = model.frame_rate;
  for (const ClothPart& cloth : model.cloths) result.objects.push_back(drawable_cloth(sim, cloth));
  for (const Material& material : model.materials) result.materials.push_back(drawable_material(material));
  for (const RodPart& rod : model.rods) add_drawable_rod(rod, sim.state, result);
  for (const ObstaclePart& obstacle : model.obstacles) result.objects.push_back(drawable_obstacle(obstacle));
  for (const BodyPart& body : model.bodies) result.objects.push_back(drawable_body(body));
  return result;
}

Snapshot capture(const Simulation& sim, std::int64_t frame, double dt, std::span<const double> pressures) {
  const Model& model = sim.model;
  const State& state = sim.state;
  Snapshot snapshot{.frame = frame, .time = state.time};
  const std::vector<float> pressed = pressures_on(state, pressures);
  const TreatmentFinder treatments(sim, dt);
  const std::vector<float> paces = paces_of(sim, dt);
  const std::vector<int> components = drawable_components(sim.integrator->components());
  for (const ClothPart& cloth : model.cloths) {
    SnapshotObjectFrame& part = snapshot.objects.emplace_back();
    part.positions =
        single_precision(std::span(state.x).subspan(at(cloth.first_particle), at(cloth.particle_count)));
    part.velocities =
        single_precision(std::span(state.v).subspan(at(cloth.first_particle), at(cloth.particle_count)));
    part.strains = strains_of(cloth, state);
    const auto first = pressed.begin() + cloth.first_particle;
    part.pressures.assign(first, first + cloth.particle_count);
    part.treatments = treatments.of(cloth);
    if (!paces.empty())
      part.paces.assign(paces.begin() + cloth.first_particle,
                        paces.begin() + cloth.first_particle + cloth.particle_count);
    if (components.empty()) continue;
    const auto own = std::span(components).subspan(at(cloth.first_particle), at(cloth.particle_count));
    part.components.assign(own.begin(), own.end());
  }
  for (const RodPart& rod : model.rods) snapshot.objects.push_back(drawn_rod(rod, state, pressed));
  for (const ObstaclePart& obstacle : model.obstacles)
    snapshot.objects.push_back(moved(*obstacle.surface, state.time));
  for (size_t k = 0; k < model.bodies.size(); ++k)
    snapshot.objects.emplace_back().pose = model.bodies[k].pose(state.bodies[k]);
  if (sim.magnets) {
    sim.magnets->update(model, state);  // the last step knew where all was at its beginning
    sim.magnets->draw(model, snapshot);
  }
  return snapshot;
}

}  // namespace heddle
