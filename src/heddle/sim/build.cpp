#include <heddle/sim/build.h>

#include <heddle/contact/impulse_contact.h>
#include <heddle/forces/field/given_forces.h>
#include <heddle/forces/field/gravity.h>
#include <heddle/forces/membrane/stvk_membrane.h>
#include <heddle/mesh/measures.h>
#include <heddle/scene/load.h>
#include <heddle/sim/body_links.h>
#include <heddle/sim/check.h>
#include <heddle/sim/choose_integrator.h>
#include <heddle/sim/friction_pairs.h>
#include <heddle/sim/holds.h>
#include <heddle/sim/limits.h>
#include <heddle/sim/metrics.h>
#include <heddle/sim/prepared_body.h>
#include <heddle/sim/prepared_obstacle.h>
#include <heddle/sim/prepared_rod.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/rod_contact.h>
#include <heddle/sim/rod_holds.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Collects what the parts of the scene contribute until the system can be made.
struct Assembly : RodSystem {
  Model model;
  std::vector<ContactSurface> surfaces;
  std::vector<Triangle> triangles;
  std::vector<double> areas;  // m2 per particle
  std::vector<std::unique_ptr<Constraint>> constraints;
  LimitedFaces limited;
  std::vector<BodyLink> links;
  std::unique_ptr<RigidWorld> rigid;
  Riders riders;
  std::unique_ptr<MagnetWorld> magnets;
};

double mean_edge_length(const PreparedCloth& cloth) {
  double sum = 0;
  for (const Edge& edge : cloth.topology.edges)
    sum += (cloth.mesh.positions[at(edge[1])] - cloth.mesh.positions[at(edge[0])]).norm();
  return cloth.topology.edges.empty() ? 0 : sum / static_cast<double>(cloth.topology.edges.size());
}

/// Lumped masses and contact properties of the vertices (Thomaszewski 2010, 2.2.3, with ERR-3).
void add_particles(const PreparedCloth& cloth, const Vec3& velocity, Assembly& out) {
  const int n = cloth.mesh.vertex_count();
  std::vector<double> face_mass;
  for (int f = 0; f < cloth.mesh.triangle_count(); ++f)
    face_mass.push_back(cloth.fabric(f).density * cloth.rest.area[at(f)]);
  const std::vector<double> mass = vertex_areas(n, cloth.mesh.triangles, face_mass);
  out.mass.insert(out.mass.end(), mass.begin(), mass.end());
  out.weight.insert(out.weight.end(), mass.begin(), mass.end());
  const std::vector<double> areas = vertex_areas(n, cloth.mesh.triangles, cloth.rest.area);
  out.areas.insert(out.areas.end(), areas.begin(), areas.end());
  ClothPart& part = out.model.cloths.back();
  for (int i = 0; i < n; ++i) {
    ContactSurface surface;
    for (int face : cloth.topology.vertex_faces[i]) {
      surface.clearance = std::max(surface.clearance, 0.5 * cloth.fabric(face).thickness);
      const Fabric& fabric = cloth.fabric(face);
      if (fabric.friction >= surface.roughness.friction.sliding)
        surface.roughness = {{fabric.stiction * fabric.friction, fabric.friction},
                             friction_material_of_fabric(out.model, part.face_material[at(face)])};
    }
    surface.margin = kEdgeShare * part.edge_length;
    surface.clearance += surface.margin;
    part.clearance = i == 0 ? surface.clearance : std::min(part.clearance, surface.clearance);
    out.surfaces.push_back(surface);
  }
  out.state.x.insert(out.state.x.end(), cloth.mesh.positions.begin(), cloth.mesh.positions.end());
  out.state.v.insert(out.state.v.end(), at(n), velocity);
  for (const Triangle& t : cloth.mesh.triangles) out.triangles.push_back(cloth.global(t));
}

int material_index(const std::string& name, const Fabric& fabric, Model& model) {
  for (size_t k = 0; k < model.materials.size(); ++k)
    if (model.materials[k].name == name) return static_cast<int>(k);
  model.materials.push_back({name, fabric});
  return static_cast<int>(model.materials.size()) - 1;
}

