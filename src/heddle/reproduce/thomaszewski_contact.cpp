#include <heddle/reproduce/stage.h>
#include <heddle/reproduce/thomaszewski.h>

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/contact/impulse_solver.h>
#include <heddle/core/random.h>
#include <heddle/parallel/scheduler.h>

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numbers>

namespace heddle {

namespace {

/// A square of cotton over a ball; room for resolution, bending stiffness in N m and duration in s. Named,
/// the integrator brakes, so that cloth comes to rest.
constexpr std::string_view kDrape = R"({{
  "duration": {2}, "frame_rate": 25, "integrator": {{"type": "semi_implicit_euler"}},
  "fabrics": {{"sheet": {{"base": "cotton", "weft_bending": {1}, "warp_bending": {1}}}}},
  "cloths": [{{"name": "sheet", "fabric": "sheet", "translation": [0, 0, 0.22],
              "mesh": {{"type": "grid", "size": [1, 1], "resolution": [{0}, {0}]}}}}],
  "obstacles": [{{"name": "ball", "shape": {{"type": "sphere", "radius": 0.2}}}}]}})";

constexpr std::string_view kFunnel = R"({{
  "duration": 4, "frame_rate": 25, "contact": {{"type": "impulses", "rounds": 30}},
  "cloths": [{{"name": "sheet", "fabric": "cotton", "translation": [0, 0, 1.36],
              "mesh": {{"type": "grid", "size": [1.2, 1.2], "resolution": [{}, {}]}}}}],
  "obstacles": [
    {{"name": "funnel", "mesh": {{"type": "file", "path": "funnel.obj"}}, "thickness": 0.002, "friction": 0.1}},
    {{"name": "ball", "shape": {{"type": "sphere", "radius": 0.1}}, "friction": 0.3,
     "motion": {{"translation": {{"times": [0, 0.3, 2.6, 3.2],
                                "values": [[0, 0, 1.5], [0, 0, 1.5], [0, 0, 0.5], [0, 0, 0.102]]}}}}}},
    {{"name": "ground", "shape": {{"type": "plane"}}}}]}})";

/// A pair that touches and moves at random, and what one impulse made of it.
struct Stopped {
  double left = 0;            // of the approach, 1
  double momentum_error = 0;  // relative
  double turned = 0;          // tangential speed against its former direction, relative
};

Stopped stop(Random& random, bool vertex_triangle) {
  const auto vector = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  std::array<Vec3, 4> x, v;
  std::array<double, 4> inverse_mass{};
  for (size_t i = 0; i < 4; ++i) x[i] = vector(), v[i] = vector(), inverse_mass[i] = random.uniform(0.2, 5);
  const Proximity near = vertex_triangle ? vertex_triangle_proximity(x) : edge_edge_proximity(x);
  const auto relative = [&] {
    Vec3 sum = Vec3::Zero();
    for (size_t i = 0; i < 4; ++i) sum += near.weights[i] * v[i];
    return sum;
  };
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (size_t i = 0; i < 4; ++i) sum += v[i] / inverse_mass[i];
    return sum;
  };
  if (near.normal.dot(relative()) > 0)
    for (Vec3& velocity : v) velocity = -velocity;
  PairContact contact{{0, 1, 2, 3}, near.weights, near.normal, near.distance, 1e-9, random.uniform(0, 2)};
  const Vec3 before = relative(), total = momentum();
  apply_impulses(std::span(&contact, 1), {}, {x, inverse_mass, v, 0.01});
  const Vec3 slip = tangential(before, near.normal);
  return {std::abs(near.normal.dot(relative())) / before.norm(), (momentum() - total).norm() / total.norm(),
          std::max(0.0, -relative().dot(slip)) / slip.squaredNorm()};
}

