#include "stage.h"

#include <heddle/magnetics/dipole.h>
#include <heddle/sim/build.h>
#include <heddle/sim/capture.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::test {
namespace {

const Vec3 kRemanence(0.1, -0.05, 0.2);  // T

Json numbers(const Vec3& v) {
  return {v[0], v[1], v[2]};
}

/// A square and a rod that are magnets, and nothing that holds them.
Json free_riders() {
  Json scene = one_cloth({{"type", "grid"}, {"size", {0.1, 0.1}}, {"resolution", {7, 7}}});
  cloth_of(scene)["magnet"] = {{"remanence", numbers(kRemanence)}};
  fabric_of(scene)["thickness"] = 0.001;
  scene["rods"] = {
      {{"name", "rod"},
       {"curve",
        {{"type", "straight"}, {"from", {-0.04, 0.01, 0.06}}, {"to", {0.05, -0.02, 0.08}}, {"segments", 12}}},
       {"material", {{"type", "elastic"}, {"radius", 0.003}}},
       {"magnet", {{"remanence", {0, 0.1, 0.5}}}}}};
  scene["gravity"] = {0, 0, 0};
  set_step(scene, 0.001);
  return scene;
}

Vec3 moment_of(const SnapshotMagnet& magnet) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3f& moment : magnet.moments) sum += moment.cast<double>();
  return sum;
}

TEST(MagnetRiders, HaveTheMomentOfTheirVolume) {
  const Simulation sim = build_scene(free_riders());
  const Snapshot snapshot = capture(sim, 0, sim.model.step_length());
  ASSERT_EQ(snapshot.magnets.size(), 2u);
  const Vec3 cloth = kRemanence * (0.1 * 0.1 * 0.001 / kVacuumPermeability);
  // Weft is along x, the normal along z.
  EXPECT_LT((moment_of(snapshot.magnets[0]) - cloth).norm(), 1e-5 * cloth.norm());
  EXPECT_EQ(snapshot.magnets[0].object, 0);
  EXPECT_EQ(snapshot.magnets[1].object, 1);
  const double length = Vec3(0.09, -0.03, 0.02).norm();
  const double rod = std::hypot(0.1, 0.5) * M_PI * 9e-6 * length / kVacuumPermeability;
  EXPECT_NEAR(moment_of(snapshot.magnets[1]).norm(), rod, 1e-5 * rod);
  EXPECT_NEAR(moment_of(snapshot.magnets[1]).dot(Vec3(0.09, -0.03, 0.02)) / length,
              rod * 0.5 / std::hypot(0.1, 0.5), 1e-5 * rod);
}

TEST(MagnetRiders, LoadsBalanceWithThoseOfABody) {
  Json scene = free_riders();
  scene["bodies"] = {{{"shape", {{"type", "box"}, {"size", {0.02, 0.03, 0.02}}}},
                      {"translation", {0.01, 0.02, -0.05}},
                      {"magnet", {{"remanence", {0.3, 1, 0.2}}, {"cells", 64}}}}};
  const Simulation sim = build_scene(scene);
  const Snapshot snapshot = capture(sim, 0, sim.model.step_length());
  ASSERT_EQ(snapshot.magnets.size(), 3u);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double strongest = 0;
  for (const SnapshotMagnet& magnet : snapshot.magnets) {
    force += magnet.load.force;
    torque += magnet.load.torque + magnet.load.centre.cross(magnet.load.force);
    strongest = std::max(strongest, magnet.load.force.norm());
  }
  EXPECT_GT(strongest, 1e-4);
  EXPECT_LT(force.norm(), 1e-12 * strongest);
  EXPECT_LT(torque.norm(), 1e-12 * strongest * 0.1);
  // What particles get is what the cloth and the rod get: nodes all of the force, and with the turning
  // particles all of the torque.
  const std::vector<Vec3>& forces = *sim.magnets->particle_forces();
  Vec3 on_particles = Vec3::Zero(), about_origin = Vec3::Zero();
  for (size_t i = 0; i < 49; ++i) {
    on_particles += forces[i];
    about_origin += sim.state.x[i].cross(forces[i]);
  }
  const RodPart& rod = sim.model.rods[0];
  for (int i = 0; i < rod.place.node_count; ++i) {
    const auto k = static_cast<size_t>(rod.place.first_particle + i);
    on_particles += forces[k];
    about_origin += sim.state.x[k].cross(forces[k]);
  }
  for (const RodSegment& segment : rod.place.segments)
    about_origin += forces[static_cast<size_t>(segment.turning)][0] *
                    (sim.state.frames[static_cast<size_t>(segment.frame)] * Vec3::UnitZ());
  const SnapshotLoad& body =
      snapshot.magnets.back().object == 2 ? snapshot.magnets.back().load : snapshot.magnets.front().load;
  EXPECT_LT((on_particles + body.force).norm(), 1e-12 * strongest);
  EXPECT_LT((about_origin + body.torque + body.centre.cross(body.force)).norm(), 1e-12 * strongest * 0.1);
}