void add_part(const PreparedCloth& cloth, Assembly& out) {
  ClothPart part;
  part.name = cloth.name;
  part.first_particle = cloth.first_particle;
  part.particle_count = cloth.mesh.vertex_count();
  part.triangles = cloth.mesh.triangles;
  part.uv = cloth.mesh.uv;
  part.edge_length = mean_edge_length(cloth);
  std::vector<Triangle> faces;
  for (const Triangle& triangle : cloth.mesh.triangles) faces.push_back(cloth.global(triangle));
  part.gauge = StrainGauge(std::move(faces), cloth.rest.triangles);
  for (int fabric : cloth.face_fabric)
    part.face_material.push_back(
        material_index(cloth.fabric_names[at(fabric)], cloth.fabrics[at(fabric)], out.model));
  for (const Fabric& fabric : cloth.fabrics) part.thickness = std::max(part.thickness, fabric.thickness);
  out.model.cloths.push_back(std::move(part));
}

void append(ForceTerms terms, Assembly& out) {
  for (auto& term : terms) out.terms.push_back(std::move(term));
}

void add_terms(const ClothDescription& description, const PreparedCloth& cloth, Assembly& out,
               Diagnostics& diagnostics) {
  const TermContext context{.cloth = &cloth,
                            .particle_count = cloth.first_particle + cloth.mesh.vertex_count(),
                            .diagnostics = &diagnostics};
  const Entity membrane =
      description.membrane ? description.membrane : default_entity(description_of<StvkMembrane>());
  ForceTerms terms = build_terms(membrane, context);
  const bool was_refused = terms.empty();
  append(std::move(terms), out);
  if (cloth.topology.hinges.empty() || (was_refused && !description.bending)) return;
  append(build_terms(description.bending ? description.bending : usual_bending(membrane, cloth), context),
         out);
}

void add_obstacles(const SceneDescription& scene, Assembly& out, Diagnostics& diagnostics) {
  for (const ObstacleDescription& description : scene.obstacles)
    if (auto obstacle = prepare_obstacle(description, diagnostics))
      out.model.obstacles.push_back(std::move(*obstacle));
}

int number_of(const Model& model, const ObstaclePart& obstacle) {
  return static_cast<int>(&obstacle - model.obstacles.data());
}

/// The obstacles that particles are kept out of.
std::vector<Obstacle> solids_of(const Model& model) {
  std::vector<Obstacle> solids;
  for (const ObstaclePart& obstacle : model.obstacles)
    if (obstacle.shape)
      solids.push_back({obstacle.name,
                        *obstacle.shape,
                        obstacle.surface->motion,
                        {obstacle.friction, number_of(model, obstacle)}});
  for (size_t k = 0; k < model.bodies.size(); ++k) {
    const BodyPart& body = model.bodies[k];
    solids.push_back({.name = body.name,
                      .shape = body.shape.value_or(Sphere{}),
                      .roughness = {body.friction, -1},
                      .body = static_cast<int>(k),
                      .solid = body.shape ? nullptr : body.solid});
  }
  return solids;
}

void add_rider(std::unique_ptr<RidingMagnets> rider, Assembly& out) {
  if (rider) out.riders.push_back(std::move(rider));
}

void add_cloths(const SceneDescription& scene, const Catalogue& catalogue, Assembly& out,
                Diagnostics& diagnostics) {
  const FabricLibrary fabrics(scene, catalogue, diagnostics);
  check_frictions(scene, fabrics, diagnostics);
  for (const ClothDescription& description : scene.cloths) {
    const auto cloth =
        prepare_cloth(description, fabrics, catalogue, out.state.particle_count(), diagnostics);
    if (!cloth) continue;
    add_part(*cloth, out);
    add_particles(*cloth, description.velocity, out);
    add_terms(description, *cloth, out, diagnostics);
    if (description.magnet)
      add_rider(make_magnetic_cloth(*description.magnet, *cloth,
                                    static_cast<int>(out.model.cloths.size()) - 1, diagnostics),
                out);
    add_limited_faces(*cloth, scene.limits && limit_entry(scene.limits).has_own, out.limited);
    for (auto& hold : make_holds(description, *cloth, out.model.obstacles, diagnostics))
      out.constraints.push_back(std::move(hold));
    add_body_links(description.attachments, {cloth->mesh.positions, &cloth->mesh, cloth->first_particle},
                   out.model, out.state.bodies, out.links);
  }
}

