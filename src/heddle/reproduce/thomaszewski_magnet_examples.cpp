#include <heddle/reproduce/magnet_scenes.h>
#include <heddle/reproduce/thomaszewski.h>

#include <heddle/parallel/scheduler.h>

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

/// Shortest time of an update, s.
double update_seconds(const MagnetScene& scene, const MagnetOptions& options, int runs) {
  MagnetSystem system(scene.magnets, {}, options);
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    system.update(scene.poses);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// Vertical force on a ball 5 mm above a cube, by its material, N.
double lift(const MagnetMaterial& material) {
  MagnetScene scene;
  scene.magnets.push_back(unit_cube(4));
  scene.poses.emplace_back();
  scene.add(solid_of(Sphere{0.005}), material, 64 / 1e-6, {.translation = {0, 0, 0.015}});
  MagnetSystem system(scene.magnets, {}, published_options(true));
  system.update(scene.poses);
  return system.loads()[1].force.z();
}

/// Force on the left toy magnet along its way to the ball, N: positive pulls.
double pull(double gap, bool parallel) {
  const MagnetScene scene = toy_magnets(gap, parallel);
  MagnetSystem system(scene.magnets, {}, published_options(true));
  system.update(scene.poses);
  return system.loads()[0].force.x() + system.loads()[1].force.x();
}

/// A superconducting cube above a ring of 3 cm.
class Levitation {
 public:
  static constexpr double kRing = 0.03, kEdge = 0.008;

  Levitation() {
    scene_.add(ring_solid(kRing, 0.006), {.remanence = {0, 0, 1}}, 1 / std::pow(0.003, 3), {});
    scene_.add(solid_of(Box{{kEdge, kEdge, kEdge}}), {.kind = MagnetKind::superconductor},
               std::pow(4 / kEdge, 3), {});
  }
  Vec3 force(const Vec3& place) {
    scene_.poses[1].translation = place;
    MagnetSystem system(scene_.magnets, {}, published_options(true));
    system.update(scene_.poses);
    return system.loads()[1].force;
  }
  /// Where the force lifts the weight, N; from above, where it falls.
  double height(double weight) {
    double low = kRing / std::numbers::sqrt2 - 0.4 * kRing, high = kRing / std::numbers::sqrt2 + 0.4 * kRing;
    for (int k = 0; k < 40; ++k) {
      const double middle = 0.5 * (low + high);
      (force({0, 0, middle}).z() > weight ? low : high) = middle;
    }
    return low;
  }

 private:
  MagnetScene scene_;
};

/// Forces in a row of gaps change their sign once, from pushing to pulling, on the way inwards.
bool passes_barrier(const std::vector<double>& inwards) {
  int changes = 0;
  for (size_t i = 1; i < inwards.size(); ++i) changes += (inwards[i] > 0) != (inwards[i - 1] > 0) ? 1 : 0;
  return inwards.front() < 0 && inwards.back() > 0 && changes == 1;
}

}  // namespace

