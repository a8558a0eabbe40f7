#include <heddle/reproduce/stage.h>
#include <heddle/reproduce/thomaszewski.h>

#include <heddle/contact/impulse_contact.h>
#include <heddle/integrate/asynchronous.h>
#include <heddle/integrate/stable_step.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// Room for the duration (s), the integrator, the mesh and the obstacles.
constexpr std::string_view kTent = R"({{
  "duration": {0}, "frame_rate": 25, "integrator": {1}, "contact": {{"type": "impulses", "self": false}},
  "fabrics": {{"sheet": {{"base": "cotton", "density": 0.5, "weft_stiffness": 300, "warp_stiffness": 300,
                         "shear_stiffness": 150, "stretch_damping": 0, "weft_bending": 0.001,
                         "warp_bending": 0.001, "bending_damping": 0}}}},
  "cloths": [{{"name": "tent", "fabric": "sheet", "translation": [0, 0, 0.1],
              "mesh": {2}}}],
  "obstacles": [{3}]}})";
constexpr std::string_view kFloor = R"({"name": "floor", "shape": {"type": "plane"}})";

/// Room for the duration (s) and the cells of the ribbon along and across.
constexpr std::string_view kRibbon = R"({{
  "duration": {0}, "frame_rate": 25, "integrator": {{"type": "asynchronous", "time_step": 0.01}},
  "fabrics": {{"ribbon": {{"base": "satin", "density": 0.5, "weft_stiffness": 300, "warp_stiffness": 300,
                          "shear_stiffness": 150}}}},
  "cloths": [{{"name": "ribbon", "fabric": "ribbon", "translation": [0.05, 0, {3}], "rotation": [0, 90, 0],
              "mesh": {{"type": "ribbon", "length": 2, "width": 0.04, "segments": {1}, "across": {2}}}}}],
  "obstacles": [
    {{"name": "upper plane", "shape": {{"type": "box", "size": [0.5, 0.3, 0.02]}},
      "motion": {{"translation": [0.1, 0, 0.45], "rotation": [0, 30, 0]}}}},
    {{"name": "lower plane", "shape": {{"type": "box", "size": [0.5, 0.3, 0.02]}},
      "motion": {{"translation": [0.45, 0, 0.18], "rotation": [0, -30, 0]}}}},
    {{"name": "floor", "shape": {{"type": "plane"}}}}]}})";

struct Fall {
  bool ended = false;
  std::string failure;
  double solving = 0, colliding = 0;  // s
  double mean_step = 0;               // s, harmonic, of elements
  double cut = 0;                     // 1, share of events after which a step was cut
};

Fall fall(Simulation sim, double duration) {
  Fall out;
  int elements = 0;
  for (const auto& term : sim.model.system->terms()) elements += term->element_count();
  long events = 0, cuts = 0;
  const auto* asynchronous = dynamic_cast<const AsynchronousIntegrator*>(sim.integrator.get());
  while (sim.state.time < duration - 0.5 * sim.model.step_length()) {
    const StepSummary summary = step(sim);
    if (summary.outcome != StepOutcome::accepted) {
      out.failure = summary.reason;
      return out;
    }
    out.solving += integration_seconds(summary);
    out.colliding += collision_seconds(summary);
    events += summary.events;
    if (asynchronous) cuts += asynchronous->events().cut_steps();
  }
  out.ended = true;
  const auto count = static_cast<double>(std::max(1L, events));
  out.mean_step = elements * duration / count;
  out.cut = static_cast<double>(cuts) / count;
  return out;
}

struct Tent {
  std::string mesh;
  bool falls;
};
const Tent kRings{R"({"type": "rings", "inner": 0.05, "outer": 0.7051, "height": 0.3})", true};
/// As many faces and the same areas, but few of them small.
const Tent kCushion{
    R"({"type": "graded", "size": [1.3, 1.3], "edge_length": 0.0438, "finest_edge": 0.0045, "growth": 0.5, "place": [0.3, 0.2], "height": 0.3})",
    true};
const Tent kFineRings{R"({"type": "rings", "inner": 0.005, "outer": 0.8})", false};

