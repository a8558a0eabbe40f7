#include <heddle/sim/registry.h>

#include <heddle/constraints/global_limits.h>
#include <heddle/contact/constraint_contact.h>
#include <heddle/contact/impulse_contact.h>
#include <heddle/contact/repulsion_contact.h>

#include <heddle/forces/bending/hinge_bending.h>
#include <heddle/forces/bending/isometric_bending.h>
#include <heddle/forces/bending/patch_bending.h>
#include <heddle/forces/field/drag.h>
#include <heddle/forces/field/wind.h>
#include <heddle/forces/membrane/stvk_membrane.h>
#include <heddle/forces/rod/rod_types.h>
#include <heddle/forces/spring/buckling.h>
#include <heddle/forces/spring/spring_membrane.h>
#include <heddle/geometry/shapes.h>
#include <heddle/integrate/asynchronous.h>
#include <heddle/integrate/bdf.h>
#include <heddle/integrate/imex.h>
#include <heddle/integrate/implicit_euler.h>
#include <heddle/integrate/implicit_midpoint.h>
#include <heddle/integrate/newmark.h>
#include <heddle/integrate/runge_kutta.h>
#include <heddle/integrate/semi_implicit_euler.h>
#include <heddle/integrate/step_doubling.h>
#include <heddle/integrate/symplectic_euler.h>
#include <heddle/integrate/verlet.h>
#include <heddle/io/curve_file.h>
#include <heddle/io/mesh_file.h>
#include <heddle/io/mesh_sequence.h>
#include <heddle/mesh/curves.h>
#include <heddle/mesh/generators.h>
#include <heddle/scene/scene_types.h>
#include <heddle/sim/choose_integrator.h>
#include <heddle/sim/spring_terms.h>

#include <array>

