// Events per second of the asynchronous integrator beside element updates per second of symplectic Euler, and
// the time that both need for the same motion, on one thread.
#include "timing.h"

#include <heddle/integrate/stable_step.h>
#include <heddle/scene/json_text.h>
#include <heddle/sim/build.h>
#include <heddle/sim/registry.h>

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

namespace {

using namespace heddle;

constexpr double kTime = 0.2, kInterval = 0.01;  // s

std::unique_ptr<Integrator> integrator(const std::string& json) {
  static const Catalogue catalogue = make_catalogue();
  Diagnostics diagnostics;
  ReadContext context{catalogue, diagnostics};
  const Entity entity = read_entity(*parse_json_text(json, "integrator"), "integrator", context);
  return integrator_entry(entity).build(entity);
}

Simulation sheet(const std::string& mesh, const std::string& bending) {
  Result<Simulation> sim = build_text(
      R"({"contact": {"type": "impulses", "self": false},
          "fabrics": {"f": {"base": "cotton", "density": 0.5, "weft_stiffness": 300, "warp_stiffness": 300,
                            "shear_stiffness": 150, "stretch_damping": 0, "bending_damping": 0}},
          "cloths": [{"name": "sheet", "fabric": "f", "bending": {"type": ")" +
          bending + R"("}, "mesh": )" + mesh + "}]}",
      "bench.json");
  if (!sim) {
    fmt::print("{}\n", sim.errors().text());
    std::exit(1);
  }
  return std::move(*sim);
}

long run(const Simulation& sim, Integrator& method, double step) {
  State state = sim.state;
  for (size_t i = 0; i < state.x.size(); ++i)
    state.v[i] = 0.2 * Vec3(std::sin(4 * state.x[i].y()), 0, std::sin(6 * state.x[i].x()));
  const VelocityFilter filter(state.particle_count());
  std::vector<Vec3> reaction(state.x.size());
  long events = 0;
  for (int k = 0; k < static_cast<int>(std::lround(kTime / step)); ++k)
    events += method.step(*sim.model.system, filter, {}, step, state, reaction).events;
  return events;
}

void compare_methods(const std::string& name, const std::string& mesh, const std::string& bending) {
  const Simulation sim = sheet(mesh, bending);
  const System& system = *sim.model.system;
  int elements = 0;
  for (const auto& term : system.terms()) elements += term->element_count();
  const auto own = integrator(R"({"type": "asynchronous", "safety": 0.9})"),
             common = integrator(R"({"type": "symplectic_euler"})");
  const double stable = 0.95 * 2 / std::sqrt(stiffest_mode(system, sim.state).stiffness);
  const double step = kTime / std::ceil(kTime / stable);
  long events = 0;
  const double asynchronous = best_seconds(3, [&] { events = run(sim, *own, kInterval); });
  const double symplectic = best_seconds(3, [&] { run(sim, *common, step); });
  fmt::print("{:<26} {:>9} {:>12.2f} {:>12.2f} {:>13.2e} {:>13.2e} {:>9.2f}\n", name, elements,
             1e-6 * static_cast<double>(events) / asynchronous, 1e-6 * elements * kTime / step / symplectic,
             kTime * elements / static_cast<double>(events), step, symplectic / asynchronous);
}

}  // namespace

/// Cases whose name begins with the argument; without one all.
int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  ThreadPool pool(1);
  pool.run([&] {
    const auto compare = [&](const std::string& name, const std::string& mesh, const std::string& bending) {
      if (name.starts_with(wanted)) compare_methods(name, mesh, bending);
    };
    fmt::print("{:<26} {:>9} {:>12} {:>12} {:>13} {:>13} {:>9}\n", "", "elements", "M events/s",
               "M updates/s", "mean step, s", "one step, s", "speed-up");
    const std::string
        square = R"({"type": "irregular", "size": [1.5, 1.5], "edge_length": 0.0322})",
        rings = R"({"type": "rings", "inner": 0.05, "outer": 0.7051})",
        fine = R"({"type": "rings", "inner": 0.005, "outer": 0.8})",
        few =
            R"({"type": "graded", "size": [1.3, 1.3], "edge_length": 0.0438, "finest_edge": 0.0045, "growth": 0.5, "place": [0.3, 0.2]})";
    compare("square, membrane", square, "none");
    compare("square, patch bending", square, "patch");
    compare("areas 160:1, membrane", rings, "none");
    compare("areas 160:1, patches", rings, "patch");
    // Areas 160:1, but few of the triangles are small.
    compare("few small ones, membrane", few, "none");
    compare("few small ones, patches", few, "patch");
    compare("sides 160:1, membrane", fine, "none");
    compare("sides 160:1, hinges", fine, "hinge");
    compare("sides 160:1, patches", fine, "patch");
  });
}
