#include <heddle/reproduce/boxerman.h>
#include <heddle/reproduce/boxerman_rig.h>
#include <heddle/reproduce/stage.h>

#include <heddle/parallel/scheduler.h>
#include <heddle/solve/decomposed_solver.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

double velocity_difference(const State& a, const State& b) {
  double largest = 0, scale = 0;
  for (size_t i = 0; i < a.v.size(); ++i) {
    largest = std::max(largest, (a.v[i] - b.v[i]).norm());
    scale = std::max(scale, a.v[i].norm());
  }
  return scale > 0 ? largest / scale : 0;
}

/// A 1.5 m square off the centre of a sphere, of cloth that decomposes well.
BoxermanCase drape_beside(int side) {
  return {.scene = BoxermanScene::sphere_beside,
          .side = side,
          .spacing = 1.5 / side,
          .density = 0.2,
          .bend = 0.01,
          .stretch_damping = 0.1,
          .shear_damping = 0.1,
          .step = 0.01};
}

// ---- threads

struct Timed {
  double seconds = 0;
  State end;
};

Timed timed_run(const BoxermanCase& of, bool decompose, int threads, double duration) {
  SolverParameters linear = boxerman_solver(of.step);
  linear.decompose = decompose;
  BoxermanRig rig(of, adaptive_treatment(of), {.static_friction = 1.5});
  const auto integrator = make_boxerman_integrator(linear);
  Timed out;
  out.seconds = seconds_of([&] { ThreadPool(threads).run([&] { rig.run(*integrator, duration); }); });
  out.end = rig.state();
  return out;
}

// ---- snapshots

struct Parts {
  int components = 0, largest = 0, single = 0;
};

Parts parts_of(const BoxermanRig& rig, double dt) {
  const RowComponents components = find_components(rig.matrix(dt), rig.filter(dt).projection(), {});
  Parts out{.components = components.count()};
  for (int k = 0; k < components.count(); ++k) {
    out.largest = std::max(out.largest, static_cast<int>(components.of(k).size()));
    out.single += components.of(k).size() == 1;
  }
  return out;
}

std::string text(const Parts& s) {
  return fmt::format("{} components, the largest of {} particles, {} single", s.components, s.largest,
                     s.single);
}

/// Seconds of the search in a sheet whose springs are all active, the best of several.
double search_seconds(int side) {
  const BoxermanRig rig({.side = side, .spacing = 1.0 / side}, {.bend = false});
  const BlockMatrix matrix = rig.matrix(0.01);
  const BlockProjection projection = rig.filter(0.01).projection();
  double best = INFINITY;
  for (int k = 0; k < 7; ++k)
    best = std::min(best, processor_seconds_of([&] { find_components(matrix, projection, {}); }));
  return best;
}

}  // namespace

Decomposition decompose(const BoxermanCase& of, double duration, const RigRules& rules, double tolerance) {
  SolverParameters linear = boxerman_solver(of.step);
  if (tolerance > 0) linear.tolerance = tolerance;
  const auto whole = make_boxerman_integrator(linear);
  linear.decompose = true;
  const auto parts = make_boxerman_integrator(linear);
  BoxermanRig rig(of, adaptive_treatment(of), rules);
  Decomposition out;
  const int steps = static_cast<int>(std::lround(duration / of.step));
  for (int k = 0; k < steps && out.is_sound(); ++k) {
    const RigStep a = rig.attempt(*whole, of.step), b = rig.attempt(*parts, of.step);
    out.whole.add(a);
    out.parts.add(b);
    out.difference = std::max(out.difference, velocity_difference(a.end, b.end));
    if (a.row_products > 0)
      out.best =
          std::min(out.best, static_cast<double>(b.row_products) / static_cast<double>(a.row_products));
    rig.accept(b);
  }
  return out;
}

std::string percent(double ratio) {
  return fmt::format("{:+.1f} %", 100 * (ratio - 1));
}

Result<Findings> boxerman_overhead(const Effort& effort) {
  const int draws = effort.quick ? 4 : 20, largest_side = effort.quick ? 20 : 50;
  Random random(11);
  Decomposition sum;
  double worst = 0;
  int failed = 0;
  for (int k = 0; k < draws; ++k) {
    effort.progress(fmt::format("{} of {}", k, draws));
    const BoxermanCase of = preconditioner_case(random, BoxermanScene::corners, 1.5, largest_side);
    const Decomposition run = decompose(of, effort.quick ? 0.3 : 1);
    failed += !run.is_sound();
    worst = std::max(worst, run.row_ratio());
    sum.whole.seconds += run.whole.seconds;
    sum.parts.seconds += run.parts.seconds;
    sum.whole.row_products += run.whole.row_products;
    sum.parts.row_products += run.parts.row_products;
  }
  const double overhead = sum.parts.seconds / sum.whole.seconds;
  Findings findings;
  findings.figures = {{"runs, of them with a failed solve", "500", fmt::format("{}, {}", draws, failed)},
                      {"time of the decomposing solver", "+2.3 %", percent(overhead)},
                      {"row products", "-0.8 %", percent(sum.row_ratio())}};
  findings.claims = {{"C21: decomposing never needs more row products", "up to stopping noise",
                      fmt::format("at most {} in a run", percent(worst)), worst < 1.02}};
  if (!effort.quick)
    findings.claims.push_back({"C21: where nothing falls apart it costs hardly any time", "+2.3 %",
                               percent(overhead), overhead < 1.05});
  return findings;
}

