#include <heddle/reproduce/stage.h>
#include <heddle/reproduce/thomaszewski.h>

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/geometry/proximity.h>
#include <heddle/parallel/scheduler.h>

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {

constexpr std::string_view kTablecloth = R"({{
  "duration": 3, "frame_rate": 25,
  "cloths": [{{"name": "cloth", "fabric": "cotton", "translation": [0, 0, 0.38],
              "mesh": {{"type": "disc", "radius": 1, "edge_length": {:.6f}}}}}],
  "obstacles": [{{"name": "ball", "shape": {{"type": "sphere", "radius": 0.35}}}}]}})";

constexpr std::string_view kBar = R"({{
  "duration": 3, "frame_rate": 25,
  "cloths": [{{"name": "cloth", "fabric": "cotton", "translation": [0, 0, 0.56],
              "mesh": {{"type": "grid", "size": [1.2, 1.2], "resolution": [{0}, {0}]}}}}],
  "obstacles": [{{"name": "bar", "shape": {{"type": "capsule", "radius": 0.04, "length": 1.4}},
                 "motion": {{"rotation": [0, 90, 0], "translation": [0, 0, 0.5]}}}},
                {{"name": "ground", "shape": {{"type": "plane"}}}}]}})";

/// A simulation, and positions in it from time to time.
struct Course {
  StepSummary sum;
  double seconds = 0;
  std::uint64_t hash = 0;
  std::vector<std::vector<Vec3>> poses;
};

Result<Course> follow(const std::string& scene, double duration, int threads, const Effort& effort) {
  constexpr int kPoses = 6;
  Result<Simulation> sim = build_text(scene);
  if (!sim) return sim.errors();
  Course course;
  for (int k = 1; k <= kPoses && course.sum.outcome == StepOutcome::accepted; ++k) {
    effort.progress(fmt::format("{} of {} parts, {} threads", k, kPoses, threads));
    course.seconds += seconds_of(
        [&] { ThreadPool(threads).run([&] { course.sum.add(advance_to(*sim, duration * k / kPoses)); }); });
    course.poses.push_back(surface_positions(*sim));
  }
  if (course.sum.outcome != StepOutcome::accepted) return failed_step(course.sum);
  course.hash = state_hash(sim->state);
  return course;
}

/// Least seconds of a search among several, and how evenly the threads were busy in it.
struct Search {
  double seconds = 1e9;
  double evenness = 0;  // mean work of the threads by the largest
};

Search search(BroadPhase& broad, std::span<const Vec3> x, int threads) {
  constexpr int kRepeats = 7;
  constexpr double kMargin = 1e-3;  // m
  Search best;
  CandidatePairs pairs;
  ThreadPool pool(threads);
  pool.run([&] {
    broad.update(x, x, kMargin);
    for (int k = 0; k < kRepeats; ++k) {
      const double seconds = seconds_of([&] { broad.find(pairs); });
      const std::vector<double>& busy = broad.report().busy;
      const double most = busy.empty() ? 0 : *std::max_element(busy.begin(), busy.end());
      if (seconds >= best.seconds) continue;
      best.seconds = seconds;
      best.evenness =
          most > 0 ? std::accumulate(busy.begin(), busy.end(), 0.0) / most / static_cast<double>(threads) : 1;
    }
  });
  return best;
}

/// Whether `found` (sorted) has every pair of two bodies' or one body's primitives nearer than a margin, m.
/// Tries all pairs.
bool has_all_near(const CollisionSurface& surface, std::span<const Vec3> x, double margin,
                  const CandidatePairs& found) {
  CandidatePairs all;
  const auto broad = make_broad_phase("brute_force", surface, x);
  broad->update(x, x, margin);
  broad->find(all);
  const auto at = [&](int i) { return x[static_cast<size_t>(i)]; };
  return std::all_of(all.vertex_triangle.begin(), all.vertex_triangle.end(),
                     [&](const VertexTriangle& pair) {
                       const Triangle& t = surface.triangles[static_cast<size_t>(pair.triangle)];
                       const PairPoints points{at(pair.vertex), at(t[0]), at(t[1]), at(t[2])};
                       return vertex_triangle_proximity(points).distance > margin ||
                              std::binary_search(found.vertex_triangle.begin(), found.vertex_triangle.end(),
                                                 pair);
                     }) &&
         std::all_of(all.edge_edge.begin(), all.edge_edge.end(), [&](const EdgeEdge& pair) {
           const Edge &a = surface.edges[static_cast<size_t>(pair.first)],
                      &b = surface.edges[static_cast<size_t>(pair.second)];
           return edge_edge_proximity({at(a[0]), at(a[1]), at(b[0]), at(b[1])}).distance > margin ||
                  std::binary_search(found.edge_edge.begin(), found.edge_edge.end(), pair);
         });
}

