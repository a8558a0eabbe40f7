// Times the hot loops of one step side by side with what the memory of this machine can deliver.
#include "timing.h"

#include <heddle/parallel/parallel.h>
#include <heddle/parallel/scheduler.h>
#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/step.h>
#include <heddle/solve/conjugate_gradient.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

namespace {

using namespace heddle;

/// GB/s when all threads read an array much larger than the caches.
double memory_bandwidth() {
  const std::vector<double> data(std::size_t{1} << 26, 1.0);
  std::vector<double> partial;
  volatile double sink = 0;
  const double seconds = best_seconds(7, [&] {
    sink = ordered_sum(
        static_cast<int>(data.size()), 0.0, partial,
        [&](int begin, int end) {
          double lanes[8] = {};
          for (int i = begin; i + 8 <= end; i += 8)
            for (int k = 0; k < 8; ++k) lanes[k] += data[static_cast<size_t>(i + k)];
          return lanes[0] + lanes[1] + lanes[2] + lanes[3] + lanes[4] + lanes[5] + lanes[6] + lanes[7];
        },
        1 << 16);
  });
  return 1e-9 * static_cast<double>(data.size() * sizeof(double)) / seconds;
}

Simulation drape(int grid) {
  const std::string text = fmt::format(
      R"({{"duration": 1, "fabrics": {{"f": {{"base": "cotton", "weft_stiffness": 1000, "warp_stiffness": 1000}}}},
          "cloths": [{{"fabric": "f", "translation": [0, 0, 0.22],
                       "mesh": {{"type": "grid", "size": [1, 1], "resolution": [{0}, {0}]}}}}],
          "obstacles": [{{"shape": {{"type": "sphere", "radius": 0.2}}}}]}})",
      grid);
  const Catalogue catalogue = make_catalogue();
  const Result<LoadedScene> scene = load_scene_text(text, "bench.json", catalogue);
  Diagnostics warnings;
  if (!scene) {
    fmt::print(stderr, "{}", scene.errors().text());
    std::exit(2);
  }
  Result<Simulation> simulation = build(scene->description, catalogue, warnings);
  if (!simulation) {
    fmt::print(stderr, "{}", simulation.errors().text());
    std::exit(2);
  }
  return std::move(*simulation);
}

void measure(int grid, double bandwidth) {
  Simulation sim = drape(grid);
  const System& system = *sim.model.system;
  const auto n = static_cast<size_t>(system.particle_count());
  BlockMatrix matrix(system.pattern());
  std::vector<Vec3> force(n), kv(n), external(n), y(n), x(n, Vec3(1, 2, 3));
  BlockMatrix constant(system.pattern());
  system.constant_matrix(1e-4, 1e-2, constant);
  const Linearisation out{1e-4, 1e-2, JacobianForm::positive, &matrix, force, kv};
  const double assembly =
      best_seconds(15, [&] { system.linearise(configuration_of(sim.state), constant, out, external); });
  const double product = best_seconds(50, [&] { matrix.multiply(x, y); });
  // Nine values or one, and a column index; blocks of the upper triangle stand for both.
  const double bytes =
      76.0 * system.pattern().general.block_count() + 12.0 * system.pattern().isotropic.block_count();
  fmt::print("{:>9} {:>12.2f} {:>12.3f} {:>12.1f} {:>12.0f} %\n", n, 1e3 * assembly, 1e3 * product,
             1e-9 * bytes / product, 100 * 1e-9 * bytes / product / bandwidth);
}

}  // namespace

int main(int argc, char** argv) {
  ThreadPool pool(argc > 1 ? std::atoi(argv[1]) : 0);
  pool.run([&] {
    const double bandwidth = memory_bandwidth();
    fmt::print("threads {}, memory bandwidth {:.1f} GB/s (reading)\n", pool.thread_count(), bandwidth);
    fmt::print("{:>9} {:>12} {:>12} {:>12} {:>14}\n", "vertices", "assembly ms", "product ms", "product GB/s",
               "of bandwidth");
    for (const int grid : {51, 101, 201, 401}) measure(grid, bandwidth);
    return 0;
  });
}
