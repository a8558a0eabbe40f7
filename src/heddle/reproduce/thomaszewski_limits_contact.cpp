#include <heddle/reproduce/limit_rig.h>
#include <heddle/reproduce/thomaszewski.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// A disc of 1 m over a small ball.
constexpr std::string_view kDisc = R"({{
  "duration": {}, "frame_rate": 25,
  "fabrics": {{"f": {{"density": 0.3, "weft_stiffness": {}, "warp_stiffness": {}, "shear_stiffness": 100, "poisson": 0, {}}}}},
  "cloths": [{{"fabric": "f", "weft_angle": {}, "translation": [0, 0, 0.12],
              "mesh": {{"type": "disc", "radius": 0.5, "edge_length": {}}}}}],
  "obstacles": [{{"shape": {{"type": "sphere", "radius": 0.1}}, "friction": 0.5}}],
  "integrator": {{"type": "semi_implicit_euler", "time_step": 0.005}}{}}})";

/// A square of 0.5 m slides from a ball to the floor.
constexpr std::string_view kSquare = R"({{
  "duration": {}, "frame_rate": 25,
  "fabrics": {{"f": {{"density": 0.3, "weft_stiffness": 300, "warp_stiffness": 300, "shear_stiffness": 150, "poisson": 0, {}}}}},
  "cloths": [{{"fabric": "f", "translation": [0.05, 0.03, 0.32], "mesh": {{"type": "grid", "size": [0.5, 0.5], "resolution": [{}, {}]}}}}],
  "obstacles": [{{"shape": {{"type": "sphere", "radius": 0.15}}, "motion": {{"translation": [0, 0, 0.16]}}, "friction": 0.1}},
                {{"shape": {{"type": "plane"}}}}]{}}})";

double mean_of(const std::vector<PlaneStrain>& strains, double PlaneStrain::*mode) {
  double sum = 0;
  for (const PlaneStrain& s : strains) sum += std::abs(s.*mode);
  return sum / static_cast<double>(strains.size());
}

std::string percents(const PlaneStrain& s) {
  return fmt::format("{:.1f}, {:.1f}, {:.1f} %", 100 * s.weft, 100 * s.warp, 100 * s.shear);
}

std::string said(const LimitRun& run) {
  return run.failure.empty()
             ? fmt::format("{}; {:.1e}; {:.2f}", percents(run.largest), run.excess, run.iterations)
             : "fails: " + run.failure;
}

}  // namespace

Result<Findings> thomaszewski_disc_limits(const Effort& effort) {
  const double edge = 0.5 / (effort.quick ? 12 : 27);
  const double duration = effort.quick ? 0.4 : 1;
  const std::string usual = R"({"type": "global"})";
  struct Case {
    LimitCase limits;
    double weft, warp;  // N/m
    double angle;       // degrees
  };
  const std::vector<Case> cases{
      {{"A: limits 0.04, 0.2, 0.4", usual, {0.04, 0.2, 0.4}}, 1000, 200, 0},
      {{"B: weft and warp swapped", usual, {0.2, 0.04, 0.4}}, 200, 1000, 0},
      {{"B, turned by 90 degrees", usual, {0.2, 0.04, 0.4}}, 200, 1000, 90},
      {{"C: edges 0.04", R"({"type": "edges", "limit": 0.04})", {10, 10, 0.9}}, 1000, 200, 0},
      {{"D: no limits", "", {0.04, 0.2, 0.4}}, 1000, 200, 0}};
  Findings findings;
  std::vector<LimitRun> runs;
  for (const Case& c : cases) {
    effort.progress(c.limits.name);
    Result<LimitRun> run = run_limited(fmt::format(kDisc, duration, c.weft, c.warp, limits_json(c.limits),
                                                   c.angle, edge, method_json(c.limits)),
                                       !effort.quick);
    if (!run) return run.errors();
    findings.figures.push_back(
        {c.limits.name + ": largest strains; beyond limits; iterations", "", said(*run)});
    runs.push_back(std::move(*run));
  }
  // Single faces differ by up to 0.1 of strain between these runs; the means over all faces are compared.
  const auto apart = [](double a, double b) { return std::abs(a - b) / std::max(a, b); };
  const double off = std::max(
      apart(mean_of(runs[0].strains, &PlaneStrain::weft), mean_of(runs[2].strains, &PlaneStrain::warp)),
      apart(mean_of(runs[0].strains, &PlaneStrain::warp), mean_of(runs[2].strains, &PlaneStrain::weft)));
  const bool ended = runs[0].failure.empty() && runs[1].failure.empty();
  const double worst = std::max(runs[0].excess, runs[1].excess);
  const auto ratio = [](const LimitRun& run) {
    return mean_of(run.strains, &PlaneStrain::weft) / mean_of(run.strains, &PlaneStrain::warp);
  };
  findings.figures.push_back({"faces", "4424", fmt::format("{}", runs[0].strains.size())});
  findings.claims = {
      {"C11: after every step every face is within its limits, to 0.001, with collisions", "adhered to",
       fmt::format("{:.1e} beyond; {}", worst, runs[0].intersects ? "intersects" : "no intersections"),
       ended && worst <= 1.001e-3 && !runs[0].intersects && !runs[1].intersects},
      {"C11: without limits they are exceeded", "up to 5 times",
       fmt::format("{:.1f} times", std::max({runs[4].largest.weft / 0.04, runs[4].largest.warp / 0.2,
                                             runs[4].largest.shear / 0.4})),
       runs[4].largest.weft > 0.04},
      {"C12: weft and warp swapped on turned cloth: mean strains swapped", "mirrored",
       fmt::format("mean strains {:.0f} % off", 100 * off), off < 0.15},
      {"C12: weft and warp swapped: weft strain over warp strain turns round", "consistent",
       fmt::format("{:.2f} and {:.2f}", ratio(runs[0]), ratio(runs[1])),
       ratio(runs[0]) < 1 && ratio(runs[1]) > 1},
      {"C12: limits of edges know no directions: the ratio is nearer to one", "isotropic",
       fmt::format("{:.2f} against {:.2f}", ratio(runs[3]), ratio(runs[0])),
       std::abs(std::log(ratio(runs[3]))) < std::abs(std::log(ratio(runs[0])))}};
  return findings;
}

