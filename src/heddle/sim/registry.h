#pragma once

#include <heddle/constraints/strain_limiter.h>
#include <heddle/contact/surface_contact.h>
#include <heddle/dynamics/force_term.h>
#include <heddle/dynamics/integrator.h>
#include <heddle/sim/prepared_cloth.h>
#include <heddle/solve/solver_parameters.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

using ForceTerms = std::vector<std::unique_ptr<ForceTerm>>;

/// What force terms are built from. Terms of a cloth (categories "membrane" and "bending") get their cloth.
struct TermContext {
  const PreparedCloth* cloth = nullptr;
  int particle_count = 0;
  std::span<const Triangle> triangles;  // of the whole scene
  std::span<const double> areas;        // m2 per particle of the whole scene, at rest
  Diagnostics* diagnostics = nullptr;   // for combinations that make no sense
};

/// A force model by name. Everything in the list can be named in scenes and goes through the test battery.
/// A model has one term, or several that are treated and counted by themselves, or none.
struct TermEntry {
  const TypeDescription* type;
  ForceTerms (*build)(const Entity& entity, const TermContext& context);
};

/// All surfaces of a scene, ready to be kept apart.
struct SurfaceSetup {
  CollisionSurface surface;
  std::vector<Skin> skins;
  std::vector<Vec3> reference;  // positions at the start, m
  FrictionTable frictions;
};

/// A way to keep surfaces apart.
struct ContactEntry {
  const TypeDescription* type;
  SurfaceContactScope (*scope)(const Entity& entity);
  std::unique_ptr<SurfaceContact> (*build)(const Entity& entity, SurfaceSetup setup);
};

/// A way to step through time. Everything in the list can be named in scenes and goes through the test
/// battery.
struct IntegratorEntry {
  const TypeDescription* type;
  std::unique_ptr<Integrator> (*build)(const Entity& entity);
  double (*time_step)(const Entity& entity);  // s, as the scene asks for it
  IntegratorTraits (*traits)(const Entity& entity);
  std::vector<std::string> (*explicit_terms)(const Entity& entity);  // that the scene names
  /// How it solves linear systems; none if it solves none.
  std::optional<SolverParameters> (*linear)(const Entity& entity);
  Entity (*with_linear)(const Entity& entity, const SolverParameters& linear);
};

/// A way to keep the strain limits of fabrics.
struct LimitEntry {
  const TypeDescription* type;
  std::unique_ptr<StrainLimiter> (*build)(const Entity& entity, LimitedFaces faces);
  /// Whether it has limits of its own instead of those of fabrics.
  bool has_own = false;
};

std::span<const TermEntry> term_registry();
std::span<const IntegratorEntry> integrator_registry();
std::span<const ContactEntry> contact_registry();
/// The first one is the usual one.
std::span<const LimitEntry> limit_registry();

/// Every type that a scene may name.
Catalogue make_catalogue();

/// An entity with all parameters at their defaults.
Entity default_entity(const TypeDescription& type);

ForceTerms build_terms(const Entity& entity, const TermContext& context);
/// The bending that goes with a membrane if the scene names none.
Entity usual_bending(const Entity& membrane, const PreparedCloth& cloth);
const IntegratorEntry& integrator_entry(const Entity& entity);
const ContactEntry& contact_entry(const Entity& entity);
const LimitEntry& limit_entry(const Entity& entity);

}  // namespace heddle