namespace heddle {

namespace {

template <class Kernel>
ForceTerms stencil_term(Kernel kernel, const TermContext& context, bool implicit = true) {
  ForceTerms terms;
  terms.push_back(make_term(std::move(kernel), context.particle_count, implicit));
  return terms;
}

ForceTerms build_stvk(const Entity& entity, const TermContext& context) {
  const PreparedCloth& cloth = *context.cloth;
  const auto& viscosity = entity.as<StvkMembrane>().viscosity;
  StvkMembraneKernel kernel;
  for (int f = 0; f < cloth.mesh.triangle_count(); ++f) {
    const auto k = static_cast<size_t>(f);
    const Fabric& fabric = cloth.fabric(f);
    const PlaneModuli elastic = PlaneModuli::orthotropic(fabric.weft_stiffness, fabric.warp_stiffness,
                                                         fabric.shear_stiffness, fabric.poisson);
    const PlaneModuli viscous = viscosity ? PlaneModuli::isotropic((*viscosity)[0], (*viscosity)[1])
                                          : elastic.scaled(fabric.stretch_damping);
    kernel.add(cloth.global(cloth.mesh.triangles[k]), cloth.rest.triangles[k], elastic, viscous);
  }
  return stencil_term(std::move(kernel), context);
}

ForceTerms build_hinge(const Entity& entity, const TermContext& context) {
  const PreparedCloth& cloth = *context.cloth;
  HingeBendingKernel kernel;
  for (size_t k = 0; k < cloth.topology.hinges.size(); ++k) {
    const Hinge& hinge = cloth.topology.hinges[k];
    kernel.add(cloth.global(hinge.vertices), cloth.unfolded(hinge), cloth.rest_angles[k],
               cloth.hinge_rigidity(hinge), cloth.hinge_damping(hinge));
  }
  return stencil_term(std::move(kernel), context, entity.as<HingeBending>().treatment == "implicit");
}

void require_flat(const Entity& entity, const TermContext& context) {
  if (context.cloth->flat_at_rest() || !context.diagnostics) return;
  context.diagnostics->error(
      entity.where, entity.description().name + " bending needs a cloth that is flat at rest",
      "use bending {\"type\": \"hinge\"} for \"" + context.cloth->name + "\", or rest \"uv\"");
}

ForceTerms build_isometric(const Entity& entity, const TermContext& context) {
  require_flat(entity, context);
  const PreparedCloth& cloth = *context.cloth;
  IsometricBendingKernel kernel;
  for (const Hinge& hinge : cloth.topology.hinges)
    kernel.add(cloth.global(hinge.vertices), cloth.unfolded(hinge), cloth.hinge_rigidity(hinge),
               cloth.hinge_damping(hinge));
  return stencil_term(std::move(kernel), context);
}

ForceTerms build_patch(const Entity& entity, const TermContext& context) {
  require_flat(entity, context);
  const PreparedCloth& cloth = *context.cloth;
  PatchBendingKernel kernel;
  for (int face = 0; face < cloth.mesh.triangle_count(); ++face) {
    const Fabric& fabric = cloth.fabric(face);
    kernel.add(cloth.global(cloth.patch_vertices(face)), cloth.unfolded_patch(face),
               BendingModuli::orthotropic(fabric.weft_bending, fabric.warp_bending), fabric.bending_damping);
  }
  return stencil_term(std::move(kernel), context);
}

ForceTerms build_wind(const Entity& entity, const TermContext& context) {
  return stencil_term(WindKernel(entity.as<Wind>(), {context.triangles.begin(), context.triangles.end()}),
                      context);
}

ForceTerms build_drag(const Entity& entity, const TermContext& context) {
  return stencil_term(DragKernel(entity.as<Drag>(), context.areas), context);
}

ForceTerms build_nothing(const Entity&, const TermContext&) {
  return {};
}

/// With its steps controlled by their error, if the scene wants that and the method does not do it itself.
template <class Parameters>
std::unique_ptr<Integrator> build_integrator(const Entity& entity) {
  const auto& parameters = entity.as<Parameters>();
  if constexpr (requires { parameters.error_tolerance; }) {
    bool measures = false;
    if constexpr (requires { parameters.measures_error(); }) measures = parameters.measures_error();
    if (parameters.error_tolerance > 0 && !measures)
      return std::make_unique<StepDoubling>([&] { return parameters.build(); }, parameters.traits().order,
                                            parameters.error_tolerance);
  }
  return parameters.build();
}

template <class Parameters>
std::vector<std::string> explicit_terms_of(const Entity& entity) {
  if constexpr (requires { Parameters::explicit_terms; }) return entity.as<Parameters>().explicit_terms;
  return {};
}

template <class Parameters>
std::optional<SolverParameters> linear_of(const Entity& entity) {
  if constexpr (requires { &Parameters::linear; }) return entity.as<Parameters>().linear;
  return {};
}

template <class Parameters>
Entity with_linear(const Entity& entity, const SolverParameters& linear) {
  auto parameters = std::make_shared<Parameters>(entity.as<Parameters>());
  if constexpr (requires { &Parameters::linear; }) parameters->linear = linear;
  return Entity(entity.description(), std::move(parameters), entity.where);
}

template <class Parameters>
IntegratorEntry integrator() {
  return {&description_of<Parameters>(),
          build_integrator<Parameters>,
          [](const Entity& entity) { return entity.as<Parameters>().time_step; },
          [](const Entity& entity) { return entity.as<Parameters>().traits(); },
          explicit_terms_of<Parameters>,
          linear_of<Parameters>,
          with_linear<Parameters>};
}

SurfaceContactScope scope_of_impulses(const Entity& entity) {
  const auto& parameters = entity.as<ImpulseContact>();
  return {parameters.self, parameters.obstacles};
}

SurfaceContactScope scope_of_cloth(const Entity& entity) {
  return {.self = true, .obstacles = false};
}

std::unique_ptr<SurfacePairs> make_pairs(SurfaceSetup setup) {
  return std::make_unique<SurfacePairs>(std::move(setup.surface), std::move(setup.skins), setup.reference,
                                        std::move(setup.frictions));
}

std::unique_ptr<SurfaceContact> build_impulses(const Entity& entity, SurfaceSetup setup) {
  return std::make_unique<ContactByImpulses>(entity.as<ImpulseContact>(), make_pairs(std::move(setup)));
}

std::unique_ptr<SurfaceContact> build_constraints(const Entity& entity, SurfaceSetup setup) {
  return std::make_unique<ContactByConstraints>(entity.as<ConstraintContact>(), make_pairs(std::move(setup)));
}

std::unique_ptr<SurfaceContact> build_repulsion(const Entity& entity, SurfaceSetup setup) {
  return std::make_unique<ContactByRepulsion>(entity.as<RepulsionContact>(), std::move(setup.surface),
                                              setup.reference);
}

template <class Parameters>
LimitEntry limits(bool has_own = false) {
  return {&description_of<Parameters>(),
          [](const Entity& entity, LimitedFaces faces) {
            return entity.as<Parameters>().build(std::move(faces));
          },
          has_own};
}

}  // namespace

std::span<const TermEntry> term_registry() {
  static const std::array entries{
      TermEntry{&description_of<StvkMembrane>(), build_stvk},
      TermEntry{&description_of<HingeBending>(), build_hinge},
      TermEntry{&description_of<IsometricBending>(), build_isometric},
      TermEntry{&description_of<PatchBending>(), build_patch},
      TermEntry{&description_of<ChoiKo>(), build_choi_ko},
      TermEntry{&description_of<Provot>(), build_provot},
      TermEntry{&description_of<BucklingSprings>(), build_buckling},
      TermEntry{&description_of<FlexionSprings>(), build_flexion},
      TermEntry{&description_of<NoBending>(), build_nothing},
      TermEntry{&description_of<Wind>(), build_wind},
      TermEntry{&description_of<Drag>(), build_drag},
  };
  return entries;
}

std::span<const IntegratorEntry> integrator_registry() {
  static const std::array entries{
      integrator<SemiImplicitEuler>(),
      integrator<ImplicitEuler>(),
      integrator<ImplicitMidpoint>(),
      integrator<Bdf>(),
      integrator<Newmark>(),
      integrator<GeneralisedAlpha>(),
      integrator<Imex>(),
      integrator<AdaptiveImex>(),
      integrator<Sbdf2>(),
      integrator<ExplicitEuler>(),
      integrator<ExplicitMidpoint>(),
      integrator<Rk4>(),
      integrator<RungeKutta>(),
      integrator<SymplecticEuler>(),
      integrator<Verlet>(),
      integrator<Asynchronous>(),
      integrator<AutoIntegrator>(),
  };
  return entries;
}

std::span<const ContactEntry> contact_registry() {
  static const std::array entries{
      ContactEntry{&description_of<ImpulseContact>(), scope_of_impulses, build_impulses},
      ContactEntry{&description_of<ConstraintContact>(), scope_of_cloth, build_constraints},
      ContactEntry{&description_of<RepulsionContact>(), scope_of_cloth, build_repulsion},
  };
  return entries;
}

std::span<const LimitEntry> limit_registry() {
  static const std::array entries{limits<GlobalLimits>(), limits<GaussSeidelLimits>(), limits<JacobiLimits>(),
                                  limits<EdgeLimits>(true)};
  return entries;
}

Catalogue make_catalogue() {
  Catalogue catalogue;
  add_scene_types(catalogue);
  catalogue.add(description_of<Fabric>());
  add_generators(catalogue);
  catalogue.add(description_of<MeshFile>());
  add_sequences(catalogue);
  add_curves(catalogue);
  catalogue.add(description_of<CurveFile>());
  add_rod_types(catalogue);
  add_shapes(catalogue);
  for (const TermEntry& entry : term_registry()) catalogue.add(*entry.type);
  for (const IntegratorEntry& entry : integrator_registry()) catalogue.add(*entry.type);
  for (const ContactEntry& entry : contact_registry()) catalogue.add(*entry.type);
  for (const LimitEntry& entry : limit_registry()) catalogue.add(*entry.type);
  return catalogue;
}

Entity default_entity(const TypeDescription& type) {
  return Entity(type, type.create(), {});
}

ForceTerms build_terms(const Entity& entity, const TermContext& context) {
  for (const TermEntry& entry : term_registry())
    if (entry.type == &entity.description()) return entry.build(entity, context);
  HEDDLE_CHECK(!"an entity of a registered force type");
  return {};
}

Entity usual_bending(const Entity& membrane, const PreparedCloth& cloth) {
  if (membrane.is<ChoiKo>()) return default_entity(description_of<BucklingSprings>());
  if (membrane.is<Provot>()) return default_entity(description_of<FlexionSprings>());
  return default_entity(cloth.flat_at_rest() ? description_of<PatchBending>()
                                             : description_of<HingeBending>());
}

const IntegratorEntry& integrator_entry(const Entity& entity) {
  for (const IntegratorEntry& entry : integrator_registry())
    if (entry.type == &entity.description()) return entry;
  HEDDLE_CHECK(!"an entity of a registered integrator type");
  return integrator_registry().front();
}

const ContactEntry& contact_entry(const Entity& entity) {
  for (const ContactEntry& entry : contact_registry())
    if (entry.type == &entity.description()) return entry;
  HEDDLE_CHECK(!"an entity of a registered contact type");
  return contact_registry().front();
}

const LimitEntry& limit_entry(const Entity& entity) {
  for (const LimitEntry& entry : limit_registry())
    if (entry.type == &entity.description()) return entry;
  HEDDLE_CHECK(!"an entity of a registered type of limits");
  return limit_registry().front();
}

}  // namespace heddle
