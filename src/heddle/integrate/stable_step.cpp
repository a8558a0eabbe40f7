#include <heddle/integrate/stable_step.h>

#include <heddle/core/random.h>
#include <heddle/parallel/parallel.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

constexpr int kPowerIterations = 40;
/// A mode is stable if it gets not this much larger from one half of so many steps to the other.
constexpr int kTrialSteps = 600;
constexpr double kGrowth = 1.05;
constexpr int kBisections = 20;

size_t at(int i) {
  return static_cast<size_t>(i);
}

double norm_of(const std::vector<Vec3>& values) {
  double sum = 0;
  for (const Vec3& value : values) sum += value.squaredNorm();
  return std::sqrt(sum);
}

/// M + stiffness K + damping D without the terms that are `held`.
BlockMatrix matrix_of(const System& system, const State& state, double stiffness, double damping,
                      std::span<const std::string> held) {
  BlockMatrix matrix(system.pattern()), constant(system.pattern());
  std::vector<Vec3> ignored(state.x.size()), external = ignored, product = ignored;
  system.constant_matrix(stiffness, damping, constant, held);
  system.linearise(configuration_of(state), constant,
                   {.stiffness_scale = stiffness,
                    .damping_scale = damping,
                    .matrix = &matrix,
                    .force = ignored,
                    .stiffness_velocity = product},
                   external, held);
  return matrix;
}

/// Of M^-1 (a - b).
double largest_eigenvalue(const System& system, const BlockMatrix& a, const BlockMatrix& b) {
  const int n = system.particle_count();
  std::vector<Vec3> x(at(n)), p(at(n)), q(at(n));
  Random random(1);
  for (Vec3& value : x) value = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  double value = 0;
  for (int k = 0; k < kPowerIterations; ++k) {
    const double length = norm_of(x);
    if (!(length > 0)) return 0;
    for (Vec3& entry : x) entry /= length;
    a.multiply(x, p);
    b.multiply(x, q);
    parallel_for(n, [&](int i) { x[at(i)] = (p[at(i)] - q[at(i)]) / system.mass()[at(i)]; });
    value = norm_of(x);
  }
  return value;
}

/// One particle of 1 kg with the stiffness and damping of a mode.
class ModeForce final : public ForceTerm {
 public:
  explicit ModeForce(const StiffestMode& mode) : mode_(mode) {}
  std::string_view name() const override { return "mode"; }
  bool is_conservative() const override { return true; }
  double energy(const Configuration& q) const override {
    return 0.5 * mode_.stiffness * q.x[0].squaredNorm();
  }
  void add_force(const Configuration& q, std::span<Vec3> force) const override {
    force[0] -= mode_.stiffness * q.x[0] + mode_.damping * q.v[0];
  }

 private:
  StiffestMode mode_;
};

bool is_stable(Integrator& integrator, const StiffestMode& mode, double dt) {
  std::vector<std::unique_ptr<ForceTerm>> terms;
  terms.push_back(std::make_unique<ModeForce>(mode));
  const System system({1.0}, std::move(terms), {});
  State state;
  const double omega = std::sqrt(std::max(mode.stiffness, mode.damping * mode.damping));
  state.x = {Vec3(1 / omega, 0, 0)};
  state.v = {Vec3(0, 1, 0)};
  std::vector<Vec3> reaction(1);
  double largest[2] = {0, 0};
  for (int k = 0; k < kTrialSteps; ++k) {
    integrator.step(system, VelocityFilter(1), {}, dt, state, reaction);
    const double size = omega * state.x[0].norm() + state.v[0].norm();
    if (!(size < 1e6)) return false;
    double& half = largest[k < kTrialSteps / 2 ? 0 : 1];
    half = std::max(half, size);
  }
  return largest[1] < kGrowth * largest[0];
}

}  // namespace

StiffestMode stiffest_mode(const System& system, const State& state, std::span<const std::string> terms) {
  std::vector<std::string> held(terms.begin(), terms.end());
  if (held.empty())
    for (const auto& term : system.terms()) held.emplace_back(term->name());
  const auto largest = [&](double stiffness, double damping) {
    return largest_eigenvalue(system, matrix_of(system, state, stiffness, damping, {}),
                              matrix_of(system, state, stiffness, damping, held));
  };
  return {largest(1, 0), largest(0, 1)};
}

double stable_step(Integrator& integrator, const StiffestMode& mode, double longest) {
  if ((mode.stiffness == 0 && mode.damping == 0) || is_stable(integrator, mode, longest)) return longest;
  double good = 0, bad = longest;
  // The step may be off by orders of magnitude.
  for (int k = 0; k < 60 && good == 0; ++k) {
    const double half = 0.5 * bad;
    (is_stable(integrator, mode, half) ? good : bad) = half;
  }
  for (int k = 0; k < kBisections; ++k) {
    const double middle = 0.5 * (good + bad);
    (is_stable(integrator, mode, middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace heddle
