#include <heddle/study/amplification.h>

#include <heddle/parallel/parallel.h>
#include <heddle/study/oscillator.h>

#include <array>
#include <cmath>
#include <limits>

namespace heddle {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Takes steps of length 1 with one integrator on one oscillator.
class Stepper {
 public:
  Stepper(const Method& method, const Oscillator& oscillator)
      : model_(oscillator.model()), filter_(model_.filter()), integrator_(method.build()) {}

  State start(double position, double velocity) const {
    State state = model_.state;
    state.x[0] = {position, 0, 0};
    state.v[0] = {velocity, 0, 0};
    return state;
  }

  bool step(State& state) {
    const StepOutcome outcome = integrator_->step(*model_.system, filter_, {}, 1, state, reaction_).outcome;
    return (outcome == StepOutcome::accepted || outcome == StepOutcome::doubtful) && is_finite(state);
  }

 private:
  ParticleModel model_;
  VelocityFilter filter_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<Vec3> reaction_{1};
};

Vec2 phase(const State& state) {
  return {state.x[0][0], state.v[0][0]};
}

/// The map of a step on position and velocity; nothing if a step fails.
std::optional<Mat2> step_matrix(Stepper& stepper) {
  Mat2 matrix;
  for (int c = 0; c < 2; ++c) {
    State state = stepper.start(c == 0 ? 1 : 0, c == 1 ? 1 : 0);
    if (!stepper.step(state)) return std::nullopt;
    matrix.col(c) = phase(state);
  }
  return matrix;
}

std::array<std::complex<double>, 2> eigenvalues(const Mat2& m) {
  const double half = 0.5 * m.trace();
  const std::complex<double> root = std::sqrt(std::complex<double>(half * half - m.determinant(), 0));
  return {half + root, half - root};
}

/// Does a step depend on those before it? Asked after so many that no method is at its start any more.
bool remembers(Stepper& stepper) {
  constexpr int kStart = 8;
  State state = stepper.start(0.7, 0.4);
  for (int i = 0; i < kStart; ++i)
    if (!stepper.step(state)) return false;
  State anew = stepper.start(state.x[0][0], state.v[0][0]);
  if (!stepper.step(state) || !stepper.step(anew)) return false;
  return (phase(state) - phase(anew)).norm() > 1e-9 * phase(state).norm();
}

/// The larger factor of a method whose positions obey x_n+2 = a x_n+1 + b x_n although steps remember
/// something, such as Verlet's forms; nothing if they do not.
std::optional<double> two_term_growth(Stepper& stepper) {
  constexpr int kStart = 8, kSamples = 16;
  constexpr double kRounding = 1e-8;
  State state = stepper.start(0.7, 0.4);
  std::array<double, kSamples> x{};
  for (int i = 0; i < kStart + kSamples; ++i) {
    if (!stepper.step(state)) return std::nullopt;
    if (i >= kStart) x[static_cast<size_t>(i - kStart)] = state.x[0][0];
  }
  // Least squares by the normal equations.
  Mat2 normal = Mat2::Zero();
  Vec2 right = Vec2::Zero();
  for (size_t i = 0; i + 2 < kSamples; ++i) {
    const Vec2 before(x[i + 1], x[i]);
    normal += before * before.transpose();
    right += x[i + 2] * before;
  }
  const Vec2 ab = normal.inverse() * right;
  double off = 0, size = 0;
  for (size_t i = 0; i + 2 < kSamples; ++i) {
    off = std::max(off, std::abs(ab[0] * x[i + 1] + ab[1] * x[i] - x[i + 2]));
    size = std::max(size, std::abs(x[i + 2]));
  }
  if (!(off <= kRounding * size)) return std::nullopt;
  const auto values = eigenvalues(Mat2{{ab[0], ab[1]}, {1, 0}});
  return std::max(std::abs(values[0]), std::abs(values[1]));
}

/// Mean growth of a step over many of them, behind a start in which transients die.
double long_growth(Stepper& stepper, std::complex<double> lambda) {
  constexpr int kStart = 40, kMeasured = 120;
  // Far below where it began, a motion is what solvers leave over, and neither grows nor dies.
  constexpr double kHuge = 1e120, kLeast = 1e-8;
  const double frequency = std::max(std::abs(lambda), 1e-12);
  State state = stepper.start(1, 0.3 * frequency);
  const auto size = [&] { return std::hypot(state.x[0][0] * frequency, state.v[0][0]); };
  const double begin = size();
  double before = 0, largest = 0;
  for (int i = 1; i <= kStart + kMeasured; ++i) {
    if (!stepper.step(state)) return kInfinity;
    // The largest of several steps, because an oscillation passes zero.
    if (i <= kStart) before = i > kStart - 20 ? std::max(before, size()) : 0;
    if (i > kStart + kMeasured - 20) largest = std::max(largest, size());
    if (size() > kHuge) return std::pow(size(), 1.0 / i);
    if (size() < kLeast * begin) return std::pow(size() / begin, 1.0 / i);
  }
  return before > 0 ? std::pow(largest / before, 1.0 / kMeasured) : 0;
}

}  // namespace

double amplification(const Method& method, std::complex<double> lambda) {
  Stepper stepper(method, Oscillator::with_rate(lambda));
  if (remembers(stepper)) {
    const auto growth = two_term_growth(stepper);
    return growth ? *growth : long_growth(stepper, lambda);
  }
  const auto matrix = step_matrix(stepper);
  if (!matrix) return kInfinity;
  const auto values = eigenvalues(*matrix);
  return std::max(std::abs(values[0]), std::abs(values[1]));
}

std::optional<std::array<std::complex<double>, 2>> step_eigenvalues(const Method& method,
                                                                    std::complex<double> lambda) {
  Stepper stepper(method, Oscillator::with_rate(lambda));
  if (remembers(stepper)) return std::nullopt;
  const auto matrix = step_matrix(stepper);
  if (!matrix) return std::nullopt;
  return eigenvalues(*matrix);
}

PlotRegion stability_region(const Method& method, const RegionWindow& window) {
  PlotRegion region{.name = method.name, .values = {}, .level = 1};
  region.values.resize(static_cast<size_t>(window.columns) * static_cast<size_t>(window.rows));
  parallel_for(
      window.rows,
      [&](int row) {
        const double im = window.low + (window.high - window.low) * row / (window.rows - 1);
        for (int column = 0; column < window.columns; ++column) {
          const double re = window.left + (window.right - window.left) * column / (window.columns - 1);
          region.values[static_cast<size_t>(row * window.columns + column)] = amplification(method, {re, im});
        }
      },
      1);
  return region;
}

}  // namespace heddle
