#include <heddle/reproduce/limit_rig.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

std::string limits_json(const LimitCase& limits) {
  const bool none = limits.method.empty();
  return fmt::format(R"("weft_stretch_limit": {}, "warp_stretch_limit": {}, "shear_limit": {})",
                     none ? 10 : limits.limits.weft, none ? 10 : limits.limits.warp,
                     none ? 0.9 : limits.limits.shear);
}

std::string method_json(const LimitCase& limits) {
  return limits.method.empty() ? "" : R"(, "limits": )" + limits.method;
}

Result<LimitRun> run_limited(const std::string& scene, bool count_intersections) {
  Result<Simulation> sim = build_text(scene);
  if (!sim) return sim.errors();
  return run_limited(std::move(*sim), count_intersections);
}

LimitRun run_limited(Simulation sim, bool count_intersections) {
  LimitRun run;
  const LimitedFaces* faces = &sim.limiter->known_faces();
  StepSummary sum;
  const double half = 0.5 * sim.model.step_length();
  while (sim.state.time < sim.model.duration - half) {
    const StepSummary step = heddle::step(sim);
    sum.add(step);
    if (step.outcome != StepOutcome::accepted) {
      run.failure = step.reason;
      break;
    }
    run.excess = std::max(run.excess, step.strain_excess);
    for (int f = 0; f < faces->size(); ++f) {
      const PlaneStrain s = faces->strain(f, sim.state.x);
      run.largest = {std::max(run.largest.weft, s.weft), std::max(run.largest.warp, s.warp),
                     std::max(run.largest.shear, std::abs(s.shear))};
    }
    if (count_intersections && sim.surface_contact && intersections(sim) > 0) run.intersects = true;
  }
  run.iterations = sum.limit_calls == 0 ? 0 : static_cast<double>(sum.limit_iterations) / sum.limit_calls;
  run.limit_seconds = sum.seconds[static_cast<size_t>(Stage::limit)];
  run.integration_seconds = integration_seconds(sum);
  for (const double seconds : sum.seconds) run.all_seconds += seconds;
  run.positions = sim.state.x;
  for (int f = 0; f < faces->size(); ++f) run.strains.push_back(faces->strain(f, sim.state.x));
  return run;
}

}  // namespace heddle
