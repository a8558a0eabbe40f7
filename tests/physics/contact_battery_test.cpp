// What every registered way to keep surfaces apart must do.

#include "stage.h"

#include <heddle/parallel/scheduler.h>
#include <heddle/sim/registry.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {

namespace {

class ContactBattery : public testing::TestWithParam<std::string> {};

std::vector<std::string> contact_names() {
  std::vector<std::string> names;
  for (const ContactEntry& entry : contact_registry()) names.push_back(entry.type->name);
  return names;
}

/// Two sheets of 20 cm, the upper one coming down on the lower one.
Json two_sheets(const std::string& contact) {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.2, 0.2}}, {"resolution", {11, 11}}});
  scene["contact"] = {{"type", contact}};
  Json upper = cloth_of(scene);
  upper["name"] = "upper";
  upper["translation"] = {0.003, 0.004, 0.03};
  scene["cloths"].push_back(upper);
  return scene;
}

/// Mean height of the upper sheet over the lower one.
double gap_of(const Simulation& sim) {
  const size_t half = sim.state.x.size() / 2;
  double sum = 0;
  for (size_t i = 0; i < half; ++i) sum += sim.state.x[half + i].z() - sim.state.x[i].z();
  return sum / static_cast<double>(half);
}

}  // namespace

TEST_P(ContactBattery, ASheetComesToRestOnAnother) {
  Json scene = two_sheets(GetParam());
  cloth_of(scene)["translation"] = {0, 0, 0.002};
  scene["obstacles"] = {{{"name", "table"}, {"shape", {{"type", "plane"}}}}};
  Simulation sim = build_scene(scene);
  const StepSummary summary = advance_to(sim, 1);
  ASSERT_EQ(summary.outcome, StepOutcome::accepted) << summary.reason;
  std::printf("%s: gap %.2g m, fastest %.2g m/s\n", GetParam().c_str(), gap_of(sim),
              largest_speed(sim.state));
  EXPECT_GT(gap_of(sim), 2e-4);
  EXPECT_LT(largest_speed(sim.state), 0.02);
}

TEST_P(ContactBattery, FreeSheetsKeepTheirMomentum) {
  Json scene = two_sheets(GetParam());
  scene["gravity"] = {0, 0, 0};
  scene["cloths"][1]["velocity"] = {0.1, 0, -0.3};
  Simulation sim = build_scene(scene);
  const Vec3 before = momentum(sim);
  ASSERT_EQ(advance_to(sim, 0.3).outcome, StepOutcome::accepted);
  const double lost = (momentum(sim) - before).norm() / before.norm();
  std::printf("%s: momentum changed by %.2g\n", GetParam().c_str(), lost);
  EXPECT_EQ(intersections(sim), 0);
  // Constraints hold each side for itself: 1.4 % is lost.
  EXPECT_LT(lost, GetParam() == "constraints" ? 0.02 : 1e-8);
}

/// What is far away neither takes part nor hinders: a pinned sheet, and a free one at rest.
TEST(FreeSheets, KeepTheirMomentumBesidesOthers) {
  const auto sheet = [](const std::string& name, const Json& place, const Json& rotation, double speed) {
    return Json{{"name", name},
                {"fabric", "cotton"},
                {"translation", place},
                {"rotation", rotation},
                {"velocity", {0, 0, speed}},
                {"mesh", {{"type", "grid"}, {"size", {0.3, 0.3}}, {"resolution", {9, 9}}}}};
  };
  Json flag = sheet("flag", {2, 0, 0}, {0, 0, 0}, 0);
  flag["pins"] = {{{"vertices", {{"all", true}}}}};
  const Json scene{{"duration", 0.1},
                   {"frame_rate", 50},
                   {"gravity", {0, 0, 0}},
                   {"integrator", {{"type", "semi_implicit_euler"}, {"time_step", 0.02}}},
                   {"cloths",
                    {sheet("a", {0, 0, 0}, {0, 60, 0}, 25), sheet("b", {0.05, 0.03, 0.2}, {0, 20, 30}, -25),
                     flag, sheet("still", {0, 3, 0}, {0, 0, 0}, 0)}}};
  Simulation sim = build_scene(scene);
  ASSERT_EQ(advance_to(sim, 0.1).outcome, StepOutcome::accepted);
  const auto mean_velocity = [&](size_t cloth) {
    const ClothPart& part = sim.model.cloths[cloth];
    Vec3 sum = Vec3::Zero();
    double mass = 0;
    for (int i = part.first_particle; i < part.first_particle + part.particle_count; ++i) {
      const double own = sim.model.system->mass()[static_cast<size_t>(i)];
      sum += own * sim.state.v[static_cast<size_t>(i)];
      mass += own;
    }
    return Vec3(sum / mass);
  };
  EXPECT_LT(std::abs(mean_velocity(0).z()), 20);                  // they met
  EXPECT_LT((mean_velocity(0) + mean_velocity(1)).norm(), 0.01);  // what the tolerance of the solver leaves
  EXPECT_LT(mean_velocity(3).norm(), 1e-9);
}

TEST_P(ContactBattery, DoesNotDependOnThreads) {
  std::vector<State> ends;
  for (const int threads : {1, 2, 3})
    ThreadPool(threads).run([&] {
      Json scene = two_sheets(GetParam());
      scene["cloths"][1]["velocity"] = {0, 0, -2};
      Simulation sim = build_scene(scene);
      advance_to(sim, 0.1);
      ends.push_back(sim.state);
    });
  for (const State& end : ends) {
    EXPECT_EQ(end.x, ends.front().x);
    EXPECT_EQ(end.v, ends.front().v);
  }
}

INSTANTIATE_TEST_SUITE_P(Registered, ContactBattery, testing::ValuesIn(contact_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace heddle::test
