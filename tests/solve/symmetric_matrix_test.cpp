#include "random_system.h"

#include <heddle/solve/symmetric_matrix.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {
namespace {

template <class Real>
std::vector<Vec3> product(const RandomSystem& system, int threads = 1) {
  ThreadPool pool(threads);
  std::vector<Vec3> y(system.b.size());
  pool.run([&] {
    SymmetricMatrix<Real> matrix;
    matrix.assign(system.matrix);
    matrix.multiply(system.b, y);
  });
  return y;
}

/// Mass 1 beside stiffness 1e6: single precision must not touch the mass.
TEST(SymmetricMatrix, MultipliesAsTheWholeMatrix) {
  for (const int width : {3, 70}) {
    const RandomSystem system = random_system(width, 60, 1e6, 0, 2);
    std::vector<Vec3> expected(system.b.size());
    system.matrix.multiply(system.b, expected);
    const double size = flat(expected).norm();
    EXPECT_LT((flat(product<double>(system)) - flat(expected)).norm(), 1e-13 * size);
    EXPECT_LT((flat(product<float>(system)) - flat(expected)).norm(), 1e-6 * size);
  }
}

TEST(SymmetricMatrix, KeepsTheMassInSinglePrecision) {
  RandomSystem system = random_system(70, 60, 0, 0, 2);
  Vec3 mass = Vec3::Zero();
  for (int i = 0; i < system.size(); ++i) mass += system.matrix.diagonal(i).diagonal();
  for (int i = 0; i + 1 < system.size(); ++i)
    if ((i + 1) % 70) add_spring(i, i + 1, 1e6 * Mat3::Identity(), system.matrix);
  system.b.assign(system.b.size(), Vec3::Ones());
  Vec3 sum = Vec3::Zero();
  for (const Vec3& value : product<float>(system)) sum += value;
  EXPECT_LT((sum - mass).norm(), 1e-6 * mass.norm());
}

TEST(SymmetricMatrix, GivesTheSameBitsForAnyNumberOfThreads) {
  const RandomSystem system = random_system(70, 60, 100, 0, 2);
  EXPECT_EQ(product<double>(system, 1), product<double>(system, 2));
  EXPECT_EQ(product<float>(system, 1), product<float>(system, 2));
}

TEST(SymmetricMatrix, HoldsAboutHalfOrAQuarterOfTheNumbers) {
  const RandomSystem system = random_system(70, 60, 100, 0, 2);
  const auto bytes = [&](auto matrix) {
    matrix.assign(system.matrix);
    return static_cast<double>(matrix.bytes()) / system.size();
  };
  const double both = static_cast<double>(system.matrix.bytes()) / system.size();
  const double upper = bytes(SymmetricMatrix<double>()), single = bytes(SymmetricMatrix<float>());
  std::printf("%.0f bytes a row with both triangles, %.0f with one, %.0f in single precision\n", both, upper,
              single);
  EXPECT_LT(upper, 0.8 * both);
  EXPECT_LT(single, 0.6 * both);
}

}  // namespace
}  // namespace heddle::test
