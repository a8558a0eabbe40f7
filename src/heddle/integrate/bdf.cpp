#include <heddle/integrate/bdf.h>

#include <heddle/parallel/parallel.h>

#include <algorithm>

namespace heddle {

namespace {

/// By how much a step may be longer than the one before. Order 2 is stable below 1 + sqrt(2) (Grigorieff
/// 1983), the higher ones only near equal steps.
constexpr double kLargestGrowth = 2.4, kLargestGrowthOfHigh = 1.2;

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::vector<double> ages_of(double dt, const State& state, size_t count) {
  std::vector<double> ages{dt};
  for (size_t k = 0; k + 1 < count; ++k) ages.push_back(dt + state.past[k].age);
  return ages;
}

/// Largest ratio of a step to the one before it.
double largest_growth(std::span<const double> ages) {
  double largest = 0;
  for (size_t k = 1; k < ages.size(); ++k) {
    const double later = ages[k - 1] - (k > 1 ? ages[k - 2] : 0);
    largest = std::max(largest, later / (ages[k] - ages[k - 1]));
  }
  return largest;
}

}  // namespace

void Bdf::describe(Describer<Bdf>& d) {
  d.type("bdf", "integrator",
         "Backward differentiation: of second order and stable at any step, or of higher order for smooth "
         "motion.");
  describe_common(d);
  d.parameter("order", &Bdf::order,
              {.unit = "1",
               .doc = "Steps that the formula looks back, and its order; above 2, motions that swing fast "
                      "may grow.",
               .minimum = 2,
               .maximum = kLargestBdfOrder});
}

std::unique_ptr<Integrator> Bdf::build() const {
  return std::make_unique<BdfIntegrator>("bdf", stage_settings(), order);
}

std::array<double, kLargestBdfOrder + 1> bdf_weights(std::span<const double> ages) {
  // Derivatives at 0 of Lagrange's polynomials on the nodes 0, -ages.
  std::array<double, kLargestBdfOrder + 1> weights{};
  const double h = ages[0];
  for (size_t j = 0; j < ages.size(); ++j) {
    weights[0] += h / ages[j];
    double product = -h / ages[j];
    for (size_t m = 0; m < ages.size(); ++m)
      if (m != j) product *= ages[m] / (ages[m] - ages[j]);
    weights[j + 1] = product;
  }
  return weights;
}

BdfIntegrator::BdfIntegrator(std::string_view name, const StageSettings& settings, int order)
    : ImplicitIntegrator(settings),
      name_(name),
      order_(order),
      extrapolates_(order > 2 || settings.splitting.stable || !settings.splitting.explicit_terms.empty()),
      starter_(settings, 0.5, false) {}

int BdfIntegrator::usable_order(double dt, const State& state) const {
  int order = std::min(order_, static_cast<int>(state.past.size()) + 1);
  const auto is_stable = [&](int k) {
    const double limit = k > 2 ? kLargestGrowthOfHigh : kLargestGrowth;
    return k == 1 || largest_growth(ages_of(dt, state, at(k))) <= limit;
  };
  while (!is_stable(order)) --order;
  return order;
}

ImplicitIntegrator::Plan BdfIntegrator::plan(const System&, double dt, const State& state) {
  const int order = usable_order(dt, state);
  if (order == 1) return {};
  const std::vector<double> ages = ages_of(dt, state, at(order));
  const auto weights = bdf_weights(ages);
  double older = 0;  // share of the step that past velocities contribute
  for (int k = 1; k < order; ++k) older += weights[at(k + 1)] / weights[0] * state.past[at(k - 1)].age;
  const size_t n = state.x.size();
  x_.resize(n);
  v_.resize(n);
  guess_.resize(n);
  const double forward = extrapolates_ ? dt / state.past[0].age : 0;
  parallel_for(state.particle_count(), [&](int i) {
    x_[at(i)] = state.x[at(i)] + older * state.v[at(i)];
    v_[at(i)] = state.v[at(i)];
    for (int k = 1; k < order; ++k) {
      const double weight = weights[at(k + 1)] / weights[0];
      x_[at(i)] -= weight * state.past[at(k - 1)].x[at(i)];
      v_[at(i)] -= weight * state.past[at(k - 1)].v[at(i)];
    }
    guess_[at(i)] = state.v[at(i)] - forward * state.past[0].v[at(i)];
  });
  return {1 / weights[0], 1 / weights[0], 1, true};
}

void BdfIntegrator::remember(double dt, const Plan& plan, std::span<const Vec3> kick, const State& begin,
                             State& state) {
  PastState oldest;
  if (state.past.size() + 1 >= at(order_)) {
    oldest = std::move(state.past.back());
    state.past.pop_back();
  }
  state.past.insert(state.past.begin(), std::move(oldest));
  PastState& newest = state.past.front();
  newest.age = 0;
  newest.x.assign(begin.x.size(), Vec3::Zero());
  newest.v.assign(begin.x.size(), Vec3::Zero());
  for (PastState& past : state.past) {
    // From the frame of the particle at the beginning to that of the end, without what contact did.
    parallel_for(state.particle_count(), [&](int i) {
      const Vec3 end = state.v[at(i)] - kick[at(i)];
      const Vec3 x = state.x[at(i)] - plan.position * dt * kick[at(i)];
      past.x[at(i)] += begin.x[at(i)] - past.age * begin.v[at(i)] - x + (past.age + dt) * end;
      past.v[at(i)] += begin.v[at(i)] - end;
    });
    past.age += dt;
  }
}

StepReport BdfIntegrator::start(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                                double dt, State& state, std::span<Vec3> reaction) {
  const State begin = state;
  StepReport report;
  // Richardson's extrapolation of 1, 2 and 4 midpoint steps, whose errors have even powers of h only.
  std::vector<State> ends;
  for (int count = 1; count <= 4; count *= 2) {
    ends.push_back(begin);
    forget_past(ends.back());
    for (int k = 0; k < count; ++k) {
      const StepReport part = starter_.step(system, filter, loads, dt / count, ends.back(), reaction);
      report.add_work(part);
      report.outer_work = k == 0 ? part.outer_work : report.outer_work + part.outer_work;
      if (part.outcome != StepOutcome::accepted) return part;
    }
    double factor = 1;
    for (size_t j = ends.size() - 1; j-- > 0;) {
      factor *= 4;
      for (size_t i = 0; i < state.x.size(); ++i) {
        const Vec3 x = ends[j + 1].x[i] + (ends[j + 1].x[i] - ends[j].x[i]) / (factor - 1);
        const Vec3 v = ends[j + 1].v[i] + (ends[j + 1].v[i] - ends[j].v[i]) / (factor - 1);
        ends[j].x[i] = x;
        ends[j].v[i] = v;
      }
    }
  }
  state.x = ends[0].x;
  state.v = ends[0].v;
  state.time = begin.time + dt;
  state.step = begin.step + 1;
  const std::vector<Vec3> none(state.x.size(), Vec3::Zero());
  remember(dt, {}, none, begin, state);
  return report;
}

StepReport BdfIntegrator::step(const System& system, const VelocityFilter& filter, const StepLoads& loads,
                               double dt, State& state, std::span<Vec3> reaction) {
  const bool is_start = order_ > 2 && state.past.size() + 1 < at(order_);
  // Contact is known for whole steps only.
  if (is_start && loads.springs.empty() && loads.brakes.empty())
    return start(system, filter, loads, dt, state, reaction);
  return ImplicitIntegrator::step(system, filter, loads, dt, state, reaction);
}

}  // namespace heddle