Result<Findings> boxerman_decomposition(const Effort& effort) {
  Findings findings;
  const double duration = effort.quick ? 0.5 : 1;
  double small = 0, large = 0, worst = 0;
  int large_count = 0, failed = 0;
  const std::vector<int> sides = effort.quick ? std::vector{10, 28} : std::vector{10, 20, 28, 40, 60};
  for (const int side : sides) {
    effort.progress(fmt::format("{} particles", side * side));
    const Decomposition slips = decompose(drape_beside(side), duration, {.surfaces_meet = true});
    const Decomposition sticks = decompose(
        drape_beside(side), duration, {.static_friction = 1.5, .sliding_friction = 1, .surfaces_meet = true});
    findings.figures.push_back({fmt::format("{} particles: row products, slipping and sticking", side * side),
                                side * side < 700 ? "little gain" : "-20 %",
                                percent(slips.row_ratio()) + ", " + percent(sticks.row_ratio())});
    const double mean = 0.5 * (slips.row_ratio() + sticks.row_ratio());
    if (side * side >= 700) {
      large += mean;
      ++large_count;
    } else if (side == 10) {
      small = mean;
    }
    failed += !slips.is_sound() + !sticks.is_sound();
    worst = std::max({worst, slips.row_ratio(), sticks.row_ratio()});
  }
  large /= large_count;
  effort.progress("tight solves");
  const Decomposition tight =
      decompose(drape_beside(20), 0.3, {.static_friction = 1.5, .surfaces_meet = true}, 1e-8);
  findings.figures.push_back({"runs with a failed solve", "", fmt::format("{}", failed)});
  findings.claims = {{"C20: the decomposed solution is that of the whole", "the same",
                      fmt::format("velocities differ by {:.0e} with tight solves", tight.difference),
                      tight.difference < 1e-5},
                     {"C21: from 700 particles on it saves a fifth of the row products", "-20 %",
                      percent(large), large < 0.85},
                     {"C21: and little with small meshes", "little", percent(small), small > large},
                     {"C21: it never needs more", "up to stopping noise",
                      fmt::format("at most {}", percent(worst)), worst < 1.02}};
  return findings;
}

Result<Findings> boxerman_threads(const Effort& effort) {
  const int side = effort.quick ? 20 : 60, threads = std::max(2, effort.threads);
  const double duration = effort.quick ? 0.3 : 1;
  const BoxermanCase of = drape_beside(side);
  effort.progress("whole");
  const Timed whole = timed_run(of, false, 1, duration);
  effort.progress("decomposed");
  const Timed one = timed_run(of, true, 1, duration), many = timed_run(of, true, threads, duration);
  Findings findings;
  findings.figures = {{"elapsed time, one thread: whole and decomposed", "",
                       fmt::format("{:.2f}, {:.2f} s", whole.seconds, one.seconds)},
                      {fmt::format("elapsed time, {} threads: decomposed", threads), "2 processors",
                       fmt::format("{:.2f} s", many.seconds)}};
  const bool is_same = state_hash(one.end) == state_hash(many.end);
  findings.claims = {
      {"C22: threads give the same result", "the same", is_same ? "all bits" : "different", is_same}};
  if (!effort.quick) {
    findings.claims.push_back({"E12: decomposing takes less time, on one thread", "-18 %",
                               percent(one.seconds / whole.seconds), one.seconds < whole.seconds});
    findings.claims.push_back({"C22: several threads take less time than one", "-30 % against the whole",
                               percent(many.seconds / whole.seconds), many.seconds < one.seconds});
  }
  return findings;
}

Result<Findings> boxerman_snapshots(const Effort& effort) {
  const int side = effort.quick ? 21 : 41;
  const auto falling = [&](BoxermanScene scene) {
    return BoxermanCase{.scene = scene,
                        .side = side,
                        .spacing = 1.0 / side,
                        .bend = 0.001,
                        .stretch_damping = 0.1,
                        .step = 0.01};
  };
  const KindTreatment stretch_only{.shear = false, .bend = false};
  const auto after = [&](BoxermanScene scene, double time) {
    BoxermanCase of = falling(scene);
    of.shear = 0.75 * kBoxermanThreshold * of.mass() / (of.step * of.step);  // soft enough to be explicit
    BoxermanRig rig(of, stretch_only);
    rig.run(*make_boxerman_integrator(boxerman_solver(of.step)), time);
    return parts_of(rig, of.step);
  };
  effort.progress("falling");
  Findings findings;
  int first = 0, most = 0;
  for (const double time : {0.02, 0.05, 0.1, 0.15, 0.2, 0.3}) {
    const Parts parts = after(BoxermanScene::centre, time);
    findings.figures.push_back({fmt::format("centre held, {:g} s (figures 6.5 and 6.6)", time),
                                "clean and regular, then very thorough", text(parts)});
    if (time == 0.05) first = parts.components;
    most = std::max(most, parts.components);
  }
  const int least_side = 50, most_side = effort.quick ? 200 : 400;
  const double small = search_seconds(least_side), large = search_seconds(most_side);
  const double growth = std::log(large / small) / (2 * std::log(most_side / static_cast<double>(least_side)));
  findings.figures.push_back(
      {"square table, 0.5 s (figure 6.4)", "many colours", text(after(BoxermanScene::table, 0.5))});
  findings.figures.push_back(
      {fmt::format("search in {} and {} particles", least_side * least_side, most_side * most_side), "",
       fmt::format("{:.3f}, {:.1f} ms", 1e3 * small, 1e3 * large)});
  findings.claims = {{"E14: a sheet held at its centre falls apart as it begins to fall", "regular",
                      fmt::format("{} components at 0.05 s", first), first > 1},
                     {"E14: and more thoroughly moments later", "very thorough",
                      fmt::format("up to {} components", most), most > first}};
  if (!effort.quick)
    findings.claims.push_back(
        {"C23: the search takes O(n)", "O(n)", fmt::format("n to the power {:.2f}", growth), growth < 1.25});
  return findings;
}

}  // namespace heddle
