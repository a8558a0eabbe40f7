#include <heddle/reproduce/boxerman_rig.h>

#include <heddle/geometry/signed_distance.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

double energy_of(const ParticleModel& model) {
  const Configuration q = configuration_of(model.state);
  return model.system->kinetic_energy(q) + model.system->potential_energy(q);
}

SpringSheet sheet_of(const BoxermanCase& of, const Treatment& treatment, const Vec3& gravity) {
  const bool held = of.scene == BoxermanScene::corners;
  return {.columns = of.side,
          .rows = of.side,
          .spacing = of.spacing,
          .density = of.density,
          .stretch_stiffness = of.stretch,
          .shear_stiffness = of.shear,
          .stretch_damping = of.stretch_damping,
          .shear_damping = of.shear_damping,
          .bend_stiffness = of.bend,
          .gravity = gravity,
          .holds_corner = {false, false, held, held},
          .stretch_implicit = treatment.stretch,
          .shear_implicit = treatment.shear,
          .bend_implicit = treatment.bend,
          .bend_linear_stiffness = 0,  // becomes the least that lets both parts meet: the thesis has no value
          .air_damping = of.air};
}

/// MPCG multiplies each row so often besides its iterations: for the scale, the start and the report.
constexpr std::int64_t kProductsBeside = 3;

/// A solver of the whole multiplies all rows, one of components leaves fixed ones out.
std::int64_t rows_of_products(const RigStep& step, const VelocityFilter& filter) {
  const std::int64_t all = step.end.particle_count();
  const bool is_whole = step.row_products == (step.report.solver_iterations + kProductsBeside) * all;
  return is_whole ? all : all - static_cast<std::int64_t>(filter.fixed_particles().size());
}

}  // namespace

BoxermanCase preconditioner_case(Random& random, BoxermanScene scene, double length, int largest_side) {
  BoxermanCase out{.scene = scene};
  out.side = 5 * static_cast<int>(1 + random.below(largest_side / 5));
  out.spacing = length / out.side;
  out.density = drawn(random, {0.05, 0.1, 0.2, 0.5});
  out.stretch = drawn(random, {300.0, 600.0, 1000.0, 2000.0, 3000.0});
  out.shear = drawn(random, {300.0, 600.0, 1000.0, 2000.0, 3000.0});
  out.bend = drawn(random, {0.001, 0.01, 0.1});
  out.stretch_damping = drawn(random, {0.0, 0.01, 0.1, 1.0, 10.0});
  out.shear_damping = drawn(random, {0.0, 0.01, 0.1, 1.0, 10.0});
  out.air = drawn(random, {0.0, 0.001, 0.003});
  out.step = drawn(random, {0.005, 0.01, 0.015, 0.02});
  return out;
}

Treatment adaptive_treatment(const BoxermanCase& of, double threshold) {
  return {.stretch = of.stretch_kappa() > threshold, .shear = of.shear_kappa() > threshold, .bend = false};
}

double boxerman_tolerance(double step) {
  return std::sqrt(0.01 * step);
}

SolverParameters boxerman_solver(double step) {
  return {.solver = "mpcg",
          .preconditioner = "block_jacobi",
          .tolerance = boxerman_tolerance(step),
          .max_iterations = 20000,
          .warm_start = true};
}

std::unique_ptr<SemiImplicitEulerIntegrator> make_boxerman_integrator(const SolverParameters& linear) {
  return std::make_unique<SemiImplicitEulerIntegrator>("boxerman", StageSettings{.linear = linear});
}

void RigSum::add(const RigStep& step) {
  is_sound = is_sound && step.went() && is_finite(step.end);
  iterations += step.report.solver_iterations;
  row_products += step.row_products;
  seconds += step.seconds;
  ++steps;
}

BoxermanRig::BoxermanRig(const BoxermanCase& of, const Treatment& treatment, const RigRules& rules,
                         const Vec3& gravity)
    : case_(of), rules_(rules), model_(make_spring_sheet(sheet_of(of, treatment, gravity))) {
  const double length = (of.side - 1) * of.spacing, middle = 0.5 * length;
  touches_.resize(model_.state.x.size());
  switch (of.scene) {
    case BoxermanScene::corners:
      break;
    case BoxermanScene::table:
      solids_ = {{Box{.size = {0.6 * length, 0.6 * length, length}}, Vec3(middle, middle, -0.52 * length)}};
      break;
    case BoxermanScene::sphere:
      solids_ = {{Sphere{.radius = 0.3 * length}, Vec3(middle, middle, -0.32 * length)}};
      break;
    case BoxermanScene::sphere_beside:
      solids_ = {{Sphere{.radius = 0.3 * length}, Vec3(0.8 * middle, 0.9 * middle, -0.32 * length)}};
      break;
    case BoxermanScene::ground:
      solids_ = {{Plane{}, Vec3(0, 0, 0)}};
      // On edge, a little askew: it folds as it comes down.
      for (Vec3& x : model_.state.x)
        x = Vec3(x[0], 0.3 * x[1] + 0.02 * length * std::sin(7 * x[0] / length),
                 0.01 * length + 0.954 * x[1]);
      break;
    case BoxermanScene::centre:
      model_.held = {of.side / 2 * of.side + of.side / 2};
      break;
  }
}

double BoxermanRig::energy() const {
  return energy_of(model_);
}

std::vector<BoxermanRig::Hit> BoxermanRig::hits() const {
  std::vector<Hit> out;
  for (const Solid& solid : solids_)
    for (int i = 0; i < model_.state.particle_count(); ++i) {
      if (touches_[at(i)].released) continue;
      const SurfacePoint point = signed_distance(solid.shape, model_.state.x[at(i)] - solid.centre);
      if (point.distance < 0) out.push_back({i, -point.distance, point.normal});
    }
  return out;
}

