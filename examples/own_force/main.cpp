// Adds a force that Heddle does not know: an elastic string from which a cloth hangs by its middle.
#include <heddle/dynamics/stencil_term.h>
#include <heddle/sim/build.h>
#include <heddle/sim/step.h>

#include <iostream>
#include <numeric>

/// f = k (anchor - x) - c v on single particles.
struct String {
  static constexpr int kNodes = 1;
  static constexpr std::string_view kName = "string";
  static constexpr bool kConservative = false;  // it is damped
  static constexpr bool kExternal = true, kConstantJacobian = true;
  std::vector<std::array<int, 1>> nodes;
  heddle::Vec3 anchor;  // m
  double k, c;          // N/m, N s/m

  double energy(int, const heddle::ElementState<1>&) const { return 0; }
  void force(int, const heddle::ElementState<1>& q, std::array<heddle::Vec3, 1>& f) const {
    f[0] = k * (anchor - q.x[0]) - c * q.v[0];
  }
  void linearise(int e, const heddle::ElementState<1>& q, const heddle::ElementScales& s,
                 heddle::ElementSystem<1>& out) const {
    force(e, q, out.force);
    out.stiffness_velocity[0] = k * q.v[0];
    out.a[0][0] = (s.stiffness * k + s.damping * c) * heddle::Mat3::Identity();
  }
};

constexpr const char* kScene = R"({
  "heddle": 1,
  "contact": {"type": "impulses", "self": false, "obstacles": false},
  "cloths": [{"name": "cloth", "mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [17, 17]}}]
})";

int main() {
  heddle::Result<heddle::Simulation> simulation = heddle::build_text(kScene);
  if (!simulation) return std::cerr << simulation.errors().text(), 2;
  heddle::System& system = *simulation->model.system;
  constexpr int kMiddle = 17 * 8 + 8;
  const String string{{{kMiddle}}, simulation->state.x[kMiddle], 10, 0.5};
  system.add(heddle::make_term(string, system.particle_count()));

  const heddle::StepSummary summary = heddle::advance_to(*simulation, 4.0);
  if (summary.outcome != heddle::StepOutcome::accepted) return std::cerr << summary.reason << '\n', 1;
  const double weight = 9.81 * std::accumulate(system.mass().begin(), system.mass().end(), 0.0);
  std::cout << "sag: " << string.anchor.z() - simulation->state.x[kMiddle].z() << " m\n"
            << "weight / k: " << weight / string.k << " m\n";
}
