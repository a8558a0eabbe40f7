#include <heddle/constraints/strain_reference.h>
#include <heddle/core/random.h>
#include <heddle/parallel/parallel.h>
#include <heddle/reproduce/limit_rig.h>
#include <heddle/reproduce/thomaszewski.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace heddle {

namespace {

/// A square of 1 m held by two corners swings; fabric with (weft, warp, shear) stiffness.
constexpr std::string_view kSwing = R"({{
  "duration": {}, "frame_rate": 25, "contact": {{"type": "impulses", "self": true}},
  "fabrics": {{"f": {{"density": 0.5, "weft_stiffness": {}, "warp_stiffness": {}, "shear_stiffness": {},
                     "poisson": 0, {}}}}},
  "cloths": [{{"fabric": "f", "mesh": {{"type": "irregular", "size": [1, 1], "edge_length": {}}},
              "pins": [{{"vertices": {{"nearest": [[-0.5, 0.5, 0], [0.5, 0.5, 0]]}}}}]}}],
  "integrator": {{"type": "semi_implicit_euler", "time_step": {}}}{}}})";

/// Edge length of an irregular mesh of a square metre with about so many faces, m.
double edge_for(int faces) {
  return std::sqrt(4 / (std::sqrt(3.0) * faces));
}

std::string swing(const LimitCase& limits, const std::array<double, 3>& stiffness, int faces, double duration,
                  double step) {
  return fmt::format(kSwing, duration, stiffness[0], stiffness[1], stiffness[2], limits_json(limits),
                     edge_for(faces), step, method_json(limits));
}

std::string percents(const PlaneStrain& s) {
  return fmt::format("{:.1f}, {:.1f}, {:.1f} %", 100 * s.weft, 100 * s.warp, 100 * s.shear);
}

bool is_within(const LimitRun& run, const PlaneStrain& limits, double tolerance) {
  return run.failure.empty() && run.largest.weft <= limits.weft + tolerance &&
         run.largest.warp <= limits.warp + tolerance && run.largest.shear <= limits.shear + tolerance;
}

double rms_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.size()));
}

constexpr double kTolerance = 1.001e-3;
const std::string kUsual = R"({"type": "global"})";

}  // namespace

Result<Findings> thomaszewski_swing_limits(const Effort& effort) {
  const int faces = effort.quick ? 400 : 3616;
  const double duration = effort.quick ? 0.4 : 1, step = effort.quick ? 0.005 : 0.002;
  const std::vector<LimitCase> cases{
      {"limits 0.02, 0.02, 0.2", kUsual, {0.02, 0.02, 0.2}},
      {"limits 0.2, 0.2, 0.2", kUsual, {0.2, 0.2, 0.2}},
      {"limits 0.02, 0.2, 0.2", kUsual, {0.02, 0.2, 0.2}},
      {"limits 0.2, 0.02, 0.2", kUsual, {0.2, 0.02, 0.2}},
      {"edges 0.02", R"({"type": "edges", "limit": 0.02, "iterations": 1000})", {10, 10, 0.9}},
      {"edges 0.2", R"({"type": "edges", "limit": 0.2, "iterations": 1000})", {10, 10, 0.9}},
      {"no limits", "", {0.2, 0.2, 0.2}}};
  Findings findings;
  std::vector<LimitRun> runs;
  for (const LimitCase& limits : cases) {
    effort.progress(limits.name);
    Result<LimitRun> run = run_limited(swing(limits, {100, 100, 30}, faces, duration, step));
    if (!run) return run.errors();
    findings.figures.push_back(
        {limits.name + ": largest strains; beyond limits; iterations", "",
         run->failure.empty()
             ? fmt::format("{}; {:.1e}; {:.2f}", percents(run->largest), run->excess, run->iterations)
             : "fails: " + run->failure});
    runs.push_back(std::move(*run));
  }
  double worst = 0;
  bool all_within = true;
  for (size_t k = 0; k < 4; ++k) {
    worst = std::max(worst, runs[k].excess);
    all_within &= is_within(runs[k], cases[k].limits, kTolerance);
  }
  const LimitRun& none = runs[6];
  findings.claims = {
      {"C11: after every step every face is within its limits, to 0.001", "adhered to accurately",
       fmt::format("{:.1e} beyond", worst), all_within},
      {"C11: without limits they are exceeded", "exceeded", percents(none.largest),
       none.largest.weft > 0.02 && none.largest.warp > 0.02 && none.largest.warp + none.largest.weft > 0.2},
      {"weft and warp swapped drape differently", "substantially different",
       fmt::format("{:.0f} mm apart in the mean", 1e3 * rms_distance(runs[2].positions, runs[3].positions)),
       rms_distance(runs[2].positions, runs[3].positions) > 0.01},
      {"limits of faces separate modes: a strict stretch leaves shear free, edges do not", "clean",
       fmt::format("shear {:.1f} % against {:.1f} %", 100 * runs[0].largest.shear,
                   100 * runs[4].largest.shear),
       runs[0].largest.shear > runs[4].largest.shear}};
  return findings;
}

