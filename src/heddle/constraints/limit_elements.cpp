#include <heddle/constraints/limit_elements.h>

#include <algorithm>
#include <map>

namespace heddle {

LimitedEdges::LimitedEdges(const LimitedFaces& faces, int particle_count, double limit, double tolerance)
    : limit_(limit), tolerance_(tolerance) {
  std::map<Edge, double> lengths;
  for (int face = 0; face < faces.size(); ++face) {
    const Triangle& t = faces.nodes(face);
    const RestFace& rest = faces.rest(face);
    const std::array<double, 3> sides{rest.a.norm(), (rest.b - rest.a).norm(), rest.b.norm()};
    for (size_t k = 0; k < 3; ++k) {
      const int i = t[k], j = t[(k + 1) % 3];
      lengths.try_emplace({std::min(i, j), std::max(i, j)}, sides[k]);
    }
  }
  for (const auto& [edge, length] : lengths) {
    nodes_.push_back(edge);
    length_.push_back(length);
  }
  incidence_ = Incidence({nodes_.empty() ? nullptr : nodes_[0].data(), nodes_.size() * kNodes}, kNodes,
                         particle_count);
}

double LimitedEdges::strain(int edge, std::span<const Vec3> x) const {
  const auto& [i, j] = nodes(edge);
  return (x[static_cast<size_t>(j)] - x[static_cast<size_t>(i)]).norm() / length_[static_cast<size_t>(edge)] -
         1;
}

bool LimitedEdges::correct(int edge, std::span<const Vec3> x, const std::array<double, 2>& mass,
                           std::array<Vec3, 2>& displacement) const {
  const double strain = this->strain(edge, x), target = std::clamp(strain, -limit_, limit_);
  const double sum = 1 / mass[0] + 1 / mass[1];
  if (std::abs(strain - target) <= tolerance_ || sum == 0) return false;
  const auto& [i, j] = nodes(edge);
  const Vec3 pull = (target - strain) * length_[static_cast<size_t>(edge)] / sum *
                    (x[static_cast<size_t>(j)] - x[static_cast<size_t>(i)]).normalized();
  displacement = {-pull / mass[0], pull / mass[1]};
  return true;
}

}  // namespace heddle
