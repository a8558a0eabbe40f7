// Adds a force that Heddle does not know: an elastic string from which a cloth hangs by its middle.
#include <heddle/dynamics/stencil_term.h>
#include <heddle/sim/build.h>
#include <heddle/sim/step.h>
#include <iostream>
using namespace heddle;

/// f = k (anchor - x) - c v on single particles; c makes it lose energy.
struct String {
  static constexpr int kNodes = 1;
  static constexpr std::string_view kName = "string";
  static constexpr bool kConservative = false, kExternal = true;
  std::vector<std::array<int, 1>> nodes;
  Vec3 anchor;  // m
  double k, c;  // N/m, N s/m

  using State = ElementState<1>;
  double energy(int, const State&) const { return 0; }
  void force(int, const State& q, std::array<Vec3, 1>& f) const { f[0] = k * (anchor - q.x[0]) - c * q.v[0]; }
  void linearise(int e, const State& q, const ElementScales& s, ElementSystem<1>& out) const {
    force(e, q, out.force);
    out.stiffness_velocity[0] = k * q.v[0];
    out.a[0][0] = (s.stiffness * k + s.damping * c) * Mat3::Identity();
  }
};

int main() {
  Result<Simulation> sim =
      build_text(R"({"cloths": [{"mesh": {"type": "grid", "size": [0.4, 0.4], "resolution": [17, 17]}}]})");
  if (!sim) return std::cerr << sim.errors().text(), 2;
  constexpr int kMiddle = 17 * 8 + 8;
  const String string{{{kMiddle}}, sim->state.x[kMiddle], 10, 0.5};
  sim->model.system->add(make_term(string, sim->state.particle_count()));
  if (advance_to(*sim, 4.0).outcome != StepOutcome::accepted) return std::cerr << "a step failed\n", 1;
  double weight = 0;  // N
  for (const double mass : sim->model.system->mass()) weight += 9.81 * mass;
  std::cout << "sag: " << string.anchor.z() - sim->state.x[kMiddle].z() << " m\n";
  std::cout << "weight / k: " << weight / string.k << " m\n";
}
