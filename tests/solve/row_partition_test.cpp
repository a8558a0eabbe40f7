#include "random_system.h"

#include <heddle/solve/row_partition.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace heddle::test {
namespace {

/// Ranges of rows, as long as the parts.
RowPartition ranges(int rows, int parts) {
  RowPartition out;
  for (int row = 0; row < rows; ++row) {
    out.rows.push_back(row);
    out.owner.push_back(row * parts / rows);
  }
  return out;
}

TEST(RowPartition, HasEveryRowOnceInPartsOfAboutTheSameSize) {
  for (const int most : {1, 7, 512, 100000}) {
    const MatrixPattern pattern = random_system(60, 50, 1, 0, 2).matrix.pattern();
    const RowPartition partition = partition_rows(pattern, most);
    std::vector<int> rows = partition.rows;
    std::sort(rows.begin(), rows.end());
    for (int row = 0; row < 3000; ++row) EXPECT_EQ(rows[static_cast<size_t>(row)], row);
    for (int part = 0; part < partition.count(); ++part) {
      const auto own = partition.of(part);
      EXPECT_LE(static_cast<int>(own.size()), most);
      EXPECT_GE(3 * static_cast<int>(own.size()), std::min(most, 3000));
      EXPECT_TRUE(std::is_sorted(own.begin(), own.end()));
      for (const int row : own) EXPECT_EQ(partition.owner[static_cast<size_t>(row)], part);
    }
  }
}

/// Ranges of rows of a long sheet are strips along it, and those of rows in random order are nothing at all.
TEST(RowPartition, CutsFewerBlocksThanRanges) {
  const MatrixPattern pattern = random_system(200, 30, 1, 0, 2).matrix.pattern();
  const RowPartition partition = partition_rows(pattern, 500);
  const double cut = cut_share(pattern, partition), by_ranges = cut_share(pattern, ranges(6000, 12));
  std::printf("%.1f %% of the blocks cut, %.1f %% by ranges\n", 100 * cut, 100 * by_ranges);
  EXPECT_LT(cut, 0.6 * by_ranges);
}

TEST(RowPartition, TakesRowsThatNothingConnects) {
  const RowPartition partition = partition_rows(BlockPatternBuilder(100).build(), 10);
  EXPECT_EQ(partition.count(), 10);
  EXPECT_EQ(partition_rows(BlockPatternBuilder(0).build(), 10).count(), 0);
}

}  // namespace
}  // namespace heddle::test
