// Motion that is known exactly: falling, floating, oscillating.

#include "stage.h"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <cmath>
#include <cstdio>

namespace heddle::test {

namespace {

struct Momentum {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
};

Momentum momentum_of(const Simulation& sim) {
  Momentum sum;
  for (size_t i = 0; i < sim.state.x.size(); ++i) {
    const Vec3 p = sim.model.system->mass()[i] * sim.state.v[i];
    sum.linear += p;
    sum.angular += sim.state.x[i].cross(p);
  }
  return sum;
}

/// A sheet without weight that turns about a slanted axis and is bent a little.
Simulation tumbling_sheet(double step, bool lively = false) {
  Json scene = one_cloth({{"type", "irregular"}, {"size", {0.4, 0.4}}, {"edge_length", 0.05}});
  scene["gravity"] = {0, 0, 0};
  set_step(scene, step);
  scene["integrator"]["lively"] = lively;
  Simulation sim = build_scene(scene);
  for (size_t i = 0; i < sim.state.x.size(); ++i) {
    Vec3& x = sim.state.x[i];
    sim.state.v[i] = Vec3(1, 0.5, 2).cross(x) + Vec3(0.3, 0, 0.1);
    x[2] += 0.3 * x[0] * x[0];
  }
  return sim;
}

}  // namespace

TEST(FreeFall, FollowsTheRecurrence) {
  Json scene = one_cloth({{"type", "grid"}, {"resolution", {6, 6}}});
  cloth_of(scene)["velocity"] = {1, 0, 2};
  Simulation sim = build_scene(scene);
  const State start = sim.state;
  const double h = sim.model.step_length();
  advance_to(sim, 1);
  const int n = 100;
  for (size_t i = 0; i < start.x.size(); ++i) {
    EXPECT_NEAR((sim.state.v[i] - Vec3(1, 0, 2 - 9.81)).norm(), 0, 1e-9);
    const Vec3 expected = start.x[i] + Vec3(1, 0, 2 - 9.81 * h * (n + 1) / 2);
    EXPECT_NEAR((sim.state.x[i] - expected).norm(), 0, 1e-9);
  }
}

TEST(FloatingSheet, KeepsLinearMomentum) {
  Simulation sim = tumbling_sheet(0.01);
  const Vec3 before = momentum_of(sim).linear;
  advance_to(sim, 1);
  EXPECT_LT((momentum_of(sim).linear - before).norm(), 1e-8 * before.norm());
}

/// One linear solve per step moves a turning sheet along tangents, which stretches it by (omega h)^2 / 2; the
/// stress of that stretch brakes the rotation. The loss falls with the square of the step.
TEST(FloatingSheet, LosesAngularMomentumWithTheSquareOfTheStep) {
  std::vector<double> drift, energy_left;
  for (double step : {0.02, 0.01, 0.005, 0.0025}) {
    Simulation sim = tumbling_sheet(step);
    const Vec3 before = momentum_of(sim).angular;
    const double energy = sim.model.system->kinetic_energy(configuration_of(sim.state)) +
                          sim.model.system->potential_energy(configuration_of(sim.state));
    advance_to(sim, 1);
    drift.push_back((momentum_of(sim).angular - before).norm() / before.norm());
    energy_left.push_back((sim.model.system->kinetic_energy(configuration_of(sim.state)) +
                           sim.model.system->potential_energy(configuration_of(sim.state))) /
                          energy);
    std::printf("step %.4f s: drift of angular momentum in 1 s %.2e, energy left %.4f\n", step, drift.back(),
                energy_left.back());
  }
  EXPECT_LT(drift.back(), 0.05);
  EXPECT_GT(drift[2] / drift[3], 3);
  for (size_t i = 1; i < drift.size(); ++i) {
    EXPECT_LT(drift[i], 0.7 * drift[i - 1]);
    EXPECT_GT(energy_left[i], energy_left[i - 1]);
  }
  for (double left : energy_left) EXPECT_LE(left, 1.001);
}

TEST(FloatingSheet, GoesOnTurningIfLively) {
  const auto kept = [](bool lively) {
    Simulation sim = tumbling_sheet(0.01, lively);
    const double before = momentum_of(sim).angular.norm();
    advance_to(sim, 1);
    return momentum_of(sim).angular.norm() / before;
  };
  const double braked = kept(false), lively = kept(true);
  std::printf("angular momentum left after 1 s: %.4f, lively %.4f\n", braked, lively);
  EXPECT_LT(braked, 0.8);
  EXPECT_NEAR(lively, 1, 0.05);
}

/// Without their tension, cloth that turns by much more than 0.1 rad a step would leap.
TEST(FloatingSheet, IsBrakedWhereItTurnsTooFast) {
  const auto hash_after = [](bool lively, double speed) {
    Simulation sim = tumbling_sheet(0.01, lively);
    for (Vec3& v : sim.state.v) v *= speed;
    step(sim);
    return state_hash(sim.state);
  };
  EXPECT_NE(hash_after(true, 1), hash_after(false, 1));
  EXPECT_EQ(hash_after(true, 15), hash_after(false, 15));
}

/// A sheet that is held at one side and released from the horizontal; its kinetic energy at the lowest point.
TEST(SwingingSheet, LivelyStepsComeNearShortOnes) {
  const auto fastest = [](double step, bool lively) {
    Json scene = one_cloth({{"type", "grid"}, {"size", {0.4, 0.4}}, {"resolution", {13, 13}}});
    set_step(scene, step);
    scene["integrator"]["lively"] = lively;
    cloth_of(scene)["fabric"] = "cotton";
    cloth_of(scene)["pins"] = {{{"vertices", {{"uv_box", {{-0.2, -0.2}, {-0.2, 0.2}}}}}}};
    Simulation sim = build_scene(scene);
    double largest = 0;
    for (double time = 0.02; time < 0.4; time += 0.02) {
      advance_to(sim, time);
      largest = std::max(largest, sim.model.system->kinetic_energy(configuration_of(sim.state)));
    }
    return largest;
  };
  const double exact = fastest(0.0005, false), braked = fastest(0.01, false), lively = fastest(0.01, true);
  std::printf("fastest swing: %.4f J, at 0.01 s %.4f J, lively %.4f J\n", exact, braked, lively);
  EXPECT_LT(braked, 0.5 * exact);
  EXPECT_NEAR(lively, exact, 0.15 * exact);
}

namespace {

/// A square of two triangles, its lower edge held: the upper two vertices are a small oscillator.
Json oscillator(double damping) {
  Json scene =
      one_cloth({{"type", "grid"}, {"size", {0.1, 0.1}}, {"resolution", {2, 2}}, {"diagonals", "single"}});
  scene["gravity"] = {0, 0, 0};
  fabric_of(scene).update({{"weft_stiffness", 20},
                           {"warp_stiffness", 20},
                           {"shear_stiffness", 8},
                           {"poisson", 0.2},
                           {"stretch_damping", damping},
                           {"weft_bending", 0},
                           {"warp_bending", 0}});
  cloth_of(scene)["pins"] = {{{"vertices", {{"indices", {0, 1}}}}}};
  return scene;
}

/// The in-plane coordinates of the two free vertices.
Eigen::Vector4d free_part(const std::vector<Vec3>& values) {
  return {values[2][0], values[2][1], values[3][0], values[3][1]};
}

/// Stiffness of the free coordinates by differences.
Eigen::Matrix4d stiffness_of(const Simulation& sim) {
  Eigen::Matrix4d K;
  State state = sim.state;
  std::vector<Vec3> force(state.x.size());
  for (int c = 0; c < 4; ++c) {
    double& moved = state.x[static_cast<size_t>(2 + c / 2)][c % 2];
    const double kept = moved, step = 1e-6;
    moved = kept + step;
    sim.model.system->force(configuration_of(state), force);
    const Eigen::Vector4d above = free_part(force);
    moved = kept - step;
    sim.model.system->force(configuration_of(state), force);
    moved = kept;
    K.col(c) = (free_part(force) - above) / (2 * step);
  }
  return 0.5 * (K + K.transpose());
}

struct Mode {
  Eigen::Vector4d shape;  // m
  double omega;           // rad/s
  Eigen::Matrix4d M, K;
};

Mode lowest_mode(const Simulation& sim) {
  Mode mode;
  const auto mass = sim.model.system->mass();
  mode.M = Eigen::Vector4d(mass[2], mass[2], mass[3], mass[3]).asDiagonal();
  mode.K = stiffness_of(sim);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix4d> solver(mode.K, mode.M);
  mode.omega = std::sqrt(solver.eigenvalues()[0]);
  mode.shape = solver.eigenvectors().col(0).normalized();
  return mode;
}

void displace(Simulation& sim, const Eigen::Vector4d& u) {
  for (int c = 0; c < 4; ++c) sim.state.x[static_cast<size_t>(2 + c / 2)][c % 2] += u[c];
}

}  // namespace

TEST(SemiImplicitEuler, FollowsTheRecurrenceOfADampedOscillator) {
  const double damping = 0.01, h = 0.005, amplitude = 1e-6;
  Json scene = oscillator(damping);
  set_step(scene, h);
  Simulation sim = build_scene(scene);
  const Mode mode = lowest_mode(sim);
  const std::vector<Vec3> rest = sim.state.x;
  const Eigen::Matrix4d A = mode.M + h * h * mode.K + h * damping * mode.K;
  Eigen::Vector4d u = amplitude * Eigen::Vector4d(1, -2, 0.5, 1), v = Eigen::Vector4d::Zero();
  displace(sim, u);
  for (int n = 0; n < 40; ++n) {
    advance_to(sim, h * (n + 1));
    v = A.ldlt().solve(mode.M * v - h * mode.K * u);
    u += h * v;
    const Eigen::Vector4d found = free_part(sim.state.x) - free_part(rest);
    ASSERT_LT((found - u).norm(), 2e-4 * amplitude) << "step " << n;
  }
}

/// As the step shrinks the mode must decay at half of damping times omega squared (the printed (2.51) would
/// decay at twice that rate).
TEST(SemiImplicitEuler, DampingRateIsRightForSmallSteps) {
  const double damping = 0.004, amplitude = 1e-6;
  std::vector<double> errors;
  for (double h : {4e-4, 2e-4, 1e-4}) {
    Json scene = oscillator(damping);
    set_step(scene, h);
    Simulation sim = build_scene(scene);
    const Mode mode = lowest_mode(sim);
    const Eigen::Vector4d start = free_part(sim.state.x);
    displace(sim, amplitude * mode.shape);
    const double delta = 0.5 * damping * mode.omega * mode.omega;
    const double omega_d = std::sqrt(mode.omega * mode.omega - delta * delta);
    double error = 0;
    advance_to(sim, 0.2, [&] {
      const double t = sim.state.time;
      const double exact =
          std::exp(-delta * t) * (std::cos(omega_d * t) + delta / omega_d * std::sin(omega_d * t));
      const double found = (free_part(sim.state.x) - start).dot(mode.shape) / amplitude;
      error = std::max(error, std::abs(found - exact));
    });
    std::printf("h %.1e s: omega %.1f/s, decay %.1f/s, largest error %.2e of the amplitude\n", h, mode.omega,
                delta, error);
    errors.push_back(error);
  }
  EXPECT_LT(errors[2], 0.01);
  for (size_t i = 1; i < errors.size(); ++i) EXPECT_NEAR(errors[i - 1] / errors[i], 2, 0.3);
}

TEST(SemiImplicitEuler, IsOfFirstOrderOnALargeDeformation) {
  const auto end_state = [](double h) {
    Json scene = oscillator(0.01);
    scene["gravity"] = {3, -9.81, 0};
    set_step(scene, h);
    Simulation sim = build_scene(scene);
    displace(sim, {0.01, 0.02, -0.01, 0.015});
    advance_to(sim, 0.1);
    return free_part(sim.state.x);
  };
  const Eigen::Vector4d reference = 2 * end_state(2.5e-5) - end_state(5e-5);
  std::vector<double> errors;
  for (double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) errors.push_back((end_state(h) - reference).norm());
  for (double error : errors) std::printf("error %.3e m\n", error);
  for (size_t i = 1; i < errors.size(); ++i) EXPECT_NEAR(errors[i - 1] / errors[i], 2, 0.35);
}

}  // namespace heddle::test
