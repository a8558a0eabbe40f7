#pragma once

#include <heddle/mesh/triangle_mesh.h>

#include <span>
#include <vector>

namespace heddle {

using BoundingBox = Eigen::AlignedBox3d;

/// Smallest box along the axes that holds all points; empty (min > max) without points. m
BoundingBox bounding_box(std::span<const Vec3> positions);

/// m^2 per face.
std::vector<double> face_areas(std::span<const Vec3> positions, std::span<const Triangle> triangles);
/// Unit normals; zero for a face without area.
std::vector<Vec3> face_normals(std::span<const Vec3> positions, std::span<const Triangle> triangles);
/// Sum of the face areas, the same for any number of threads. m^2
double total_area(std::span<const Vec3> positions, std::span<const Triangle> triangles);

/// A third of the area of all adjacent faces, per vertex: lumped masses are density times this
/// (Thomaszewski 2010, 2.2.3). Takes any per-face areas, so rest areas too. m^2
std::vector<double> vertex_areas(int vertex_count, std::span<const Triangle> triangles,
                                 std::span<const double> area_of_face);

}  // namespace heddle