namespace {

/// The methods of table 3.1 and others; `published` holds iterations, s limiting and s integrating on 226,
/// 904 and 3616 faces.
struct Row {
  const char* name;
  std::string method;
  std::array<const char*, 3> published;
  int threads = 0;  // 0: all
};

const std::vector<Row>& table_rows() {
  static const std::vector<Row> rows{
      {"Gauss-Seidel",
       R"({"type": "gauss_seidel", "correction": "hold", "active_set": false})",
       {"1.00; 0.34; 3.24", "1.04; 1.39; 14.14", "3.81; 18.98; 77.29"}},
      {"Jacobi, all threads (there 4)",
       R"({"type": "jacobi", "correction": "hold", "active_set": false, "iterations": 5000})",
       {"1.00; 0.26; 3.51", "1.04; 0.90; 14.04", "5.45; 15.88; 76.01"}},
      {"edges",
       R"({"type": "edges", "limit": 0.1, "active_set": false})",
       {"1.00; 0.13; 3.35", "1.05; 0.62; 13.99", "3.37; 4.87; 73.85"}},
      {"Gauss-Seidel, active set", R"({"type": "gauss_seidel", "correction": "hold"})", {"", "", ""}},
      {"Jacobi, active set", R"({"type": "jacobi", "correction": "hold", "iterations": 5000})", {"", "", ""}},
      {"all together", kUsual, {"", "", ""}},
      {"Jacobi, one thread",
       R"({"type": "jacobi", "correction": "hold", "active_set": false, "iterations": 5000})",
       {"1.00; 0.47; 3.32", "1.04; 1.85; 14.11", "5.45; 36.90; 73.20"},
       1}};
  return rows;
}

constexpr size_t kGaussSeidel = 0, kJacobi = 1, kJacobiActive = 4, kTogether = 5, kJacobiAlone = 6;

Result<LimitRun> run_row(const Row& row, int faces, double duration) {
  const LimitCase limits{row.name, row.method, {0.1, 0.1, 0.2}};
  const std::string scene = swing(limits, {500, 500, 250}, faces, duration, 0.001);
  if (row.threads == 0) return run_limited(scene);
  std::optional<Result<LimitRun>> run;
  ThreadPool(row.threads).run([&] { run = run_limited(scene); });
  return std::move(*run);
}

std::string said(const LimitRun& run) {
  return run.failure.empty() ? fmt::format("{:.2f}; {:.2f}; {:.2f}", run.iterations, run.limit_seconds,
                                           run.integration_seconds)
                             : "fails: " + run.failure;
}

/// How iterations of the usual method grow with the mesh.
Result<Claim> growth_claim(double coarse, double duration, const Effort& effort, Findings& findings) {
  const Row& row = table_rows()[kTogether];
  effort.progress("57 856 faces");
  Result<LimitRun> run = run_row(row, 57856, duration);
  if (!run) return run.errors();
  findings.figures.push_back(
      {fmt::format("{}, {} faces: iterations; s limiting; s integrating", row.name, run->strains.size()), "",
       said(*run)});
  return Claim{"from 3616 to 57 856 faces iterations of the usual method grow at most twofold",
               "grow with the mesh", fmt::format("{:.2f} to {:.2f}", coarse, run->iterations),
               run->failure.empty() && run->iterations <= 2 * coarse};
}

}  // namespace

