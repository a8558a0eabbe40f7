#include <heddle/integrate/newmark.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

void Newmark::describe(Describer<Newmark>& d) {
  d.type("newmark", "integrator",
         "Newmark's method: with beta 1/4 and gamma 1/2 the trapezoidal rule, of second order and without "
         "damping.");
  describe_common(d);
  d.parameter("beta", &Newmark::beta,
              {.unit = "1",
               .doc = "Weight of the new acceleration in positions; stable at any step from gamma / 2 on.",
               .minimum = 0.05,
               .maximum = 1});
  d.parameter("gamma", &Newmark::gamma,
              {.unit = "1",
               .doc = "Weight of the new acceleration in velocities; above 0.5 it damps, and the order is 1.",
               .minimum = 0.5,
               .maximum = 1});
}

IntegratorTraits Newmark::traits() const {
  const int order = gamma == 0.5 ? 2 : 1;
  const bool is_a_stable = 2 * beta >= gamma;
  return {.order = order, .damped_order = order, .is_a_stable = is_a_stable, .has_limit = !is_a_stable};
}

std::unique_ptr<Integrator> Newmark::build() const {
  return std::make_unique<AlphaIntegrator>("newmark", stage_settings(), AlphaCoefficients{beta, gamma});
}

void GeneralisedAlpha::describe(Describer<GeneralisedAlpha>& d) {
  d.type("generalised_alpha", "integrator",
         "The generalised alpha method: of second order, damps what steps cannot resolve and little else.");
  describe_common(d);
  d.parameter("radius", &GeneralisedAlpha::radius,
              {.unit = "1",
               .doc = "What a step leaves of the fastest vibrations: 1 all, 0 nothing.",
               .minimum = 0,
               .maximum = 1});
}

std::unique_ptr<Integrator> GeneralisedAlpha::build() const {
  return std::make_unique<AlphaIntegrator>("generalised_alpha", stage_settings(),
                                           AlphaCoefficients::of_radius(radius));
}

AlphaCoefficients AlphaCoefficients::of_radius(double radius) {
  const double mass_lag = (2 * radius - 1) / (radius + 1), force_lag = radius / (radius + 1);
  const double sum = 1 - mass_lag + force_lag;
  return {0.25 * sum * sum, sum - 0.5, mass_lag, force_lag};
}

/// a_1 and x_1 follow from the velocity of the stage, v = (1 - force_lag) v_1 + force_lag v_0.
ImplicitIntegrator::Plan AlphaIntegrator::plan(const System& system, double dt, const State& state) {
  const size_t n = state.x.size();
  acceleration_ = state.acceleration;
  if (acceleration_.empty()) {
    acceleration_.resize(n);
    system.force(configuration_of(state), acceleration_);
    parallel_for(state.particle_count(), [&](int i) { acceleration_[at(i)] /= system.mass()[at(i)]; });
  }
  const double share = 1 - c_.force_lag;
  const Plan plan{c_.gamma * share / (1 - c_.mass_lag), c_.beta / c_.gamma, share, true};
  const double older = plan.force * dt * ((1 - c_.mass_lag) * (1 - c_.gamma) / c_.gamma - c_.mass_lag);
  const double drift = (share - plan.position) * dt, bend = share * dt * dt * (0.5 - plan.position);
  x_.resize(n);
  v_.resize(n);
  guess_.resize(n);
  parallel_for(state.particle_count(), [&](int i) {
    const Vec3 &v = state.v[at(i)], &a = acceleration_[at(i)];
    x_[at(i)] = state.x[at(i)] + drift * v + bend * a;
    v_[at(i)] = v + older * a;
    guess_[at(i)] = v;  // a was that of fast vibrations, too, which do not last a step
  });
  return plan;
}

void AlphaIntegrator::remember(double dt, const Plan&, std::span<const Vec3> kick, const State& begin,
                               State& state) {
  state.acceleration.resize(state.x.size());
  parallel_for(state.particle_count(), [&](int i) {
    const Vec3 gain = state.v[at(i)] - kick[at(i)] - begin.v[at(i)];
    state.acceleration[at(i)] = (gain / dt - (1 - c_.gamma) * acceleration_[at(i)]) / c_.gamma;
  });
}

}  // namespace heddle
