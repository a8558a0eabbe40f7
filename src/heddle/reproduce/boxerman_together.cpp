#include <heddle/reproduce/boxerman.h>
#include <heddle/reproduce/boxerman_rig.h>

#include <heddle/mesh/intersection_count.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace heddle {

namespace {

// ---- contact of the rig

/// A small stiff sheet that lies flat, that high above the ground, m.
BoxermanRig flat_sheet(const RigRules& rules, const Vec3& gravity, double height) {
  BoxermanRig rig({.scene = BoxermanScene::ground, .side = 5, .spacing = 0.05, .step = 0.01}, {}, rules,
                  gravity);
  for (int i = 0; i < rig.state().particle_count(); ++i)
    rig.state().x[static_cast<size_t>(i)] = Vec3(0.05 * (i % 5), 0.05 * (i / 5), height);
  return rig;
}

double highest(const State& state) {
  double height = -INFINITY;
  for (const Vec3& x : state.x) height = std::max(height, x[2]);
  return height;
}

/// How high a sheet is above the ground after it fell from half a metre on it, at most, m.
double bounce(double push_out) {
  BoxermanRig rig = flat_sheet({.push_out = push_out}, {0, 0, -9.81}, 0.5);
  const auto integrator = make_boxerman_integrator(boxerman_solver(0.01));
  double height = 0;
  bool has_hit = false;
  for (int k = 0; k < 150; ++k) {
    rig.accept(rig.attempt(*integrator, 0.01));
    has_hit = has_hit || highest(rig.state()) < 0;
    if (has_hit) height = std::max(height, highest(rig.state()));
  }
  return height;
}

/// How far a sheet slides in half a second on a slope of that angle, m, with friction 0.5 and 0.4.
double slide(double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  BoxermanRig rig = flat_sheet({}, 9.81 * Vec3(std::sin(angle), 0, -std::cos(angle)), -1e-6);
  rig.run(*make_boxerman_integrator(boxerman_solver(0.01)), 0.5);
  return rig.state().x.front()[0];
}

/// Height after 0.2 s under a pull away from the ground, m.
double released() {
  BoxermanRig rig = flat_sheet({}, {0, 0, 9.81}, -1e-3);
  rig.run(*make_boxerman_integrator(boxerman_solver(0.01)), 0.2);
  return rig.state().x.front()[2];
}

BoxermanCase fallen(int side) {
  return {.scene = BoxermanScene::ground,
          .side = side,
          .spacing = 1.0 / side,
          .density = 0.2,
          .bend = 0.001,
          .stretch_damping = 0.1,
          .shear_damping = 0.1,
          .step = 0.005};
}

std::int64_t crossings(int side, bool surfaces_meet, double duration) {
  const BoxermanCase of = fallen(side);
  BoxermanRig rig(of, {}, {.surfaces_meet = surfaces_meet});
  rig.run(*make_boxerman_integrator(boxerman_solver(of.step)), duration);
  return count_intersections(rig.state().x, rig.triangles()).count;
}

// ---- everything together

struct Pipeline {
  const char* name;
  bool adaptive, constrained, starts, decomposes;
};

/// The baseline of Baraff and Witkin, then one thing more each time.
constexpr Pipeline kPipelines[] = {{"baseline", false, false, false, false},
                                   {"adaptive IMEX", true, false, false, false},
                                   {"and constrained preconditioner", true, true, false, false},
                                   {"and last solution as start", true, true, true, false},
                                   {"and decomposition", true, true, true, true}};

RigSum run_pipeline(const Pipeline& pipeline, const BoxermanCase& of, double duration) {
  SolverParameters linear = boxerman_solver(of.step);
  if (!pipeline.starts) linear.solver = "mpcg_published";
  linear.warm_start = pipeline.starts;
  linear.constrained_preconditioner = pipeline.constrained;
  linear.decompose = pipeline.decomposes;
  BoxermanRig rig(of, pipeline.adaptive ? adaptive_treatment(of) : Treatment{});
  return rig.run(*make_boxerman_integrator(linear), duration);
}

constexpr std::pair<BoxermanScene, const char*> kScenes[] = {{BoxermanScene::corners, "two corners"},
                                                             {BoxermanScene::table, "table"},
                                                             {BoxermanScene::sphere, "sphere"}};

double ratio(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

Result<Findings> boxerman_ground(const Effort& effort) {
  Findings findings;
  const double duration = effort.quick ? 0.6 : 1.5;
  double sum = 0, best = 1;
  const std::vector<int> sides = effort.quick ? std::vector{15} : std::vector{20, 30, 40};
  for (const int side : sides) {
    effort.progress(fmt::format("{} particles", side * side));
    const Decomposition run = decompose(fallen(side), duration, {.surfaces_meet = true});
    findings.figures.push_back({fmt::format("{} particles: row products, in the best step", side * side),
                                "-30 to -40 %, at times more than -80 %",
                                fmt::format("{}, {}{}", percent(run.row_ratio()), percent(run.best),
                                            run.is_sound() ? "" : ", failed")});
    sum += run.row_ratio() / static_cast<double>(sides.size());
    best = std::min(best, run.best);
  }
  effort.progress("contact");
  const double gentle = bounce(0.9), full = bounce(1), still = slide(22), sliding = slide(31),
               free = released();
  const int side = effort.quick ? 15 : 30;
  const std::int64_t with = crossings(side, true, duration), without = crossings(side, false, duration);
  const double angle = 31 * std::numbers::pi / 180;
  const double coulomb = 0.5 * 9.81 * (std::sin(angle) - 0.4 * std::cos(angle)) * 0.25;
  findings.figures.push_back({"slide in 0.5 s on a slope of 31 degrees, friction 0.5 and 0.4",
                              fmt::format("{:.2f} m by Coulomb's law", coulomb),
                              fmt::format("{:.2f} m", sliding)});
  findings.claims = {
      {"C21: falling to rest on the ground, decomposition saves a third of the row products", "-30 to -40 %",
       percent(sum), sum < 0.75},
      {"C21: at times more than 80 %", "-80 %", percent(best), best < 0.2},
      {"C24: pushing out by 0.9 of the depth does not bounce, by all of it does", "0.9",
       fmt::format("{:.3f} m above the ground, {:.3f} m", gentle, full), gentle < 0.01 && full > 10 * gentle},
      {"C24: contacts that would pull let go", "released",
       fmt::format("{:.2f} m above the ground after 0.2 s", free), free > 0.1},
      {"C24: static friction holds below its angle and not above", "26.6 degrees for 0.5",
       fmt::format("{:.0e} m at 22 degrees, {:.2f} m at 31", still, sliding),
       std::abs(still) < 1e-3 && sliding > 0.05},
      {"C25: particles kept 0.6 h apart do not pass through each other", "none",
       fmt::format("{} pairs of triangles cross, {} without", with, without), with == 0}};
  return findings;
}

Result<Findings> boxerman_together(const Effort& effort) {
  const int side = effort.quick ? 15 : 50;
  Findings findings;
  std::vector<RigSum> sums(std::size(kPipelines));
  double least = INFINITY;
  for (const auto& [scene, name] : kScenes) {
    const BoxermanCase of{.scene = scene,
                          .side = side,
                          .spacing = 1.0 / side,
                          .density = 0.2,
                          .bend = 0.01,
                          .stretch_damping = 0.1,
                          .shear_damping = 0.1,
                          .step = 0.01};
    std::vector<double> seconds;
    for (size_t k = 0; k < std::size(kPipelines); ++k) {
      effort.progress(fmt::format("{}: {}", name, kPipelines[k].name));
      const RigSum run = run_pipeline(kPipelines[k], of, effort.quick ? 0.3 : 1);
      if (!run.is_sound)
        return failure({}, fmt::format("the solver failed: {}, {}", name, kPipelines[k].name));
      findings.figures.push_back({fmt::format("{}: {}", name, kPipelines[k].name), "",
                                  fmt::format("{:.2f} s, {} iterations, {} row products", run.seconds,
                                              run.iterations, run.row_products)});
      sums[k].seconds += run.seconds;
      sums[k].iterations += run.iterations;
      sums[k].row_products += run.row_products;
      seconds.push_back(run.seconds);
    }
    least = std::min(least, seconds.front() / seconds.back());
  }
  const double preconditioner = ratio(sums[2].iterations, sums[1].iterations),
               start = ratio(sums[3].iterations, sums[2].iterations),
               decomposition = ratio(sums[4].row_products, sums[3].row_products),
               all = sums.front().seconds / sums.back().seconds;
  findings.figures.push_back(
      {"time with adaptive IMEX", "-30 %", percent(sums[1].seconds / sums[0].seconds)});
  findings.claims = {{"E15: the constrained preconditioner saves iterations", "-30 %",
                      percent(preconditioner), preconditioner < 1},
                     {"E15: so does the last solution as a start", "-25 to -55 %", percent(start), start < 1},
                     {"E15: decomposition saves row products", "-20 % on large meshes",
                      percent(decomposition), decomposition < 1}};
  if (!effort.quick)
    findings.claims.push_back({"C26: all together is two to three times as fast", "2 to 3",
                               fmt::format("{:.2f} in all, at least {:.2f}", all, least), all >= 2});
  return findings;
}

}  // namespace heddle
