// Every force term of the registry, some with unusual parameters, and gravity, against what its interface
// promises.

#include "term_probe.h"

#include <heddle/core/text.h>
#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

namespace heddle::test {

namespace {

struct Case {
  std::string type;
  Sample sample;
};

std::string sample_name(Sample sample) {
  return sample == Sample::flat ? "flat" : sample == Sample::grid ? "grid" : "curved";
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const std::string& type : all_term_types())
    for (Sample sample : {Sample::flat, Sample::curved, Sample::grid}) cases.push_back({type, sample});
  return cases;
}

Eigen::VectorXd numeric_gradient(const ForceTerm& term, Vectors x, const Vectors& v, double step) {
  Eigen::VectorXd gradient(3 * static_cast<Eigen::Index>(x.size()));
  for (size_t i = 0; i < x.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const double kept = x[i][c];
      x[i][c] = kept + step;
      const double above = term.energy({x, v, 0});
      x[i][c] = kept - step;
      const double below = term.energy({x, v, 0});
      x[i][c] = kept;
      gradient[3 * static_cast<Eigen::Index>(i) + c] = (above - below) / (2 * step);
    }
  return gradient;
}

/// -d force / d moved by central differences, where `moved` is x or v.
Eigen::MatrixXd numeric_jacobian(const ForceTerm& term, Vectors& x, Vectors& v, Vectors& moved, double step) {
  const auto n = 3 * static_cast<Eigen::Index>(x.size());
  Eigen::MatrixXd jacobian(n, n);
  for (size_t i = 0; i < x.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const double kept = moved[i][c];
      moved[i][c] = kept + step;
      const Eigen::VectorXd above = flatten(force_of(term, x, v));
      moved[i][c] = kept - step;
      const Eigen::VectorXd below = flatten(force_of(term, x, v));
      moved[i][c] = kept;
      jacobian.col(3 * static_cast<Eigen::Index>(i) + c) = (below - above) / (2 * step);
    }
  return jacobian;
}

/// Compares `exact` with a numeric derivative at falling steps: the best must be within 1e-6, and where the
/// truncation error rules it must fall with the square of the step, unless `smooth` is false.
template <class Numeric>
void expect_derivative(const Eigen::MatrixXd& exact, double scale_of_step, bool smooth,
                       const Numeric& numeric) {
  const double scale = std::max(exact.cwiseAbs().maxCoeff(), 1e-300);
  std::vector<double> errors;
  for (double step : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
    errors.push_back((numeric(step * scale_of_step) - exact).cwiseAbs().maxCoeff() / scale);
  EXPECT_LT(*std::min_element(errors.begin(), errors.end()), 1e-6);
  if (smooth && errors[0] > 1e-4) {
    EXPECT_GT(errors[0] / errors[1], 30) << errors[0] << " then " << errors[1];
  }
}

double smallest_eigenvalue(const Eigen::MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .minCoeff();
}

double asymmetry(const Eigen::MatrixXd& matrix) {
  return (matrix - matrix.transpose()).cwiseAbs().maxCoeff();
}

Vec3 total(const Vectors& values) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& value : values) sum += value;
  return sum;
}

Vec3 torque(const Vectors& x, const Vectors& force) {
  Vec3 sum = Vec3::Zero();
  for (size_t i = 0; i < x.size(); ++i) sum += x[i].cross(force[i]);
  return sum;
}

}  // namespace

class ForceBattery : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    cloth = sample_cloth(GetParam().sample);
    term = make_term(GetParam().type, cloth);
    if (!term) GTEST_SKIP() << GetParam().type << " has no term for this cloth";
    still.assign(cloth.mesh.positions.size(), Vec3::Zero());
    moving = random_velocities(still.size(), 7);
    shapes = {deformed(cloth, 1.15, 0.1, 1), deformed(cloth, 1.0, 0.2, 2), deformed(cloth, 0.8, 0.1, 3)};
  }

  bool internal() const { return !term->is_external(); }
  bool smooth() const { return is_smooth(GetParam().type); }

  PreparedCloth cloth;
  std::unique_ptr<ForceTerm> term;
  Vectors still, moving;
  std::vector<Vectors> shapes;  // stretched, rough, compressed
};

TEST_P(ForceBattery, ForceIsMinusTheGradientOfEnergy) {
  if (!term->is_conservative()) GTEST_SKIP() << "not conservative";
  for (const Vectors& x : shapes)
    expect_derivative(-flatten(force_of(*term, x, still)), mean_edge(cloth), smooth(),
                      [&](double step) { return numeric_gradient(*term, x, still, step); });
}