Result<Findings> compare_threads(const std::string& scene, double duration, const Effort& effort) {
  const int threads = std::max(2, effort.threads);
  const Result<Course> alone = follow(scene, duration, 1, effort);
  if (!alone) return alone.errors();
  const Result<Course> together = follow(scene, duration, threads, effort);
  if (!together) return together.errors();
  const Result<Simulation> sim = build_text(scene);
  if (!sim) return sim.errors();
  const CollisionSurface& surface = sim->surface_contact->surface();
  const std::vector<Vec3> reference = surface_positions(*sim);
  const auto fixed = make_broad_phase("bvh", surface, reference, {.strategy = TaskStrategy::fixed});
  const auto dynamic = make_broad_phase("bvh", surface, reference, {.strategy = TaskStrategy::dynamic});
  double fixed_seconds = 0, dynamic_seconds = 0, evenness = 0;
  for (const std::vector<Vec3>& pose : alone->poses) {
    fixed_seconds += search(*fixed, pose, threads).seconds;
    const Search moving = search(*dynamic, pose, threads);
    dynamic_seconds += moving.seconds;
    evenness += moving.evenness / static_cast<double>(alone->poses.size());
  }
  const auto in_all = [&](const Course& course) {
    return fmt::format("{:.1f}, {:.1f}, {:.1f} s", course.seconds, integration_seconds(course.sum),
                       collision_seconds(course.sum));
  };
  Findings findings;
  findings.figures = {
      {"faces", "", fmt::format("{}", sim->model.cloths[0].triangles.size())},
      {"total, integration, collision with 1 thread", "curves", in_all(*alone)},
      {fmt::format("the same with {} threads", threads), "curves", in_all(*together)},
      {"acceleration of collision handling", "",
       fmt::format("{:.2f}", collision_seconds(alone->sum) / collision_seconds(together->sum))},
      {"static by dynamic decomposition, search alone", "up to 3 (12 processors)",
       fmt::format("{:.2f}", fixed_seconds / dynamic_seconds)},
      {"utilisation of the threads, dynamic", "nearly uniform", fmt::format("{:.0f} %", 100 * evenness)}};
  findings.claims = {{"the parallel result equals the sequential one", "equal",
                      alone->hash == together->hash ? "the same bits" : "different bits",
                      alone->hash == together->hash}};
  if (effort.quick) return findings;  // too small to judge times
  findings.claims.push_back({"more processors take less time", "less",
                             fmt::format("{:.2f} of the time", together->seconds / alone->seconds),
                             together->seconds < alone->seconds});
  findings.claims.push_back({"dynamic decomposition is not slower than static", "up to 3 times faster",
                             fmt::format("{:.2f} times as fast", fixed_seconds / dynamic_seconds),
                             dynamic_seconds <= 1.05 * fixed_seconds});
  return findings;
}

}  // namespace

Result<Findings> thomaszewski_tablecloth(const Effort& effort) {
  return compare_threads(fmt::format(kTablecloth, 1.12 / (effort.quick ? 24 : 68)), effort.quick ? 0.6 : 1.6,
                         effort);
}

Result<Findings> thomaszewski_bar(const Effort& effort) {
  return compare_threads(fmt::format(kBar, effort.quick ? 41 : 121), effort.quick ? 0.6 : 1.6, effort);
}

Result<Findings> thomaszewski_stack(const Effort& effort) {
  constexpr double kMargin = 1e-3;  // m
  Result<Simulation> sim = build_text(fmt::format(kBar, effort.quick ? 31 : 61));
  if (!sim) return sim.errors();
  const std::vector<Vec3> reference = surface_positions(*sim);
  const StepSummary run =
      ThreadPool(effort.threads).run([&] { return advance_to(*sim, effort.quick ? 0.6 : 1.2); });
  if (run.outcome != StepOutcome::accepted) return failed_step(run);
  const std::vector<Vec3> x = surface_positions(*sim);
  const auto search = [&](std::string_view name, int threads, const BroadPhaseOptions& options) {
    CandidatePairs pairs;
    ThreadPool(threads).run([&] {
      const auto broad = make_broad_phase(name, sim->surface_contact->surface(), reference, options);
      broad->update(x, x, kMargin);
      broad->find(pairs);
    });
    std::sort(pairs.vertex_triangle.begin(), pairs.vertex_triangle.end());
    std::sort(pairs.edge_edge.begin(), pairs.edge_edge.end());
    return pairs;
  };
  const CandidatePairs whole = search("bvh", 1, {.cones = false});
  int variants = 0, equal = 0;
  for (const int threads : {1, effort.threads})
    for (const TaskStrategy strategy : {TaskStrategy::fixed, TaskStrategy::dynamic, TaskStrategy::estimate})
      for (const int base : {1, 8, 64}) {
        ++variants;
        equal += search("bvh", threads, {.cones = false, .strategy = strategy, .task_base = base}) == whole
                     ? 1
                     : 0;
      }
  const bool complete = has_all_near(sim->surface_contact->surface(), x, kMargin, whole);
  Findings findings;
  findings.figures = {{"vertex-triangle and edge-edge pairs", "",
                       fmt::format("{} and {}", whole.vertex_triangle.size(), whole.edge_edge.size())}};
  findings.claims = {
      {"any cut into tasks finds the pairs of the whole traversal", "the same set",
       fmt::format("{} of {} cuts", equal, variants), equal == variants},
      {"no pair that trying all finds is missed", "none", complete ? "none" : "some", complete}};
  return findings;
}

}  // namespace heddle
