#include <heddle/integrate/implicit_euler.h>
#include <heddle/integrate/stable_step.h>
#include <heddle/reproduce/eurographics.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// Springs that pull and push, no dampers: the exact Jacobian is symmetric, and positive beside enough mass.
ParticleModel smooth_sheet(int side) {
  return make_spring_sheet({.columns = side,
                            .rows = side,
                            .stretch_stiffness = 10,
                            .shear_stiffness = 10,
                            .rules = {.resists_compression = true},
                            .holds_corner = {false, false, true, true}});
}

/// Backward Euler from the state of a model: what a velocity lacks, M (v_0 - v) + h f(x_0 + h v, v), N s.
class BackwardEuler {
 public:
  BackwardEuler(const ParticleModel& model, double step)
      : model_(model),
        step_(step),
        matrix_(model.system->pattern()),
        constant_(matrix_),
        x_(size()),
        force_(size()) {}

  size_t size() const { return model_.state.x.size(); }

  std::vector<Vec3> lack(std::span<const Vec3> v) {
    move(v);
    model_.system->force({x_, v, 0}, force_);
    return lack_of(v);
  }

  /// The same, and makes its exact Jacobian.
  std::vector<Vec3> linearise(std::span<const Vec3> v) {
    move(v);
    std::vector<Vec3> product(size()), external(size());
    model_.system->constant_matrix(step_ * step_, step_, constant_);
    model_.system->linearise({x_, v, 0}, constant_,
                             {.stiffness_scale = step_ * step_,
                              .damping_scale = step_,
                              .form = JacobianForm::exact,
                              .matrix = &matrix_,
                              .force = force_,
                              .stiffness_velocity = product},
                             external);
    return lack_of(v);
  }
  const BlockMatrix& matrix() const { return matrix_; }

  /// v -> v_0 + h M^-1 f, as a change of v.
  double iterate_fixed_point(std::vector<Vec3>& v) {
    const std::vector<Vec3> lack = this->lack(v);
    double change = 0;
    for (size_t i = 0; i < v.size(); ++i) {
      const Vec3 step = lack[i] / model_.system->mass()[i];
      v[i] += step;
      change = std::max(change, step.norm());
    }
    return change;
  }

 private:
  void move(std::span<const Vec3> v) {
    for (size_t i = 0; i < x_.size(); ++i) x_[i] = model_.state.x[i] + step_ * v[i];
  }
  std::vector<Vec3> lack_of(std::span<const Vec3> v) const {
    std::vector<Vec3> lack(size());
    for (size_t i = 0; i < lack.size(); ++i)
      lack[i] = model_.system->mass()[i] * (model_.state.v[i] - v[i]) + step_ * force_[i];
    for (const int i : model_.held) lack[static_cast<size_t>(i)].setZero();
    return lack;
  }

  const ParticleModel& model_;
  double step_;
  BlockMatrix matrix_, constant_;
  std::vector<Vec3> x_, force_;
};

double norm_of(const std::vector<Vec3>& values) {
  double sum = 0;
  for (const Vec3& value : values) sum += value.squaredNorm();
  return std::sqrt(sum);
}

/// A swinging sheet after a while.
ParticleModel swung(int side, double duration) {
  ParticleModel model = smooth_sheet(side);
  State end =
      advance(smooth_sheet(side), known_method("verlet"), 1e-4, static_cast<int>(duration / 1e-4)).end;
  model.state.x = end.x;
  model.state.v = end.v;
  return model;
}

/// Iterations until the velocity changes by less than 1e-8 m/s; nothing if they are more than 1000.
std::optional<int> fixed_point_iterations(const ParticleModel& model, double step) {
  BackwardEuler equation(model, step);
  std::vector<Vec3> v = model.state.v;
  for (int k = 1; k <= 1000; ++k) {
    const double change = equation.iterate_fixed_point(v);
    if (change < 1e-8) return k;
    if (!std::isfinite(change)) break;
  }
  return std::nullopt;
}

/// Residuals of Newton's method whose k-th linear solve leaves eta(k, residuals) of it.
template <class Eta>
std::vector<double> newton_residuals(const ParticleModel& model, double step, double end, const Eta& eta) {
  BackwardEuler equation(model, step);
  const auto solver = make_linear_solver({.preconditioner = "block_jacobi"});
  const BlockProjection projection = model.filter().projection();
  std::vector<Vec3> v = model.state.v;
  std::vector<double> residuals;
  for (int k = 0; k < 60; ++k) {
    const std::vector<Vec3> lack = equation.linearise(v);
    residuals.push_back(norm_of(lack));
    if (residuals.back() < end * residuals.front()) break;
    std::vector<Vec3> change(v.size(), Vec3::Zero());
    const std::vector<Vec3> nothing(v.size(), Vec3::Zero());
    solver->solve(equation.matrix(), lack, nothing, projection,
                  {.tolerance = eta(residuals), .max_iterations = 10000}, change);
    for (size_t i = 0; i < v.size(); ++i) v[i] += change[i];
  }
  return residuals;
}

