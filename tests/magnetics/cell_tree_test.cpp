#include "test_magnets.h"

#include <heddle/geometry/tessellate.h>

namespace heddle {

namespace {

double leaf_volume(const CellTree& tree) {
  double sum = 0;
  for (const int leaf : tree.leaves()) sum += tree.cells()[static_cast<size_t>(leaf)].volume;
  return sum;
}

TriangleMesh mesh_of(const ShapeVariant& shape) {
  const SurfaceMesh surface = tessellate(shape);
  return {.positions = surface.positions, .triangles = surface.triangles};
}

}  // namespace

TEST(CellTree, CutsACubeIntoEqualCells) {
  for (const int n : {1, 2, 4, 8}) {
    for (const BoundaryCells rule : {BoundaryCells::cut, BoundaryCells::layer}) {
      const Magnet cube = magnet_of(Box{{0.01, 0.01, 0.01}}, permanent({0, 0, 1}),
                                    {.density = n * n * n / 1e-6, .boundary = rule});
      ASSERT_EQ(cube.cells.leaf_count(), n * n * n);
      EXPECT_NEAR(cube.cells.leaf_diameter(), 0.01 / n, 1e-15);
      EXPECT_NEAR(cube.cells.leaf_size(), 0.01 / n, 1e-12);
      for (const int leaf : cube.cells.leaves())
        EXPECT_NEAR(cube.cells.cells()[static_cast<size_t>(leaf)].volume, 1e-6 / (n * n * n), 1e-18);
    }
  }
}

TEST(CellTree, AllLevelsHaveTheWholeVolumeAndItsMiddle) {
  const auto ring = make_solid(ring_mesh(0.03, 0.01, 48), "ring");
  ASSERT_TRUE(ring.ok());
  for (const BoundaryCells rule : {BoundaryCells::cut, BoundaryCells::layer}) {
    const auto built = CellTree::build(**ring, {.density = 3e7, .boundary = rule}, "ring");
    ASSERT_TRUE(built.ok());
    const CellTree& tree = *built;
    const double volume = (*ring)->properties().volume;
    EXPECT_NEAR(leaf_volume(tree), volume, 1e-12 * volume);
    EXPECT_NEAR(tree.cells()[0].volume, volume, 1e-12 * volume);
    EXPECT_LT(tree.cells()[0].place.norm(), 1e-3 * 0.03);
    for (int i = 0; i < static_cast<int>(tree.cells().size()); ++i) {
      const Cell& cell = tree.cells()[static_cast<size_t>(i)];
      if (cell.is_leaf(i)) continue;
      double sum = 0;
      int leaves = 0;
      for (int child = i + 1; child < cell.next; child = tree.cells()[static_cast<size_t>(child)].next) {
        sum += tree.cells()[static_cast<size_t>(child)].volume;
        leaves += tree.cells()[static_cast<size_t>(child)].last_leaf -
                  tree.cells()[static_cast<size_t>(child)].first_leaf;
      }
      EXPECT_NEAR(sum, cell.volume, 1e-12 * volume);
      EXPECT_EQ(leaves, cell.last_leaf - cell.first_leaf);
    }
  }
}

TEST(CellTree, TheLayerLeavesOutCellsNearTheBoundary) {
  const Magnet ball = magnet_of(Sphere{0.01}, permanent({0, 0, 1}),
                                {.density = 512 / 8e-6, .boundary = BoundaryCells::layer});
  const double radius = 0.5 * ball.cells.leaf_diameter();
  EXPECT_GT(ball.cells.leaf_count(), 100);
  EXPECT_LT(ball.cells.leaf_count(), 268);  // pi / 6 of all
  for (const int leaf : ball.cells.leaves())
    EXPECT_LE(ball.cells.cells()[static_cast<size_t>(leaf)].place.norm(), 0.01 - radius + 1e-12);
}

TEST(CellTree, CutCellsHaveTheMomentsOfABall) {
  const Magnet ball = ball_magnet(0.01, 8, permanent({0, 0, 1}));
  Mat3 second = Mat3::Zero();
  double volume = 0;
  for (const int leaf : ball.cells.leaves()) {
    const Cell& cell = ball.cells.cells()[static_cast<size_t>(leaf)];
    volume += cell.volume;
    second += cell.volume * cell.place * cell.place.transpose();
  }
  EXPECT_NEAR(volume, 4e-6 * std::numbers::pi / 3, 1e-12);
  // Of each axis a fifth of r^2, less what spreads within cells.
  EXPECT_NEAR(second(2, 2) / volume, 0.2 * 1e-4, 0.03 * 0.2 * 1e-4);
  EXPECT_NEAR(second(0, 0), second(2, 2), 1e-3 * second(2, 2));
}

TEST(CellTree, MeshesAreCutLikeTheShapesTheyDraw) {
  const ShapeVariant box = Box{{0.02, 0.01, 0.01}};
  const auto solid = make_solid(mesh_of(box), "box");
  ASSERT_TRUE(solid.ok());
  const auto from_mesh = CellTree::build(**solid, {.density = 64e6}, "box");
  const Magnet from_shape = magnet_of(box, permanent({0, 0, 1}), {.density = 64e6});
  ASSERT_TRUE(from_mesh.ok());
  ASSERT_EQ(from_mesh->leaf_count(), from_shape.cells.leaf_count());
  for (size_t i = 0; i < from_mesh->cells().size(); ++i)
    EXPECT_LT((from_mesh->cells()[i].place - from_shape.cells.cells()[i].place).norm(), 1e-15);
}

TEST(CellTree, RefusesWhatIsTooFineOrTooCoarse) {
  const auto cube = make_solid(Box{{0.01, 0.01, 0.01}}, {});
  const auto fine = CellTree::build(**cube, {.density = 1e12}, "cube");
  ASSERT_FALSE(fine.ok());
  EXPECT_NE(fine.errors().text().find("use at most"), std::string::npos) << fine.errors().text();
  const auto ring = make_solid(ring_mesh(0.03, 0.01, 48), "ring");
  const auto coarse = CellTree::build(**ring, {.density = 1, .boundary = BoundaryCells::layer}, "ring");
  ASSERT_FALSE(coarse.ok());
  EXPECT_NE(coarse.errors().text().find("higher density"), std::string::npos);
}

TEST(Magnet, RefusesImpossibleMaterials) {
  const auto cube = make_solid(Box{{0.01, 0.01, 0.01}}, {});
  const auto wrong = make_magnet(
      *cube, {.kind = MagnetKind::induced, .susceptibility = -1.5, .saturation = -2}, {.density = 0}, "lump");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.errors().error_count(), 3u);
  EXPECT_NE(wrong.errors().text().find("below -1"), std::string::npos);
  EXPECT_NE(wrong.errors().text().find("lump"), std::string::npos);
}

