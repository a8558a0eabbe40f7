#include <heddle/core/check.h>
#include <heddle/math/block_matrix.h>
#include <heddle/math/block_projection.h>
#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>

#include <array>

#include <random>

namespace heddle {
namespace {

/// A band of triangles with random blocks; particle `rows - 1` is coupled to nothing.
BlockMatrix random_matrix(int rows) {
  BlockPatternBuilder builder(rows);
  for (int i = 0; i + 3 < rows; ++i) builder.couple(std::array{i, i + 1, (i * 7) % (rows - 1)});
  for (int i = 0; i + 5 < rows; ++i) builder.couple(std::array{i, i + 3}, true);
  BlockMatrix matrix(builder.build());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-1, 1);
  for (int slot = 0; slot < matrix.pattern().general.block_count(); ++slot)
    matrix.block(slot) = Mat3::NullaryExpr([&] { return value(random); });
  for (int row = 0; row < rows; ++row)
    matrix.diagonal(row) = Mat3(matrix.diagonal(row).selfadjointView<Eigen::Upper>());
  for (int slot = 0; slot < matrix.pattern().isotropic.block_count(); ++slot)
    matrix.isotropic_block(slot) = value(random);
  return matrix;
}

Eigen::MatrixXd dense(const BlockMatrix& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3 * matrix.row_count(), 3 * matrix.row_count());
  const auto for_blocks = [&](const BlockPattern& pattern, const auto& block) {
    for (int row = 0; row < matrix.row_count(); ++row)
      for (int k = pattern.row_start[static_cast<size_t>(row)];
           k < pattern.row_start[static_cast<size_t>(row) + 1]; ++k) {
        const int column = pattern.columns[static_cast<size_t>(k)];
        result.block<3, 3>(3 * row, 3 * column) = block(k);
        if (column != row) result.block<3, 3>(3 * column, 3 * row) = block(k).transpose();
      }
  };
  for_blocks(matrix.pattern().general, [&](int k) { return Mat3(matrix.block(k)); });
  for_blocks(matrix.pattern().isotropic,
             [&](int k) { return Mat3(matrix.isotropic_block(k) * Mat3::Identity()); });
  return result;
}

std::vector<Vec3> random_vector(int rows) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<Vec3> result(static_cast<size_t>(rows));
  for (Vec3& v : result) v = Vec3::NullaryExpr([&] { return value(random); });
  return result;
}

TEST(BlockPattern, IsTheUpperTriangleWithDiagonalAndSortedRows) {
  BlockPatternBuilder builder(4);
  builder.couple(std::array{2, 0});
  builder.couple(std::array{0, 2});
  builder.couple(std::array{1, 2}, true);
  builder.couple(std::array{2, 0}, true);
  const MatrixPattern both = builder.build();
  const BlockPattern& pattern = both.general;
  EXPECT_EQ(pattern.row_start, (std::vector<int>{0, 2, 3, 4, 5}));
  EXPECT_EQ(pattern.columns, (std::vector<int>{0, 2, 1, 2, 3}));
  EXPECT_EQ(pattern.slot(0, 2), 1);
  EXPECT_THROW(pattern.slot(0, 1), CheckFailure);
  EXPECT_EQ(both.isotropic.columns, (std::vector<int>{2}));
  EXPECT_EQ(both.place(0, 2), pattern.slot(0, 2));
  EXPECT_EQ(both.place(2, 0), MatrixPattern::kMirrored);
  EXPECT_EQ(both.place(1, 2), ~0);
  EXPECT_THROW(both.place(0, 1), CheckFailure);
  EXPECT_THROW(both.place(1, 0), CheckFailure);
  EXPECT_EQ(both.block_count(), 8);
  const BlockPattern sides = mirrored(pattern);
  EXPECT_EQ(sides.row_start, (std::vector<int>{0, 1, 1, 2, 2}));
  EXPECT_EQ(sides.columns, (std::vector<int>{2, 0}));
}

