#include <heddle/materials/tensile_fit.h>
#include <heddle/reproduce/limit_rig.h>
#include <heddle/reproduce/thomaszewski.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

/// A square held by two opposite corners; the mesh is turned so that its diagonals run along or across.
constexpr std::string_view kDiagonal = R"({{
  "duration": {}, "frame_rate": 25, "contact": {{"type": "impulses", "self": false}},
  "fabrics": {{"f": {{"density": 0.3, "weft_stiffness": 100, "warp_stiffness": 100, "shear_stiffness": 30, "poisson": 0,
                     "bending_damping": 0.05, "stretch_damping": 0.01, {}}}}},
  "cloths": [{{"fabric": "f", "rotation": [0, 0, {}],
              "mesh": {{"type": "grid", "resolution": [{}, {}], "diagonals": "single"}},
              "pins": [{{"vertices": {{"nearest": [[-0.5, -0.5, 0], [0.5, 0.5, 0]]}}}}]}}],
  "integrator": {{"type": "semi_implicit_euler", "time_step": 0.005, "lively": false}}{}}})";

double mean_height(const std::vector<Vec3>& x) {
  double sum = 0;
  for (const Vec3& p : x) sum += p.z();
  return sum / static_cast<double>(x.size());
}

/// By how much the largest shear depends on where the diagonals run, as a share of it.
Result<double> dependence(const LimitCase& limits, const Effort& effort, Findings& findings) {
  const int n = effort.quick ? 13 : 31;
  std::array<double, 2> shears{};
  for (size_t k = 0; k < 2; ++k) {
    effort.progress(limits.name);
    Result<LimitRun> run = run_limited(fmt::format(kDiagonal, effort.quick ? 0.6 : 1.0, limits_json(limits),
                                                   90 * k, n, n, method_json(limits)));
    if (!run) return run.errors();
    shears[k] = run->largest.shear;
    findings.figures.push_back(
        {fmt::format("{}, diagonals {}: mean height; largest shear", limits.name,
                     k == 0 ? "one way" : "the other way"),
         "",
         run->failure.empty()
             ? fmt::format("{:.4f} m; {:.1f} %", mean_height(run->positions), 100 * shears[k])
             : "fails: " + run->failure});
  }
  return std::abs(shears[0] - shears[1]) / std::max(shears[0], shears[1]);
}

/// F = a (e^(b e) - 1) through two points.
struct Curve {
  double a = 0, b = 0;

  Curve(const TensilePoint& inner, const TensilePoint& outer) {
    const double wanted = outer.load / inner.load;
    double low = -500, high = 500;  // the ratio grows with b
    for (int k = 0; k < 200; ++k) {
      b = 0.5 * (low + high);
      if (b == 0) b = 1e-9;
      (std::expm1(b * outer.strain) / std::expm1(b * inner.strain) < wanted ? low : high) = b;
    }
    a = inner.load / std::expm1(b * inner.strain);
  }
  double load(double strain) const { return a * std::expm1(b * strain); }
};

}  // namespace

Result<Findings> thomaszewski_directions(const Effort& effort) {
  Findings findings;
  const Result<double> faces =
      dependence({"faces 0.05, 0.05, 0.3", R"({"type": "global"})", {0.05, 0.05, 0.3}}, effort, findings);
  if (!faces) return faces.errors();
  const Result<double> edges =
      dependence({"edges 0.05", R"({"type": "edges", "limit": 0.05, "iterations": 2000})", {10, 10, 0.9}},
                 effort, findings);
  if (!edges) return edges.errors();
  findings.claims = {{"C17: with limits of faces the largest shear hardly depends on where the diagonals run",
                      "independent", fmt::format("{:.1f} %", 100 * *faces), *faces < 0.05},
                     {"C17: with limits of edges it does", "depend", fmt::format("{:.1f} %", 100 * *edges),
                      *edges > 3 * *faces}};
  return findings;
}

Result<Findings> thomaszewski_measured_fabrics(const Effort&) {
  struct Measured {
    const char* name;
    double end, limit;  // strains
  };
  Findings findings;
  double off = 0, error = 0;
  for (const Measured& fabric : {Measured{"plain weave of wool and viscose", 0.2, 0.05},
                               Measured{"light plain weave of viscose and polyester", 0.15, 0.02},
                               Measured{"knit of wool and viscose", 0.4, 0.15}}) {
    const Curve curve({fabric.limit, kUsualLoad}, {fabric.end, 500 * kGramForcePerCentimetre});
    std::vector<TensilePoint> points;
    for (int k = 1; k <= 200; ++k) points.push_back({fabric.end * k / 200, curve.load(fabric.end * k / 200)});
    const Result<TensileFit> fit = fit_tensile_curve(points, kUsualLoad);
    if (!fit) return fit.errors();
    findings.figures.push_back(
        {fmt::format("{}: limit along the warp; stiffness; error", fabric.name),
         fmt::format("{:.0f} %", 100 * fabric.limit),
         fmt::format("{:.2f} %; {:.0f} N/m; {:.1f} N/m", 100 * fit->limit, fit->stiffness, fit->error)});
    off = std::max(off, std::abs(fit->limit / fabric.limit - 1));
    error = std::max(error, fit->error / kUsualLoad);
  }
  findings.claims = {
      {"the strain at 100 to 200 gf/cm is the recommended limit", "5, 2 and 15 %",
       fmt::format("at most {:.1f} % off at 150 gf/cm", 100 * off), off < 0.02},
      {"below it a line fits the curve", "fits",
       fmt::format("at most {:.0f} % of the load off in the mean", 100 * error), error < 0.15}};
  return findings;
}

}  // namespace heddle
