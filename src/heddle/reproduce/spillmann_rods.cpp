#include <heddle/reproduce/spillmann.h>
#include <heddle/reproduce/spillmann_rig.h>

#include <heddle/parallel/scheduler.h>

#include <fmt/core.h>

#include <chrono>
#include <cmath>

namespace heddle {

namespace {

constexpr double kLength = 10;  // m

double seconds_of_steps(RodRig& rig, int steps) {
  const auto start = std::chrono::steady_clock::now();
  rig.step_explicit(1e-6, steps);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps;
}

}  // namespace

Result<Findings> spillmann_resolution(const Effort& effort) {
  Findings findings;
  std::vector<double> each;
  const double published[] = {0.051 + 0.018, 0.096 + 0.035, 0.91 + 0.33};  // ms
  size_t k = 0;
  for (const int segments : {50, 100, 1000}) {
    effort.progress(fmt::format("{} segments", segments));
    RodRig rig(straight_rod(kLength, segments, 3), ropes(),
               {.corde = true, .penalty = 1e4, .inertia_scale = 1}, {0, 0, -9.81});
    rig.clamp(0);
    rig.clamp(segments - 1);
    const double seconds = ThreadPool(1).run([&] { return seconds_of_steps(rig, 100000 / segments); });
    each.push_back(1e6 * seconds / segments);
    findings.figures.push_back({fmt::format("step with {} segments", segments),
                                fmt::format("{:.3f} ms", published[k++]),
                                fmt::format("{:.4f} ms, {:.3f} us for each", 1e3 * seconds, each.back())});
  }
  std::vector<double> sags;
  for (const int segments : effort.quick ? std::vector{25, 50, 100} : std::vector{50, 100, 1000}) {
    effort.progress(fmt::format("shape of {} segments", segments));
    RodSection rope = ropes();
    rope.bending_friction = rope.bending_stiffness();
    // The ends of the free part, the same for all.
    RodRig rig(straight_rod(kLength * segments / (segments - 1.0), segments, 2), rope, {}, {0, 0, -0.2});
    rig.clamp(0);
    rig.clamp(segments - 1);
    if (!rig.step_implicit(0.1, 200)) return failure({}, "a step failed");
    sags.push_back(-rig.node(segments / 2)[2]);
    findings.figures.push_back(
        {fmt::format("sag of {} segments", segments), "", fmt::format("{:.5f} m", sags.back())});
  }
  findings.claims = {
      {"the cost of a step is linear in the number of segments", "Table 3.1",
       fmt::format("{:.3f}, {:.3f}, {:.3f} us for each", each[0], each[1], each[2]), each[2] < 1.5 * each[0]},
      {"the shape does not depend on the number of segments", "figure 3.12",
       fmt::format("sags {:.5f}, {:.5f}, {:.5f} m", sags[0], sags[1], sags[2]),
       std::abs(sags[0] / sags[2] - 1) < 0.02 && std::abs(sags[1] / sags[2] - 1) < 0.01}};
  return findings;
}

std::span<const Experiment> spillmann_experiments() {
  static const std::vector<Experiment> all{
      {"spillmann-x1", "A rope whose end is turned coils", "Spillmann 2008, 3.6.1, figures 3.1 and 3.11",
       "There a rope of 10 m at steps of 0.1 ms; here one of 1 m with the physical law of stiffness at steps "
       "of "
       "5 ms, whose ends come nearer by 0.3 m.",
       spillmann_looping},
      {"spillmann-x2", "Rods of 50, 100 and 1000 segments", "Spillmann 2008, 3.6.1, Table 3.1, figure 3.12",
       "Time of an explicit step of CoRDE, and shapes of a clamped, twisted and sagging rope. There three "
       "ropes "
       "coil with contact; here they only sag, see spillmann-x1 for coils.",
       spillmann_resolution},
      {"spillmann-x4", "A rod swings too slowly with heavy frames", "Spillmann 2008, 3.6.2, figure 3.15",
       "There a rod of 10 m against a model with roll angles; here one of 1 m, on which frames weigh a "
       "hundred "
       "times as much, against frames that follow their segments exactly.",
       spillmann_pendulum},
      {"spillmann-x14", "A double fisherman's knot", "Spillmann 2008, 4.3, Table 4.1, figures 4.1 and 4.4",
       "There ropes of unequal radii with adaptive resolution; here equal ropes of fixed resolution, drawn "
       "tight in "
       "2 s and held.",
       spillmann_fisherman},
      {"spillmann-x15", "A coil of rope falls", "Spillmann 2008, 6.2, Table 4.1, figure 6.4",
       "There with explicit steps of 0.1 ms and displacements against overlap; here with implicit steps of 5 "
       "ms "
       "and contact in the solve. The first 0.12 s, until some thousand contacts are there.",
       spillmann_coil},
      {"spillmann-x18", "A Prusik knot grips a rope", "Spillmann 2008, figure 6.1",
       "There four of them carry an object; here one is drawn along its rope by 0.1 m.", spillmann_prusik},
  };
  return all;
}

}  // namespace heddle