TEST_P(ForceBattery, ExactStiffnessIsTheDerivativeByPosition) {
  if (!term->is_conservative() || !term->is_implicit()) GTEST_SKIP() << "no full position derivative";
  for (Vectors& x : shapes)
    expect_derivative(linearise(*term, x, still, 1, 0, JacobianForm::exact).matrix, mean_edge(cloth),
                      smooth(), [&](double step) { return numeric_jacobian(*term, x, still, x, step); });
}

TEST_P(ForceBattery, ExactDampingIsTheDerivativeByVelocity) {
  if (!term->is_implicit()) GTEST_SKIP() << "explicit";
  for (Vectors& x : shapes)
    expect_derivative(linearise(*term, x, moving, 0, 1, JacobianForm::exact).matrix, 0.1, smooth(),
                      [&](double step) { return numeric_jacobian(*term, x, moving, moving, step); });
}

TEST_P(ForceBattery, StiffnessTimesVelocityIsThatOfTheMatrix) {
  if (!term->is_implicit()) GTEST_SKIP() << "explicit";
  for (const Vectors& x : shapes)
    for (JacobianForm form : {JacobianForm::exact, JacobianForm::positive}) {
      const Response response = linearise(*term, x, moving, 1, 0, form);
      const Eigen::VectorXd expected = response.matrix * flatten(moving);
      EXPECT_LE((flatten(response.stiffness_velocity) - expected).norm(), 1e-12 * expected.norm());
    }
}

TEST_P(ForceBattery, MatrixIsLinearInItsScales) {
  if (!term->is_implicit()) GTEST_SKIP() << "explicit";
  for (const Vectors& x : shapes) {
    const Eigen::MatrixXd K = linearise(*term, x, moving, 1, 0, JacobianForm::exact).matrix;
    const Eigen::MatrixXd D = linearise(*term, x, moving, 0, 1, JacobianForm::exact).matrix;
    const Eigen::MatrixXd both = linearise(*term, x, moving, 0.3, 0.02, JacobianForm::exact).matrix;
    EXPECT_LE((both - 0.3 * K - 0.02 * D).norm(), 1e-13 * both.norm());
  }
}

TEST_P(ForceBattery, BothWaysToAskForTheForceAgree) {
  if (!term->is_implicit()) GTEST_SKIP() << "explicit";
  for (const Vectors& x : shapes) {
    const Vectors force = force_of(*term, x, moving);
    EXPECT_LE(largest_difference(force, linearise(*term, x, moving, 1, 1, JacobianForm::positive).force),
              1e-13 * largest(force));
  }
}

TEST_P(ForceBattery, NoForceInAnyRigidMotionOfTheRestShape) {
  if (!internal()) GTEST_SKIP() << "acts from outside";
  const double typical = largest(force_of(*term, shapes[1], still));
  // Rounded positions strain what is stiff near the rest shape.
  Vectors pressed = cloth.mesh.positions;
  for (Vec3& p : pressed) p *= 1 - 1e-8;
  const double stiffness =
      linearise(*term, pressed, still, 1, 0, JacobianForm::exact).matrix.cwiseAbs().maxCoeff();
  const double rounding = 1e-15 * stiffness;  // of metres
  for (std::uint64_t seed : {0, 11, 12}) {
    Vectors x = cloth.mesh.positions;
    const RigidTransform motion = seed ? random_motion(seed) : RigidTransform{};
    for (Vec3& p : x) p = motion.point(p);
    EXPECT_LE(largest(force_of(*term, x, still)), std::max(1e-11 * typical, rounding));
    EXPECT_NEAR(term->energy({x, still, 0}), 0, 1e-12 * term->energy({shapes[1], still, 0}));
  }
}

TEST_P(ForceBattery, NoDampingOfRigidVelocities) {
  if (!internal()) GTEST_SKIP() << "acts from outside";
  for (const Vectors& x : shapes) {
    const Vec3 spin = damps_rotation(GetParam().type) ? Vec3(0, 0, 0) : Vec3(3, -2, 1), drift(1, 2, 3);
    Vectors rigid;
    for (const Vec3& p : x) rigid.push_back(spin.cross(p) + drift);
    const Vectors elastic = force_of(*term, x, still);
    const double typical = largest_difference(force_of(*term, x, moving), elastic);
    EXPECT_LE(largest_difference(force_of(*term, x, rigid), elastic),
              1e-11 * std::max(typical, largest(elastic)));
  }
}