RodPart rod_part(const PreparedRod& rod, const RodPlace& place) {
  RodPart part{.name = rod.name,
               .place = place,
               .rest_lengths = rod.shape.rest_lengths,
               .rows = rod.shape.rows,
               .radius = rod.section.radius,
               .stretch_stiffness = rod.section.stretch_stiffness(),
               .colour = rod.surface.colour,
               .stripe = rod.surface.stripe};
  std::vector<TubeRow> rows;
  for (const RodRow& row : rod.shape.rows) {
    TubeRow& tube = rows.emplace_back(TubeRow{.closed = row.closed});
    for (int k = row.first; k < row.first + row.count; ++k) {
      tube.nodes.push_back(place.segments[at(k)].ends[0]);
      tube.frames.push_back(place.segments[at(k)].frame);
    }
    if (!row.closed) tube.nodes.push_back(place.segments[at(row.first + row.count - 1)].ends[1]);
  }
  part.skin = TubeSkin(std::move(rows), part.radius);
  return part;
}

/// What contact and air see of the particles of a rod.
void add_rod_surfaces(const PreparedRod& rod, Assembly& out) {
  const double friction = rod.surface.friction;
  std::vector<double> areas(rod.shape.nodes.size(), 0);
  for (size_t s = 0; s < rod.shape.segments.size(); ++s)
    for (const int node : rod.shape.segments[s])
      areas[at(node)] += rod.section.radius * rod.shape.rest_lengths[s];
  for (const double area : areas) {
    out.areas.push_back(area);
    out.surfaces.push_back(
        {.clearance = rod.section.radius, .roughness = {{rod.surface.stiction * friction, friction}, -1}});
  }
  out.areas.resize(out.state.x.size(), 0);
  out.surfaces.resize(out.state.x.size(), {.is_in_space = false});
}

void add_rods(const SceneDescription& scene, Assembly& out, Diagnostics& diagnostics) {
  for (const RodDescription& description : scene.rods) {
    const auto rod = prepare_rod(description, diagnostics);
    if (!rod) continue;
    const RodPlace place = out.add(rod->shape, rod->section, rod->form);
    for (int i = 0; i < place.node_count; ++i)
      out.state.v[at(place.first_particle + i)] = description.velocity;
    add_rod_surfaces(*rod, out);
    out.model.rods.push_back(rod_part(*rod, place));
    if (description.magnet)
      add_rider(make_magnetic_rod(*description.magnet, *rod, place,
                                  static_cast<int>(out.model.cloths.size() + out.model.rods.size()) - 1,
                                  diagnostics),
                out);
    for (auto& hold : make_rod_holds(description, *rod, place, out.model.obstacles, diagnostics))
      out.constraints.push_back(std::move(hold));
    for (auto& torque : make_rod_torques(description, *rod, place, diagnostics))
      out.terms.push_back(std::move(torque));
    add_body_links(description.attachments, {rod->shape.nodes, nullptr, place.first_particle}, out.model,
                   out.state.bodies, out.links);
  }
}

void add_fields(const SceneDescription& scene, Assembly& out, Diagnostics& diagnostics) {
  out.terms.push_back(std::make_unique<Gravity>(out.weight, scene.gravity));
  const TermContext context{.particle_count = out.state.particle_count(),
                            .triangles = out.triangles,
                            .areas = out.areas,
                            .diagnostics = &diagnostics};
  for (const Entity& force : scene.forces) append(build_terms(force, context), out);
}

std::vector<MeshObstacle> meshes_of(const Model& model) {
  std::vector<MeshObstacle> meshes;
  for (const ObstaclePart& obstacle : model.obstacles)
    if (!obstacle.shape)
      meshes.push_back(
          {obstacle.surface, {obstacle.friction, number_of(model, obstacle)}, obstacle.thickness});
  return meshes;
}

