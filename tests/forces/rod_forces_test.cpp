// Forces, moments and derivatives of both forms of rods, in rows, rings and stars.

#include "rod_probe.h"

#include <heddle/forces/rod/corde.h>
#include <heddle/forces/rod/turning_math.h>

namespace heddle::test {

namespace {

struct Case {
  std::string name;
  RodForm form;
  RodShape shape;
};

std::vector<Case> all_cases() {
  const RodForm exact, corde{.corde = true, .penalty = 50, .inertia_scale = 0.1};
  std::vector<Case> cases;
  for (const auto& [name, form] : {std::pair{"exact", exact}, {"corde", corde}}) {
    cases.push_back({std::string(name) + "_row", form, crooked_row(6, false, 1)});
    cases.push_back({std::string(name) + "_ring", form, crooked_row(7, true, 2)});
    cases.push_back({std::string(name) + "_star", form, crooked_star()});
  }
  return cases;
}

class RodForces : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    RodSection section = soft_section();
    section.stretch_friction = 0.3;
    section.bending_friction = 0.002;
    place = rods.add(GetParam().shape, section, GetParam().form);
    system = rods.system(Vec3::Zero());
    system->keep_both_triangles();  // that the exact derivative is symmetric is to be seen
    Random random(5);
    // Off the shape at rest, and off the frames of the last step.
    for (Vec3& x : rods.state.x) x += 0.02 * random_vector(random);
    for (const RodSegment& segment : place.segments) {
      Vec3& turn = rods.state.x[static_cast<size_t>(segment.turning)];
      turn = GetParam().form.corde ? Vec3(10 * turn) : Vec3(10 * turn[0], 0, 0);
    }
    for (Vec3& v : rods.state.v) v = random_vector(random);
  }

  size_t size() const { return rods.state.x.size(); }
  std::vector<Vec3> force(const State& state) const {
    std::vector<Vec3> f(size());
    system->force(configuration_of(state), f);
    return f;
  }
  State still() const {
    State state = rods.state;
    std::fill(state.v.begin(), state.v.end(), Vec3::Zero());
    return state;
  }
  /// -d force / d moved.
  Eigen::MatrixXd numeric(std::vector<Vec3> State::*moved, State state) const {
    constexpr double kStep = 1e-6;
    const auto n = static_cast<Eigen::Index>(3 * size());
    Eigen::MatrixXd out(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      double& entry = (state.*moved)[static_cast<size_t>(j / 3)][j % 3];
      const double kept = entry;
      entry = kept + kStep;
      const std::vector<double> above = flat(force(state));
      entry = kept - kStep;
      const std::vector<double> below = flat(force(state));
      entry = kept;
      for (Eigen::Index i = 0; i < n; ++i)
        out(i, j) = (below[static_cast<size_t>(i)] - above[static_cast<size_t>(i)]) / (2 * kStep);
    }
    return out;
  }
  Eigen::MatrixXd analytic(double stiffness, double damping, JacobianForm form, const State& state,
                           std::vector<Vec3>* kv = nullptr) const {
    BlockMatrix matrix(system->pattern()), zero(system->pattern());
    zero.set_zero();
    std::vector<Vec3> f(size()), external = f, product = f;
    system->linearise(configuration_of(state), zero, {stiffness, damping, form, &matrix, f, product},
                      external);
    const std::vector<Vec3> plain = force(state);
    for (size_t i = 0; i < size(); ++i) EXPECT_LT((f[i] - plain[i]).norm(), 1e-10 * (1 + plain[i].norm()));
    if (kv) *kv = product;
    const auto n = static_cast<Eigen::Index>(3 * size());
    Eigen::MatrixXd out(n, n);
    std::vector<Vec3> unit(size(), Vec3::Zero()), column(size());
    for (Eigen::Index j = 0; j < n; ++j) {
      unit[static_cast<size_t>(j / 3)][j % 3] = 1;
      matrix.multiply(unit, column);
      unit[static_cast<size_t>(j / 3)].setZero();
      out.col(j) = Eigen::Map<const Eigen::VectorXd>(flat(column).data(), n);
    }
    return out;
  }

  RodSystem rods;
  RodPlace place;
  std::unique_ptr<System> system;
};

