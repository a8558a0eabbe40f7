#include <heddle/mesh/fold_detail.h>
#include <heddle/reproduce/boxerman_rig.h>
#include <heddle/reproduce/stage.h>
#include <heddle/reproduce/thomaszewski.h>
#include <heddle/study/method.h>

#include <fmt/core.h>

#include <cmath>

namespace heddle {

namespace {

constexpr double kLength = 1.5;  // m

constexpr std::string_view kSwing = R"({{
  "duration": 4, "frame_rate": 25, "contact": {{"type": "impulses", "self": false}},
  "fabrics": {{"sheet": {{"base": "cotton", "density": 0.5, "weft_stiffness": 300, "warp_stiffness": 300,
                         "shear_stiffness": 150, "stretch_damping": 0, "bending_damping": 0}}}},
  "cloths": [{{"name": "sheet", "fabric": "sheet",
              "mesh": {{"type": "irregular", "size": [1.5, 1.5], "edge_length": {}}},
              "pins": [{{"vertices": {{"nearest": [[-0.75, 0.75, 0], [0.75, 0.75, 0]]}}}}]}}]}})";

struct Entry {
  const char* name;
  const char* method;
  double step;     // s
  double seconds;  // published, for 4 s
};

constexpr const char* kBackwardEuler =
    R"({"type": "semi_implicit_euler", "lively": false, "tolerance": 1e-3})";

constexpr Entry kEntries[] = {
    {"backward Euler, 1/30 s", kBackwardEuler, 1.0 / 30, 5.66},
    {"backward Euler, 0.01 s", kBackwardEuler, 0.01, 17.05},
    {"backward Euler, 0.00075 s", kBackwardEuler, 0.00075, 218.4},
    {"forward Euler, 0.0002 s", "explicit_euler", 0.0002, 265.0},
    {"symplectic Euler, 0.00025 s", "symplectic_euler", 0.00025, 208.0},
    {"implicit midpoint, 0.001 s", R"({"type": "implicit_midpoint", "newton": "once", "tolerance": 1e-3})",
     0.001, 247.4},
    {"asynchronous", "asynchronous", 0.01, 215.0}};

struct Swing {
  double reached = 0;  // s, until it failed or ended
  double lost = 0;     // J, at the end
  double folds = 0;    // 1/m, mean detail of folds in the second half
  long events = 0;     // of elements
  double seconds = 0;

  bool ended(double duration) const { return reached > duration - 0.05; }
};

double energy_of(const System& system, const State& state) {
  const Configuration q = configuration_of(state);
  return system.kinetic_energy(q) + system.potential_energy(q);
}

/// Steps of one length without contact and without the judgement of the simulation, which would cut them.
Swing swing(Simulation sim, const Entry& entry, double duration) {
  const Method method = find_method(entry.method, make_catalogue()).value();
  const auto integrator = method.build();
  const System& system = *sim.model.system;
  State state = sim.state;
  VelocityFilter filter(state.particle_count());
  std::vector<Vec3> reaction(state.x.size());
  const double before = energy_of(system, state);
  const std::vector<Triangle>& faces = sim.model.cloths.front().triangles;
  const Topology topology = make_topology(state.particle_count(), faces);
  const int steps = static_cast<int>(std::lround(duration / entry.step)), every = std::max(1, steps / 200);
  Swing out;
  int seen = 0;
  for (int k = 0; k < steps; ++k) {
    filter.clear();
    system.constrain(state, entry.step, filter);
    StepReport report;
    out.seconds += processor_seconds_of(
        [&] { report = integrator->step(system, filter, {}, entry.step, state, reaction); });
    out.events += report.events;
    const bool went = report.outcome == StepOutcome::accepted || report.outcome == StepOutcome::doubtful;
    if (!went || !is_finite(state)) return out;
    out.reached = state.time;
    if (k % every != 0 && k + 1 < steps) continue;
    out.lost = before - energy_of(system, state);
    if (out.lost < -10 * std::abs(before) - 1e3) return out;
    if (2 * k < steps) continue;
    out.folds += fold_detail(state.x, faces, topology);
    ++seen;
  }
  out.folds /= std::max(1, seen);
  return out;
}

}  // namespace

