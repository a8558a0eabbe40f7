#include <heddle/forces/spring/grid_springs.h>

#include <heddle/math/block_matrix.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace heddle {

namespace {

int block_count(int particles, const std::vector<std::vector<ParticlePair>>& connections) {
  BlockPatternBuilder builder(particles);
  for (const auto& pairs : connections)
    for (const ParticlePair& pair : pairs) builder.couple(pair);
  return builder.build().block_count();
}

}  // namespace

// Boxerman 2003, Fig. 3.4: 2N(N-1), 2(N-1)^2 and 2N(N-2) + 2(N-2)^2 springs.
TEST(GridSprings, AreAsManyAsPublished) {
  const GridSize grid{10, 10};
  EXPECT_EQ(stretch_pairs(grid).size(), 180u);
  EXPECT_EQ(shear_pairs(grid).size(), 162u);
  EXPECT_EQ(bend_pairs(grid).size(), 288u);
  EXPECT_EQ(flexion_pairs(grid).size(), 160u);
}

// Boxerman 2003, Figs. 4.3 and 4.7.
TEST(GridSprings, MatrixHasThePublishedBlocks) {
  const GridSize grid{10, 10};
  EXPECT_EQ(block_count(100, {stretch_pairs(grid)}), 460);
  EXPECT_EQ(block_count(100, {stretch_pairs(grid), shear_pairs(grid)}), 784);
  EXPECT_EQ(block_count(100, {stretch_pairs(grid), shear_pairs(grid), bend_pairs(grid)}), 1360);
}

TEST(GridSprings, ConnectNothingTwiceAndStayInTheGrid) {
  const GridSize grid{7, 4};
  std::set<ParticlePair> seen;
  for (const auto& pairs : {stretch_pairs(grid), shear_pairs(grid), bend_pairs(grid)})
    for (const ParticlePair& pair : pairs) {
      EXPECT_LT(pair[0], pair[1]);
      EXPECT_LT(pair[1], 28);
      EXPECT_TRUE(seen.insert(pair).second);
    }
  const auto connects = [](const std::vector<ParticlePair>& pairs, ParticlePair pair) {
    return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
  };
  EXPECT_TRUE(connects(stretch_pairs(grid), {8, 15}));
  EXPECT_TRUE(connects(shear_pairs(grid), {8, 14}));
  EXPECT_TRUE(connects(bend_pairs(grid), {2, 14}));
  EXPECT_FALSE(connects(stretch_pairs(grid), {6, 7}));  // the end of a row and the beginning of the next
}

TEST(GridSprings, OfASingleRowAreAChain) {
  const GridSize chain{5, 1};
  EXPECT_EQ(stretch_pairs(chain), (std::vector<ParticlePair>{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  EXPECT_TRUE(shear_pairs(chain).empty());
  EXPECT_EQ(bend_pairs(chain), flexion_pairs(chain));
}

}  // namespace heddle
