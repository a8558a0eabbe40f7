#include <heddle/mesh/tube.h>

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {
namespace {

/// A ring of four nodes with a branch of two segments from its first node, bent and twisted.
struct Branched {
  std::vector<Vec3> nodes{{0.3, 0, 0},     {0, 0.3, 0.1}, {-0.3, 0, 0},
                          {0, -0.3, 0.05}, {0.6, 0.1, 0}, {0.8, 0.4, 0.2}};
  std::vector<std::array<int, 2>> segments{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {4, 5}};
  std::vector<Quat> frames;
  TubeSkin skin{{{{0, 1, 2, 3}, {0, 1, 2, 3}, true}, {{0, 4, 5}, {4, 5}, false}}, 0.01};

  Branched() {
    for (size_t s = 0; s < segments.size(); ++s) {
      const Vec3 along =
          nodes[static_cast<size_t>(segments[s][1])] - nodes[static_cast<size_t>(segments[s][0])];
      const Quat turned(Eigen::AngleAxisd(0.4 * static_cast<double>(s), Vec3::UnitZ()));
      frames.push_back(Quat::FromTwoVectors(Vec3::UnitZ(), along) * turned);
    }
  }
};

TEST(TubeSkin, CentreLinesAreTheRowsItIsAround) {
  const Branched rod;
  const TubeLines lines = rod.skin.centre_lines();
  const std::vector<Vec3> vertices = rod.skin.vertices(rod.nodes, rod.frames);
  ASSERT_EQ(lines.rings.size(), rod.nodes.size()) << "rows that meet share the point";
  for (size_t i = 0; i < lines.rings.size(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < TubeSkin::kSides; ++k) sum += vertices[static_cast<size_t>(lines.rings[i] + k)];
    EXPECT_LT((sum / TubeSkin::kSides - rod.nodes[i]).norm(), 1e-14) << i;
  }
  EXPECT_EQ(lines.lines, rod.segments);
}

TEST(TubeSkin, LinesNameAFaceAroundThem) {
  const Branched rod;
  const TubeLines lines = rod.skin.centre_lines();
  ASSERT_EQ(lines.faces.size(), rod.segments.size());
  for (size_t s = 0; s < lines.faces.size(); ++s) {
    EXPECT_EQ(rod.skin.frame_of_face(lines.faces[s]), static_cast<int>(s));
    EXPECT_FALSE(rod.skin.is_stripe(lines.faces[s]));
  }
}

}  // namespace
}  // namespace heddle