/// Half the thickness, but not so much that a vertex would touch the face across its opposite edge: that
/// would stiffen the sheet.
std::vector<Skin> skins_of(const Assembly& assembly) {
  constexpr double kShareOfHeight = 0.25;
  std::vector<double> lowest(assembly.state.x.size(), HUGE_VAL);  // height of a triangle, m
  for (const Triangle& t : assembly.triangles) {
    const Vec3 &a = assembly.state.x[at(t[0])], &b = assembly.state.x[at(t[1])],
               &c = assembly.state.x[at(t[2])];
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    const double height = (b - a).cross(c - a).norm() / longest;
    for (const int i : t) lowest[at(i)] = std::min(lowest[at(i)], height);
  }
  std::vector<Skin> skins;
  for (const ClothPart& cloth : assembly.model.cloths)
    for (int i = cloth.first_particle; i < cloth.first_particle + cloth.particle_count; ++i)
      skins.push_back({.radius = std::min(0.5 * cloth.thickness, kShareOfHeight * lowest[at(i)]),
                       .roughness = assembly.surfaces[at(i)].roughness,
                       .inverse_mass = 1 / assembly.mass[at(i)]});
  for (const RodPart& rod : assembly.model.rods) {
    Skin skin = rod_skin(rod);
    for (int i = 0; i < rod.place.node_count; ++i) {
      const size_t particle = at(rod.place.first_particle + i);
      skin.roughness = assembly.surfaces[particle].roughness;
      skin.inverse_mass = 1 / assembly.mass[particle];
      skins.push_back(skin);
    }
    for (size_t s = 0; s < rod.place.segments.size(); ++s) skins.push_back({.inverse_mass = 1});
  }
  return skins;
}

/// Obstacles take part as they are drawn.
void add_obstacle_bodies(const Model& model, std::vector<CollisionBody>& bodies, std::vector<Skin>& skins,
                         std::vector<Vec3>& reference) {
  for (const ObstaclePart& obstacle : model.obstacles) {
    if (!obstacle.has_contact_surface()) continue;
    const MovingSurface& surface = *obstacle.surface;
    bodies.push_back(
        {.vertex_count = surface.vertex_count(), .triangles = surface.triangles, .kinematic = true});
    skins.insert(
        skins.end(), surface.vertices.size(),
        {.radius = obstacle.thickness, .roughness = {obstacle.friction, number_of(model, obstacle)}});
    surface.append_positions(0, reference);
  }
}

std::unique_ptr<SurfaceContact> make_surface_contact(const Entity& contact, const FrictionTable& frictions,
                                                     Assembly& assembly) {
  if (assembly.triangles.empty() && assembly.model.rods.empty()) return nullptr;
  const ContactEntry& entry = contact_entry(contact);
  const SurfaceContactScope scope = entry.scope(contact);
  std::vector<CollisionBody> bodies;
  for (const ClothPart& cloth : assembly.model.cloths)
    bodies.push_back({.vertex_count = cloth.particle_count, .triangles = cloth.triangles});
  for (const RodPart& rod : assembly.model.rods) bodies.push_back(rod_body(rod, assembly.state.x));
  SurfaceSetup setup{.skins = skins_of(assembly), .reference = assembly.state.x, .frictions = frictions};
  if (scope.obstacles) add_obstacle_bodies(assembly.model, bodies, setup.skins, setup.reference);
  if (!scope.self && setup.skins.size() == assembly.state.x.size()) return nullptr;
  setup.surface = make_collision_surface(bodies);
  setup.surface.between_free = scope.self;
  return entry.build(contact, std::move(setup));
}

/// Terms that the integrator shall treat explicitly must exist.
void check_explicit_terms(const Entity& integrator, const System& system, Diagnostics& out) {
  std::vector<std::string> names;
  for (const auto& term : system.terms())
    if (std::find(names.begin(), names.end(), term->name()) == names.end()) names.emplace_back(term->name());
  for (const std::string& wanted : integrator_entry(integrator).explicit_terms(integrator)) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    const std::string nearest = nearest_name(wanted, names);
    out.error(
        integrator.where, "no force of this scene is called " + in_quotes(wanted),
        nearest.empty() ? "expected " + quoted_list(names) : "did you mean " + in_quotes(nearest) + "?");
  }
}

/// Integrators that compare energies would not see forces that have none.
void check_energies(const Entity& integrator, const Simulation& simulation, Diagnostics& out) {
  if (!simulation.integrator->needs_energy()) return;
  for (const std::string& name : terms_without_energy(simulation.model))
    out.error(integrator.where,
              "the \"line_search\" over \"energy\" cannot see the force " + in_quotes(name) +
                  ", which has no energy",
              "set \"line_search\" to \"force\", or take that force out of the scene");
}