Result<Findings> thomaszewski_table_limits(const Effort& effort) {
  const std::vector<int> meshes = effort.quick ? std::vector<int>{226} : std::vector<int>{226, 904, 3616};
  const double duration = effort.quick ? 0.5 : 1;
  Findings findings;
  std::vector<LimitRun> finest;
  std::vector<double> by_mesh;  // iterations of Gauss-Seidel
  for (size_t m = 0; m < meshes.size(); ++m) {
    finest.clear();
    for (const Row& row : table_rows()) {
      effort.progress(fmt::format("{}, {} faces", row.name, meshes[m]));
      Result<LimitRun> run = run_row(row, meshes[m], duration);
      if (!run) return run.errors();
      findings.figures.push_back(
          {fmt::format("{}, {} faces: iterations; s limiting; s integrating", row.name, run->strains.size()),
           row.published[m], said(*run)});
      finest.push_back(std::move(*run));
    }
    by_mesh.push_back(finest[kGaussSeidel].iterations);
  }
  const LimitRun &one = finest[kGaussSeidel], &all = finest[kJacobi], &active = finest[kJacobiActive],
                 &alone = finest[kJacobiAlone];
  const double worst = std::max({one.excess, all.excess, finest[kTogether].excess});
  findings.claims = {
      {"C13: Gauss-Seidel needs no more iterations than Jacobi", "3.81 against 5.45",
       fmt::format("{:.2f} against {:.2f}", one.iterations, all.iterations),
       one.iterations <= all.iterations},
      {fmt::format("C13: Jacobi by one thread and by {} ends with the same bits", effort.threads),
       "independent", all.positions == alone.positions ? "same" : "others", all.positions == alone.positions},
      {"C14: Jacobi with the active set takes as many iterations, and the same way", "identical",
       fmt::format("{:.2f} and {:.2f}", all.iterations, active.iterations),
       all.iterations == active.iterations},
      {"C11: all within the limits, to 0.001", "", fmt::format("{:.1e} beyond", worst), worst <= kTolerance}};
  if (effort.quick) return findings;
  findings.claims.push_back({"C15: iterations of Gauss-Seidel grow with the mesh", "1.00, 1.04, 3.81",
                             fmt::format("{:.2f}, {:.2f}, {:.2f}", by_mesh[0], by_mesh[1], by_mesh[2]),
                             by_mesh[0] <= by_mesh[1] && by_mesh[1] < by_mesh[2]});
  Result<Claim> growth = growth_claim(finest[kTogether].iterations, duration, effort, findings);
  if (!growth) return growth.errors();
  findings.claims.push_back(*growth);
  return findings;
}

Result<Findings> thomaszewski_limit_kernel(const Effort& effort) {
  const int cases = effort.quick ? 10000 : 100000;
  effort.progress("random faces");
  Random random(11);
  double dense_off = 0, schur_off = 0, target_off = 0, momentum = 0;
  for (int k = 0; k < cases; ++k) {
    std::array<Vec2, 3> corners{Vec2(0, 0), Vec2(1, random.uniform(-0.3, 0.3)),
                                Vec2(random.uniform(-0.2, 1.2), random.uniform(0.4, 1.2))};
    const RestFace rest = RestFace::of(corners);
    const FaceMasses mass{random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)};
    FacePoints x;
    for (size_t i = 0; i < 3; ++i)
      x[i] = Vec3(1.2 * corners[i][0] + 0.1 * corners[i][1], 0.9 * corners[i][1], random.uniform(-0.3, 0.3));
    const FaceStretch now = stretch_of(rest, x);
    const StrainBounds bounds{{-0.1, -0.1, -0.04}, {0.1, 0.1, 0.04}};
    const PlaneStrain target = bounds.nearest(now.strain()), change = target - now.strain();
    FacePoints closed, finite;
    move_by_strain(rest, now, change, mass, closed);
    const FacePoints dense = move_by_dense_solve(rest, now, change, mass);
    const FacePoints schur = SchurFace(rest, mass).move(rest, now, change);
    move_to_strain(rest, now, target, mass, finite);
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    for (size_t i = 0; i < 3; ++i) {
      dense_off = std::max(dense_off, (closed[i] - dense[i]).norm());
      schur_off = std::max(schur_off, (closed[i] - schur[i]).norm());
      linear += mass[i] * finite[i];
      angular += mass[i] * x[i].cross(finite[i]);
    }
    momentum = std::max({momentum, linear.norm(), angular.norm()});
    const PlaneStrain after = strain_of(rest, {x[0] + finite[0], x[1] + finite[1], x[2] + finite[2]});
    target_off = std::max(target_off, (after - target).largest());
  }
  Findings findings;
  // Schur: 1 division, 33 additions, 37 multiplications, as published; dense: 2 n^3 for the inverse of n = 6,
  // and 2 n^2 for the product.
  constexpr double kSchur = 1 + 33 + 37, kDense = 2 * 6 * 6 * 6 + 2 * 6 * 6;
  findings.claims = {
      {"C10: a face lands on its target in one correction", "for the rotation it had",
       fmt::format("{:.0e} off, rotation included", target_off), target_off < 1e-10},
      {"C10: linear and angular momentum unchanged", "unchanged", fmt::format("{:.0e}", momentum),
       momentum < 1e-10},
      {"C16: the Schur form gives the same result", "same",
       fmt::format("{:.0e}, dense {:.0e}", schur_off, dense_off), std::max(schur_off, dense_off) < 1e-10},
      {"C16: the Schur form takes 13 times fewer operations than a dense inversion", "13 times",
       fmt::format("{:.1f} times", kDense / kSchur), kDense > 13 * kSchur}};
  return findings;
}

}  // namespace heddle
