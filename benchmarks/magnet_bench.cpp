// Times of magnetic forces: the examples of Thomaszewski 2010, table 6.1, growth with the number of magnets,
// threads.
//   magnet_bench [MOST]     magnets, 10 000 if not given
#include "timing.h"

#include <heddle/core/random.h>
#include <heddle/parallel/scheduler.h>
#include <heddle/reproduce/magnet_scenes.h>

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

namespace heddle {
namespace {

double update_seconds(const MagnetScene& scene, const MagnetOptions& options, int threads, int runs) {
  MagnetSystem system(scene.magnets, {}, options);
  return ThreadPool(threads).run([&] { return best_seconds(runs, [&] { system.update(scene.poses); }); });
}

void measure_examples() {
  fmt::print("example     cells   published       ours  times less   gain published   ours\n");
  for (const MagnetExample& example : magnet_examples()) {
    const MagnetScene scene = example.make();
    const double adaptive = update_seconds(scene, published_options(true), 1, 20);
    const double all = update_seconds(scene, published_options(false), 1, 10);
    const double whole = update_seconds(scene, {}, 1, 5);
    fmt::print(
        "{:9} {:7} {:8.2f} ms {:7.4f} ms {:11.1f} {:16.2f} {:6.2f}   with coupling and parts {:.3f} ms\n",
        example.name, scene.cell_count(), example.milliseconds, 1e3 * adaptive,
        example.milliseconds / (1e3 * adaptive), example.gain, all / adaptive, 1e3 * whole);
  }
}

/// Small permanent magnets at random in a cube, as dense for any number.
MagnetScene cloud(int count) {
  Random random(1);
  const auto vector = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  MagnetScene scene;
  const auto ball = solid_of(Sphere{0.004});
  const auto side = static_cast<int>(std::ceil(std::cbrt(count)));
  for (int k = 0; k < count; ++k)
    scene.add(ball, {.remanence = vector().normalized()}, 1e5,
              {.translation = 0.015 * Vec3(k % side, k / side % side, k / (side * side)) + 0.003 * vector()});
  return scene;
}

void measure_growth(int most) {
  double first_count = 0, first_seconds = 0, count = 0, seconds = 0;
  for (int n = most / 4; n <= 2 * most; n *= 2) {
    const MagnetScene scene = cloud(n);
    count = n;
    seconds = update_seconds(scene, {}, 1, 3);
    if (first_count == 0) first_count = count, first_seconds = seconds;
    fmt::print("{:6} magnets {:9.2f} ms, {:.2f} us for each\n", n, 1e3 * seconds, 1e6 * seconds / n);
  }
  fmt::print("grows like n to the {:.2f}\n",
             std::log(seconds / first_seconds) / std::log(count / first_count));
  const MagnetScene scene = cloud(most);
  const double one = update_seconds(scene, {}, 1, 5), two = update_seconds(scene, {}, 2, 5);
  fmt::print("two threads are {:.2f} times as fast as one\n", one / two);
}

}  // namespace
}  // namespace heddle

int main(int count, char** words) {
  heddle::measure_examples();
  heddle::measure_growth(count > 1 ? std::atoi(words[1]) : 10000);
}
