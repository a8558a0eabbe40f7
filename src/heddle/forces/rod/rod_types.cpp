#include <heddle/forces/rod/rod_types.h>

namespace heddle {

namespace {

ParameterOptions modulus(std::string doc) {
  return {.unit = "Pa", .doc = std::move(doc), .minimum = 0, .maximum = 1e13, .above_minimum = true};
}

template <class T>
void describe_matter(Describer<T>& d) {
  d.parameter("radius", &T::radius,
              {.unit = "m", .doc = "Radius of the round section.", .minimum = 1e-7, .maximum = 10});
  d.parameter("density", &T::density,
              {.unit = "kg/m3", .doc = "Mass per volume.", .minimum = 0.01, .maximum = 1e5});
}

}  // namespace

void RodSurface::describe(Describer<RodSurface>& d) {
  d.type("rod_surface", "part of a rod_material", "What is seen and felt of a rod.");
  d.parameter("friction", &RodSurface::friction,
              {.doc = "Coefficient of sliding friction.", .minimum = 0, .maximum = 10});
  d.parameter(
      "stiction", &RodSurface::stiction,
      {.doc = "Friction that holds it at rest, relative to that of sliding.", .minimum = 1, .maximum = 10});
  d.parameter("colour", &RodSurface::colour,
              {.unit = "", .doc = "Linear red, green and blue.", .minimum = 0, .maximum = 1});
  d.parameter("stripe", &RodSurface::stripe,
              {.unit = "",
               .doc = "Colour of the stripe that shows how the rod is twisted; the colour itself hides it.",
               .minimum = 0,
               .maximum = 1});
}

void ElasticRod::describe(Describer<ElasticRod>& d) {
  d.type("elastic", "rod_material", "A round rod of an elastic material.");
  describe_matter(d);
  d.parameter("young", &ElasticRod::young, modulus("Young's modulus; in Pa, not in MPa."));
  d.parameter("poisson", &ElasticRod::poisson,
              {.doc = "Poisson's ratio: twist is resisted with the modulus E / (2 + 2 nu).",
               .minimum = -0.99,
               .maximum = 0.5});
  d.parameter("stretch_young", &ElasticRod::stretch_young,
              modulus("Young's modulus against stretch, for ropes that bend more easily than a solid rod; "
                      "without it that against bending."));
  d.parameter("damping", &ElasticRod::damping,
              {.unit = "s",
               .doc = "Viscous forces and moments as a multiple of the elastic ones.",
               .minimum = 0,
               .maximum = 100});
  d.include(&ElasticRod::surface);
}

RodSection ElasticRod::section() const {
  RodSection out{.radius = radius,
                 .density = density,
                 .young = young,
                 .shear = young / (2 + 2 * poisson),
                 .stretch = stretch_young.value_or(young)};
  out.stretch_friction = damping * out.stretch_stiffness();
  out.bending_friction = damping * out.bending_stiffness();
  return out;
}

void CosseratRod::describe(Describer<CosseratRod>& d) {
  d.type("cosserat", "rod_material", "A round rod with the parameters of Spillmann 2008, Table 3.2.");
  describe_matter(d);
  d.parameter("young", &CosseratRod::young, modulus("E, against bending."));
  d.parameter("shear", &CosseratRod::shear, modulus("G, against twist."));
  d.parameter("stretch", &CosseratRod::stretch, modulus("E_s, against stretch."));
  d.parameter("stretch_friction", &CosseratRod::stretch_friction,
              {.unit = "N s", .doc = "gamma_t, inner friction of stretch.", .minimum = 0, .maximum = 1e6});
  d.parameter("bending_friction", &CosseratRod::bending_friction,
              {.unit = "N m2 s",
               .doc = "gamma_r, inner friction of bending and twist.",
               .minimum = 0,
               .maximum = 1e6});
  d.parameter("law", &CosseratRod::law,
              {.unit = "",
               .doc = "Moments of the section grow with r^4 (physical), or with r^2 as the thesis prints it, "
                      "which the moduli of its tables belong to (printed).",
               .choices = {"physical", "printed"}});
  d.include(&CosseratRod::surface);
}

RodSection CosseratRod::section() const {
  return {.radius = radius,
          .density = density,
          .young = young,
          .shear = shear,
          .stretch = stretch,
          .stretch_friction = stretch_friction,
          .bending_friction = bending_friction,
          .printed_law = law == "printed"};
}

void TwistAngleRod::describe(Describer<TwistAngleRod>& d) {
  d.type("twist_angle", "rod_model",
         "Material frames follow the rod exactly and turn about it by one angle for each segment; with any "
         "integrator.");
}

void CordeRod::describe(Describer<CordeRod>& d) {
  d.type("corde", "rod_model",
         "Material frames turn freely and a penalty draws them to the rod, as published (Spillmann 2008).");
  d.parameter("penalty", &CordeRod::penalty,
              {.unit = "N",
               .doc = "kappa; without it the stiffness of the rod against stretch.",
               .minimum = 0,
               .above_minimum = true});
  d.parameter(
      "inertia_scale", &CordeRod::inertia_scale,
      {.doc = "alpha: share of the frames' inertia against bending that is kept; 1 lets the rod swing "
              "too slowly, little needs short steps.",
       .minimum = 1e-6,
       .maximum = 1});
  d.parameter(
      "gyroscopic", &CordeRod::gyroscopic,
      {.unit = "", .doc = "Include the gyroscopic moments of the frames, which the thesis leaves out."});
}

void add_rod_types(Catalogue& catalogue) {
  for (const TypeDescription* type : {&description_of<ElasticRod>(), &description_of<CosseratRod>(),
                                      &description_of<TwistAngleRod>(), &description_of<CordeRod>()})
    catalogue.add(*type);
}

RodSection rod_section(const Entity& material) {
  return material.is<CosseratRod>() ? material.as<CosseratRod>().section()
                                    : material.as<ElasticRod>().section();
}

const RodSurface& rod_surface(const Entity& material) {
  return material.is<CosseratRod>() ? material.as<CosseratRod>().surface : material.as<ElasticRod>().surface;
}

RodForm rod_form(const Entity& model) {
  return model.is<CordeRod>() ? model.as<CordeRod>().form() : model.as<TwistAngleRod>().form();
}

}  // namespace heddle
