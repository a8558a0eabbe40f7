#include "integrator_probe.h"

#include <heddle/dynamics/stencil_term.h>
#include <heddle/scene/json_text.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace heddle::test {

namespace {

/// Holds each particle to the origin.
struct AnchorKernel {
  static constexpr std::string_view kName = "anchor";
  static constexpr int kNodes = 1;
  static constexpr bool kConservative = true, kExternal = false;
  std::vector<std::array<int, 1>> nodes;
  double k = 0, d = 0;

  double energy(int, const ElementState<1>& q) const { return 0.5 * k * q.x[0].squaredNorm(); }
  void force(int, const ElementState<1>& q, std::array<Vec3, 1>& f) const { f[0] = -k * q.x[0] - d * q.v[0]; }
  void linearise(int e, const ElementState<1>& q, const ElementScales& scales, ElementSystem<1>& out) const {
    force(e, q, out.force);
    out.stiffness_velocity[0] = k * q.v[0];
    out.a[0][0] = (scales.stiffness * k + scales.damping * d) * Mat3::Identity();
  }
};

/// Boxerman 2003, (3.6), (3.7) corrected, and (3.14), (3.15).
struct LinkKernel {
  static constexpr std::string_view kName = "link";
  static constexpr int kNodes = 2;
  static constexpr bool kConservative = true, kExternal = false;
  std::vector<std::array<int, 2>> nodes;
  double k = 0, d = 0, length = 0;

  double energy(int, const ElementState<2>& q) const {
    return 0.5 * k * std::pow((q.x[1] - q.x[0]).norm() - length, 2);
  }
  void force(int, const ElementState<2>& q, std::array<Vec3, 2>& f) const {
    const Vec3 x = q.x[1] - q.x[0], n = x.normalized();
    f[0] = (k * (x.norm() - length) + d * n.dot(q.v[1] - q.v[0])) * n;
    f[1] = -f[0];
  }
  void linearise(int e, const ElementState<2>& q, const ElementScales& scales, ElementSystem<2>& out) const {
    force(e, q, out.force);
    const Vec3 x = q.x[1] - q.x[0], n = x.normalized();
    const Mat3 along = n * n.transpose();
    double side = 1 - length / x.norm();
    if (scales.form == JacobianForm::positive) side = std::max(0.0, side);
    const Mat3 K = k * (along + side * (Mat3::Identity() - along));
    const Mat3 a = scales.stiffness * K + scales.damping * d * along;
    out.a[0][0] = out.a[1][1] = a;
    out.a[0][1] = out.a[1][0] = -a;
    out.stiffness_velocity[0] = K * (q.v[0] - q.v[1]);
    out.stiffness_velocity[1] = -out.stiffness_velocity[0];
  }
};

/// The same force at all times.
class ConstantForce final : public ForceTerm {
 public:
  explicit ConstantForce(std::vector<Vec3> force) : force_(std::move(force)) {}
  std::string_view name() const override { return "constant"; }
  bool is_conservative() const override { return true; }
  bool is_external() const override { return true; }
  double energy(const Configuration& q) const override {
    double sum = 0;
    for (size_t i = 0; i < force_.size(); ++i) sum -= force_[i].dot(q.x[i]);
    return sum;
  }
  void add_force(const Configuration&, std::span<Vec3> force) const override {
    for (size_t i = 0; i < force_.size(); ++i) force[i] += force_[i];
  }

 private:
  std::vector<Vec3> force_;
};

System make_system(std::vector<double> mass, std::unique_ptr<ForceTerm> inner,
                   const std::vector<Vec3>& outer) {
  std::vector<std::unique_ptr<ForceTerm>> terms;
  terms.push_back(std::move(inner));
  terms.push_back(std::make_unique<ConstantForce>(outer));
  return System(std::move(mass), std::move(terms), {});
}

}  // namespace

void PrintTo(const IntegratorCase& integrator, std::ostream* out) {
  *out << integrator.json;
}

