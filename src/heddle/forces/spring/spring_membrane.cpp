#include <heddle/forces/spring/spring_membrane.h>

namespace heddle {

namespace {

ParameterOptions stiffness_option(const std::string& of) {
  return {.unit = "N/m",
          .doc = "Stiffness of the " + of + "; without it from the fabric.",
          .minimum = 0,
          .maximum = 1e9};
}

ParameterOptions damping_option(const std::string& of) {
  return {
      .unit = "N s/m",
      .doc = "Damping of the " + of + "; without it the stretch damping of the fabric times the stiffness.",
      .minimum = 0,
      .maximum = 1e6};
}

ParameterOptions treatment_option(const std::string& of) {
  return {
      .unit = "",
      .doc = "Whether the solver knows the Jacobian of the " + of + ", or the force alone enters the step.",
      .choices = {"implicit", "explicit"}};
}

template <class T>
void describe_springs(Describer<T>& d) {
  d.parameter("stretch_stiffness", &T::stretch_stiffness, stiffness_option("springs along weft and warp"));
  d.parameter("shear_stiffness", &T::shear_stiffness, stiffness_option("springs along the diagonals"));
  d.parameter("stretch_damping", &T::stretch_damping, damping_option("springs along weft and warp"));
  d.parameter("shear_damping", &T::shear_damping, damping_option("springs along the diagonals"));
  d.parameter("damper", &T::damper,
              {.unit = "",
               .doc = "Dampers act along their springs only (projected), or against any relative velocity of "
                      "the ends, also that of rotation (free).",
               .choices = {"projected", "free"}});
  d.parameter("damper_acts", &T::damper_acts,
              {.unit = "",
               .doc = "Dampers act always, or only while their springs grow longer.",
               .choices = {"always", "elongating"}});
  d.parameter("stretch_treatment", &T::stretch_treatment, treatment_option("springs along weft and warp"));
  d.parameter("shear_treatment", &T::shear_treatment, treatment_option("springs along the diagonals"));
}

SpringRules common_rules(const SpringMembrane& membrane) {
  return {.projected_damper = membrane.damper == "projected",
          .damps_shortening = membrane.damper_acts == "always"};
}

}  // namespace

SpringRules ChoiKo::rules() const {
  SpringRules rules = common_rules(*this);
  rules.resists_compression = false;
  rules.damps_slack = slack_damping;
  return rules;
}

void ChoiKo::describe(Describer<ChoiKo>& d) {
  d.type("choi_ko", "membrane",
         "Springs along the edges and diagonals of a regular grid that pull but never push (Choi and Ko).");
  describe_springs(d);
  d.parameter("slack_damping", &ChoiKo::slack_damping,
              {.unit = "", .doc = "Dampers act in slack springs too."});
}

SpringRules Provot::rules() const {
  return common_rules(*this);
}

void Provot::describe(Describer<Provot>& d) {
  d.type("provot", "membrane",
         "Springs along the edges and diagonals of a regular grid that pull and push (Provot).");
  describe_springs(d);
}

void FlexionSprings::describe(Describer<FlexionSprings>& d) {
  d.type("flexion", "bending", "Linear springs to the next but one vertices of a regular grid (Provot).");
  d.parameter("stiffness", &FlexionSprings::stiffness,
              {.unit = "N/m",
               .doc = "Stiffness of the springs; without it a hundredth of the fabric's stiffness.",
               .minimum = 0,
               .maximum = 1e9});
  d.parameter("damping", &FlexionSprings::damping,
              {.unit = "N s/m", .doc = "Damping along the springs.", .minimum = 0, .maximum = 1e6});
  d.parameter("treatment", &FlexionSprings::treatment, treatment_option("springs"));
}

void NoBending::describe(Describer<NoBending>& d) {
  d.type("none", "bending", "No resistance against bending.");
}

}  // namespace heddle