Result<Findings> thomaszewski_slide_limits(const Effort& effort) {
  const int n = effort.quick ? 30 : 86;
  const double duration = effort.quick ? 0.3 : 3;
  const std::vector<LimitCase> cases{
      {"usual", "{}", {0.1, 0.1, 0.4}},
      {"all faces in every iteration", R"({"type": "gauss_seidel", "active_set": false})", {0.1, 0.1, 0.4}},
      {"active set", R"({"type": "gauss_seidel"})", {0.1, 0.1, 0.4}}};
  Findings findings;
  std::vector<LimitRun> runs;
  for (const LimitCase& limits : cases) {
    effort.progress(limits.name);
    const std::string method = limits.method == "{}" ? "" : method_json(limits);
    Result<LimitRun> run = run_limited(fmt::format(kSquare, duration, limits_json(limits), n, n, method));
    if (!run) return run.errors();
    findings.figures.push_back(
        {limits.name + ": largest strains; beyond limits; iterations", "", said(*run)});
    findings.figures.push_back({limits.name + ": s limiting; s integrating; s in all",
                                "2.92; 7.8; > 24 a frame",
                                fmt::format("{:.2f}; {:.2f}; {:.2f}", run->limit_seconds,
                                            run->integration_seconds, run->all_seconds)});
    runs.push_back(std::move(*run));
  }
  const double share = runs[0].limit_seconds / runs[0].all_seconds;
  const double saved = 1 - runs[2].limit_seconds / runs[1].limit_seconds;
  const double worst = std::max({runs[0].excess, runs[1].excess, runs[2].excess});
  findings.claims = {{"C11: within the limits, to 0.001, with collisions", "adhered to",
                      fmt::format("{:.1e} beyond", worst), worst <= 1.001e-3 && runs[0].failure.empty()},
                     {"limiting takes less than 15 % of the time", "about 12 %",
                      fmt::format("{:.0f} %", 100 * share), share < 0.15}};
  if (effort.quick) return findings;  // hardly a face is at its limits then
  findings.claims.push_back(
      {"C14: the active set saves time", "almost 50 %", fmt::format("{:.0f} %", 100 * saved), saved > 0.4});
  findings.claims.push_back({"C14: with few more iterations", "3.4 to 4.0",
                             fmt::format("{:.2f} to {:.2f}", runs[1].iterations, runs[2].iterations),
                             runs[2].iterations < 1.5 * runs[1].iterations});
  return findings;
}

}  // namespace heddle
