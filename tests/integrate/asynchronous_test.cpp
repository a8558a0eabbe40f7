// Elements that step at their own pace: the same bits as Verlet's method where all steps are equal, momentum,
// energy, convergence, steps that fit, limits, and what happens when steps collapse.

#include "integrator_probe.h"

#include <heddle/core/random.h>
#include <heddle/integrate/asynchronous.h>
#include <heddle/integrate/stable_step.h>
#include <heddle/sim/build.h>
#include <heddle/sim/step.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace heddle::test {
namespace {

/// A sheet without gravity and damping; `mesh` and `more` as in scenes.
Simulation sheet(const std::string& mesh, const std::string& more = "",
                 const std::string& gravity = "[0, 0, 0]") {
  Result<Simulation> sim = build_text(R"({"gravity": )" + gravity + R"(,
    "contact": {"type": "impulses", "self": false},
    "fabrics": {"soft": {"density": 0.3, "weft_stiffness": 60, "warp_stiffness": 50, "shear_stiffness": 20,
                         "stretch_damping": 0, "weft_bending": 1e-5, "warp_bending": 1e-5,
                         "bending_damping": 0}},
    "cloths": [{"name": "sheet", "fabric": "soft", "translation": [3, 3, 3], "mesh": )" +
                                          mesh + more + "}]}",
                                      "sheet.json");
  EXPECT_TRUE(sim) << sim.errors().text();
  return std::move(*sim);
}

const std::string kRings = R"({"type": "rings", "inner": 0.04, "outer": 0.5, "around": 24, "rings": 12})";

void shake(State& state, double speed) {
  Random random(7);
  for (Vec3& v : state.v)
    v = speed * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

/// Smooth motion whose energy is not all in waves that the mesh hardly carries.
void wave(State& state, double speed) {
  for (size_t i = 0; i < state.x.size(); ++i)
    state.v[i] = speed * Vec3(std::sin(4 * state.x[i].y()), 0.5 * std::cos(5 * state.x[i].x()),
                              std::sin(6 * state.x[i].x()) * std::cos(3 * state.x[i].y()));
}

TEST(Asynchronous, IsVerletBitForBitIfAllStepsAreEqual) {
  const Simulation sim = sheet(R"({"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]})");
  const double dt = 1.0 / 2048;  // products with a power of two round nowhere
  State a = sim.state;
  shake(a, 0.3);
  State b = a;
  const auto asynchronous = make_integrator({"", R"({"type": "asynchronous"})"});
  const auto verlet = make_integrator({"", R"({"type": "verlet"})"});
  const VelocityFilter filter(a.particle_count());
  std::vector<Vec3> reaction(a.x.size());
  for (int k = 0; k < 500; ++k) {
    const StepReport report = asynchronous->step(*sim.model.system, filter, {}, dt, a, reaction);
    verlet->step(*sim.model.system, filter, {}, dt, b, reaction);
    ASSERT_EQ(report.events, 2 * 2 * 32);  // both ends, membrane and bending, faces
  }
  ASSERT_GT(largest_difference(a.x, sim.state.x), 1e-3);
  for (size_t i = 0; i < a.x.size(); ++i) {
    EXPECT_EQ(a.x[i], b.x[i]) << i;
    EXPECT_EQ(a.v[i], b.v[i]) << i;
  }
}

/// Several equal steps between the ends of an interval are those of the leapfrog.
TEST(Asynchronous, IsTheLeapfrogBetweenTheEnds) {
  const Simulation sim = sheet(R"({"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]})");
  const System& system = *sim.model.system;
  const double h = 1.0 / 2048;
  State a = sim.state;
  shake(a, 0.3);
  std::vector<Vec3> x = a.x, v = a.v, force(a.x.size()), reaction(a.x.size());
  const auto kick = [&](double weight) {
    system.force({x, v, 0}, force);
    for (size_t i = 0; i < x.size(); ++i) v[i] += weight * (force[i] / system.mass()[i]);
  };
  kick(0.5 * h);
  for (int k = 0; k < 16; ++k) {
    for (size_t i = 0; i < x.size(); ++i) x[i] += h * v[i];
    kick(k < 15 ? h : 0.5 * h);
  }
  make_integrator({"", R"({"type": "asynchronous", "longest_step": 0.00048828125})"})
      ->step(system, VelocityFilter(a.particle_count()), {}, 16 * h, a, reaction);
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(a.x[i], x[i]) << i;
    EXPECT_EQ(a.v[i], v[i]) << i;
  }
}