TEST(Magnet, TellsOfOverlaps) {
  std::vector<Magnet> magnets;
  for (int i = 0; i < 3; ++i) magnets.push_back(cube_magnet(2));
  const std::vector<std::string> names{"a", "b", "c"};
  std::vector<RigidTransform> poses(3);
  poses[1].translation = {0, 0, 0.01};  // touches
  poses[2].translation = {0.05, 0, 0};
  EXPECT_TRUE(check_overlaps(magnets, poses, names).empty());
  poses[2].translation = {0.007, 0, 0.011};
  const Diagnostics found = check_overlaps(magnets, poses, names);
  EXPECT_EQ(found.error_count(), 1u);
  EXPECT_NE(found.text().find("\"b\" and \"c\""), std::string::npos) << found.text();
}

TEST(Front, CoversEachLeafOnceAndGetsCoarserFarAway) {
  const Magnet cube = cube_magnet(8);
  const PlacedMagnet here(cube, {});
  size_t last = 513;
  for (const double gap : {0.0, 0.002, 0.005, 0.01, 0.05, 0.5}) {
    const PlacedMagnet there(cube, {rotation_from_degrees({10, 20, 30}), {0.012 + gap, 0.003, 0}});
    std::vector<int> front;
    choose_front(here, there, {}, front);
    int next = 0;
    for (const int cell : front) {
      EXPECT_EQ(here.cells()[static_cast<size_t>(cell)].first_leaf, next);
      next = here.cells()[static_cast<size_t>(cell)].last_leaf;
    }
    EXPECT_EQ(next, 512);
    EXPECT_LE(front.size(), last);
    last = front.size();
    choose_front(here, there, {.adaptive = false}, front);
    EXPECT_EQ(front.size(), 512u);
  }
  EXPECT_EQ(last, 1u);
}

}  // namespace heddle
