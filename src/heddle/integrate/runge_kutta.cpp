#include <heddle/integrate/runge_kutta.h>

#include <heddle/integrate/step_doubling.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

constexpr double kRounding = 1e-9;

bool is_near(double a, double b) {
  return std::abs(a - b) < kRounding;
}

IntegratorTraits traits_of(const ButcherTableau& tableau) {
  return {.order = tableau.order(), .damped_order = tableau.order(), .is_explicit = true};
}

void check_tableau(const RungeKutta& method, const SourceLocation& where, Diagnostics& diagnostics) {
  const size_t stages = method.b.size();
  bool fits = stages > 0 && method.c.size() == stages && method.a.size() + 1 == stages &&
              (method.embedded.empty() || method.embedded.size() == stages);
  for (size_t i = 0; fits && i < method.a.size(); ++i) fits = method.a[i].size() == i + 1;
  if (!fits) {
    diagnostics.error(where, "the tableau of runge_kutta does not fit together",
                      "for s stages give s numbers b, c and embedded, and s - 1 rows a of 1, 2, ... numbers");
    return;
  }
  double sum = 0;
  for (const double weight : method.b) sum += weight;
  if (!is_near(sum, 1)) diagnostics.error(where, "the weights b of runge_kutta must add up to 1");
  for (size_t i = 0; i < stages; ++i) {
    double row = 0;
    if (i > 0)
      for (const double entry : method.a[i - 1]) row += entry;
    if (!is_near(row, method.c[i]))
      diagnostics.error(where, "each c of runge_kutta must be the sum of its row of a, the first one 0");
  }
}

}  // namespace

/// The conditions for orders 1 to 4 (Butcher 2008, Table 301(I)), with a zero upper triangle.
int ButcherTableau::order() const {
  double sum = 0, c1 = 0, c2 = 0, c3 = 0, ac = 0, cac = 0, ac2 = 0, aac = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    double row = 0, row2 = 0, row_ac = 0;
    for (size_t j = 0; j < i; ++j) {
      row += a[i][j] * c[j];
      row2 += a[i][j] * c[j] * c[j];
      for (size_t k = 0; k < j; ++k) row_ac += a[i][j] * a[j][k] * c[k];
    }
    sum += b[i];
    c1 += b[i] * c[i];
    c2 += b[i] * c[i] * c[i];
    c3 += b[i] * c[i] * c[i] * c[i];
    ac += b[i] * row;
    cac += b[i] * c[i] * row;
    ac2 += b[i] * row2;
    aac += b[i] * row_ac;
  }
  if (!is_near(sum, 1)) return 0;
  if (!is_near(c1, 1.0 / 2)) return 1;
  if (!is_near(c2, 1.0 / 3) || !is_near(ac, 1.0 / 6)) return 2;
  const bool is_fourth =
      is_near(c3, 1.0 / 4) && is_near(cac, 1.0 / 8) && is_near(ac2, 1.0 / 12) && is_near(aac, 1.0 / 24);
  return is_fourth ? 4 : 3;
}

ButcherTableau ButcherTableau::euler() {
  return {{{}}, {1}, {0}};
}

ButcherTableau ButcherTableau::midpoint() {
  return {{{}, {0.5}}, {0, 1}, {0, 0.5}};
}

ButcherTableau ButcherTableau::classical() {
  return {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6}, {0, 0.5, 0.5, 1}};
}

void ExplicitEuler::describe(Describer<ExplicitEuler>& d) {
  d.type("explicit_euler", "integrator",
         "Forward Euler: the simplest method, of first order; what is not damped enough grows at any step.");
  describe_common(d);
}

void ExplicitMidpoint::describe(Describer<ExplicitMidpoint>& d) {
  d.type("explicit_midpoint", "integrator",
         "Explicit midpoint rule: of second order; what is not damped at all grows slowly at any step.");
  describe_common(d);
}

void Rk4::describe(Describer<Rk4>& d) {
  d.type("rk4", "integrator",
         "The classical Runge-Kutta method: of fourth order, four force evaluations a step.");
  describe_common(d);
}

void RungeKutta::describe(Describer<RungeKutta>& d) {
  d.type("runge_kutta", "integrator",
         "An explicit Runge-Kutta method by its tableau; Kutta's third-order one if not given.");
  describe_common(d);
  d.parameter("a", &RungeKutta::a,
              {.unit = "1", .doc = "Weights of the stages before each stage, from the second one on."});
  d.parameter("b", &RungeKutta::b,
              {.unit = "1", .doc = "Weights of the stages in the step; their sum is 1."});
  d.parameter("c", &RungeKutta::c,
              {.unit = "1", .doc = "Times of the stages as shares of the step; sums of the rows of a."});
  d.parameter("embedded", &RungeKutta::embedded,
              {.unit = "1",
               .doc = "Weights of the stages in a method of another order: the difference tells the error, "
                      "at no cost."});
  d.validate(check_tableau);
}

