#include <heddle/reproduce/stage.h>
#include <heddle/reproduce/thomaszewski.h>

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/geometry/proximity.h>
#include <heddle/parallel/scheduler.h>

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numbers>
#include <numeric>

namespace heddle {

namespace {

constexpr std::string_view kTablecloth = R"({{
  "duration": 3, "frame_rate": 25,
  "cloths": [{{"name": "cloth", "fabric": "cotton", "translation": [0, 0, 0.38],
              "mesh": {{"type": "disc", "radius": 1, "edge_length": {:.6f}}}}}],
  "obstacles": [{{"name": "ball", "shape": {{"type": "sphere", "radius": 0.35}}}}]}})";

/// A square over a bar of the file that bar() writes.
constexpr std::string_view kBar = R"({{
  "duration": 3, "frame_rate": 25,
  "cloths": [{{"name": "cloth", "fabric": "cotton", "translation": [0, 0, 0.61],
              "mesh": {{"type": "grid", "size": [1.2, 1.2], "resolution": [{0}, {0}]}}}}],
  "obstacles": [{{"name": "bar", "mesh": {{"type": "file", "path": "bar.obj"}}, "thickness": 0.002}},
                {{"name": "ground", "shape": {{"type": "plane"}}}}]}})";

/// A tube 1.4 m long and 8 cm thick that goes up and down by 5 cm three times.
std::vector<std::vector<Vec3>> bar_rings() {
  constexpr int kRings = 141, kAround = 16;
  constexpr double kLength = 1.4, kRadius = 0.04, kHeight = 0.5, kAmplitude = 0.05;  // m
  constexpr double kWave = 2 * std::numbers::pi * 3 / kLength;                       // 1/m
  std::vector<std::vector<Vec3>> rings;
  for (int k = 0; k < kRings; ++k) {
    const double x = kLength * (static_cast<double>(k) / (kRings - 1) - 0.5);
    const Vec3 along = Vec3(1, 0, kAmplitude * kWave * std::cos(kWave * x)).normalized();
    const Vec3 up = along.cross(Vec3(0, -1, 0)), centre(x, 0, kHeight + kAmplitude * std::sin(kWave * x));
    std::vector<Vec3>& ring = rings.emplace_back();
    for (int i = 0; i < kAround; ++i) {
      const double angle = 2 * std::numbers::pi * i / kAround;
      ring.emplace_back(centre + kRadius * (std::cos(angle) * Vec3(0, 1, 0) + std::sin(angle) * up));
    }
  }
  return rings;
}

using Builder = std::function<Result<Simulation>()>;

Builder tablecloth(double edge_length) {
  return [=] { return build_text(fmt::format(kTablecloth, edge_length)); };
}

Builder bar(int grid) {
  return [=] { return build_with_tube(fmt::format(kBar, grid), "bar.obj", bar_rings()); };
}

/// A simulation, and positions in it from time to time.
struct Course {
  StepSummary sum;
  double seconds = 0;
  std::uint64_t hash = 0;
  std::vector<std::vector<Vec3>> poses;
};

Result<Course> follow(const Builder& build, double duration, int threads, const Effort& effort) {
  constexpr int kPoses = 6;
  Result<Simulation> sim = build();
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

  void repeat(BroadPhase& broad, CandidatePairs& pairs, int threads);
};

void Search::repeat(BroadPhase& broad, CandidatePairs& pairs, int threads) {
  const double again = seconds_of([&] { broad.find(pairs); });
  if (again >= seconds) return;
  seconds = again;
  const std::vector<double>& busy = broad.report().busy;
  const double most = busy.empty() ? 0 : *std::max_element(busy.begin(), busy.end());
  evenness =
      most > 0 ? std::accumulate(busy.begin(), busy.end(), 0.0) / most / static_cast<double>(threads) : 1;
}

/// How one pose is searched by static and by dynamic decomposition.
struct PoseSearch {
  Search fixed, fixed_again;  // the same twice: how far they differ is noise
  Search dynamic;
  Search alone, pair;  // dynamic with one thread and with two
};

/// The kinds of search take turns, at least for the given seconds, so that a noisy one does not hit one of
/// them alone.
PoseSearch search(const CollisionSurface& surface, std::span<const Vec3> reference, std::span<const Vec3> x,
                  int threads, double enough) {
  constexpr int kRepeats = 15;
  constexpr double kMargin = 1e-3;  // m
  const auto fixed = make_broad_phase("bvh", surface, reference, {.strategy = TaskStrategy::fixed});
  const auto dynamic = make_broad_phase("bvh", surface, reference, {.strategy = TaskStrategy::dynamic});
  ThreadPool one(1), two(2), all(threads);
  all.run([&] {
    for (BroadPhase* broad : {fixed.get(), dynamic.get()}) broad->update(x, x, kMargin);
  });
  PoseSearch best;
  CandidatePairs pairs;
  double spent = 0;
  const auto turn = [&] {
    all.run([&] {
      best.fixed.repeat(*fixed, pairs, threads);
      best.dynamic.repeat(*dynamic, pairs, threads);
      best.fixed_again.repeat(*fixed, pairs, threads);
    });
    two.run([&] { best.pair.repeat(*dynamic, pairs, 2); });
    one.run([&] { best.alone.repeat(*dynamic, pairs, 1); });
  };
  for (int k = 0; k < kRepeats || spent < enough; ++k) spent += seconds_of(turn);
  return best;
}

