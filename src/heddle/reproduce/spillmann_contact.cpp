#include <heddle/reproduce/spillmann.h>

#include <heddle/sim/build.h>
#include <heddle/sim/rod_contact.h>
#include <heddle/sim/step.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// A scene that is stepped while contacts are counted after every step.
class WatchedScene {
 public:
  explicit WatchedScene(Simulation simulation)
      : sim_(std::move(simulation)), counter_(sim_.model, sim_.state.x) {}

  static Result<WatchedScene> of(const std::string& text) {
    Result<Simulation> simulation = build_text(text);
    if (!simulation) return simulation.errors();
    return WatchedScene(std::move(*simulation));
  }

  /// False if a step fails.
  bool run(double until) {
    while (sim_.state.time < until - 0.5 * sim_.model.step_length()) {
      const StepSummary summary = step(sim_);
      if (summary.outcome != StepOutcome::accepted) return false;
      const RodOverlaps now = counter_.count(sim_.state.x);
      contacts_ = now.contacts;
      most_contacts_ = std::max(most_contacts_, now.contacts);
      overlaps_ += now.rods + now.cloth;
      deepest_ = std::max(deepest_, now.deepest);
      for (const double seconds : summary.seconds) seconds_ += seconds;
      ++steps_;
    }
    return true;
  }

  int contacts() const { return contacts_; }
  int most_contacts() const { return most_contacts_; }
  long overlaps() const { return overlaps_; }
  double deepest() const { return deepest_; }
  double milliseconds() const { return 1e3 * seconds_ / std::max(1, steps_); }

  const Vec3& node(int rod, int i) const {
    return sim_.state.x[at(sim_.model.rods[at(rod)].place.first_particle + i)];
  }
  int node_count(int rod) const { return sim_.model.rods[at(rod)].place.node_count; }
  /// Pull near the start of a rod, N.
  double tension(int rod) const {
    constexpr int kFirst = 3, kCount = 5;
    const RodPart& part = sim_.model.rods[at(rod)];
    double strain = 0;
    for (int s = kFirst; s < kFirst + kCount; ++s) {
      const auto& [a, b] = part.place.segments[at(s)].ends;
      strain += ((sim_.state.x[at(b)] - sim_.state.x[at(a)]).norm() / part.rest_lengths[at(s)] - 1) / kCount;
    }
    return part.stretch_stiffness * strain;
  }

 private:
  Simulation sim_;
  RodOverlapCounter counter_;
  int contacts_ = 0, most_contacts_ = 0, steps_ = 0;
  long overlaps_ = 0;
  double deepest_ = -HUGE_VAL, seconds_ = 0;
};

Claim no_overlap(const WatchedScene& scene) {
  return {"rods overlap by no more than a thousandth of the radius after any step", "6.1.3",
          fmt::format("deepest {:.1e}", scene.deepest()), scene.overlaps() == 0};
}

/// A rope of one metre whose end is turned once a second while the ends come nearer; shear modulus in Pa.
std::string turned_rope(double shear) {
  return fmt::format(R"({{"duration": 20, "gravity": [0, 0, -0.5], "rods": [{{
    "curve": {{"type": "straight", "from": [-0.5, 0, 0.5], "to": [0.5, 0, 0.5], "segments": 80}},
    "material": {{"type": "cosserat", "radius": 0.006, "density": 1300, "young": 2e6, "shear": {},
                  "stretch": 2e6, "bending_friction": 4e-5, "stretch_friction": 4.5}},
    "clamps": [{{"end": "start", "turn": {{"times": [0, 20], "values": [0, 7200]}}, "motion": {{"translation":
      {{"times": [0, 4], "values": [[0, 0, 0], [0.3, 0, 0]]}}}}}}, {{"end": "end"}}]}}]}})",
                     shear);
}

std::string knot_strand(const std::string& kind, int strand, double friction, const std::string& clamps,
                        double standing = 0.2) {
  return fmt::format(R"({{"name": "strand {1}", "rest": "straight",
    "curve": {{"type": "tied", "kind": "{0}", "strand": {1}, "radius": 0.005, "standing": {4}}},
    "material": {{"type": "elastic", "radius": 0.005, "young": 1e5, "stretch_young": 2e7, "damping": 0.02,
                  "friction": {2}}}, "clamps": [{3}]}})",
                     kind, strand, friction, clamps, standing);
}

std::string pulled(const std::string& end, double x, double z = 0) {
  return fmt::format(R"({{"end": "{}", "motion": {{"translation": {{"times": [0, 2],
    "values": [[0, 0, 0], [{}, 0, {}]]}}}}}})",
                     end, x, z);
}

std::string knot_scene(const std::string& strands) {
  return R"({"duration": 20, "gravity": [0, 0, 0], "rods": [)" + strands + "]}";
}

std::string fisherman(double friction) {
  return knot_scene(knot_strand("double_fisherman", 1, friction, pulled("start", -0.16)) + "," +
                    knot_strand("double_fisherman", 2, friction, pulled("start", 0.16)));
}

std::string prusik(double friction) {
  return knot_scene(
      knot_strand("prusik", 1, friction, pulled("start", 0.1, -0.02) + "," + pulled("end", 0.1, -0.02)) +
      "," + knot_strand("prusik", 2, friction, pulled("start", -0.01) + "," + pulled("end", 0.01), 0.3));
}