TEST(BlockPattern, HoldsBothTrianglesIfItIsWhole) {
  BlockPatternBuilder builder(3, false);
  builder.couple(std::array{2, 0}, true);
  const MatrixPattern whole = builder.build();
  EXPECT_TRUE(whole.is_whole);
  EXPECT_EQ(whole.general.columns, (std::vector<int>{0, 2, 1, 0, 2}));
  EXPECT_EQ(whole.place(2, 0), 3);
  EXPECT_EQ(whole.block_count(), 5);
  BlockMatrix matrix(whole);
  matrix.set_zero();
  matrix.block(whole.place(2, 0)) = 2 * Mat3::Identity();
  matrix.diagonal(2) = 3 * Mat3::Identity();
  const std::vector<Vec3> x{Vec3(1, 0, 0), Vec3(0, 0, 0), Vec3(0, 1, 0)};
  std::vector<Vec3> y(3);
  matrix.multiply(x, y);
  EXPECT_EQ(y, (std::vector<Vec3>{Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(2, 3, 0)}));
}

TEST(BlockMatrix, MultipliesLikeADenseMatrix) {
  for (const int rows : {1, 2, 5, 700, 2500}) {
    const BlockMatrix matrix = random_matrix(rows);
    const std::vector<Vec3> x = random_vector(rows);
    std::vector<Vec3> y(x.size());
    matrix.multiply(x, y);
    const Eigen::Map<const Eigen::VectorXd> flat_x(x[0].data(), 3 * rows), flat_y(y[0].data(), 3 * rows);
    EXPECT_LT((dense(matrix) * flat_x - flat_y).cwiseAbs().maxCoeff(), 1e-13) << rows;
  }
}

TEST(BlockMatrix, ProductHasTheSameBitsForAnyNumberOfThreads) {
  const BlockMatrix matrix = random_matrix(5000);
  const std::vector<Vec3> x = random_vector(5000);
  std::vector<Vec3> one(x.size()), four(x.size());
  ThreadPool(1).run([&] { matrix.multiply(x, one); });
  ThreadPool(4).run([&] { matrix.multiply(x, four); });
  EXPECT_EQ(one, four);
}

TEST(BlockMatrix, SetZeroClearsEveryBlock) {
  BlockMatrix matrix = random_matrix(700);
  matrix.set_zero();
  EXPECT_EQ(dense(matrix).cwiseAbs().maxCoeff(), 0);
  matrix.diagonal(3) = Mat3::Identity();
  EXPECT_EQ(dense(matrix).sum(), 3);
}

TEST(BlockMatrix, RefusesVectorsOfAnotherSize) {
  const BlockMatrix matrix = random_matrix(5);
  std::vector<Vec3> x(4), y(5);
  EXPECT_THROW(matrix.multiply(x, y), CheckFailure);
}

TEST(MatrixPattern, KnowsItsParts) {
  BlockPatternBuilder builder(6);
  builder.couple(std::array{0, 2});
  builder.couple(std::array{3, 4}, true);
  const std::vector<RowRange> expected{{0, 3}, {3, 5}, {5, 6}};
  EXPECT_EQ(builder.build().parts(), expected);
}

TEST(BlockProjection, ChangesOnlyItsParticles) {
  BlockProjection projection;
  projection.add(1, Mat3::Zero());
  const Vec3 normal = Vec3(1, 2, 2) / 3;
  projection.add(2, Mat3::Identity() - normal * normal.transpose());
  std::vector<Vec3> values(3, Vec3(1, 1, 1));
  projection.apply(values);
  EXPECT_EQ(values[0], Vec3(1, 1, 1));
  EXPECT_EQ(values[1], Vec3(0, 0, 0));
  EXPECT_NEAR(values[2].dot(normal), 0, 1e-15);
  const std::vector<Vec3> once = values;
  projection.apply(values);
  for (size_t i = 0; i < values.size(); ++i) EXPECT_LT((values[i] - once[i]).norm(), 1e-15);
}

}  // namespace
}  // namespace heddle