TEST_P(ForceBattery, EnergyIsInvariantAndForceTurnsWithTheBody) {
  if (term->is_conservative() && !internal()) GTEST_SKIP() << "a field with a direction";
  const RigidTransform motion = random_motion(21);
  for (const Vectors& x : shapes) {
    Vectors turned, turned_velocity, expected;
    for (size_t i = 0; i < x.size(); ++i) {
      turned.push_back(motion.point(x[i]));
      turned_velocity.push_back(motion.direction(moving[i]));
    }
    for (const Vec3& f : force_of(*term, x, moving)) expected.push_back(motion.direction(f));
    EXPECT_LE(largest_difference(force_of(*term, turned, turned_velocity), expected),
              1e-11 * largest(expected));
    const double energy = term->energy({x, moving, 0});
    EXPECT_NEAR(term->energy({turned, turned_velocity, 0}), energy, 1e-11 * energy);
  }
}

TEST_P(ForceBattery, InternalForcesKeepMomentum) {
  if (!internal()) GTEST_SKIP() << "acts from outside";
  for (const Vectors& x : shapes)
    for (const bool moves : {false, true}) {
      const Vectors force = force_of(*term, x, moves ? moving : still);
      double forces = 0, torques = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        forces += force[i].norm();
        torques += force[i].norm() * x[i].norm();
      }
      EXPECT_LE(total(force).norm(), 1e-13 * forces);
      if (moves && damps_rotation(GetParam().type)) continue;
      EXPECT_LE(torque(x, force).norm(), 1e-13 * torques);
    }
}

TEST_P(ForceBattery, ExactStiffnessIsSymmetric) {
  if (!term->is_conservative() || !term->is_implicit()) GTEST_SKIP() << "need not be";
  for (const Vectors& x : shapes) {
    const Eigen::MatrixXd K = linearise(*term, x, still, 1, 0, JacobianForm::exact).matrix;
    EXPECT_LE(asymmetry(K), 1e-13 * K.cwiseAbs().maxCoeff());
  }
}

TEST_P(ForceBattery, PositiveFormIsSymmetricAndPositive) {
  if (!term->is_implicit()) GTEST_SKIP() << "explicit";
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const double stretch = 0.5 + 0.15 * static_cast<double>(seed);
    const Vectors x = deformed(cloth, stretch, 0.4, 30 + seed);
    for (const auto& [stiffness, damping] : {std::pair{1.0, 0.0}, {0.0, 1.0}, {1e-4, 1e-2}}) {
      const Eigen::MatrixXd A =
          linearise(*term, x, moving, stiffness, damping, JacobianForm::positive).matrix;
      const double scale = A.cwiseAbs().maxCoeff();
      EXPECT_LE(asymmetry(A), 1e-13 * scale);
      EXPECT_GE(smallest_eigenvalue(A), -1e-10 * scale) << "stretch " << stretch;
    }
  }
}

TEST_P(ForceBattery, BlocksPromisedToBeIsotropicAre) {
  if (!term->is_implicit()) GTEST_SKIP() << "explicit";
  const Vectors x = deformed(cloth, 1.1, 0.4, 77);
  const int n = static_cast<int>(x.size());
  BlockPatternBuilder promised(n);
  term->add_pattern(promised);
  const BlockPattern isotropic = promised.build().isotropic;
  const Eigen::MatrixXd A = linearise(*term, x, moving, 1e-4, 1e-2, JacobianForm::positive).matrix;
  for (int row = 0; row < n; ++row)
    for (int k = isotropic.row_start[static_cast<size_t>(row)];
         k < isotropic.row_start[static_cast<size_t>(row) + 1]; ++k) {
      const Mat3 block = A.block<3, 3>(3 * row, 3 * isotropic.columns[static_cast<size_t>(k)]);
      EXPECT_LE((block - block(0, 0) * Mat3::Identity()).norm(), 1e-14 * block.norm());
    }
}

