#pragma once

#include <heddle/contact/obstacle_contact.h>
#include <heddle/contact/surface_contact.h>
#include <heddle/dynamics/integrator.h>
#include <heddle/dynamics/system.h>
#include <heddle/forces/rod/rod.h>
#include <heddle/materials/fabric.h>
#include <heddle/mesh/moving_surface.h>
#include <heddle/mesh/strain_gauge.h>
#include <heddle/mesh/tube.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Only vertices are kept out of obstacles; this share of the edge length keeps the faces between them out of
/// round ones. It is the same for the whole cloth, so that a flat cloth lies flat.
inline constexpr double kEdgeShare = 0.03;

/// A step is too long for contact if what falls freely passes this share of an edge in it, g dt^2: small
/// drapes went wrong from 0.32 on, never below 0.26.
inline constexpr double kBearableFall = 0.3;

/// One cloth of the scene and its share of the particles.
struct ClothPart {
  std::string name;
  int first_particle = 0;
  int particle_count = 0;
  std::vector<Triangle> triangles;  // vertices of the cloth, counted from its first particle
  StrainGauge gauge;                // of the faces, by particles
  std::vector<Vec2> uv;             // rest coordinates for drawing, m; may be empty
  std::vector<int> face_material;   // into Model::materials
  double thickness = 0;             // m
  double edge_length = 0;           // m, mean at the start
  double clearance = 0;             // m, the smallest that a vertex keeps from obstacles
};

/// One rod or net of rods of the scene, its particles behind those of the cloths.
struct RodPart {
  std::string name;
  RodPlace place;
  std::vector<double> rest_lengths;  // m, of the segments
  std::vector<RodRow> rows;
  TubeSkin skin;
  double radius = 0;             // m
  double stretch_stiffness = 0;  // N
  Vec3 colour = Vec3::Zero(), stripe = Vec3::Zero();
};

/// One obstacle of the scene.
struct ObstaclePart {
  std::string name;
  std::optional<ShapeVariant> shape;             // particles are kept out of it; none if it is a mesh
  std::shared_ptr<const MovingSurface> surface;  // its triangles, never null
  Friction friction;
  double thickness = 0;  // m, that cloth keeps from a mesh, besides half its own

  /// A plane needs no triangles in contact, because vertices are kept out of it.
  bool has_contact_surface() const { return !shape || !std::holds_alternative<Plane>(*shape); }
};

/// One rigid body of the scene; in State::bodies under the same number.
struct BodyPart {
  std::string name;
  std::optional<ShapeVariant> shape;             // none if it is a mesh
  std::shared_ptr<const Solid> solid;            // never null
  std::shared_ptr<const MovingSurface> surface;  // its triangles in its own coordinates, never null
  Friction friction;
  Vec3 centre = Vec3::Zero();  // m, of mass, in its own coordinates

  RigidTransform pose(const BodyState& state) const {
    return {state.rotation, state.x - state.rotation * centre};
  }
};

/// A fabric as it is drawn.
struct Material {
  std::string name;
  Fabric fabric;
};

/// What stays the same while a scene runs. State is what changes.
struct Model {
  std::vector<ClothPart> cloths;
  std::vector<RodPart> rods;
  std::vector<Material> materials;
  std::vector<ObstaclePart> obstacles;
  std::vector<BodyPart> bodies;
  std::unique_ptr<System> system;
  std::string integrator;       // which one, with which linear solver, and why
  Vec3 gravity = Vec3::Zero();  // m/s2
  double duration = 0;          // s
  double frame_rate = 25;       // 1/s
  int steps_per_frame = 1;

  int frame_count() const { return static_cast<int>(std::lround(duration * frame_rate)) + 1; }
  double frame_time(std::int64_t frame) const { return static_cast<double>(frame) / frame_rate; }
  double step_length() const { return 1.0 / (frame_rate * steps_per_frame); }
};

}  // namespace heddle