/// Circles of a funnel, m.
std::vector<std::vector<Vec3>> funnel_rings() {
  constexpr int kAround = 64;
  std::vector<Vec2> profile;  // radius and height, m
  const auto arc = [&](const Vec2& centre, double radius, double first, double last, int count) {
    for (int k = 0; k <= count; ++k) {
      const double angle = (first + (last - first) * k / count) * std::numbers::pi / 180;
      profile.emplace_back(centre + radius * Vec2(std::cos(angle), std::sin(angle)));
    }
  };
  const auto line = [&](const Vec2& to, int count) {
    const Vec2 from = profile.back();
    for (int k = 1; k < count; ++k) profile.emplace_back(from + (to - from) * k / count);
  };
  arc({0.67, 1.30}, 0.04, -190, 140, 19);
  line({0.316 - 0.16 * 0.766044, 0.80 + 0.16 * 0.642788}, 14);
  arc({0.316, 0.80}, 0.16, 140, 180, 6);
  line({0.156, 0.66}, 6);
  arc({0.196, 0.66}, 0.04, 180, 470, 19);
  std::vector<std::vector<Vec3>> rings;
  for (const Vec2& p : profile) {
    std::vector<Vec3>& ring = rings.emplace_back();
    for (int i = 0; i < kAround; ++i) {
      const double angle = 2 * std::numbers::pi * i / kAround;
      ring.emplace_back(p[0] * std::cos(angle), p[0] * std::sin(angle), p[1]);
    }
  }
  return rings;
}

}  // namespace

Result<Findings> thomaszewski_impulses(const Effort& effort) {
  constexpr double kRounding = 1e-9;
  const int count = effort.quick ? 1000 : 100000;
  Random random(1);
  Stopped worst;
  for (int k = 0; k < count; ++k) {
    const Stopped one = stop(random, k % 2 == 0);
    worst = {std::max(worst.left, one.left), std::max(worst.momentum_error, one.momentum_error),
             std::max(worst.turned, one.turned)};
  }
  Findings findings;
  findings.figures = {{"random pairs", "", fmt::format("{}", count)}};
  findings.claims = {
      {"the impulse cancels the normal part of the relative velocity", "exactly",
       fmt::format("largest rest {:.1e} of it", worst.left), worst.left < kRounding},
      {"momentum is conserved", "exactly", fmt::format("largest relative error {:.1e}", worst.momentum_error),
       worst.momentum_error < kRounding},
      {"friction never turns the tangential velocity round", "never",
       fmt::format("largest share turned {:.1e}", worst.turned), worst.turned < kRounding}};
  return findings;
}

Result<Findings> thomaszewski_volumes(const Effort& effort) {
  const int grid = effort.quick ? 41 : 101;
  Result<Simulation> sim = build_text(fmt::format(kDrape, grid, 1e-5, 1.2));
  if (!sim) return sim.errors();
  const std::vector<Vec3> flat = sim->state.x;
  const CollisionSurface& surface = sim->surface_contact->surface();
  const auto search = [&](std::string_view name, std::span<const Vec3> x) {
    constexpr double kMargin = 1e-3;  // m
    const auto broad = make_broad_phase(name, surface, surface_positions(*sim));
    CandidatePairs pairs;
    broad->update(x, x, kMargin);
    broad->find(pairs);
    return broad->report();
  };
  const std::vector<Vec3> start = surface_positions(*sim);
  const BroadPhaseReport untouched = search("bvh", start);
  effort.progress("draping");
  const StepSummary run = ThreadPool(effort.threads).run([&] { return advance_to(*sim, 1.2); });
  if (run.outcome != StepOutcome::accepted) return failed_step(run);
  const std::vector<Vec3> draped = surface_positions(*sim);
  Findings findings;
  std::int64_t boxes = 0, last = 0;
  for (const std::string_view name : {"bvh6", "bvh8", "bvh14", "bvh"}) {
    const BroadPhaseReport report = search(name, draped);
    last = report.triangle_pairs;
    if (name == "bvh6") boxes = last;
    findings.figures.push_back(
        {fmt::format("{}: pairs of triangles, tests of volumes", name == "bvh" ? "bvh18" : name), "",
         fmt::format("{}, {}", report.triangle_pairs, report.volume_tests)});
  }
  findings.claims = {
      {"18-DOPs have fewer false positives than boxes along the axes", "fewer",
       fmt::format("{} pairs of triangles against {}", last, boxes), last < boxes},
      {"normal cones skip a flat sheet", "no self-tests",
       fmt::format("{} pairs of triangles", untouched.triangle_pairs), untouched.triangle_pairs == 0}};
  return findings;
}