TEST(Asynchronous, KeepsLinearAndAngularMomentum) {
  const Simulation sim = sheet(kRings);
  const System& system = *sim.model.system;
  State state = sim.state;
  wave(state, 0.5);
  const auto momenta = [&] {
    std::array<Vec3, 2> sum{Vec3::Zero(), Vec3::Zero()};
    for (size_t i = 0; i < state.x.size(); ++i) {
      sum[0] += system.mass()[i] * state.v[i];
      sum[1] += system.mass()[i] * state.x[i].cross(state.v[i]);
    }
    return sum;
  };
  const auto before = momenta();
  const auto integrator = make_integrator({"", R"({"type": "asynchronous"})"});
  advance(system, VelocityFilter(state.particle_count()), *integrator, 1, 100, state);
  const auto after = momenta();
  double size = 0;
  for (size_t i = 0; i < state.x.size(); ++i) size += system.mass()[i] * state.v[i].norm();
  EXPECT_LT((after[0] - before[0]).norm(), 1e-12 * size);
  EXPECT_LT((after[1] - before[1]).norm(), 1e-11 * size);
}

/// The largest drift of the energy, by means over seconds: of a free sheet whose elements differ twelvefold
/// in size, relative to its energy.
double drift_of_vibration(int seconds) {
  const Simulation sim = sheet(kRings);
  const System& system = *sim.model.system;
  State state = sim.state;
  wave(state, 0.05);
  const double begin = total_energy(system, state);
  const auto integrator = make_integrator({"", R"({"type": "asynchronous"})"});
  double largest = 0;
  for (int second = 0; second < seconds; ++second) {
    double mean = 0;
    for (int k = 0; k < 100; ++k) {
      advance(system, VelocityFilter(state.particle_count()), *integrator, 0.01, 1, state);
      mean += total_energy(system, state) / begin / 100;
    }
    largest = std::max(largest, std::abs(mean - 1));
  }
  std::printf("vibration: energy after %d s at most %.5f off\n", seconds, largest);
  return largest;
}

/// The same of a sheet that swings at two corners, relative to the work of its weight from the horizontal to
/// the vertical, m g L / 2.
double drift_of_swing(int seconds, const std::string& integrator_json) {
  const Simulation sim =
      sheet(R"({"type": "irregular", "size": [0.5, 0.5], "edge_length": 0.05})",
            R"(, "pins": [{"vertices": {"nearest": [[2.75, 3.25, 3], [3.25, 3.25, 3]]}}])", "[0, 0, -9.81]");
  const System& system = *sim.model.system;
  State state = sim.state;
  const double begin = total_energy(system, state), scale = 0.3 * 0.25 * 9.81 * 0.25;
  VelocityFilter filter(state.particle_count());
  system.constrain(state, 0.01, filter);
  const auto integrator = make_integrator({"", integrator_json});
  double largest = 0;
  for (int second = 0; second < seconds; ++second) {
    double mean = 0;
    for (int k = 0; k < 100; ++k) {
      advance(system, filter, *integrator, 0.01, 1, state);
      mean += (total_energy(system, state) - begin) / scale / 100;
    }
    largest = std::max(largest, std::abs(mean));
  }
  std::printf("swing: energy after %d s at most %.5f off\n", seconds, largest);
  return largest;
}

TEST(Asynchronous, KeepsEnergyForSeconds) {
  EXPECT_LT(drift_of_vibration(2), 0.02);
  EXPECT_LT(drift_of_swing(5, R"({"type": "asynchronous"})"), 0.02);
}

