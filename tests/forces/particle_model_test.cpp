// The truss and the sheet of springs against their continuum and their stability limits.

#include <heddle/forces/spring/particle_model.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

namespace heddle {

namespace {

/// Forward-backward Euler (Boxerman 2003, (4.5)).
void step(const ParticleModel& model, double dt, State& state) {
  const System& system = *model.system;
  std::vector<Vec3> force(state.x.size());
  system.force(configuration_of(state), force);
  for (size_t i = 0; i < state.x.size(); ++i) state.v[i] += dt / system.mass()[i] * force[i];
  model.filter().impose(state.v);
  for (size_t i = 0; i < state.x.size(); ++i) state.x[i] += dt * state.v[i];
  state.time += dt;
}

double energy_of(const ParticleModel& model, const State& state) {
  const Configuration q = configuration_of(state);
  return model.system->kinetic_energy(q) + model.system->potential_energy(q);
}

/// Particles moved alternately along the truss: the fastest oscillation there is.
State shaken(const ParticleModel& model) {
  State state = model.state;
  for (size_t i = 1; i + 1 < state.x.size(); ++i) state.x[i][0] += (i % 2 ? 1 : -1) * 1e-6;
  return state;
}

bool stays_bounded(const ParticleModel& model, double dt) {
  State state = shaken(model);
  const double limit = 100 * energy_of(model, state);
  for (int i = 0; i < 2000; ++i) step(model, dt, state);
  return energy_of(model, state) <= limit;
}

/// Longest stable step, s.
double critical_step(const ParticleModel& model, double low, double high) {
  for (int i = 0; i < 20; ++i) {
    const double middle = 0.5 * (low + high);
    (stays_bounded(model, middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

TEST(Truss, HasTheMassOfTheBar) {
  const ParticleModel model = make_truss({.particles = 11, .length = 2, .density = 0.3});
  const auto mass = model.system->mass();
  EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), 0.6, 1e-12);
  EXPECT_NEAR(mass[0], 0.5 * mass[1], 1e-15);
}

// Boxerman 2003, 4.1.3: in one dimension kappa = (k/m)(k_s k + 2 k_d) <= 1, exactly.
TEST(Truss, IsStableUpToANumericalStiffnessOfOne) {
  for (const double viscosity : {0.0, 0.02, 1.0}) {
    const Truss truss{.particles = 41, .stiffness = 100, .viscosity = viscosity, .holds_last = true};
    const ParticleModel model = make_truss(truss);
    const double h = 1.0 / 40, m = truss.density * h, k_s = truss.stiffness / h, k_d = viscosity / h;
    const double a = k_s, b = 2 * k_d;
    const double expected = (-b + std::sqrt(b * b + 4 * a * m)) / (2 * a);
    const double found = critical_step(model, 0.5 * expected, 2 * expected);
    EXPECT_NEAR(found / m * (k_s * found + 2 * k_d), 1, 0.01) << viscosity;
  }
}

/// The lowest longitudinal oscillation of a bar held at one end has the period 4 L sqrt(rho / EA).
TEST(Truss, SwingsWithThePeriodOfTheBar) {
  const double expected = 4 * std::sqrt(0.1 / 100);
  for (const int particles : {11, 41}) {
    const ParticleModel model = make_truss({.particles = particles});
    State state = model.state;
    for (Vec3& x : state.x) x[0] += 1e-4 * std::sin(0.5 * std::numbers::pi * x[0]);
    const double dt = 1e-5;
    // A quarter, then three quarters of the period: the free end passes its place at rest.
    double last = 1e-4, crossing = 0;
    while (crossing == 0 && state.time < 2 * expected) {
      step(model, dt, state);
      const double now = state.x.back()[0] - 1;
      if (now <= 0) crossing = state.time - dt * now / (now - last);
      last = now;
    }
    const double tolerance = particles == 11 ? 3e-3 : 3e-4;
    EXPECT_NEAR(4 * crossing, expected, tolerance * expected) << particles;
  }
}

/// Viscosity damps mode n of a held bar by exp(-beta k_n^2 t / (2 rho)), k_n = n pi / L.
TEST(Truss, LosesEnergyAsTheViscousBarDoes) {
  const Truss truss{.particles = 81, .viscosity = 0.01, .holds_last = true};
  const ParticleModel model = make_truss(truss);
  State state = model.state;
  for (Vec3& x : state.x) x[0] += 1e-5 * std::sin(3 * std::numbers::pi * x[0]);
  const double before = energy_of(model, state), dt = 2e-6, duration = 0.2;
  while (state.time < duration) step(model, dt, state);
  const double rate = truss.viscosity / truss.density * std::pow(3 * std::numbers::pi, 2);
  EXPECT_NEAR(std::log(before / energy_of(model, state)), rate * state.time, 0.02 * rate * state.time);
}

TEST(SpringSheet, HasEqualMassesAndItsTerms) {
  const ParticleModel model = make_spring_sheet({.columns = 6,
                                                 .rows = 4,
                                                 .spacing = 0.1,
                                                 .density = 0.2,
                                                 .bend_stiffness = 0.01,
                                                 .holds_corner = {true, false, false, true}});
  for (const double m : model.system->mass()) EXPECT_NEAR(m, 0.002, 1e-15);
  EXPECT_EQ(model.held, (std::vector<int>{0, 23}));
  std::vector<std::string> names;
  for (const auto& term : model.system->terms()) names.emplace_back(term->name());
  EXPECT_EQ(names, (std::vector<std::string>{"gravity", "stretch_springs", "shear_springs", "bend_springs"}));
}

// Boxerman 2003, (4.8): kappa <= 1/2 for every connection is enough for a sheet at rest.
TEST(SpringSheet, IsStableBelowAHalf) {
  const ParticleModel model =
      make_spring_sheet({.spacing = 0.05, .density = 0.1, .holds_corner = {true, true}});
  const double m = 0.1 * 0.05 * 0.05;
  for (const auto& [kappa, stable] : {std::pair{0.49, true}, {1.2, false}}) {
    const double dt = std::sqrt(kappa * m / 1000);
    State state = model.state;
    double largest = 0;
    for (int i = 0; i < 1000; ++i) {
      step(model, dt, state);
      largest = std::max(largest, std::abs(energy_of(model, state)));
    }
    EXPECT_EQ(largest < 1, stable) << kappa;
  }
}

// Boxerman 2003, (4.13): explicit springs give forces but have no place in the matrix.
TEST(SpringSheet, ExplicitKindsLeaveTheMatrix) {
  const SpringSheet all{.bend_stiffness = 0.01};
  SpringSheet stretch_only = all;
  stretch_only.shear_implicit = stretch_only.bend_implicit = false;
  const ParticleModel whole = make_spring_sheet(all), part = make_spring_sheet(stretch_only);
  EXPECT_EQ(whole.system->pattern().block_count(), 1360);
  EXPECT_EQ(part.system->pattern().block_count(), 460);
  State state = whole.state;
  for (size_t i = 0; i < state.x.size(); ++i) state.x[i] *= 1 + 0.01 * static_cast<double>(i % 7);
  std::vector<Vec3> a(state.x.size()), b = a;
  whole.system->force(configuration_of(state), a);
  part.system->force(configuration_of(state), b);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ((a[i] - b[i]).norm(), 0);
}

TEST(SpringSheet, AirSlowsItInProportionToItsArea) {
  const ParticleModel model = make_spring_sheet({.spacing = 0.1, .gravity = {0, 0, 0}, .air_damping = 3});
  State state = model.state;
  for (Vec3& v : state.v) v = Vec3(0, 0, 2);
  std::vector<Vec3> force(state.x.size());
  model.system->force(configuration_of(state), force);
  for (const Vec3& f : force) EXPECT_NEAR((f - Vec3(0, 0, -3 * 0.01 * 2)).norm(), 0, 1e-12);
}

// Boxerman 2003, claim of 3.3: a rotating sheet keeps its energy with projected dampers and loses it with
// free ones.
TEST(SpringSheet, RotationIsDampedByFreeDampersOnly) {
  const auto loss = [](bool projected) {
    SpringSheet sheet{
        .columns = 5, .rows = 5, .stretch_damping = 0.05, .shear_damping = 0.05, .gravity = {0, 0, 0}};
    sheet.rules.projected_damper = projected;
    sheet.rules.damps_slack = true;
    const ParticleModel model = make_spring_sheet(sheet);
    State state = model.state;
    const Vec3 centre(0.1, 0.1, 0), spin(0, 0, 1);
    for (size_t i = 0; i < state.x.size(); ++i) state.v[i] = spin.cross(state.x[i] - centre);
    const double before = energy_of(model, state);
    while (state.time < 0.5) step(model, 1e-4, state);
    return 1 - energy_of(model, state) / before;
  };
  EXPECT_LT(loss(true), 0.01);
  EXPECT_GT(loss(false), 0.5);
}

}  // namespace heddle
