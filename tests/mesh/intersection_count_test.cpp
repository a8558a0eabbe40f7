#include <heddle/core/random.h>
#include <heddle/geometry/triangles_intersect.h>
#include <heddle/mesh/generators.h>
#include <heddle/mesh/intersection_count.h>
#include <heddle/parallel/scheduler.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle {
namespace {

TriangleMesh sheet(int vertices) {
  return make_mesh(Grid{{1, 1}, {vertices, vertices}, "single"});
}

void append(TriangleMesh& mesh, const TriangleMesh& other) {
  const int offset = mesh.vertex_count();
  mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
  for (const auto& [a, b, c] : other.triangles)
    mesh.triangles.push_back({a + offset, b + offset, c + offset});
}

Intersections count(const TriangleMesh& mesh, const IntersectionOptions& options = {}) {
  return count_intersections(mesh.positions, mesh.triangles, options);
}

/// The vertices, those that are also of `other` first; both orders agree on the shared ones.
TrianglePoints corners(const TriangleMesh& mesh, Triangle t, const Triangle& other) {
  const auto is_own = [&](int v) { return std::find(other.begin(), other.end(), v) == other.end(); };
  std::sort(t.begin(), t.end(),
            [&](int v, int w) { return std::pair(is_own(v), v) < std::pair(is_own(w), w); });
  const auto at = [&](int v) { return mesh.positions[static_cast<size_t>(v)]; };
  return {at(t[0]), at(t[1]), at(t[2])};
}

bool intersect(const TriangleMesh& mesh, const Triangle& s, const Triangle& t) {
  const auto shared =
      std::count_if(s.begin(), s.end(), [&](int v) { return std::find(t.begin(), t.end(), v) != t.end(); });
  const TrianglePoints a = corners(mesh, s, t), b = corners(mesh, t, s);
  if (shared == 0) return triangles_intersect(a, b);
  if (shared == 1) return triangles_intersect_beyond_vertex(a, b);
  return shared == 3 || triangles_intersect_beyond_edge(a, b);
}

std::vector<std::array<int, 2>> brute_force(const TriangleMesh& mesh) {
  std::vector<std::array<int, 2>> found;
  for (int i = 0; i < mesh.triangle_count(); ++i)
    for (int j = i + 1; j < mesh.triangle_count(); ++j)
      if (intersect(mesh, mesh.triangles[static_cast<size_t>(i)], mesh.triangles[static_cast<size_t>(j)]))
        found.push_back({i, j});
  return found;
}

TEST(IntersectionCount, SheetsDoNotIntersectThemselves) {
  TriangleMesh mesh = sheet(30);
  EXPECT_EQ(count(mesh).count, 0) << "flat";
  for (Vec3& x : mesh.positions)
    x = Vec3(std::sin(3 * x.x()), x.y(), std::cos(3 * x.x()) + 0.1 * std::sin(9 * x.y()));
  EXPECT_EQ(count(mesh).count, 0) << "bent";
  for (Vec3& x : mesh.positions) x += Vec3(1e6, -1e6, 3e6);
  EXPECT_EQ(count(mesh).count, 0) << "far away";
  EXPECT_EQ(count({}).count, 0);
}

TEST(IntersectionCount, FindsOneCrossing) {
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -1}, {0.2, 0.2, 1}, {3, 3, 1}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  const Intersections found = count(mesh);
  EXPECT_EQ(found.count, 1);
  EXPECT_EQ(found.pairs, (std::vector<std::array<int, 2>>{{0, 1}}));
  mesh.positions[3].z() = 0.001;
  EXPECT_EQ(count(mesh).count, 0);
}

TEST(IntersectionCount, SheetsThroughEachOther) {
  TriangleMesh mesh = sheet(12), other = sheet(9);
  for (Vec3& x : other.positions) x = Vec3(0.9 * x.x() + 0.01, 0.3 * x.z(), x.y() + 0.013 + 0.1 * x.x());
  append(mesh, other);
  const Intersections found = count(mesh, {.max_pairs = 1000000});
  EXPECT_GT(found.count, 15);
  EXPECT_EQ(found.pairs, brute_force(mesh));
  const Intersections few = count(mesh, {.max_pairs = 3});
  EXPECT_EQ(few.count, found.count);
  EXPECT_EQ(few.pairs.size(), 3u);
}

TEST(IntersectionCount, CrumpledSheetsAgreeWithBruteForce) {
  Random random(1);
  for (int round = 0; round < 10; ++round) {
    TriangleMesh mesh = sheet(13);
    const double size = 0.02 * round;
    for (Vec3& x : mesh.positions)
      x += size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Intersections found = count(mesh, {.max_pairs = 1000000});
    EXPECT_EQ(found.pairs, brute_force(mesh)) << round;
    EXPECT_EQ(found.count > 0, round > 1) << round << ": " << found.count;
  }
}

TEST(IntersectionCount, FoldedFlat) {
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {2, 1, 3}};
  EXPECT_EQ(count(mesh).count, 0);
  mesh.positions[3] = {0, 0, 0.5};
  EXPECT_EQ(count(mesh).count, 0);
  mesh.positions[3] = {0.25, 0.25, 0};
  EXPECT_EQ(count(mesh).count, 1);
}

TEST(IntersectionCount, EqualFacesIntersect) {
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {2, 0, 1}};
  EXPECT_EQ(count(mesh).count, 1);
}

TEST(IntersectionCount, ObstaclesMayIntersectEachOther) {
  TriangleMesh cloth = sheet(5), obstacle = sheet(4);
  for (Vec3& x : cloth.positions) x.z() += 3;
  const int first = cloth.triangle_count();
  append(cloth, obstacle);
  for (Vec3& x : obstacle.positions) x = Vec3(x.x(), x.z(), x.y());
  append(cloth, obstacle);
  EXPECT_GT(count(cloth).count, 0);
  EXPECT_EQ(count(cloth, {.first_obstacle_triangle = first}).count, 0);
  for (size_t i = 0; i < 25; ++i) cloth.positions[i].z() -= 2.9;
  EXPECT_GT(count(cloth, {.first_obstacle_triangle = first}).count, 0) << "the cloth in the obstacles";
}

TEST(IntersectionCount, ClothsMayIntersectEachOther) {
  TriangleMesh all = sheet(5), crossing = sheet(4);
  for (Vec3& x : crossing.positions) x = Vec3(x.x() + 0.1, x.z() + 0.03, x.y());
  append(all, crossing);
  const int first = all.triangle_count();
  const auto between_cloths = count(all).count;
  TriangleMesh obstacle = sheet(3);
  for (Vec3& x : obstacle.positions) x = Vec3(x.z() + 0.02, x.y(), x.x());
  append(all, obstacle);
  EXPECT_GT(between_cloths, 0);
  EXPECT_GT(count(all).count, between_cloths);
  EXPECT_EQ(count(all, {.first_obstacle_triangle = first, .between_cloths = false}).count,
            count(all, {.first_obstacle_triangle = first}).count - between_cloths);
}

TEST(IntersectionCount, IsTheSameForAnyNumberOfThreads) {
  Random random(2);
  TriangleMesh mesh = sheet(40);
  for (Vec3& x : mesh.positions) x += 0.05 * Vec3(random.uniform(), random.uniform(), random.uniform());
  const Intersections all = count(mesh), one = ThreadPool(1).run([&] { return count(mesh); });
  EXPECT_EQ(all.count, one.count);
  EXPECT_EQ(all.pairs, one.pairs);
  EXPECT_EQ(all.pairs.size(), 100u);
}

}  // namespace
}  // namespace heddle
