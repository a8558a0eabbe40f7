#include <heddle/mesh/fold_detail.h>

#include <heddle/mesh/measures.h>

#include <cmath>

namespace heddle {

double fold_detail(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                   const Topology& topology) {
  const std::vector<double> angles = hinge_angles(positions, topology.hinges);
  double sum = 0;
  for (size_t k = 0; k < angles.size(); ++k) {
    const auto& edge = topology.edges[static_cast<size_t>(topology.hinges[k].edge)];
    sum += std::abs(angles[k]) *
           (positions[static_cast<size_t>(edge[1])] - positions[static_cast<size_t>(edge[0])]).norm();
  }
  const double area = total_area(positions, triangles);
  return area > 0 ? sum / (2 * area) : 0;
}

}  // namespace heddle
