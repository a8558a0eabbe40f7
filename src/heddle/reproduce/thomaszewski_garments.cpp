#include <heddle/mesh/fold_detail.h>
#include <heddle/reproduce/limit_rig.h>
#include <heddle/reproduce/scene_files.h>
#include <heddle/reproduce/thomaszewski.h>

#include <fmt/core.h>

#include <algorithm>

namespace heddle {

namespace {

std::string percents(const PlaneStrain& s) {
  return fmt::format("{:.1f}, {:.1f}, {:.1f} %", 100 * s.weft, 100 * s.warp, 100 * s.shear);
}

std::string said(const LimitRun& run) {
  return run.failure.empty()
             ? fmt::format("{}; {:.1e}; {:.2f}", percents(run.largest), run.excess, run.iterations)
             : "fails: " + run.failure;
}

/// A dress on the walking figure.
struct Walk {
  double reached = 0;  // s
  double seconds = 0;  // of solves
  double folds = 0;    // 1/m, in the mean over frames of the second half
  std::int64_t meeting = 0;
  std::string failure;
};

Walk walk(Simulation sim, double duration, const Effort& effort) {
  Walk out;
  const std::vector<Triangle>& faces = sim.model.cloths.front().triangles;
  const Topology topology = make_topology(sim.state.particle_count(), faces);
  int frames = 0;
  while (sim.state.time < duration - 0.5 * sim.model.step_length()) {
    const StepSummary summary = step(sim);
    if (summary.outcome != StepOutcome::accepted) {
      out.failure = summary.reason;
      return out;
    }
    out.reached = sim.state.time;
    out.seconds += integration_seconds(summary);
    if (sim.state.step % sim.model.steps_per_frame != 0) continue;
    effort.progress(fmt::format("{:.2f} s", sim.state.time));
    out.meeting += intersections(sim);
    if (sim.state.time < 0.5 * duration) continue;
    out.folds += fold_detail(sim.state.x, faces, topology);
    ++frames;
  }
  out.folds /= std::max(1, frames);
  return out;
}

std::string said(const Walk& walk) {
  return walk.failure.empty() ? fmt::format("{:.1f} s; {:.2f} 1/m", walk.seconds, walk.folds)
                              : fmt::format("fails after {:.2f} s: {}", walk.reached, walk.failure);
}

}  // namespace

Result<Findings> thomaszewski_dress(const Effort& effort) {
  const double duration = effort.quick ? 0.2 : 5;
  Findings findings;
  std::vector<LimitRun> runs;
  struct Case {
    const char* name;
    const char* limits;
  };
  for (const Case& c :
       {Case{"limits 0.1, 0.1, 0.4", ""},
        Case{"edges 0.1", R"(, "limits": {"type": "edges", "limit": 0.1, "iterations": 1000})"}}) {
    effort.progress(c.name);
    Result<Simulation> sim =
        build_scene_file("dress_bar", fmt::format(R"("duration": {}{})", duration, c.limits));
    if (!sim) return sim.errors();
    LimitRun run = run_limited(std::move(*sim), true);
    findings.figures.push_back(
        {fmt::format("{}: largest strains; beyond limits; iterations", c.name), "; ; 14.92", said(run)});
    findings.figures.push_back(
        {fmt::format("{}: s limiting; s integrating; s in all", c.name), "731; 965",
         fmt::format("{:.1f}; {:.1f}; {:.1f}", run.limit_seconds, run.integration_seconds, run.all_seconds)});
    runs.push_back(std::move(run));
  }
  findings.figures.push_back({"faces", "8891", fmt::format("{}", runs[0].strains.size())});
  findings.claims = {
      {"C11: after every step every face is within its limits, to 0.001, with collisions", "adhered to",
       fmt::format("{:.1e} beyond", runs[0].excess), runs[0].failure.empty() && runs[0].excess <= 1.001e-3},
      {"no step ends with intersections", "", runs[0].intersects ? "intersects" : "none",
       !runs[0].intersects}};
  if (effort.quick) return findings;  // the dress hardly shears before the bar shakes
  findings.claims.push_back(
      {"edges with the same limit of stretch shear less", "less",
       fmt::format("{:.1f} % against {:.1f} %", 100 * runs[1].largest.shear, 100 * runs[0].largest.shear),
       runs[1].largest.shear < runs[0].largest.shear});
  return findings;
}

Result<Findings> thomaszewski_course(const Effort& effort) {
  const double duration = effort.quick ? 0.08 : 3;
  Findings findings;
  std::vector<Walk> walks;
  struct Case {
    const char* name;
    const char* integrator;
  };
  for (const Case& c : {Case{"semi-implicit Euler, 0.001 s",
                             R"({"type": "semi_implicit_euler", "time_step": 0.001, "lively": false})"},
                        Case{"asynchronous", R"({"type": "asynchronous", "time_step": 0.005})"}}) {
    effort.progress(c.name);
    Result<Simulation> sim = build_scene_file(
        "course", fmt::format(R"("duration": {}, "integrator": {})", duration, c.integrator));
    if (!sim) return sim.errors();
    walks.push_back(walk(std::move(*sim), duration, effort));
    findings.figures.push_back({fmt::format("{}: time of solves; folds", c.name), "", said(walks.back())});
  }
  const auto ended = [](const Walk& of) { return of.failure.empty(); };
  findings.claims = {{"C22: no frame has intersections", "",
                      fmt::format("{} and {} pairs", walks[0].meeting, walks[1].meeting),
                      ended(walks[0]) && ended(walks[1]) && walks[0].meeting + walks[1].meeting == 0}};
  if (effort.quick) return findings;
  findings.claims.push_back({"semi-implicit Euler is faster", "30 %",
                             fmt::format("{:.0f} %", 100 * (1 - walks[0].seconds / walks[1].seconds)),
                             walks[0].seconds < walks[1].seconds});
  findings.claims.push_back({"asynchronous cloth has more folds", "more",
                             fmt::format("{:.2f} against {:.2f} 1/m", walks[1].folds, walks[0].folds),
                             walks[1].folds > walks[0].folds});
  return findings;
}

}  // namespace heddle