TEST_P(ForceBattery, ForceAndMatrixDoNotDependOnThreads) {
  if (GetParam().sample == Sample::curved) GTEST_SKIP() << "once is enough";
  const bool is_grid = GetParam().sample == Sample::grid;
  const PreparedCloth big = sample_cloth(is_grid ? Sample::many_cells : Sample::many_chunks);
  const auto big_term = make_term(GetParam().type, big);
  const Vectors x = deformed(big, 1.0, 0.2, 5), v = random_velocities(x.size(), 6);
  BlockPatternBuilder builder(static_cast<int>(x.size()));
  big_term->add_pattern(builder);
  const MatrixPattern pattern = builder.build();
  big_term->bind(pattern);
  const auto bits = [&](int threads) {
    ThreadPool pool(threads);
    BlockMatrix matrix(pattern);
    Vectors force(x.size(), Vec3::Zero()), Kv = force;
    double energy = 0;
    pool.run([&] {
      matrix.set_zero();
      Linearisation out{1e-4, 1e-2, JacobianForm::positive, &matrix, force, Kv};
      if (big_term->is_implicit()) big_term->add_linearisation({x, v, 0}, out);
      big_term->add_force({x, v, 0}, force);
      energy = big_term->energy({x, v, 0});
    });
    std::vector<double> all;
    for (int k = 0; k < pattern.general.block_count(); ++k)
      all.insert(all.end(), matrix.block(k).data(), matrix.block(k).data() + BlockMatrix::kBlock);
    for (int k = 0; k < pattern.isotropic.block_count(); ++k) all.push_back(matrix.isotropic_block(k));
    for (const Vectors* vectors : {&force, &Kv})
      for (const Vec3& value : *vectors) all.insert(all.end(), value.begin(), value.end());
    all.push_back(energy);
    return all;
  };
  EXPECT_EQ(bits(1), bits(2));
}

INSTANTIATE_TEST_SUITE_P(Registry, ForceBattery, testing::ValuesIn(all_cases()), [](const auto& instance) {
  return instance.param.type + "_" + sample_name(instance.param.sample);
});

TEST(ExplicitHinges, PushAsImplicitOnesDo) {
  const PreparedCloth cloth = sample_cloth(Sample::curved);
  const auto implicit = make_term("hinge", cloth), as_explicit = make_term("hinge_explicit", cloth);
  EXPECT_TRUE(implicit->is_implicit());
  EXPECT_FALSE(as_explicit->is_implicit());
  const Vectors x = deformed(cloth, 1.1, 0.1, 3), v = random_velocities(x.size(), 4);
  EXPECT_EQ(force_of(*implicit, x, v), force_of(*as_explicit, x, v));
  EXPECT_EQ(implicit->energy({x, v, 0}), as_explicit->energy({x, v, 0}));
}

/// One element at a time, so that the element's own matrix is seen.
class PositiveForm : public testing::TestWithParam<std::string> {};

TEST_P(PositiveForm, IsTheExactOneWhereThatIsPositive) {
  const PreparedCloth triangle = sample_cloth(Sample::one_triangle), hinge = sample_cloth(Sample::one_hinge);
  int positive_ones = 0;
  bool is_made = false;
  for (const PreparedCloth* cloth : {&triangle, &hinge}) {
    const auto term = make_term(GetParam(), *cloth);
    if (!term) continue;
    is_made = true;
    if (!term->is_conservative() || !term->is_implicit()) GTEST_SKIP() << "not comparable";
    const Vectors still(cloth->mesh.positions.size(), Vec3::Zero());
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      // Seed 0 is the rest shape.
      const double stretch = seed ? 0.9 + 0.005 * static_cast<double>(seed) : 1;
      Vectors x = deformed(*cloth, stretch, seed ? 0.03 : 0, seed + 1);
      if (seed == 0) x = cloth->mesh.positions;
      const Eigen::MatrixXd exact = linearise(*term, x, still, 1, 0, JacobianForm::exact).matrix;
      const double scale = exact.cwiseAbs().maxCoeff();
      if (scale == 0 || smallest_eigenvalue(exact) < -1e-11 * scale) continue;
      ++positive_ones;
      const Eigen::MatrixXd positive = linearise(*term, x, still, 1, 0, JacobianForm::positive).matrix;
      EXPECT_LE((positive - exact).cwiseAbs().maxCoeff(), 1e-9 * scale) << "seed " << seed;
    }
  }
  if (!is_made) GTEST_SKIP() << "needs a grid; tests/forces looks at single springs";
  EXPECT_GT(positive_ones, 0) << "no configuration tested anything";
}

INSTANTIATE_TEST_SUITE_P(Registry, PositiveForm, testing::ValuesIn(all_term_types()),
                         [](const auto& instance) { return instance.param; });

}  // namespace heddle::test