/// Of all poses.
struct Decomposition {
  double fixed = 0, fixed_again = 0, dynamic = 0, alone = 0, pair = 0;  // s
  double worst = 0;     // 1, dynamic by static, in the pose where it is largest
  double noise = 0;     // 1, static by static, likewise
  double evenness = 0;  // 1, mean

  void add(const PoseSearch& pose, double share);
};

void Decomposition::add(const PoseSearch& pose, double share) {
  fixed += pose.fixed.seconds;
  fixed_again += pose.fixed_again.seconds;
  dynamic += pose.dynamic.seconds;
  alone += pose.alone.seconds;
  pair += pose.pair.seconds;
  worst = std::max(worst, pose.dynamic.seconds / pose.fixed.seconds);
  noise = std::max(noise, std::abs(pose.fixed_again.seconds / pose.fixed.seconds - 1));
  evenness += share * pose.dynamic.evenness;
}

/// The claims about times; `is_faster`: that dynamic decomposition gains something. A machine too busy to
/// measure shows nothing, so that claims with much noise do not hold.
void judge_times(const Decomposition& sum, double share_of_time, bool is_faster, Findings& findings) {
  constexpr double kEven = 0.9, kSpeedUp = 1.6, kMostNoise = 0.1;
  const double gain = sum.fixed / sum.dynamic, noise = std::abs(sum.fixed_again / sum.fixed - 1);
  findings.claims.push_back({"more processors take less time", "less",
                             fmt::format("{:.2f} of the time", share_of_time), share_of_time < 1});
  findings.claims.push_back({"dynamic is at least as fast as static in every pose", "but for empty frames",
                             fmt::format("at worst {:.3f} of its time, noise {:.3f}", sum.worst, sum.noise),
                             sum.noise <= kMostNoise && sum.worst <= 1 + sum.noise});
  if (is_faster)
    findings.claims.push_back({"dynamic is faster than static in all", "up to 3 times (12 CPUs)",
                               fmt::format("{:.3f} times as fast, noise {:.3f}", gain, noise),
                               noise <= kMostNoise && gain > 1 + noise});
  findings.claims.push_back({"threads are used nearly uniformly", "nearly uniform, here 90 %",
                             fmt::format("{:.1f} %", 100 * sum.evenness), sum.evenness >= kEven});
  findings.claims.push_back({"two threads search 1.6 times as fast as one", "",
                             fmt::format("{:.2f} times", sum.alone / sum.pair),
                             sum.alone / sum.pair >= kSpeedUp});
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

Result<Findings> compare_threads(const Builder& build, double duration, bool is_faster,
                                 const Effort& effort) {
  const int threads = std::max(2, effort.threads);
  const Result<Course> alone = follow(build, duration, 1, effort);
  if (!alone) return alone.errors();
  const Result<Course> together = follow(build, duration, threads, effort);
  if (!together) return together.errors();
  const Result<Simulation> sim = build();
  if (!sim) return sim.errors();
  Decomposition sum;
  for (const std::vector<Vec3>& pose : alone->poses)
    sum.add(search(sim->surface_contact->surface(), surface_positions(*sim), pose, threads,
                   effort.quick ? 0.1 : 2),
            1.0 / static_cast<double>(alone->poses.size()));
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
       fmt::format("{:.3f}", sum.fixed / sum.dynamic)},
      {"utilisation of the threads, dynamic", "nearly uniform", fmt::format("{:.1f} %", 100 * sum.evenness)}};
  findings.claims = {{"the parallel result equals the sequential one", "equal",
                      alone->hash == together->hash ? "the same bits" : "different bits",
                      alone->hash == together->hash}};
  // Quick ones are too small to judge times.
  if (!effort.quick) judge_times(sum, together->seconds / alone->seconds, is_faster, findings);
  return findings;
}

}  // namespace

Result<Findings> thomaszewski_tablecloth(const Effort& effort) {
  return compare_threads(tablecloth(1.12 / (effort.quick ? 24 : 68)), effort.quick ? 0.6 : 1.6, true, effort);
}

Result<Findings> thomaszewski_bar(const Effort& effort) {
  return compare_threads(bar(effort.quick ? 41 : 121), effort.quick ? 0.6 : 1.6, false, effort);
}

Result<Findings> thomaszewski_stack(const Effort& effort) {
  constexpr double kMargin = 1e-3;  // m
  Result<Simulation> sim = bar(effort.quick ? 31 : 61)();
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