Result<Findings> thomaszewski_materials(const Effort& effort) {
  const double para = lift({.kind = MagnetKind::induced, .susceptibility = 1e-5});
  const double dia = lift({.kind = MagnetKind::induced, .susceptibility = -1e-5});
  const double steel = lift({.kind = MagnetKind::induced, .susceptibility = 700});
  const double super = lift({.kind = MagnetKind::superconductor});
  std::vector<double> opposite, alike;
  for (const double gap : {0.05, 0.03, 0.02, 0.012, 0.008, 0.005, 0.003, 0.0015, 0.0005}) {
    opposite.push_back(pull(gap, false));
    alike.push_back(pull(gap, true));
  }
  effort.progress("levitation");
  Levitation levitation;
  const double place = levitation.height(0), zero = Levitation::kRing / std::numbers::sqrt2, d = 5e-4;
  const double upright =
      (levitation.force({0, 0, place + d}) - levitation.force({0, 0, place - d})).z() / (2 * d);
  const double sideways = (levitation.force({d, 0, place}) - levitation.force({-d, 0, place})).x() / (2 * d);
  Findings findings;
  findings.figures = {{"force on para-, diamagnet (chi = +-1e-5), steel, superconductor", "",
                       fmt::format("{:.2e}, {:+.2e}, {:.3f}, {:+.3f} N", para, dia, steel, super)},
                      {"pull of opposite toy magnets from 50 to 0.5 mm", "",
                       fmt::format("{:+.3f} to {:+.3f} N", opposite.front(), opposite.back())},
                      {"strongest push on the way", "",
                       fmt::format("{:.3f} N", -*std::min_element(opposite.begin(), opposite.end()))},
                      {"height of levitation without weight; zero of the field of a thin ring", "a/sqrt 2",
                       fmt::format("{:.2f}, {:.2f} mm", 1e3 * place, 1e3 * zero)}};
  findings.claims = {{"C30: paramagnets are attracted, diamagnets repelled", "yes",
                      fmt::format("{:.2e}, {:+.2e} N", para, dia), para < 0 && dia > 0},
                     {"C30: soft ferromagnets are attracted far more strongly", "much",
                      fmt::format("{:.0f} times", steel / para), steel < 1000 * para},
                     {"C30: superconductors are repelled strongly", "strongly",
                      fmt::format("{:.0f} times", super / dia), super > 1000 * dia},
                     {"C30: levitation above a ring is stable", "stable",
                      fmt::format("{:.1f}, {:.1f} N/m upright, sideways", upright, sideways),
                      upright < 0 && sideways < 0 && std::abs(place / zero - 1) < 0.25},
                     {"C31: opposite toy magnets push, then snap", "passes a barrier",
                      passes_barrier(opposite) ? "one change of sign" : "not so", passes_barrier(opposite)},
                     {"C31: equal ones pull all the way", "uniformly",
                      fmt::format("at least {:.4f} N", *std::min_element(alike.begin(), alike.end())),
                      *std::min_element(alike.begin(), alike.end()) > 0}};
  return findings;
}

Result<Findings> thomaszewski_magnet_times(const Effort& effort) {
  Findings findings;
  double least_pairs = 1e9, least_gain = 1e9, shower_pairs[2] = {}, shower_gain[2] = {}, growth = 1;
  int showers = 0;
  double last_time = 0;
  for (const MagnetExample& example : magnet_examples()) {
    effort.progress(example.name);
    const MagnetScene scene = example.make();
    const double pairs =
        static_cast<double>(cell_pairs(scene, {.adaptive = false})) /
        static_cast<double>(cell_pairs(scene, published_options(true).interaction.pair.front));
    const int runs = effort.quick ? 3 : 20;
    const auto seconds = [&](const MagnetOptions& options) {
      return ThreadPool(1).run([&] { return update_seconds(scene, options, runs); });
    };
    const double adaptive = seconds(published_options(true)), all = seconds(published_options(false));
    const double gain = all / adaptive;
    findings.figures.push_back(
        {fmt::format("{}: cells, ms, gain", example.name),
         fmt::format("{}, {} ms, {}", example.cells, example.milliseconds, example.gain),
         fmt::format("{}, {:.4f} ms ({:.0f} times less), {:.2f}; {:.2f} by pairs of cells",
                     scene.cell_count(), 1e3 * adaptive, example.milliseconds / (1e3 * adaptive), gain,
                     pairs)});
    least_pairs = std::min(least_pairs, pairs);
    least_gain = std::min(least_gain, gain);
    if (example.name.starts_with("6.3")) {
      shower_pairs[showers] = pairs;
      shower_gain[showers++] = gain;
      growth = last_time > 0 ? adaptive / last_time : 1;
      last_time = adaptive;
    }
  }
  findings.claims = {
      {"C32: fronts save pairs of cells everywhere", "1.3 to 11.1 times",
       fmt::format("at least {:.2f} times", least_pairs), least_pairs > 1},
      {"C32: the more the more cells there are", "6.72, 11.1",
       fmt::format("{:.2f}, {:.2f}", shower_pairs[0], shower_pairs[1]), shower_pairs[1] > shower_pairs[0]}};
  if (!effort.quick) {
    findings.claims.push_back({"C32: they save time everywhere", "1.3 to 11.1 times",
                               fmt::format("at least {:.2f} times", least_gain), least_gain > 1});
    findings.claims.push_back({"C32: the more the more cells there are, in time", "6.72, 11.1",
                               fmt::format("{:.2f}, {:.2f}", shower_gain[0], shower_gain[1]),
                               shower_gain[1] > shower_gain[0]});
    findings.claims.push_back({"C32: twice the cells take hardly more time", "1.08 times",
                               fmt::format("{:.2f} times", growth), growth < 1.1});
  }
  return findings;
}

}  // namespace heddle
