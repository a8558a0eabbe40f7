#include <heddle/study/oscillator.h>

namespace heddle {

namespace {

/// Linear forces on one particle. Both forms of the Jacobian are the true one, also where that is negative:
/// studies ask what a method makes of it.
struct LinearForce {
  static constexpr int kNodes = 1;
  static constexpr std::string_view kName = "linear_force";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;

  std::vector<std::array<int, 1>> nodes{{0}};
  double stiffness, damping, rest;

  Vec3 stretch(const ElementState<1>& q) const { return q.x[0] - Vec3(rest, 0, 0); }
  double energy(int, const ElementState<1>& q) const { return 0.5 * stiffness * stretch(q).squaredNorm(); }
  void force(int, const ElementState<1>& q, std::array<Vec3, 1>& f) const {
    f[0] = -stiffness * stretch(q) - damping * q.v[0];
  }
  void linearise(int e, const ElementState<1>& q, const ElementScales& scales, ElementSystem<1>& out) const {
    force(e, q, out.force);
    out.stiffness_velocity[0] = stiffness * q.v[0];
    out.a[0][0] = (scales.stiffness * stiffness + scales.damping * damping) * Mat3::Identity();
  }
};

}  // namespace

ParticleModel Oscillator::model() const {
  std::vector<std::unique_ptr<ForceTerm>> terms;
  terms.push_back(make_term(LinearForce{.stiffness = stiffness, .damping = damping, .rest = rest}, 1));
  ParticleModel result;
  result.system = std::make_unique<System>(std::vector<double>{mass}, std::move(terms),
                                           std::vector<std::unique_ptr<Constraint>>{});
  result.state.x = {Vec3(position, 0, 0)};
  result.state.v = {Vec3(velocity, 0, 0)};
  result.state.tangled = false;
  return result;
}

Vec2 Oscillator::at(double time) const {
  // x = rest + e^(-p t) (A c(t) + B s(t)), where c and s solve y'' = q y with q = p^2 - stiffness/mass.
  const double p = 0.5 * damping / mass;
  const std::complex<double> root = std::sqrt(std::complex<double>(p * p - stiffness / mass, 0));
  const std::complex<double> c = std::cosh(root * time);
  const std::complex<double> s = std::abs(root) < 1e-12 ? time : std::sinh(root * time) / root;
  const double A = position - rest, B = velocity + p * A, decay = std::exp(-p * time);
  const double y = (A * c + B * s).real(), rate = (A * root * root * s + B * c).real();
  return {rest + decay * y, decay * (rate - p * y)};
}

double Oscillator::energy() const {
  const double stretch = position - rest;
  return 0.5 * mass * velocity * velocity + 0.5 * stiffness * stretch * stretch;
}

Oscillator Oscillator::with_rate(std::complex<double> lambda) {
  return {.stiffness = std::norm(lambda), .damping = -2 * lambda.real(), .position = 1, .velocity = 0};
}

}  // namespace heddle