std::vector<IntegratorCase> all_integrators() {
  std::vector<IntegratorCase> cases;
  const auto add = [&](const TypeDescription& type, const std::string& name, const std::string& more) {
    std::string json = "{\"type\": \"" + type.name + "\"" + more;
    if (type.find("tolerance")) json += ", \"tolerance\": 1e-11, \"max_iterations\": 10000";
    if (type.find("newton_iterations")) json += ", \"newton_iterations\": 60";
    cases.push_back({name, json + "}"});
  };
  for (const IntegratorEntry& entry : integrator_registry()) {
    const TypeDescription& type = *entry.type;
    add(type, type.name, "");
    if (type.name == "semi_implicit_euler") add(type, "semi_implicit_euler_lively", ", \"lively\": true");
    if (type.name == "verlet")
      for (const char* form : {"leapfrog", "position"})
        add(type, std::string("verlet_") + form, std::string(", \"form\": \"") + form + "\"");
    if (type.name == "asynchronous") add(type, "asynchronous_any", ", \"steps\": \"any\"");
    if (type.name == "bdf")
      for (const char* order : {"3", "4", "5", "6"})
        add(type, std::string("bdf_") + order, std::string(", \"order\": ") + order);
    if (type.name == "bdf" || type.name == "implicit_midpoint")
      for (const char* newton : {"exact", "simplified", "once"})
        add(type, type.name + "_" + newton, std::string(", \"newton\": \"") + newton + "\"");
    if (type.name == "bdf") add(type, "bdf_sparse", ", \"newton\": \"sparse\"");
    if (type.name == "bdf" || type.name == "implicit_euler")
      add(type, type.name + "_energy", ", \"line_search\": \"energy\"");
    if (type.name == "generalised_alpha") add(type, "generalised_alpha_undamped", ", \"radius\": 1");
    if (type.name == "newmark") add(type, "newmark_damped", ", \"beta\": 0.36, \"gamma\": 0.7");
  }
  return cases;
}

Entity integrator_entity(const std::string& json) {
  static const Catalogue catalogue = make_catalogue();
  Diagnostics diagnostics;
  ReadContext context{catalogue, diagnostics};
  const Result<Value> value = parse_json_text(json, "integrator");
  const Entity entity = read_entity(*value, "integrator", context);
  if (diagnostics.has_errors()) std::cerr << diagnostics.text() << std::endl;
  HEDDLE_CHECK(!diagnostics.has_errors());
  return entity;
}

std::unique_ptr<Integrator> make_integrator(const IntegratorCase& integrator) {
  const Entity entity = integrator_entity(integrator.json);
  return integrator_entry(entity).build(entity);
}

IntegratorTraits traits_of(const IntegratorCase& integrator) {
  const Entity entity = integrator_entity(integrator.json);
  return integrator_entry(entity).traits(entity);
}

System anchored(const std::vector<double>& mass, const Anchors& anchors) {
  AnchorKernel kernel{.k = anchors.stiffness, .d = anchors.damping};
  const int n = static_cast<int>(mass.size());
  for (int i = 0; i < n; ++i) kernel.nodes.push_back({i});
  return make_system(mass, make_term(kernel, n), std::vector<Vec3>(mass.size(), anchors.force));
}

System chain(int count, double stiffness, double damping, const Vec3& gravity) {
  constexpr double kMass = 0.1, kLength = 0.1;
  LinkKernel kernel{.k = stiffness, .d = damping, .length = kLength};
  for (int i = 0; i + 1 < count; ++i) kernel.nodes.push_back({i, i + 1});
  const auto n = static_cast<size_t>(count);
  return make_system(std::vector<double>(n, kMass), make_term(kernel, count),
                     std::vector<Vec3>(n, kMass * gravity));
}

State chain_state(int count) {
  State state;
  for (int i = 0; i < count; ++i) state.x.push_back(Vec3(0.1 * i, 0, 0));
  state.v.assign(state.x.size(), Vec3::Zero());
  return state;
}

StepReport advance(const System& system, const VelocityFilter& filter, Integrator& integrator, double time,
                   int count, State& state) {
  std::vector<Vec3> reaction(state.x.size());
  for (int k = 0; k < count; ++k) {
    const StepReport report = integrator.step(system, filter, {}, time / count, state, reaction);
    if (report.outcome != StepOutcome::accepted) return report;
  }
  return {};
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

double total_energy(const System& system, const State& state) {
  return system.kinetic_energy(configuration_of(state)) + system.potential_energy(configuration_of(state));
}

}  // namespace heddle::test
