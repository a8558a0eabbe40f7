#pragma once

#include <heddle/forces/rod/rod.h>
#include <heddle/math/value_traits.h>

#include <string>

namespace heddle {

/// What is seen and felt of a rod.
struct RodSurface {
  double friction = 0.3;
  double stiction = 1;
  Vec3 colour{0.75, 0.6, 0.35};
  Vec3 stripe{0.7, 0.15, 0.1};  // along d1
  static void describe(Describer<RodSurface>& d);
};

/// A round rod of an elastic material.
struct ElasticRod {
  double radius = 0.005;                // m
  double density = 1300;                // kg/m3
  double young = 5e6;                   // Pa
  double poisson = 0.3;                 // decides about twist
  std::optional<double> stretch_young;  // Pa, against stretch; without it young
  double damping = 0.01;                // s, viscous moments and forces as a multiple of the elastic ones
  RodSurface surface;
  static void describe(Describer<ElasticRod>& d);
  RodSection section() const;
};

/// A round rod with the parameters of Spillmann 2008, Table 3.2.
struct CosseratRod {
  double radius = 0.01;            // m
  double density = 1300;           // kg/m3
  double young = 5e5;              // Pa
  double shear = 5e5;              // Pa
  double stretch = 2e7;            // Pa
  double stretch_friction = 1e-5;  // gamma_t, N s
  double bending_friction = 1e-6;  // gamma_r, N m2 s
  std::string law = "physical";
  RodSurface surface;
  static void describe(Describer<CosseratRod>& d);
  RodSection section() const;
};

/// Frames follow their segments exactly.
struct TwistAngleRod {
  static void describe(Describer<TwistAngleRod>& d);
  RodForm form() const { return {}; }
};

/// Frames turn freely, see corde.h.
struct CordeRod {
  std::optional<double> penalty;  // N
  double inertia_scale = 0.01;
  bool gyroscopic = false;
  static void describe(Describer<CordeRod>& d);
  RodForm form() const {
    return {.corde = true, .penalty = penalty, .inertia_scale = inertia_scale, .gyroscopic = gyroscopic};
  }
};

/// All types of the categories "rod_material" and "rod_model".
void add_rod_types(Catalogue& catalogue);
/// Of an entity of these categories.
RodSection rod_section(const Entity& material);
const RodSurface& rod_surface(const Entity& material);
RodForm rod_form(const Entity& model);

}  // namespace heddle