Result<Simulation> build_loaded(const Result<LoadedScene>& scene, const Catalogue& catalogue) {
  if (!scene) return scene.errors();
  Diagnostics dropped;
  return build(scene->description, catalogue, dropped);
}

}  // namespace

Result<Simulation> build(const SceneDescription& scene, const Catalogue& catalogue, Diagnostics& warnings) {
  Diagnostics found;
  Assembly assembly;
  add_obstacles(scene, assembly, found);
  assembly.rigid = make_rigid_world(scene, assembly.model, assembly.state, found);
  add_cloths(scene, catalogue, assembly, found);
  add_rods(scene, assembly, found);
  if (!found.has_errors())
    assembly.magnets =
        make_magnet_world(scene, assembly.model, assembly.state, std::move(assembly.riders), found);
  if (assembly.magnets && assembly.magnets->moves_particles())
    assembly.terms.push_back(std::make_unique<GivenForces>("magnets", assembly.magnets->particle_forces()));
  found.sort_by_place({scene.file.string()});
  if (found.has_errors()) return found;
  add_fields(scene, assembly, found);

  Simulation simulation;
  simulation.limiter =
      make_limiter(scene, std::move(assembly.limited), assembly.state.particle_count(), found);
  IntegratorChoice choice = choose_integrator(scene, assembly.model.cloths);
  const IntegratorEntry& entry = integrator_entry(choice.entity);
  Model& model = assembly.model;
  model.gravity = scene.gravity;
  model.duration = scene.duration;
  model.frame_rate = scene.frame_rate;
  constexpr double kRounding = 1e-9;  // 0.04 s holds four steps of 0.01 s in spite of rounding
  model.steps_per_frame = std::max(
      1, static_cast<int>(std::ceil(1 / (scene.frame_rate * entry.time_step(choice.entity)) - kRounding)));
  const FrictionTable frictions = make_friction_table(scene, model);
  simulation.surface_contact = make_surface_contact(
      scene.contact ? scene.contact : default_entity(description_of<ImpulseContact>()), frictions, assembly);
  simulation.contact =
      std::make_unique<ObstacleContact>(solids_of(model), std::move(assembly.surfaces), assembly.mass,
                                        meshes_of(model), frictions, std::move(assembly.links));
  model.system = std::make_unique<System>(std::move(assembly.mass), std::move(assembly.terms),
                                          std::move(assembly.constraints));
  for (auto& turning : assembly.turnings) model.system->add(std::move(turning));
  if (assembly.state.particle_count() > 0)
    choice = with_linear_solver(std::move(choice), *model.system, assembly.state, model.step_length(),
                                model.cloths.empty());
  check_explicit_terms(choice.entity, *model.system, found);
  simulation.integrator = entry.build(choice.entity);
  model.integrator = choice.text;
  simulation.model = std::move(model);
  check_energies(choice.entity, simulation, found);
  simulation.state = std::move(assembly.state);
  simulation.rigid = std::move(assembly.rigid);
  simulation.magnets = std::move(assembly.magnets);
  found.append(check(simulation, scene));
  if (found.has_errors()) return found;
  warnings.append(found);
  return simulation;
}

SceneCheck check_parts(const Catalogue& catalogue) {
  return [&catalogue](const SceneDescription& scene, Diagnostics& found) {
    const FabricLibrary fabrics(scene, catalogue, found);
    check_frictions(scene, fabrics, found);
    for (const ObstacleDescription& obstacle : scene.obstacles) prepare_obstacle(obstacle, found);
    for (const ClothDescription& cloth : scene.cloths)
      if (const auto prepared = prepare_cloth(cloth, fabrics, catalogue, 0, found))
        make_holds(cloth, *prepared, {}, found);
    for (const RodDescription& rod : scene.rods) prepare_rod(rod, found);
    for (const BodyDescription& body : scene.bodies) prepare_body(body, found);
  };
}

Result<Simulation> build_file(const std::filesystem::path& file) {
  const Catalogue catalogue = make_catalogue();
  return build_loaded(load_scene(file, catalogue, check_parts(catalogue)), catalogue);
}

Result<Simulation> build_text(std::string_view text, const std::filesystem::path& name) {
  const Catalogue catalogue = make_catalogue();
  return build_loaded(load_scene_text(text, name, catalogue, check_parts(catalogue)), catalogue);
}

}  // namespace heddle
