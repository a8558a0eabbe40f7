#include "random_system.h"

#include <heddle/solve/rounded_matrix.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace heddle::test {
namespace {

std::vector<Vec3> product(const RandomSystem& system, int threads = 1) {
  ThreadPool pool(threads);
  std::vector<Vec3> y(system.b.size());
  pool.run([&] {
    RoundedMatrix matrix;
    matrix.assign(system.matrix);
    matrix.multiply(system.b, y);
  });
  return y;
}

TEST(RoundedMatrix, MultipliesAsTheMatrix) {
  for (const int width : {3, 70}) {
    const RandomSystem system = random_system(width, 60, 1e6, 0, 2);
    std::vector<Vec3> expected(system.b.size());
    system.matrix.multiply(system.b, expected);
    EXPECT_LT((flat(product(system)) - flat(expected)).norm(), 1e-6 * flat(expected).norm());
  }
}

/// Mass 1 beside stiffness 1e6 that single precision cannot hold: it must not touch the mass.
TEST(RoundedMatrix, KeepsTheMassInSinglePrecision) {
  RandomSystem system = random_system(70, 60, 0, 0, 2);
  Vec3 mass = Vec3::Zero();
  for (int i = 0; i < system.size(); ++i) mass += system.matrix.diagonal(i).diagonal();
  for (int i = 0; i + 1 < system.size(); ++i)
    if ((i + 1) % 70) add_spring(i, i + 1, 1e6 / 3 * Mat3::Identity(), system.matrix);
  system.b.assign(system.b.size(), Vec3::Ones());
  Vec3 sum = Vec3::Zero();
  for (const Vec3& value : product(system)) sum += value;
  EXPECT_LT((sum - mass).norm(), 1e-8 * mass.norm());
}

TEST(RoundedMatrix, GivesTheSameBitsForAnyNumberOfThreads) {
  const RandomSystem system = random_system(70, 60, 100, 0, 2);
  EXPECT_EQ(product(system, 1), product(system, 2));
}

TEST(RoundedMatrix, HoldsAboutHalfOfTheNumbers) {
  const RandomSystem system = random_system(70, 60, 100, 0, 2);
  RoundedMatrix matrix;
  matrix.assign(system.matrix);
  const double numbers =
      static_cast<double>(system.matrix.bytes() - system.matrix.pattern().bytes()) / system.size();
  const double rounded = static_cast<double>(matrix.bytes()) / system.size();
  std::printf("%.0f bytes a row, %.0f in single precision\n", numbers, rounded);
  EXPECT_LT(rounded, 0.7 * numbers);
}

}  // namespace
}  // namespace heddle::test