bool BoxermanRig::sticks(const Hit& hit) const {
  const Vec3& v = model_.state.v[at(hit.particle)];
  const bool is_slow = (v - v.dot(hit.normal) * hit.normal).norm() < rules_.creep;
  return is_slow && !touches_[at(hit.particle)].slides && rules_.static_friction > 0;
}

VelocityFilter BoxermanRig::filter(double dt) const {
  VelocityFilter filter = model_.filter();
  for (const Hit& hit : hits()) {
    const double speed = rules_.push_out * hit.depth / dt;
    if (sticks(hit))
      filter.fix(hit.particle, speed * hit.normal);
    else
      filter.prescribe(hit.particle, hit.normal, speed);
  }
  return filter;
}

std::vector<PairSpring> BoxermanRig::near_pairs() const {
  const double nearest = 0.6 * case_.spacing;
  const std::vector<Vec3>& x = model_.state.x;
  std::map<std::array<int, 3>, std::vector<int>> cells;
  const auto cell_of = [&](const Vec3& p) {
    return std::array{static_cast<int>(std::floor(p[0] / nearest)),
                      static_cast<int>(std::floor(p[1] / nearest)),
                      static_cast<int>(std::floor(p[2] / nearest))};
  };
  for (int i = 0; i < model_.state.particle_count(); ++i) cells[cell_of(x[at(i)])].push_back(i);
  std::vector<PairSpring> springs;
  for (int i = 0; i < model_.state.particle_count(); ++i) {
    const auto cell = cell_of(x[at(i)]);
    for (int k = 0; k < 27; ++k) {
      const auto found = cells.find({cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1});
      if (found == cells.end()) continue;
      for (const int j : found->second) {
        const Vec3 across = x[at(i)] - x[at(j)];
        const double gap = across.norm();
        if (j >= i || gap >= nearest || gap == 0) continue;
        springs.push_back({.particles = {i, j, i, j},
                           .weights = {1, -1, 0, 0},
                           .normal = across / gap,
                           .gap = gap,
                           .target = nearest});
      }
    }
  }
  return springs;
}

RigStep BoxermanRig::attempt(SemiImplicitEulerIntegrator& integrator, double dt) const {
  RigStep step{.report = {}, .end = model_.state, .reaction = std::vector<Vec3>(model_.state.x.size())};
  const VelocityFilter filter = this->filter(dt);
  std::vector<Vec3> load(model_.state.x.size(), Vec3::Zero());
  for (const Hit& hit : hits()) {
    if (sticks(hit)) continue;
    const Vec3& v = model_.state.v[at(hit.particle)];
    const Vec3 along = v - v.dot(hit.normal) * hit.normal;
    const double speed = along.norm();
    if (speed == 0) continue;
    // Never more than stops the particle.
    const double force = std::min(rules_.sliding_friction * touches_[at(hit.particle)].normal_force,
                                  case_.mass() * speed / dt);
    load[at(hit.particle)] -= force / speed * along;
  }
  std::vector<PairSpring> springs;
  if (rules_.surfaces_meet) springs = near_pairs();
  step.seconds = processor_seconds_of([&] {
    step.report = integrator.step(*model_.system, filter, {.force = load, .springs = springs}, dt, step.end,
                                  step.reaction);
  });
  step.row_products = integrator.solver().row_products();
  step.row_products -= kProductsBeside * rows_of_products(step, filter);
  return step;
}

void BoxermanRig::accept(const RigStep& step) {
  const std::vector<Hit> touched = hits();
  std::vector<Touch> next(touches_.size());
  for (const Hit& hit : touched) {
    Touch& touch = next[at(hit.particle)];
    const Vec3& force = step.reaction[at(hit.particle)];
    touch.normal_force = std::max(0.0, force.dot(hit.normal));
    touch.released = force.dot(hit.normal) < 0;
    const double tangential = (force - force.dot(hit.normal) * hit.normal).norm();
    const Vec3& v = step.end.v[at(hit.particle)];
    const double speed = (v - v.dot(hit.normal) * hit.normal).norm();
    if (sticks(hit))
      touch.slides = tangential > rules_.static_friction * touch.normal_force;
    else
      touch.slides = speed >= rules_.creep || speed > touches_[at(hit.particle)].speed;
    touch.speed = speed;
  }
  touches_ = std::move(next);
  model_.state = step.end;
}

RigSum BoxermanRig::run(SemiImplicitEulerIntegrator& integrator, double duration) {
  RigSum sum;
  const int steps = static_cast<int>(std::lround(duration / case_.step));
  for (int k = 0; k < steps && sum.is_sound; ++k) {
    const RigStep step = attempt(integrator, case_.step);
    sum.add(step);
    accept(step);
  }
  return sum;
}

BlockMatrix BoxermanRig::matrix(double dt) const {
  const System& system = *model_.system;
  BlockMatrix matrix(system.pattern()), constant(system.pattern());
  std::vector<Vec3> force(model_.state.x.size()), product = force, external = force;
  system.constant_matrix(dt * dt, dt, constant);
  system.linearise(configuration_of(model_.state), constant,
                   {.stiffness_scale = dt * dt,
                    .damping_scale = dt,
                    .matrix = &matrix,
                    .force = force,
                    .stiffness_velocity = product},
                   external);
  return matrix;
}

std::vector<Triangle> BoxermanRig::triangles() const {
  std::vector<Triangle> out;
  for (int row = 0; row + 1 < case_.side; ++row)
    for (int column = 0; column + 1 < case_.side; ++column) {
      const int i = row * case_.side + column, above = i + case_.side;
      out.push_back({i, i + 1, above + 1});
      out.push_back({i, above + 1, above});
    }
  return out;
}

}  // namespace heddle