TEST_P(RodForces, AreMinusTheGradientOfEnergy) {
  State state = still();
  const std::vector<double> f = flat(force(state));
  const double scale = *std::max_element(f.begin(), f.end());
  for (size_t j = 0; j < f.size(); ++j) {
    double& entry = state.x[j / 3][static_cast<int>(j % 3)];
    const double kept = entry;
    entry = kept + 1e-6;
    const double above = system->potential_energy(configuration_of(state));
    entry = kept - 1e-6;
    const double below = system->potential_energy(configuration_of(state));
    entry = kept;
    EXPECT_NEAR(f[j], (below - above) / 2e-6, 1e-6 * scale) << "entry " << j;
  }
}

TEST_P(RodForces, HaveTheirExactDerivatives) {
  const State state = still();
  const Eigen::MatrixXd exact = analytic(1, 0, JacobianForm::exact, state);
  const double scale = exact.cwiseAbs().maxCoeff();
  EXPECT_LT((exact - numeric(&State::x, state)).cwiseAbs().maxCoeff(), 1e-6 * scale);
  EXPECT_LT((exact - exact.transpose()).cwiseAbs().maxCoeff(), 1e-10 * scale);
  const Eigen::MatrixXd damping = analytic(0, 1, JacobianForm::exact, rods.state);
  EXPECT_LT((damping - numeric(&State::v, rods.state)).cwiseAbs().maxCoeff(),
            1e-6 * damping.cwiseAbs().maxCoeff());
}

TEST_P(RodForces, HaveAPositiveForm) {
  std::vector<Vec3> kv;
  const Eigen::MatrixXd positive = analytic(1, 0, JacobianForm::positive, rods.state, &kv);
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(positive).eigenvalues();
  EXPECT_GT(values.minCoeff(), -1e-9 * values.maxCoeff());
  const std::vector<double> v = flat(rods.state.v), product = flat(kv);
  const Eigen::VectorXd expected = positive * Eigen::Map<const Eigen::VectorXd>(v.data(), positive.cols());
  EXPECT_LT((expected - Eigen::Map<const Eigen::VectorXd>(product.data(), positive.cols())).norm(),
            1e-9 * expected.norm());
}

/// Explicit steps always ask where frames have just been taken up, which is computed in a shorter way.
TEST_P(RodForces, StayAsTheyAreWhenTurnsAreTakenUp) {
  State taken = rods.state;
  system->take_up_turns(taken);
  for (const RodSegment& segment : place.segments)
    ASSERT_EQ(taken.x[static_cast<size_t>(segment.turning)], Vec3(Vec3::Zero()));
  analytic(1, 1, JacobianForm::exact, taken);  // compares with the forces that dual numbers make
  // Exact frames keep angles about directions that are others then: forces on nodes are not the same ones.
  if (!GetParam().form.corde) return;
  const std::vector<Vec3> before = force(still());
  std::fill(taken.v.begin(), taken.v.end(), Vec3::Zero());
  const std::vector<Vec3> after = force(taken);
  for (int i = 0; i < place.node_count; ++i) {
    const auto node = static_cast<size_t>(i);
    EXPECT_LT((after[node] - before[node]).norm(), 1e-10 * (1 + before[node].norm()));
  }
}

/// Momentum and, with the moments on segments, angular momentum; friction included.
TEST_P(RodForces, BalanceEachOther) {
  State state = rods.state;
  system->take_up_turns(state);
  const std::vector<Vec3> f = force(state);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  double scale = 0;
  for (int i = 0; i < place.node_count; ++i) {
    sum += f[static_cast<size_t>(i)];
    torque += state.x[static_cast<size_t>(i)].cross(f[static_cast<size_t>(i)]);
    scale = std::max(scale, f[static_cast<size_t>(i)].norm());
  }
  const double alpha = GetParam().form.inertia_scale;
  for (const RodSegment& segment : place.segments) {
    const Vec3& moment = f[static_cast<size_t>(segment.turning)];
    const Quat& frame = state.frames[static_cast<size_t>(segment.frame)];
    const double s = std::sqrt(0.5 * alpha);
    torque += frame *
              (GetParam().form.corde ? Vec3(s * moment[0], s * moment[1], moment[2]) : Vec3(0, 0, moment[0]));
  }
  EXPECT_LT(sum.norm(), 1e-12 * scale);
  EXPECT_LT(torque.norm(), 1e-12 * scale);
}