ButcherTableau RungeKutta::tableau() const {
  ButcherTableau tableau{{{}}, b, c, embedded};
  tableau.a.insert(tableau.a.end(), a.begin(), a.end());
  return tableau;
}

IntegratorTraits ExplicitEuler::traits() const {
  return traits_of(ButcherTableau::euler());
}
IntegratorTraits ExplicitMidpoint::traits() const {
  return traits_of(ButcherTableau::midpoint());
}
IntegratorTraits Rk4::traits() const {
  return traits_of(ButcherTableau::classical());
}
IntegratorTraits RungeKutta::traits() const {
  return traits_of(tableau());
}

std::unique_ptr<Integrator> ExplicitEuler::build() const {
  return std::make_unique<RungeKuttaIntegrator>("explicit_euler", ButcherTableau::euler());
}
std::unique_ptr<Integrator> ExplicitMidpoint::build() const {
  return std::make_unique<RungeKuttaIntegrator>("explicit_midpoint", ButcherTableau::midpoint());
}
std::unique_ptr<Integrator> Rk4::build() const {
  return std::make_unique<RungeKuttaIntegrator>("rk4", ButcherTableau::classical());
}
std::unique_ptr<Integrator> RungeKutta::build() const {
  return std::make_unique<RungeKuttaIntegrator>("runge_kutta", tableau(), error_tolerance);
}

RungeKuttaIntegrator::RungeKuttaIntegrator(std::string_view name, ButcherTableau tableau,
                                           double error_tolerance)
    : name_(name),
      tableau_(std::move(tableau)),
      error_tolerance_(tableau_.embedded.empty() ? 0 : error_tolerance),
      velocity_(tableau_.b.size()),
      acceleration_(tableau_.b.size()) {}

void RungeKuttaIntegrator::combine(std::span<const double> weights, double dt, std::span<const Vec3> begin,
                                   const std::vector<std::vector<Vec3>>& rates,
                                   std::span<Vec3> values) const {
  parallel_for(static_cast<int>(values.size()), [&](int i) {
    Vec3 sum = Vec3::Zero();
    for (size_t j = 0; j < weights.size(); ++j) sum += weights[j] * rates[j][at(i)];
    values[at(i)] = begin[at(i)] + dt * sum;
  });
}

/// Stages at x_i = x + h sum a_ij v_j and v_i = v + h sum a_ij a_j (Hauth et al. 2002, (31)).
void RungeKuttaIntegrator::predict(const System& system, const VelocityFilter& filter,
                                   std::span<const Vec3> load, double dt, const State& state) {
  x_.resize(state.x.size());
  for (int i = 0; i < tableau_.stages(); ++i) {
    velocity_[at(i)].resize(state.x.size());
    acceleration_[at(i)].resize(state.x.size());
    combine(tableau_.a[at(i)], dt, state.v, acceleration_, velocity_[at(i)]);
    filter.impose(velocity_[at(i)]);
    combine(tableau_.a[at(i)], dt, state.x, velocity_, x_);
    accelerate(system, load, {x_, velocity_[at(i)], state.time + tableau_.c[at(i)] * dt, state.frames},
               acceleration_[at(i)]);
    if (i == 0) first_external_ = external_;
  }
  external_ = first_external_;
  const std::vector<Vec3> still(state.x.size(), Vec3::Zero());
  combine(tableau_.b, 1, still, velocity_, mean_);
  combine(tableau_.b, dt, state.v, acceleration_, end_);
  error_ = error_tolerance_ > 0 ? find_error(dt) : 0;
}

double RungeKuttaIntegrator::find_error(double dt) const {
  double largest = 0;
  for (size_t i = 0; i < mean_.size(); ++i) {
    Vec3 difference = Vec3::Zero();
    for (size_t j = 0; j < tableau_.b.size(); ++j)
      difference += (tableau_.b[j] - tableau_.embedded[j]) * velocity_[j][i];
    largest = std::max(largest, dt * difference.norm());
  }
  return largest;
}

void RungeKuttaIntegrator::judge(StepReport& report) const {
  if (error_tolerance_ > 0) judge_error(error_, error_tolerance_, tableau_.order(), report);
}

}  // namespace heddle
