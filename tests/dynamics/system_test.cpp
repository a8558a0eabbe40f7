#include <heddle/dynamics/stencil_term.h>
#include <heddle/dynamics/system.h>

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// Zero-length springs between pairs with a damper: f0 = -k (x0 - x1) - c (v0 - v1).
struct Spring {
  static constexpr int kNodes = 2;
  static constexpr std::string_view kName = "spring";
  static constexpr bool kConservative = true;
  static constexpr bool kExternal = false;
  static constexpr bool kConstantJacobian = true;
  std::vector<std::array<int, 2>> nodes;
  double k = 10, c = 0.5;

  double energy(int, const ElementState<2>& q) const { return 0.5 * k * (q.x[0] - q.x[1]).squaredNorm(); }
  void force(int, const ElementState<2>& q, std::array<Vec3, 2>& f) const {
    f[0] = -k * (q.x[0] - q.x[1]) - c * (q.v[0] - q.v[1]);
    f[1] = -f[0];
  }
  void linearise(int e, const ElementState<2>& q, const ElementScales& s, ElementSystem<2>& out) const {
    force(e, q, out.force);
    out.stiffness_velocity = {k * (q.v[0] - q.v[1]), k * (q.v[1] - q.v[0])};
    const Mat3 a = (s.stiffness * k + s.damping * c) * Mat3::Identity();
    out.a = {{{a, -a}, {-a, a}}};
  }
};

/// The force (1, 0, 0) on every particle.
struct Push final : ForceTerm {
  std::string_view name() const override { return "push"; }
  bool is_conservative() const override { return false; }
  bool is_external() const override { return true; }
  void add_force(const Configuration&, std::span<Vec3> force) const override {
    for (Vec3& f : force) f += Vec3(1, 0, 0);
  }
};

struct Hold final : Constraint {
  std::string_view name() const override { return "hold"; }
  void constrain(const State&, double, VelocityFilter& filter) const override { filter.fix(0, Vec3::Zero()); }
};

struct SystemTest : testing::Test {
  State state{.x = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0)},
              .v = {Vec3(0, 0, 1), Vec3(0, 0, 0), Vec3(0, 2, 0)}};
  System system{{1, 2, 3}, {}, {}};

  void SetUp() override {
    system.add(std::make_unique<Push>());
    system.add(make_term(Spring{.nodes = {{0, 1}}}, 3));
  }
};

TEST_F(SystemTest, AddsUpForcesAndEnergies) {
  const Configuration q = configuration_of(state);
  std::vector<Vec3> force(3, Vec3(9, 9, 9));
  system.force(q, force);
  EXPECT_EQ(force[0], Vec3(11, 0, -0.5));
  EXPECT_EQ(force[1], Vec3(-9, 0, 0.5));
  EXPECT_EQ(force[2], Vec3(1, 0, 0));
  EXPECT_DOUBLE_EQ(system.kinetic_energy(q), 0.5 + 6);
  EXPECT_DOUBLE_EQ(system.potential_energy(q), 5);
}

/// What an integrator asks of a system.
struct Linearised {
  explicit Linearised(const System& system) : matrix(system.pattern()), constant(system.pattern()) {}

  void update(const System& system, const State& state) {
    system.constant_matrix(0.1, 2, constant);
    linearise(system, state);
  }
  void linearise(const System& system, const State& state) {
    system.linearise(configuration_of(state), constant,
                     {.stiffness_scale = 0.1,
                      .damping_scale = 2,
                      .matrix = &matrix,
                      .force = force,
                      .stiffness_velocity = stiffness_velocity},
                     external);
  }

  BlockMatrix matrix, constant;
  std::vector<Vec3> force = std::vector<Vec3>(3), external = force, stiffness_velocity = force;
};

TEST_F(SystemTest, LinearisesMassStiffnessAndDamping) {
  Linearised linear(system);
  linear.update(system, state);
  const Mat3 one = Mat3::Identity();
  EXPECT_EQ(Mat3(linear.matrix.diagonal(0)), (1 + 0.1 * 10 + 2 * 0.5) * one);
  EXPECT_EQ(Mat3(linear.matrix.block(system.pattern().general.slot(0, 1))), -2 * one);
  EXPECT_EQ(Mat3(linear.matrix.diagonal(2)), 3 * one);
  EXPECT_EQ(linear.force[0], Vec3(11, 0, -0.5));
  EXPECT_EQ(linear.external[0], Vec3(1, 0, 0));
  EXPECT_EQ(linear.stiffness_velocity[0], Vec3(0, 0, 10));
}

TEST_F(SystemTest, GrowsWithAddedTermsAndRefusesMatricesOfBefore) {
  Linearised before(system);
  before.update(system, state);
  const int revision = system.revision();
  system.add(make_term(Spring{.nodes = {{1, 2}}}, 3));
  EXPECT_GT(system.revision(), revision);
  EXPECT_EQ(system.pattern().block_count(), before.matrix.pattern().block_count() + 2);
  EXPECT_THROW(before.linearise(system, state), CheckFailure);
  Linearised after(system);
  after.update(system, state);
  EXPECT_EQ(Mat3(after.matrix.diagonal(2)), 5 * Mat3::Identity());
}

TEST_F(SystemTest, AppliesAddedConstraints) {
  system.add(std::make_unique<Hold>());
  VelocityFilter filter(3);
  system.constrain(state, 0.01, filter);
  EXPECT_EQ(filter.fixed_particles(), std::vector{0});
}

}  // namespace
}  // namespace heddle