/// Rigid motion of nodes and frames: no energy, and friction does not see it.
TEST_P(RodForces, DoNotSeeRigidMotion) {
  RodSystem at_rest;
  RodShape shape = GetParam().shape;
  shape.frames = shape.rest_frames;
  RodSection section = soft_section();
  section.stretch_friction = 3;
  section.bending_friction = 2;
  const RodPlace own = at_rest.add(shape, section, GetParam().form);
  const auto unmoved = at_rest.system(Vec3::Zero());
  const Quat turn(Eigen::AngleAxisd(2.8, Vec3(1, 2, -0.5).normalized()));
  const Vec3 omega(0.7, -1.1, 0.4);
  State& state = at_rest.state;
  for (int i = 0; i < own.node_count; ++i) {
    Vec3& x = state.x[static_cast<size_t>(i)];
    x = turn * x + Vec3(1, 2, 3);
    state.v[static_cast<size_t>(i)] = omega.cross(x);
  }
  const double s = std::sqrt(0.5 * GetParam().form.inertia_scale);
  for (const RodSegment& segment : own.segments) {
    Quat& frame = state.frames[static_cast<size_t>(segment.frame)];
    frame = turn * frame;
    const Vec3 body = frame.conjugate() * omega;
    state.v[static_cast<size_t>(segment.turning)] =
        GetParam().form.corde ? Vec3(s * body[0], s * body[1], body[2]) : Vec3(body[2], 0, 0);
  }
  std::vector<Vec3> f(state.x.size());
  unmoved->force(configuration_of(state), f);
  for (const Vec3& value : f) EXPECT_LT(value.norm(), 1e-11);
  EXPECT_LT(unmoved->potential_energy(configuration_of(state)), 1e-20);
}

/// Positions and turning particles say the same as the frames that took them up.
TEST_P(RodForces, StayTheSameWhenFramesTakeUpTheTurns) {
  State state = still();
  const double before = system->potential_energy(configuration_of(state));
  system->take_up_turns(state);
  EXPECT_NEAR(system->potential_energy(configuration_of(state)), before, 1e-12 * before);
  for (const RodSegment& segment : place.segments)
    EXPECT_EQ(state.x[static_cast<size_t>(segment.turning)], Vec3(Vec3::Zero()));
}

INSTANTIATE_TEST_SUITE_P(Forms, RodForces, testing::ValuesIn(all_cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace

/// B_k of Spillmann 2008, App. C: u_k = 2 B_k q . q'.
TEST(RodQuaternions, StrainIsThatOfThePrintedMatrices) {
  Eigen::Matrix4d B[3];
  B[0] << 0, 0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, -1, 0, 0, 0;
  B[1] << 0, 0, -1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, -1, 0, 0;
  B[2] << 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0;
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Quat a = Quat(Eigen::AngleAxisd(random.uniform(-3, 3), random_vector(random).normalized()));
    const Quat b = a * Quat(Eigen::AngleAxisd(random.uniform(-1, 1), random_vector(random).normalized()));
    const Quat relative = a.conjugate() * b;
    const Eigen::Vector4d qa = a.coeffs(), qb = b.coeffs();
    for (int k = 0; k < 3; ++k) EXPECT_NEAR((B[k] * (qa + qb)).dot(qb - qa), 2 * relative.vec()[k], 1e-13);
  }
}

TEST(RodQuaternions, RotationVectorsAreLogarithms) {
  Random random(4);
  for (const double angle : {0.0, 1e-9, 1e-3, 0.19, 0.21, 1.5, 3.0, 3.14}) {
    const Vec3 axis = random_vector(random).normalized();
    const Quat q(Eigen::AngleAxisd(angle, axis));
    for (const double sign : {1.0, -1.0}) {
      const auto rho =
          rod::rotation_vector(rod::turn_of(Quat(sign * q.w(), sign * q.x(), sign * q.y(), sign * q.z())));
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(rho.vector[static_cast<size_t>(k)], angle * axis[k], 2e-15 + 1e-14 * angle);
    }
  }
}

TEST(RodQuaternions, FramesAreRotationsThereAndBack) {
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    Quat q = Quat(Eigen::AngleAxisd(random.uniform(-3.2, 3.2), random_vector(random).normalized()));
    if (trial == 0) q = Quat(0, 1, 0, 0);
    if (trial == 1) q = Quat(0, 0, 1, 0);
    if (trial == 2) q = Quat(0, 0, 0, 1);
    const Mat3 R = q.toRotationMatrix();
    EXPECT_LT((Quat(R).toRotationMatrix() - R).norm(), 1e-14);
    EXPECT_LT((Quat(-q.w(), -q.x(), -q.y(), -q.z()).toRotationMatrix() - R).norm(), 1e-14);
  }
}

}  // namespace heddle::test