TEST(MagnetRiders, KeepMomentumWithABody) {
  Json scene = free_riders();
  scene.erase("rods");
  scene["bodies"] = {{{"shape", {{"type", "sphere"}, {"radius", 0.01}}},
                      {"translation", {0.01, 0.02, -0.04}},
                      {"magnet", {{"remanence", {0.3, 1, 0.2}}}}}};
  Simulation sim = build_scene(scene);
  const double mass = 1000 * 4.0 / 3 * M_PI * 1e-6;
  ASSERT_EQ(advance_to(sim, 0.05).outcome, StepOutcome::accepted);
  const Vec3 body = mass * sim.state.bodies[0].v;
  EXPECT_GT(body.norm(), 1e-5);
  // As far as linear solves go.
  EXPECT_LT((momentum(sim) + body).norm(), 1e-8 * body.norm());
}

/// In the middle of a coil so wide that its field is the same everywhere around: mu0 I / 2 a along z.
Json in_wide_coil(Json scene) {
  scene["coils"] = {{{"radius", 5}, {"current", 1e5}}};
  return scene;
}
const double kFlux = kVacuumPermeability * 1e5 / 10;  // T

/// Of the nodes of all parts in space about the origin, kg m2/s.
Vec3 angular_momentum(const Simulation& sim, int first, int count) {
  Vec3 sum = Vec3::Zero();
  for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(first + count); ++i)
    sum += sim.model.system->mass()[i] * sim.state.x[i].cross(sim.state.v[i]);
  return sum;
}

TEST(MagnetRiders, ClothGainsTheAngularMomentumOfItsTorque) {
  Json scene = in_wide_coil(free_riders());
  scene.erase("rods");
  cloth_of(scene)["magnet"] = {{"remanence", {0.003, 0, 0}}};  // it hardly turns meanwhile
  Simulation sim = build_scene(scene);
  ASSERT_EQ(advance_to(sim, 0.005).outcome, StepOutcome::accepted);
  const double torque = 0.003 * 1e-5 / kVacuumPermeability * kFlux;  // m x B = -y
  const Vec3 gained = angular_momentum(sim, 0, 49);
  EXPECT_NEAR(gained.y(), -torque * 0.005, 0.01 * torque * 0.005);
  EXPECT_LT(std::hypot(gained.x(), gained.z()), 1e-3 * torque * 0.005);
}

TEST(MagnetRiders, RodSwingsLikeACompassNeedle) {
  Json scene = in_wide_coil(free_riders());
  scene.erase("cloths");
  scene["rods"][0]["curve"] = {
      {"type", "straight"}, {"from", {0, 0, -0.05}}, {"to", {0, 0, 0.05}}, {"segments", 20}};
  scene["rods"][0]["material"] = {{"type", "elastic"}, {"radius", 0.002}, {"young", 1e9}, {"density", 2000}};
  scene["rods"][0]["magnet"] = {{"remanence", {0, 0, 0.5}}};
  scene["rods"][0]["rotation"] = {0, 5, 0};
  scene["integrator"] = {{"type", "implicit_midpoint"}, {"time_step", 0.001}};
  Simulation sim = build_scene(scene);
  const RodPlace& place = sim.model.rods[0].place;
  const auto tilt = [&] {
    const Vec3 along = sim.state.x[static_cast<size_t>(place.first_particle + 20)] -
                       sim.state.x[static_cast<size_t>(place.first_particle)];
    return std::atan2(along.x(), along.z());
  };
  // Small swings: w^2 = m B / I.
  const double volume = M_PI * 4e-6 * 0.1, moment = 0.5 * volume / kVacuumPermeability;
  const double rate = std::sqrt(moment * kFlux / (2000 * volume * 0.01 / 12));
  const double start = tilt();
  ASSERT_GT(std::abs(start), 0.01);
  std::vector<double> zeros;
  double before = start, time = 0;
  const double period = 2 * M_PI / rate;
  ASSERT_EQ(advance_to(sim, 1.6 * period,
                       [&] {
                         const double now = tilt();
                         if (now * before < 0)
                           zeros.push_back(time + sim.model.step_length() * before / (before - now));
                         before = now;
                         time = sim.state.time;
                       })
                .outcome,
            StepOutcome::accepted);
  ASSERT_GE(zeros.size(), 3u);
  EXPECT_NEAR(zeros[2] - zeros[0], period, 0.02 * period);
}

TEST(MagnetRiders, OnlyPermanentMagnetsRide) {
  Json scene = free_riders();
  cloth_of(scene)["magnet"] = {{"kind", "induced"}};
  scene["rods"][0]["magnet"] = {{"cells", 5}};
  const Result<Simulation> sim = build_text(scene.dump(2));
  ASSERT_FALSE(sim);
  EXPECT_NE(sim.errors().text().find("cloth \"cloth\" can only be a permanent magnet"), std::string::npos);
  EXPECT_NE(sim.errors().text().find("leave out \"cells\""), std::string::npos);
}

}  // namespace
}  // namespace heddle::test
