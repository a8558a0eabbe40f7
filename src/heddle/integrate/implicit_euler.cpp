#include <heddle/integrate/implicit_euler.h>

namespace heddle {

void ImplicitEuler::describe(Describer<ImplicitEuler>& d) {
  d.type("implicit_euler", "integrator",
         "Backward Euler, its nonlinear equations solved in full: stable at any step, brakes motion.");
  describe_common(d);
}

std::unique_ptr<Integrator> ImplicitEuler::build() const {
  return std::make_unique<ImplicitEulerIntegrator>(stage_settings());
}

}  // namespace heddle
