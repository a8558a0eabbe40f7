#include "rod_stage.h"

#include <heddle/integrate/implicit_euler.h>
#include <heddle/integrate/symplectic_euler.h>

#include <algorithm>
#include <cmath>

namespace heddle::test {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

RodStage make_stage(const RodShape& shape, const RodSection& section, const RodForm& form,
                    const Vec3& gravity) {
  RodSystem rods;
  RodStage stage;
  stage.place = rods.add(shape, section, form);
  stage.system = rods.system(gravity);
  stage.state = std::move(rods.state);
  return stage;
}

void RodStage::clamp(int segment) {
  const RodSegment& own = place.segments[at(segment)];
  for (const int particle : {own.ends[0], own.ends[1], own.turning})
    if (std::find(held.begin(), held.end(), particle) == held.end()) held.push_back(particle);
}

bool RodStage::run(Integrator& integrator, double dt, double until) {
  VelocityFilter filter(state.particle_count());
  for (const int particle : held) filter.fix(particle, Vec3::Zero());
  std::vector<Vec3> reaction(state.x.size());
  while (state.time < until - 0.5 * dt) {
    if (integrator.step(*system, filter, {}, dt, state, reaction).outcome != StepOutcome::accepted)
      return false;
    system->take_up_turns(state);
    if (!is_finite(state)) return false;
  }
  return true;
}

double RodStage::energy() const {
  return system->kinetic_energy(configuration_of(state)) + system->potential_energy(configuration_of(state));
}

double RodStage::energy_of(std::string_view name) const {
  double sum = 0;
  for (const auto& term : system->terms())
    if (term->name() == name) sum += term->energy(configuration_of(state));
  return sum;
}

Eigen::MatrixXd RodStage::stiffness() const {
  BlockMatrix matrix(system->pattern()), zero(system->pattern());
  zero.set_zero();
  const size_t n = state.x.size();
  std::vector<Vec3> force(n), external(n), product(n);
  system->linearise(configuration_of(state), zero, {1, 0, JacobianForm::exact, &matrix, force, product},
                    external);
  std::vector<std::pair<size_t, int>> free;
  for (size_t i = 0; i < n; ++i) {
    if (std::find(held.begin(), held.end(), static_cast<int>(i)) != held.end()) continue;
    const bool turns = static_cast<int>(i) >= place.first_particle + place.node_count;
    for (int k = 0; k < (turns && !place.unscale ? 1 : 3); ++k) free.emplace_back(i, k);
  }
  Eigen::MatrixXd out(free.size(), free.size());
  std::vector<Vec3> unit(n, Vec3::Zero()), column(n);
  for (size_t j = 0; j < free.size(); ++j) {
    unit[free[j].first][free[j].second] = 1;
    matrix.multiply(unit, column);
    unit[free[j].first].setZero();
    for (size_t i = 0; i < free.size(); ++i)
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = column[free[i].first][free[i].second];
  }
  return out;
}

RodShape straight(double length, int segments, double twist) {
  std::vector<Vec3> points;
  for (int i = 0; i <= segments; ++i) points.emplace_back(length * i / segments, 0, 0);
  return rod_through(std::move(points), false, twist);
}

std::unique_ptr<Integrator> newton_euler() {
  ImplicitEuler method;
  method.linear.solver = "direct";
  method.linear.tolerance = 1e-6;
  method.newton_iterations = 60;
  return method.build();
}

std::unique_ptr<Integrator> explicit_euler(int turning_substeps) {
  SymplecticEuler method;
  method.turning_substeps = turning_substeps;
  return method.build();
}

}  // namespace heddle::test