Result<Findings> thomaszewski_integrators(const Effort& effort) {
  const double edge = effort.quick ? 0.12 : 0.0322, duration = effort.quick ? 2 : 4;
  Result<Simulation> sim = build_text(fmt::format(kSwing, edge));
  if (!sim) return sim.errors();
  const double scale = 0.5 * kLength * kLength * 9.81 * 0.5 * kLength;
  Findings findings;
  findings.figures = {{"faces", "5016", fmt::format("{}", sim->model.cloths.front().triangles.size())}};
  std::vector<Swing> swings;
  for (const Entry& entry : kEntries) {
    effort.progress(entry.name);
    Result<Simulation> fresh = build_text(fmt::format(kSwing, edge));
    swings.push_back(swing(std::move(*fresh), entry, duration));
    const Swing& of = swings.back();
    findings.figures.push_back({fmt::format("{}: time of solves; energy lost; folds", entry.name),
                                fmt::format("{:g} s", entry.seconds),
                                of.ended(duration) ? fmt::format("{:.1f} s; {:.3f} m g L/2; {:.3f} 1/m",
                                                                 of.seconds, of.lost / scale, of.folds)
                                                   : fmt::format("fails after {:.2f} s", of.reached)});
  }
  int elements = 0;
  for (const auto& term : sim->model.system->terms()) elements += term->element_count();
  const double mean_step =
      elements * swings[6].reached / std::max(1.0, static_cast<double>(swings[6].events));
  const auto lost = [&](size_t k) { return swings[k].lost / scale; };
  const bool all_end = swings[0].ended(duration) && swings[1].ended(duration) && swings[2].ended(duration);
  findings.claims = {
      {"C6: backward Euler loses more energy with longer steps", "1/30 s overdamped",
       fmt::format("{:.3f}, {:.3f}, {:.3f} of m g L/2", lost(0), lost(1), lost(2)),
       all_end && lost(0) > lost(1) && lost(1) > lost(2)},
      {"C6: symplectic Euler keeps it", "keeps",
       swings[4].ended(duration) ? fmt::format("{:.3f}", lost(4))
                                 : fmt::format("fails after {:.2f} s", swings[4].reached),
       swings[4].ended(duration) && std::abs(lost(4)) < 0.02},
      {"C6: folds: backward Euler 1/30 s, 0.00075 s, symplectic Euler", "(a) < (b) < (d)",
       fmt::format("{:.3f}, {:.3f}, {:.3f} 1/m", swings[0].folds, swings[2].folds, swings[4].folds),
       swings[0].folds < swings[2].folds && swings[2].folds < swings[4].folds},
      {"C6: folds: asynchronous about as symplectic Euler", "(d), (e)",
       fmt::format("{:.3f}, {:.3f} 1/m", swings[4].folds, swings[6].folds),
       swings[6].ended(duration) && std::abs(swings[6].folds / swings[4].folds - 1) < 0.15},
      {"C18: asynchronous integration keeps energy", "keeps",
       swings[6].ended(duration) ? fmt::format("{:.3f}", lost(6))
                                 : fmt::format("fails after {:.2f} s", swings[6].reached),
       swings[6].ended(duration) && std::abs(lost(6)) < 0.02},
      {"C19: its mean step is longer than that of symplectic Euler", "0.00037 s, 0.00025 s",
       fmt::format("{:.5f} s", mean_step), mean_step > 0.00025},
      {"C5: forward Euler without damping, 0.0002 s", "runs",
       swings[3].ended(duration) ? fmt::format("gains {:.3f}", -lost(3))
                                 : fmt::format("fails after {:.2f} s", swings[3].reached),
       swings[3].ended(duration)}};
  return findings;
}

}  // namespace heddle