TEST(Asynchronous, KeepsEnergyForAMinute) {
  if (!std::getenv("HEDDLE_FULL")) GTEST_SKIP() << "set HEDDLE_FULL=1";
  EXPECT_LT(drift_of_vibration(60), 0.02);
  EXPECT_LT(drift_of_swing(60, R"({"type": "asynchronous"})"), 0.02);
}

TEST(Asynchronous, ConvergesWithTheStepsOfElements) {
  const Simulation sim = sheet(kRings);
  State begin = sim.state;
  wave(begin, 0.3);
  const auto end = [&](double safety) {
    State state = begin;
    const auto integrator =
        make_integrator({"", R"({"type": "asynchronous", "safety": )" + std::to_string(safety) + "}"});
    advance(*sim.model.system, VelocityFilter(state.particle_count()), *integrator, 0.05, 5, state);
    return state;
  };
  const State exact = end(0.01);
  const double coarse = largest_difference(end(0.4).x, exact.x),
               fine = largest_difference(end(0.1).x, exact.x);
  std::printf("errors %.2e, %.2e m\n", coarse, fine);
  EXPECT_GT(coarse, 8 * fine);  // second order: 16
}

/// A link of a chain at its critical step, which power iterations and Boxerman 2003, (4.8) know.
TEST(ElementSteps, OfAChainAreItsCriticalStep) {
  for (const double d : {0.0, 0.3}) {
    const System system = chain(20, 200, d, Vec3::Zero());
    ElementList elements;
    elements.update(system);
    ASSERT_EQ(elements.size(), 19);
    ElementSteps steps;
    const State state = chain_state(20);
    steps.find(elements, system, configuration_of(state), 1);
    const double critical = (-d + std::sqrt(d * d + 200 * 0.1)) / 200;
    EXPECT_NEAR(steps.steps()[9], critical, 1e-6 * critical);  // one term with elements: all the mass is its
    EXPECT_GE(steps.steps()[0], critical * (1 - 1e-12));
  }
}

/// Never longer than what is stable if all step alike.
TEST(ElementSteps, AreStable) {
  for (const std::string& mesh :
       {std::string(R"({"type": "irregular", "size": [0.5, 0.5], "edge_length": 0.05})"), kRings}) {
    const Simulation sim = sheet(mesh);
    const System& system = *sim.model.system;
    ElementList elements;
    elements.update(system);
    ElementSteps steps;
    steps.find(elements, system, configuration_of(sim.state), 1);
    const double shortest = *std::min_element(steps.steps().begin(), steps.steps().end());
    const double stable = 2 / std::sqrt(stiffest_mode(system, sim.state).stiffness);
    std::printf("shortest step %.3e s, stable %.3e s\n", shortest, stable);
    EXPECT_LT(shortest, stable);
    EXPECT_GT(shortest, 0.4 * stable);
  }
}

/// On elements whose sides differ 160-fold. Mean steps are harmonic ones: what counts is the number of
/// events.
TEST(Asynchronous, TakesLongerStepsThanSynchronousMethods) {
  const Simulation sim = sheet(R"({"type": "rings", "inner": 0.005, "outer": 0.8})");
  const System& system = *sim.model.system;
  State state = sim.state;
  const double stable = 0.95 * 2 / std::sqrt(stiffest_mode(system, state).stiffness);
  const auto integrator = make_integrator({"", R"({"type": "asynchronous"})"});
  wave(state, 0.3);
  std::vector<Vec3> reaction(state.x.size());
  integrator->step(system, VelocityFilter(state.particle_count()), {}, 0.01, state, reaction);
  for (const TermActivity& activity : integrator->activity()) {
    const double events = std::accumulate(activity.events.begin(), activity.events.end(), 0.0);
    const auto count = static_cast<double>(activity.events.size());
    const double harmonic = 0.01 * count / events;
    double mean = 0;
    for (const int n : activity.events) mean += 0.01 / n / count;
    std::printf("%s: mean step %.2e s, %.2f times the synchronous one; harmonic mean %.2f times\n",
                std::string(activity.term->name()).c_str(), mean, mean / stable, harmonic / stable);
    EXPECT_GT(mean, 3 * stable);
    EXPECT_GT(harmonic, 2 * stable);
  }
}