Result<Findings> thomaszewski_funnel(const Effort& effort) {
  constexpr int kMostRounds = 10;  // the contact of the scene has room for three times as many
  constexpr double kDuration = 4;  // s
  Result<Simulation> sim =
      build_with_tube(effort.quick ? fmt::format(kFunnel, 31, 31) : fmt::format(kFunnel, 78, 95),
                      "funnel.obj", funnel_rings());
  if (!sim) return sim.errors();
  std::int64_t crossings = 0;
  StepSummary sum;
  const double wall = seconds_of([&] {
    ThreadPool(effort.threads).run([&] {
      while (sim->state.time < kDuration - 0.5 * sim->model.step_length() &&
             sum.outcome == StepOutcome::accepted) {
        sum.add(step(*sim));
        if (sim->state.step % sim->model.steps_per_frame != 0) continue;
        crossings += intersections(*sim);
        effort.progress(fmt::format("{:.2f} of {:.0f} s", sim->state.time, kDuration));
      }
    });
  });
  if (sum.outcome != StepOutcome::accepted) return failed_step(sum);
  const double share = collision_seconds(sum) / (collision_seconds(sum) + integration_seconds(sum));
  const SurfaceContactTotals totals = sim->surface_contact->totals();
  Findings findings;
  findings.figures = {
      {"faces", "14476", fmt::format("{}", sim->model.cloths[0].triangles.size())},
      {"seconds per frame", "54.72", fmt::format("{:.2f}", wall / (kDuration * sim->model.frame_rate))},
      {"share of collision handling", "72 %", fmt::format("{:.0f} %", 100 * share)},
      {"tried pieces of steps", "", fmt::format("{}", sum.pieces)},
      {"steps cut in half", "", fmt::format("{}", sum.retries)}};
  findings.claims = {{"every frame ends without intersections", "all resolved",
                      fmt::format("{} pairs in all frames", crossings), crossings == 0},
                     {"few iterations of continuous detection suffice", "at most 10",
                      fmt::format("at most {}", totals.most_rounds), totals.most_rounds <= kMostRounds},
                     {"no third stage is needed", "none",
                      fmt::format("{} motions cut short, {} rigid zones", totals.clips, totals.zones),
                      totals.clips == 0 && totals.zones == 0}};
  return findings;
}

Result<Findings> thomaszewski_drapes(const Effort& effort) {
  constexpr double kStiffness = 4e-4;  // N m; folds as wide as several edges, so that rest shapes are few
  const int grid = effort.quick ? 33 : 81;
  const double duration = effort.quick ? 1.2 : 3;
  Findings findings;
  std::vector<double> shadows;
  for (const int factor : {1, 2, 4, 8}) {
    Result<Simulation> sim = build_text(fmt::format(kDrape, grid, factor * kStiffness, duration));
    if (!sim) return sim.errors();
    effort.progress(fmt::format("{} times the stiffness", factor));
    const StepSummary run = ThreadPool(effort.threads).run([&] { return advance_to(*sim, duration); });
    if (run.outcome != StepOutcome::accepted) return failed_step(run);
    shadows.push_back(shadow_area(*sim, 0.005));
    findings.figures.push_back({fmt::format("shadow with {} times the bending stiffness", factor), "",
                                fmt::format("{:.4f} m2", shadows.back())});
  }
  const bool is_ascending =
      std::adjacent_find(shadows.begin(), shadows.end(), std::greater_equal<>()) == shadows.end();
  findings.claims = {
      {"cloth stands out farther with each doubling", "pictures",
       fmt::format("{:.4f}, {:.4f}, {:.4f}, {:.4f} m2", shadows[0], shadows[1], shadows[2], shadows[3]),
       is_ascending}};
  return findings;
}

}  // namespace heddle
