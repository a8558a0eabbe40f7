// Times the broad phases on a sheet that lies in folds like a draped cloth, at rest and in motion.
// Usage: collision_bench [largest size in thousands of triangles, default 160]

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/parallel/scheduler.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>

namespace {

using namespace heddle;

constexpr double kSide = 1.0;        // m
constexpr double kThickness = 5e-4;  // m
constexpr double kSpeed = 1.0;       // m/s
constexpr double kTimeStep = 0.005;  // s

/// A square sheet hung in folds: waves that grow downwards and lean over, so that layers lie close.
struct Sheet {
  CollisionSurface surface;
  std::vector<Vec3> flat, begin, end;
};

Vec3 draped(const Vec3& p, double lean) {
  const double depth = 1.0 - p.y() / kSide, phase = 40.0 * p.x() + 3.0 * std::sin(4.0 * p.y());
  const double wave = std::sin(phase), slope = std::cos(phase);
  return {0.45 * p.x() + lean * depth * std::sin(2.0 * phase) * 0.02, 0.05 * depth * wave + 0.004 * slope,
          p.y() + 0.01 * depth * wave};
}

Sheet make_sheet(int triangles, bool folds) {
  const int n = static_cast<int>(std::lround(std::sqrt(triangles / 2.0)));
  Sheet sheet;
  CollisionBody body{(n + 1) * (n + 1), {}, false};
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const int a = y * (n + 1) + x, b = a + 1, c = a + n + 1, d = c + 1;
      body.triangles.push_back({a, b, d});
      body.triangles.push_back({a, d, c});
    }
  sheet.surface = make_collision_surface(std::span(&body, 1));
  for (int y = 0; y <= n; ++y)
    for (int x = 0; x <= n; ++x) {
      const Vec3 p(kSide * x / n, kSide * y / n, 0.0);
      sheet.flat.push_back(p);
      sheet.begin.push_back(folds ? draped(p, 1.0) : p);
      const Vec3 v(0.2, 0.1 * std::sin(9.0 * p.x()), -1.0 + 0.2 * p.y());
      sheet.end.push_back(sheet.begin.back() + kSpeed * kTimeStep * v);
    }
  return sheet;
}

/// Time of the processor for one thread, so that other programs do not count; else of the clock. s
double now(int threads) {
  timespec time{};
  clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Shortest of several runs, in ms: the others were disturbed.
template <class Work>
double best_ms(int threads, const Work& work) {
  double best = 1e9;
  double total = 0.0;
  for (int run = 0; run < 3 || (run < 30 && total < 300.0); ++run) {
    const double start = now(threads);
    work();
    const double ms = 1e3 * (now(threads) - start);
    best = std::min(best, ms);
    total += ms;
  }
  return best;
}

struct Row {
  double update = 0.0, find = 0.0;  // ms
};

Row measure(const Sheet& sheet, std::string_view name, const BroadPhaseOptions& options, int threads,
            bool moving, std::string& counts) {
  ThreadPool pool(threads);
  return pool.run([&] {
    const auto broad_phase = make_broad_phase(name, sheet.surface, sheet.flat, options);
    const auto& end = moving ? sheet.end : sheet.begin;
    CandidatePairs pairs;
    Row row;
    row.update = best_ms(threads, [&] { broad_phase->update(sheet.begin, end, kThickness); });
    row.find = best_ms(threads, [&] { broad_phase->find(pairs); });
    const BroadPhaseReport& report = broad_phase->report();
    double busiest = 0.0, busy = 0.0;
    for (const double s : report.busy) busiest = std::max(busiest, s), busy += s;
    const double even = busiest > 0 ? busy / (busiest * static_cast<double>(report.busy.size())) : 1.0;
    counts = fmt::format("{:9} {:9} {:8} {:8} {:5} {:5.2f}", report.volume_tests, report.triangle_pairs,
                         pairs.vertex_triangle.size() + pairs.edge_edge.size(), report.flat_patches,
                         report.tasks, even);
    return row;
  });
}

struct Setting {
  const char* label;
  std::string_view name;
  BroadPhaseOptions options;
  int threads;
};

const Setting kSettings[] = {
    {"18-DOP", "bvh", {}, 1},
    {"14-DOP", "bvh14", {}, 1},
    {"8-DOP", "bvh8", {}, 1},
    {"6-DOP", "bvh6", {}, 1},
    {"18-DOP, no cones", "bvh", {.cones = false}, 1},
    {"14-DOP, no cones", "bvh14", {.cones = false}, 1},
    {"6-DOP, no cones", "bvh6", {.cones = false}, 1},
    {"hash", "hash", {}, 1},
    {"18-DOP, dynamic, 2 threads", "bvh", {}, 2},
    {"18-DOP, fixed, 2 threads", "bvh", {.strategy = TaskStrategy::fixed}, 2},
    {"18-DOP, estimate, 2 threads", "bvh", {.strategy = TaskStrategy::estimate}, 2},
    {"18-DOP, no cones, 2 threads", "bvh", {.cones = false}, 2},
    {"hash, 2 threads", "hash", {}, 2},
};

void run_scene(const char* title, bool folds, bool moving, int largest) {
  fmt::print("\n{}\n{:28} {:>7} {:>8} {:>8} {:>7} {:>6} {:>9} {:>9} {:>8} {:>8} {:>5} {:>5}\n", title, "",
             "faces", "update", "find", "ratio", "growth", "volumes", "triangles", "pairs", "patches",
             "tasks", "even");
  std::vector<double> last(std::size(kSettings), 0.0);
  for (int thousands = 10; thousands <= largest; thousands *= 4) {
    const Sheet sheet = make_sheet(1000 * thousands, folds);
    double first = 0.0;
    for (size_t i = 0; i < std::size(kSettings); ++i) {
      const Setting& setting = kSettings[i];
      std::string counts;
      const Row row = measure(sheet, setting.name, setting.options, setting.threads, moving, counts);
      const double total = row.update + row.find;
      if (i == 0) first = total;
      const double growth = last[i] > 0.0 ? std::log(total / last[i]) / std::log(4.0) : 0.0;
      fmt::print("{:28} {:7} {:5.2f} ms {:5.2f} ms {:7.2f} {:6.2f} {}\n", setting.label,
                 sheet.surface.triangle_count(), row.update, row.find, total / first, growth, counts);
      last[i] = total;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 160;
  fmt::print(
      "ratio: time of update and find to that of the first row; growth: exponent since the last size;\n"
      "even: mean busy time of the workers over the longest\n");
  run_scene("flat, at rest", false, false, largest);
  run_scene("folds, at rest", true, false, largest);
  run_scene("folds, in motion", true, true, largest);
}