TEST(Asynchronous, EndsWithTheElementIfStepsCollapse) {
  Simulation sim = sheet(R"({"type": "grid", "size": [0.4, 0.4], "resolution": [5, 5]})");
  sim.integrator = make_integrator({"", R"({"type": "asynchronous", "shortest_step": 0.008})"});
  const StepSummary summary = step(sim);
  EXPECT_EQ(summary.outcome, StepOutcome::failed);
  for (const char* part : {"element ", " of \"membrane\" near (", "needs steps of",
                           "integrator.shortest_step", "implicit integrator"})
    EXPECT_NE(summary.reason.find(part), std::string::npos) << summary.reason;
}

/// A sheet of 1 kg/m2 that is torn apart at 40 m/s.
struct Torn {
  double strain = 0;  // largest of a side
  long cuts = 0;
};

Torn tear(const std::string& more) {
  const Simulation sim = sheet(R"({"type": "grid", "size": [0.4, 0.4], "resolution": [9, 9]})");
  const System& system = *sim.model.system;
  State state = sim.state;
  for (size_t i = 0; i < state.x.size(); ++i) state.v[i] = Vec3(state.x[i].x() > 3 ? 4 : -4, 0, 0);
  const auto integrator = make_integrator({"", R"({"type": "asynchronous")" + more + "}"});
  Torn torn;
  for (int k = 0; k < 10; ++k) {
    advance(system, VelocityFilter(state.particle_count()), *integrator, 0.01, 1, state);
    torn.cuts += static_cast<const AsynchronousIntegrator&>(*integrator).events().cut_steps();
    for (const Triangle& t : sim.model.cloths[0].triangles)
      for (size_t c = 0; c < 3; ++c) {
        const auto a = static_cast<size_t>(t[c]), b = static_cast<size_t>(t[(c + 1) % 3]);
        torn.strain = std::max(
            torn.strain, (state.x[a] - state.x[b]).norm() / (sim.state.x[a] - sim.state.x[b]).norm() - 1);
      }
  }
  return torn;
}

TEST(Asynchronous, CutsStepsThatStrainTooMuch) {
  EXPECT_EQ(tear("").cuts, 0);
  EXPECT_GT(tear(R"(, "strain_change": 0.1)").cuts, 0);
}

TEST(Asynchronous, LimitsStrainAtEvents) {
  const std::string careful = R"(, "safety": 0.5, "strain_change": 0.1)";
  const double free = tear(careful).strain,
               limited = tear(careful + R"(, "predicted_strain": 0.075, "current_strain": 0.1)").strain;
  std::printf("strain %.3f, limited %.3f\n", free, limited);
  EXPECT_GT(free, 0.3);
  EXPECT_LT(limited, 0.2);
}

TEST(EventQueue, GivesEventsInOrder) {
  Random random(5);
  std::vector<double> steps;
  EventQueue queue;
  for (int k = 0; k < 100; ++k) {
    steps.push_back(random.uniform(0.01, 0.1));
    queue.add({k % 10 == 0 ? 0.05 : steps.back(), k});
  }
  EventQueue::Event last{-1, 0};
  int count = 0;
  while (!queue.empty()) {
    const EventQueue::Event event = queue.first();
    EXPECT_TRUE(last < event);
    last = event;
    ++count;
    const double next = event.time + steps[static_cast<size_t>(event.actor)];
    if (next < 1)
      queue.replace_first({next, event.actor});
    else
      queue.remove_first();
  }
  EXPECT_GT(count, 1000);
}

}  // namespace
}  // namespace heddle::test