std::string coil(int segments) {
  constexpr double kPerTurn = 62;
  return fmt::format(R"({{"duration": 2, "obstacles": [{{"shape": {{"type": "plane"}}}}], "rods": [{{
    "curve": {{"type": "helix", "radius": 0.1, "pitch": 0.0115, "turns": {}, "segments": {}}},
    "rest": "straight", "translation": [0, 0, 0.03],
    "material": {{"type": "elastic", "radius": 0.005, "young": 2e5, "stretch_young": 2e7}}}}]}})",
                     segments / kPerTurn, segments);
}

}  // namespace

Result<Findings> spillmann_looping(const Effort& effort) {
  Findings findings;
  auto twisted = WatchedScene::of(turned_rope(2e6 / 2.6)), limp = WatchedScene::of(turned_rope(2e6 / 2600));
  if (!twisted) return twisted.errors();
  if (!limp) return limp.errors();
  std::vector<int> counts;
  for (const int turns : {2, 4, 6, 8}) {
    effort.progress(fmt::format("{} turns", turns));
    if (!twisted->run(turns) || !limp->run(turns)) return failure({}, "a step failed");
    counts.push_back(twisted->contacts());
    findings.figures.push_back({fmt::format("contacts after {} turns, without torsion", turns), "",
                                fmt::format("{}, {}", twisted->contacts(), limp->contacts())});
  }
  findings.claims = {{"the number of self-contacts grows with the turns", "3.6.1, figure 3.11",
                      fmt::format("{}, {}, {}, {}", counts[0], counts[1], counts[2], counts[3]),
                      std::is_sorted(counts.begin(), counts.end()) && counts.back() > 3},
                     {"without torsion no loops form", "3.6.1",
                      fmt::format("{} contacts", limp->most_contacts()), limp->most_contacts() == 0},
                     {"there are no more contacts than segments", "3.6.1",
                      fmt::format("{}", twisted->most_contacts()), twisted->most_contacts() < 80},
                     no_overlap(*twisted)};
  return findings;
}

Result<Findings> spillmann_fisherman(const Effort& effort) {
  Findings findings;
  auto held = WatchedScene::of(fisherman(0.5)), smooth = WatchedScene::of(fisherman(0));
  if (!held) return held.errors();
  if (!smooth) return smooth.errors();
  effort.progress("with friction");
  if (!held->run(2.5)) return failure({}, "a step failed");
  const double first = held->tension(0);
  if (!held->run(effort.quick ? 3 : 12)) return failure({}, "a step failed");
  const double last = held->tension(0);
  effort.progress("without friction");
  if (!smooth->run(3)) return failure({}, "a step failed");
  findings.figures = {
      {"nodes", "252, 116 adaptive, 63 coarse", fmt::format("{}", held->node_count(0) + held->node_count(1))},
      {"contacts", "70, 69, 22", fmt::format("{}", held->most_contacts())},
      {"time of a step", "13.3, 7.3, 2.6 ms", fmt::format("{:.1f} ms", held->milliseconds())},
      {"pull when tight, and at the end", "", fmt::format("{:.2f}, {:.2f} N", first, last)}};
  findings.claims = {{"the knot holds by friction", "4.3, 6.1.5",
                      fmt::format("{:.2f} N of {:.2f} N are left", last, first), last > 0.95 * first},
                     {"without friction it does not", "6.1.5", fmt::format("{:.3f} N", smooth->tension(0)),
                      std::abs(smooth->tension(0)) < 0.05 * first},
                     no_overlap(*held)};
  return findings;
}

Result<Findings> spillmann_prusik(const Effort& effort) {
  Findings findings;
  double way[2];
  for (const double friction : {0.5, 0.0}) {
    effort.progress(fmt::format("friction {}", friction));
    auto scene = WatchedScene::of(prusik(friction));
    if (!scene) return scene.errors();
    const int middle = scene->node_count(0) / 2;
    const double before = scene->node(0, middle)[0];
    if (!scene->run(effort.quick ? 2.5 : 12)) return failure({}, "a step failed");
    way[friction > 0 ? 0 : 1] = scene->node(0, middle)[0] - before;
    findings.figures.push_back({fmt::format("way of the knot, friction {}", friction), "",
                                fmt::format("{:.4f} m of 0.1 m", way[friction > 0 ? 0 : 1])});
    findings.claims.push_back(no_overlap(*scene));
  }
  findings.claims.push_back({"the knot grips by friction, and slides without", "figure 6.1",
                             fmt::format("{:.4f} and {:.4f} m", way[0], way[1]),
                             way[0] < 0.02 && way[1] > 0.06});
  return findings;
}

Result<Findings> spillmann_coil(const Effort& effort) {
  Findings findings;
  auto scene = WatchedScene::of(coil(effort.quick ? 200 : 2000));
  if (!scene) return scene.errors();
  effort.progress("falling");
  if (!scene->run(effort.quick ? 0.2 : 0.12)) return failure({}, "a step failed");
  findings.figures = {
      {"contacts", "about 10000", fmt::format("up to {}", scene->most_contacts())},
      {"time of a step", "710 ms for 0.1 ms", fmt::format("{:.0f} ms for {} ms", scene->milliseconds(), 5)},
      {"deepest overlap before correction", "1.8e-3 of the radius", "none: contact is part of the step"},
      {"deepest overlap after a step", "1e-3", fmt::format("{:.1e}", scene->deepest())}};
  findings.claims = {no_overlap(*scene)};
  return findings;
}

}  // namespace heddle
