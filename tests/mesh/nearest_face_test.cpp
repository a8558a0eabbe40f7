#include <heddle/mesh/nearest_face.h>

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

namespace heddle {

TEST(NearestFace, IsTheOneThatTryingAllFinds) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Vec3> x;
  for (int i = 0; i < 90; ++i) x.emplace_back(number(random), number(random), number(random));
  std::vector<Triangle> triangles;
  for (int t = 0; t < 30; ++t) triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  for (const int count : {1, 2, 7, 30}) {
    std::vector<int> faces(static_cast<size_t>(count));
    std::iota(faces.begin(), faces.end(), 30 - count);
    const NearestFace nearest(x, triangles, faces);
    for (int k = 0; k < 200; ++k) {
      const Vec3 point = 1.5 * Vec3(number(random), number(random), number(random));
      double expected = std::numeric_limits<double>::infinity();
      for (const int face : faces) {
        const Triangle& t = triangles[static_cast<size_t>(face)];
        const auto corner = [&](size_t i) { return x[static_cast<size_t>(t[i])]; };
        expected =
            std::min(expected, vertex_triangle_proximity({point, corner(0), corner(1), corner(2)}).distance);
      }
      const NearestFace::Found found = nearest.find(point);
      EXPECT_EQ(found.proximity.distance, expected);
      EXPECT_GE(found.triangle, 30 - count);
    }
  }
}

}  // namespace heddle
