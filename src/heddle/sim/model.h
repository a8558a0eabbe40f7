#pragma once

#include <heddle/contact/obstacle_contact.h>
#include <heddle/dynamics/integrator.h>
#include <heddle/dynamics/stencil_term.h>
#include <heddle/dynamics/system.h>
#include <heddle/forces/membrane/stvk_membrane.h>
#include <heddle/materials/fabric.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// One cloth of the scene: its share of the particles and of the membrane elements.
struct ClothPart {
  std::string name;
  int first_particle = 0;
  int particle_count = 0;
  int first_face = 0;                 // of the membrane's elements
  std::vector<Triangle> triangles;    // vertices of the cloth, counted from its first particle
  std::vector<Vec2> uv;               // rest coordinates for drawing, m; may be empty
  std::vector<int> face_material;     // into Model::materials
  double thickness = 0;               // m
};

/// A fabric as it is drawn.
struct Material {
  std::string name;
  Fabric fabric;
};

/// What stays the same while a scene runs. State is what changes.
struct Model {
  std::vector<ClothPart> cloths;
  std::vector<Material> materials;
  std::vector<Obstacle> obstacles;
  std::unique_ptr<System> system;
  const StvkMembraneKernel* membrane = nullptr;  // inside `system`
  Vec3 gravity = Vec3::Zero();                   // m/s2
  double duration = 0;                           // s
  double frame_rate = 25;                        // 1/s
  int steps_per_frame = 1;

  int frame_count() const { return static_cast<int>(duration * frame_rate + 0.5) + 1; }
  double frame_time(std::int64_t frame) const { return static_cast<double>(frame) / frame_rate; }
  double step_length() const { return 1.0 / (frame_rate * steps_per_frame); }
};

}  // namespace heddle