/// Area of the largest face by that of the smallest, at rest.
double area_ratio(const Simulation& sim) {
  double least = 1e9, most = 0;
  for (const Triangle& t : sim.model.cloths.front().triangles) {
    const auto x = [&](size_t k) { return sim.state.x[static_cast<size_t>(t[k])]; };
    const double area = 0.5 * (x(1) - x(0)).cross(x(2) - x(0)).norm();
    least = std::min(least, area);
    most = std::max(most, area);
  }
  return most / least;
}

Result<Simulation> tent(const Tent& tent, double duration, const std::string& integrator) {
  return build_text(
      fmt::format(kTent, duration, integrator, tent.mesh, tent.falls ? kFloor : std::string_view()));
}

std::string method_of(std::string_view type, double step, std::string_view more = "") {
  return fmt::format(R"({{"type": "{}", "time_step": {}{}}})", type, step, more);
}

struct Comparison {
  int faces = 0;
  double areas = 0;  // 1, of the largest face by the smallest
  double step = 0;   // s, of symplectic Euler
  Fall asynchronous, symplectic;
};

Result<Comparison> compare(const Tent& shape, double duration) {
  Result<Simulation> own =
      tent(shape, duration, method_of("asynchronous", 0.01, R"(, "strain_change": 0.1, "safety": 0.9)"));
  if (!own) return own.errors();
  Comparison out;
  out.faces = static_cast<int>(own->model.cloths.front().triangles.size());
  out.areas = area_ratio(*own);
  out.step = 0.9 * 2 / std::sqrt(stiffest_mode(*own->model.system, own->state).stiffness);
  Result<Simulation> common = tent(shape, duration, method_of("symplectic_euler", out.step));
  if (!common) return common.errors();
  out.step = common->model.step_length();
  out.asynchronous = fall(std::move(*own), duration);
  out.symplectic = fall(std::move(*common), duration);
  return out;
}

std::string said(const Fall& fall) {
  return fall.ended ? fmt::format("{:.2f} s; {:.2f} s", fall.solving, fall.colliding)
                    : "fails: " + fall.failure;
}

double speed_up(const Comparison& of) {
  return of.symplectic.solving / of.asynchronous.solving;
}

/// What is wanted: how many times as long a mean step, and how many times as fast.
void add_claims(const char* name, double wanted_step, double wanted_speed, bool judges_times,
                const Comparison& of, Findings& findings) {
  const double longer = of.asynchronous.mean_step / of.step;
  const char *published_step = of.areas < 1000 ? "4 times" : "",
             *published_speed = of.areas < 1000 ? "2.32 times" : "";
  findings.figures.push_back({fmt::format("{}: faces; largest area by the smallest", name), "2304; 160",
                              fmt::format("{}; {:.0f}", of.faces, of.areas)});
  findings.claims.push_back(
      {fmt::format("C19: {}: the mean step is {:g} times that of symplectic Euler or longer", name,
                   wanted_step),
       published_step, fmt::format("{:.2f} times", longer), of.asynchronous.ended && longer > wanted_step});
  if (!judges_times) return;
  findings.claims.push_back(
      {fmt::format("C19: {}: {:g} times as fast as symplectic Euler or faster", name, wanted_speed),
       published_speed, fmt::format("{:.2f} times", speed_up(of)),
       of.asynchronous.ended && of.symplectic.ended && speed_up(of) > wanted_speed});
}

}  // namespace

