#include <heddle/forces/spring/particle_model.h>

#include <heddle/core/check.h>
#include <heddle/forces/field/drag.h>
#include <heddle/forces/field/gravity.h>
#include <heddle/forces/spring/buckling.h>
#include <heddle/forces/spring/grid_springs.h>

namespace heddle {

namespace {

using Terms = std::vector<std::unique_ptr<ForceTerm>>;

double distance(const State& state, const ParticlePair& pair) {
  return (state.x[static_cast<size_t>(pair[1])] - state.x[static_cast<size_t>(pair[0])]).norm();
}

ParticleModel assemble(State state, std::vector<double> mass, Terms terms, std::vector<int> held) {
  state.v.assign(state.x.size(), Vec3::Zero());
  state.tangled = false;
  return {
      std::make_unique<System>(std::move(mass), std::move(terms), std::vector<std::unique_ptr<Constraint>>{}),
      std::move(state), std::move(held)};
}

std::unique_ptr<ForceTerm> spring_term(const char* name, const std::vector<ParticlePair>& pairs,
                                       const SpringRules& rules, double stiffness, double damping,
                                       const State& state, bool implicit) {
  SpringKernel kernel(name, rules);
  for (const ParticlePair& pair : pairs) kernel.add(pair, distance(state, pair), stiffness, damping);
  return make_term(std::move(kernel), state.particle_count(), implicit);
}

std::unique_ptr<ForceTerm> bend_term(const SpringSheet& sheet, const State& state) {
  BucklingKernel kernel;
  const double linear = sheet.bend_linear_stiffness.value_or(sheet.stretch_stiffness);
  for (const ParticlePair& pair : bend_pairs({sheet.columns, sheet.rows}))
    kernel.add(pair, distance(state, pair), sheet.bend_stiffness, linear);
  return make_term(std::move(kernel), state.particle_count(), sheet.bend_implicit);
}

std::vector<int> held_corners(const SpringSheet& sheet) {
  const int last = sheet.columns * sheet.rows - 1;
  const std::array<int, 4> corners{0, sheet.columns - 1, last - sheet.columns + 1, last};
  std::vector<int> held;
  for (size_t i = 0; i < corners.size(); ++i)
    if (sheet.holds_corner[i]) held.push_back(corners[i]);
  return held;
}

}  // namespace

VelocityFilter ParticleModel::filter() const {
  VelocityFilter filter(state.particle_count());
  for (const int particle : held) filter.fix(particle, Vec3::Zero());
  return filter;
}

ParticleModel make_truss(const Truss& truss) {
  HEDDLE_CHECK_GT(truss.particles, 1);
  const double h = truss.length / (truss.particles - 1);
  State state;
  for (int i = 0; i < truss.particles; ++i) state.x.emplace_back(i * h, 0, 0);
  std::vector<double> mass(state.x.size(), truss.density * h);
  mass.front() = mass.back() = 0.5 * truss.density * h;
  std::vector<int> held;
  if (truss.holds_first) held.push_back(0);
  if (truss.holds_last) held.push_back(truss.particles - 1);
  SpringKernel kernel("truss", {});
  for (int i = 0; i + 1 < truss.particles; ++i)
    kernel.add({i, i + 1}, h, truss.stiffness / h, truss.viscosity / h);
  Terms terms;
  terms.push_back(make_term(std::move(kernel), truss.particles));
  return assemble(std::move(state), std::move(mass), std::move(terms), std::move(held));
}

ParticleModel make_spring_sheet(const SpringSheet& sheet) {
  const GridSize grid{sheet.columns, sheet.rows};
  State state;
  for (int row = 0; row < sheet.rows; ++row)
    for (int column = 0; column < sheet.columns; ++column)
      state.x.emplace_back(column * sheet.spacing, row * sheet.spacing, 0);
  const std::vector<double> mass(state.x.size(), sheet.density * sheet.spacing * sheet.spacing);
  Terms terms;
  terms.push_back(std::make_unique<Gravity>(mass, sheet.gravity));
  terms.push_back(spring_term("stretch_springs", stretch_pairs(grid), sheet.rules, sheet.stretch_stiffness,
                              sheet.stretch_damping, state, sheet.stretch_implicit));
  terms.push_back(spring_term("shear_springs", shear_pairs(grid), sheet.rules, sheet.shear_stiffness,
                              sheet.shear_damping, state, sheet.shear_implicit));
  if (sheet.bend_stiffness > 0) terms.push_back(bend_term(sheet, state));
  if (sheet.air_damping > 0) {
    const std::vector<double> area(state.x.size(), sheet.spacing * sheet.spacing);
    terms.push_back(make_term(DragKernel({.area_damping = sheet.air_damping}, area), state.particle_count()));
  }
  return assemble(std::move(state), mass, std::move(terms), held_corners(sheet));
}

}  // namespace heddle
