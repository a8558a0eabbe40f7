#include <heddle/reproduce/spillmann_rig.h>

#include <heddle/integrate/implicit_euler.h>
#include <heddle/integrate/symplectic_euler.h>

#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

bool run(const System& system, std::span<const int> held, Integrator& integrator, double dt, int count,
         State& state) {
  VelocityFilter filter(state.particle_count());
  for (const int particle : held) filter.fix(particle, Vec3::Zero());
  std::vector<Vec3> reaction(state.x.size());
  for (int k = 0; k < count; ++k) {
    if (integrator.step(system, filter, {}, dt, state, reaction).outcome != StepOutcome::accepted)
      return false;
    system.take_up_turns(state);
  }
  return is_finite(state);
}

}  // namespace

RodSection ropes() {
  return {.radius = 0.01,
          .density = 1300,
          .young = 0.5e6,
          .shear = 0.5e6,
          .stretch = 20e6,
          .stretch_friction = 10e-6,
          .bending_friction = 1e-6,
          .printed_law = true};
}

RodRig::RodRig(const RodShape& shape, const RodSection& section, const RodForm& form, const Vec3& gravity) {
  RodSystem rods;
  place_ = rods.add(shape, section, form);
  system_ = rods.system(gravity);
  state_ = std::move(rods.state);
}

void RodRig::clamp(int segment) {
  const RodSegment& own = place_.segments[at(segment)];
  held_.insert(held_.end(), {own.ends[0], own.ends[1], own.turning});
}

bool RodRig::step_explicit(double dt, int count, int turning_substeps) {
  SymplecticEulerIntegrator integrator(turning_substeps);
  return run(*system_, held_, integrator, dt, count, state_);
}

bool RodRig::step_implicit(double dt, int count) {
  ImplicitEuler method;
  method.linear.solver = "direct";
  method.newton_iterations = 100;
  const auto integrator = method.build();
  return run(*system_, held_, *integrator, dt, count, state_);
}

RodShape straight_rod(double length, int segments, double twist) {
  std::vector<Vec3> points;
  for (int i = 0; i <= segments; ++i) points.emplace_back(length * i / segments, 0, 0);
  return rod_through(std::move(points), false, twist);
}

}  // namespace heddle