Result<Findings> thomaszewski_tent(const Effort& effort) {
  const double duration = effort.quick ? 0.2 : 4;
  Findings findings;
  struct Implicit {
    const char* name;
    double step;
    const char* published;
  };
  for (const Implicit& method : {Implicit{"backward Euler, 0.005 s", 0.005, "7.7 s; 4.3 s"},
                                 Implicit{"backward Euler, 0.001 s", 0.001, "16.1 s; 9.7 s"}}) {
    effort.progress(method.name);
    Result<Simulation> sim =
        tent(kRings, duration, method_of("semi_implicit_euler", method.step, R"(, "lively": false)"));
    if (!sim) return sim.errors();
    findings.figures.push_back({fmt::format("{}: solves; collisions", method.name), method.published,
                                said(fall(std::move(*sim), duration))});
  }
  effort.progress("asynchronous and symplectic Euler");
  const Result<Comparison> areas = compare(kRings, duration);
  if (!areas) return areas.errors();
  effort.progress("sides that differ 160-fold");
  const Result<Comparison> sides = compare(kFineRings, std::min(duration, 0.5));
  if (!sides) return sides.errors();
  effort.progress("areas 160:1, most of them large");
  const Result<Comparison> cushion = compare(kCushion, duration);
  if (!cushion) return cushion.errors();
  findings.figures.push_back({fmt::format("symplectic Euler, {:.1e} s: solves; collisions", areas->step),
                              "109.5 s; 62.1 s (5e-05 s)", said(areas->symplectic)});
  findings.figures.push_back(
      {fmt::format("asynchronous, {:.1e} s in the mean: solves; collisions", areas->asynchronous.mean_step),
       "47.2 s; 21.1 s (2e-04 s)", said(areas->asynchronous)});
  add_claims("areas 160:1, all sizes alike", 1, 1, !effort.quick, *areas, findings);
  add_claims("areas 160:1, most of them large", 3, 2, !effort.quick, *cushion, findings);
  add_claims("sides 160:1", 2, 1, !effort.quick, *sides, findings);
  findings.claims.push_back({"C21: steps are cut rarely", "very rarely",
                             fmt::format("after {:.2f} % of events", 100 * areas->asynchronous.cut),
                             areas->asynchronous.ended && areas->asynchronous.cut < 0.01});
  return findings;
}

Result<Findings> thomaszewski_ribbon(const Effort& effort) {
  const double duration = effort.quick ? 0.8 : 5, height = effort.quick ? 1.51 : 1.55;
  const int segments = effort.quick ? 120 : 500, across = effort.quick ? 3 : 8;
  Result<Simulation> sim = build_text(fmt::format(kRibbon, duration, segments, across, height));
  if (!sim) return sim.errors();
  Findings findings;
  std::int64_t meeting = 0;
  int frames = 0, retries = 0;
  const double seconds = seconds_of([&] {
    while (sim->state.time < duration - 0.5 * sim->model.step_length()) {
      const StepSummary summary = step(*sim);
      retries += summary.retries;
      if (summary.outcome != StepOutcome::accepted) {
        findings.figures.push_back({"failure", "", summary.reason});
        meeting = -1;
        return;
      }
      meeting += intersections(*sim);
      if (sim->state.step % sim->model.steps_per_frame != 0) continue;
      ++frames;
      effort.progress(fmt::format("frame {}", frames));
    }
  });
  const auto& contact = dynamic_cast<const ContactByImpulses&>(*sim->surface_contact);
  const EncounterTotals& totals = contact.encounter_totals();
  const double culled =
      1 - static_cast<double>(totals.kept) / static_cast<double>(std::max(1L, totals.registered));
  findings.figures.push_back(
      {"faces", "8000", fmt::format("{}", sim->model.cloths.front().triangles.size())});
  findings.figures.push_back({"s a frame", "185", fmt::format("{:.2f}", seconds / std::max(1, frames))});
  findings.figures.push_back(
      {"pairs registered; kept; tests at events; impulses", "",
       fmt::format("{}; {}; {}; {}", totals.registered, totals.kept, totals.tested, totals.pushes)});
  findings.figures.push_back({"intervals that had to be cut", "", fmt::format("{}", retries)});
  findings.figures.push_back({"rigid zones", "not needed", fmt::format("{}", contact.totals().zones)});
  findings.claims = {{"C22: no intersections at the ends of intervals", "all resolved",
                      fmt::format("{} pairs", meeting), meeting == 0},
                     {"C22: culling removes more than half of the registered pairs", "> 50 %",
                      fmt::format("{:.0f} %", 100 * culled), totals.registered > 0 && culled > 0.5}};
  return findings;
}

}  // namespace heddle
