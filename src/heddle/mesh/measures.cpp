#include <heddle/core/check.h>
#include <heddle/geometry/triangle.h>
#include <heddle/mesh/measures.h>
#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

double area_of(std::span<const Vec3> positions, const Triangle& t) {
  return triangle_area(positions[at(t[0])], positions[at(t[1])], positions[at(t[2])]);
}

}  // namespace

BoundingBox bounding_box(std::span<const Vec3> positions) {
  BoundingBox box;
  for (const Vec3& position : positions) box.extend(position);
  return box;
}

std::vector<double> face_areas(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  std::vector<double> areas(triangles.size());
  parallel_for(static_cast<int>(triangles.size()),
               [&](int face) { areas[at(face)] = area_of(positions, triangles[at(face)]); });
  return areas;
}

std::vector<Vec3> face_normals(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  std::vector<Vec3> normals(triangles.size());
  parallel_for(static_cast<int>(triangles.size()), [&](int face) {
    const Triangle& t = triangles[at(face)];
    normals[at(face)] = triangle_normal(positions[at(t[0])], positions[at(t[1])], positions[at(t[2])]);
  });
  return normals;
}

double total_area(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  std::vector<double> partial;
  return ordered_sum(static_cast<int>(triangles.size()), 0.0, partial, [&](int begin, int end) {
    double sum = 0;
    for (int face = begin; face < end; ++face) sum += area_of(positions, triangles[at(face)]);
    return sum;
  });
}

std::vector<double> vertex_areas(int vertex_count, std::span<const Triangle> triangles,
                                 std::span<const double> area_of_face) {
  HEDDLE_CHECK_EQ(triangles.size(), area_of_face.size());
  std::vector<double> areas(at(vertex_count), 0.0);
  for (size_t face = 0; face < triangles.size(); ++face)
    for (const int vertex : triangles[face]) areas[at(vertex)] += area_of_face[face] / 3;
  return areas;
}

}  // namespace heddle