/// log(r_k+1 / r_k) / log(r_k / r_k-1) at the end, above rounding: 1 if each iteration takes the same part
/// away.
double order_of(std::vector<double> r) {
  constexpr double kRounding = 1e-10;
  while (r.back() < kRounding * r.front()) r.pop_back();
  const size_t n = r.size();
  return n < 3 ? 0 : std::log(r[n - 1] / r[n - 2]) / std::log(r[n - 2] / r[n - 3]);
}

/// Steps of one swing, cut and lengthened by the count of linear solves (2.2.4).
struct AdaptedSteps {
  double calm = 0, taut = 0;  // s, longest while springs are slack and shortest after they draw tight
  int refused = 0;
  bool is_sound = true;
};

AdaptedSteps adapt_steps() {
  constexpr double kLongest = 0.04, kShortest = kLongest / 1024;
  // Falls freely for a tenth of a second: the sheet starts 5 cm above its corners.
  ParticleModel model = make_spring_sheet({.columns = 12,
                                           .rows = 12,
                                           .stretch_stiffness = 100,
                                           .shear_stiffness = 100,
                                           .stretch_damping = 1e-3,
                                           .shear_damping = 1e-3,
                                           .holds_corner = {false, false, true, true}});
  for (Vec3& x : model.state.x) x = Vec3(0.9 * x[0], 0.9 * x[1], 0);
  ImplicitEulerIntegrator integrator(
      {.linear = {.preconditioner = "block_jacobi", .tolerance = 1e-4}, .newton = {.most_solves = 12}});
  const VelocityFilter filter = model.filter();
  std::vector<Vec3> reaction(model.state.x.size());
  AdaptedSteps out{.taut = kLongest};
  double step = kLongest / 16;
  while (model.state.time < 0.8) {
    State next = model.state;
    const StepReport report = integrator.step(*model.system, filter, {}, step, next, reaction);
    if (report.outcome != StepOutcome::accepted) {
      ++out.refused;
      step *= 0.5;
      if (step < kShortest) return out.is_sound = false, out;
      continue;
    }
    model.state = next;
    if (model.state.time < 0.09)
      out.calm = std::max(out.calm, step);
    else
      out.taut = std::min(out.taut, step);
    if (report.may_grow) step = std::min(2 * step, kLongest);
  }
  return out;
}

}  // namespace

Result<Findings> eurographics_iterations(const Effort& effort) {
  const int side = effort.quick ? 8 : 15;
  const ParticleModel model = swung(side, 0.2);
  const double fastest = std::sqrt(stiffest_mode(*model.system, model.state).stiffness);  // rad/s
  Findings findings;
  std::vector<int> fixed;
  int most_newton = 0;
  for (const double share : {0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 5.0}) {
    const double step = share / fastest;
    const auto count = fixed_point_iterations(model, step);
    const auto newton = newton_residuals(model, step, 1e-9, [](const auto&) { return 1e-8; });
    const int solves = static_cast<int>(newton.size()) - 1;
    most_newton = std::max(most_newton, solves);
    if (count) fixed.push_back(*count);
    findings.figures.push_back(
        {fmt::format("|lambda| h = {:g}: iterations, fixed point and Newton", share), "",
         fmt::format("{}, {}", count ? std::to_string(*count) : "does not end", solves)});
  }
  const bool grows = std::is_sorted(fixed.begin(), fixed.end()) && fixed.back() > fixed.front();
  const double step = 2 / fastest;
  const auto constant = newton_residuals(model, step, 1e-12, [](const auto&) { return 0.1; });
  const auto falling = newton_residuals(
      model, step, 1e-12, [](const std::vector<double>& r) { return std::min(0.1, r.back() / r.front()); });
  findings.figures.push_back({"linear solves with eta = 0.1, and with eta = |r_k| / |r_0|", "",
                              fmt::format("{}, {}", constant.size() - 1, falling.size() - 1)});
  const AdaptedSteps adapted = adapt_steps();
  findings.figures.push_back(
      {"steps that were refused while a sheet fell and drew tight", "", fmt::format("{}", adapted.refused)});
  findings.claims = {
      {"C15: fixed-point iterations grow with |lambda| h", "grow",
       fmt::format("{} to {}, then they do not end", fixed.front(), fixed.back()), grows && fixed.size() < 7},
      {"C15: those of Newton's method hardly do", "do not", fmt::format("at most {}", most_newton),
       most_newton <= 6},
      {"C16: eta that falls to zero gives an order above 1", "> 1",
       fmt::format("{:.2f}, with constant eta {:.2f}", order_of(falling), order_of(constant)),
       order_of(falling) > 1.2 && std::abs(order_of(constant) - 1) < 0.4},
      {"C19: steps grow in calm phases and shrink at stiff events", "by the count of Newton's method",
       fmt::format("{}up to {:.3f} s in free fall, down to {:.4f} s as springs draw tight",
                   adapted.is_sound ? "" : "failed; ", adapted.calm, adapted.taut),
       adapted.is_sound && adapted.calm > 0.0026 && adapted.taut < adapted.calm}};
  return findings;
}

}  // namespace heddle
