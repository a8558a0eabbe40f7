#include <heddle/integrate/imex.h>

#include <heddle/integrate/bdf.h>

namespace heddle {

namespace {

/// A mode of the explicit part of Sbdf2 with stiffness k, damping d and mass m grows from
/// 29 h^2 k/m + 36 h d/m = 48 on, where its factor is -1.
constexpr double kStiffnessWeight = 29.0 / 48, kDampingWeight = 36.0 / 48;

template <class T>
void describe_explicit_terms(Describer<T>& d) {
  d.parameter("explicit", &T::explicit_terms,
              {.unit = "", .doc = "Names of the force terms that are explicit, such as \"patch_bending\"."});
}

template <class T>
void describe_threshold(Describer<T>& d) {
  d.parameter("threshold", &T::threshold,
              {.unit = "1",
               .doc = "Elements are explicit up to this share of the step at which they could grow.",
               .minimum = 0,
               .maximum = 1});
}

}  // namespace

StageSettings ImexParameters::stage_settings() const {
  return {.linear = linear};
}

void Imex::describe(Describer<Imex>& d) {
  d.type("imex", "integrator",
         "Semi-implicit Euler where the scene makes some terms explicit: cheaper matrices, but steps have a "
         "limit.");
  describe_common(d);
  describe_explicit_terms(d);
}

std::unique_ptr<Integrator> Imex::build() const {
  StageSettings settings = stage_settings();
  settings.splitting.explicit_terms = explicit_terms;
  return std::make_unique<SemiImplicitEulerIntegrator>("imex", settings);
}

void AdaptiveImex::describe(Describer<AdaptiveImex>& d) {
  d.type("adaptive_imex", "integrator",
         "Semi-implicit Euler where each element is explicit if it is soft enough for the step.");
  describe_common(d);
  describe_threshold(d);
}

std::unique_ptr<Integrator> AdaptiveImex::build() const {
  StageSettings settings = stage_settings();
  settings.splitting.stable = StableElements{.limit = threshold};
  return std::make_unique<SemiImplicitEulerIntegrator>("adaptive_imex", settings);
}

void Sbdf2::describe(Describer<Sbdf2>& d) {
  d.type("sbdf2", "integrator",
         "Two-step backward differentiation with one linear solve, where each element is explicit if it is "
         "soft enough for the step: of second order.");
  describe_common(d);
  describe_explicit_terms(d);
  describe_threshold(d);
}

IntegratorTraits Sbdf2::traits() const {
  return {.order = 2,
          .damped_order = 2,
          .is_a_stable = explicit_terms.empty(),
          .stiffness_weight = kStiffnessWeight,
          .damping_weight = kDampingWeight};
}

std::unique_ptr<Integrator> Sbdf2::build() const {
  StageSettings settings = stage_settings();
  settings.splitting.explicit_terms = explicit_terms;
  settings.splitting.stable = StableElements{
      .stiffness_weight = kStiffnessWeight, .damping_weight = kDampingWeight, .limit = threshold};
  return std::make_unique<BdfIntegrator>("sbdf2", settings, 2);
}

}  // namespace heddle
