#include <heddle/mesh/moving_surface.h>

#include <cmath>

namespace heddle {

Vec3 MovingSurface::local(int vertex, double time) const {
  const auto i = static_cast<size_t>(vertex);
  if (!deforms()) return vertices[i];
  const double last = sample_count() - 1;
  const double s = std::clamp((time - samples.start) / samples.interval, 0.0, last);
  const auto k = static_cast<size_t>(std::floor(s));
  const Vec3 before = samples.positions[k * vertices.size() + i].cast<double>();
  const double share = s - static_cast<double>(k);
  if (share == 0) return before;
  return before + share * (samples.positions[(k + 1) * vertices.size() + i].cast<double>() - before);
}

void MovingSurface::append_positions(double time, std::vector<Vec3>& out) const {
  const RigidTransform pose = motion.at(time);
  for (int i = 0; i < vertex_count(); ++i) out.push_back(pose.point(local(i, time)));
}

std::vector<Vec3> MovingSurface::positions(double time) const {
  std::vector<Vec3> result;
  result.reserve(vertices.size());
  append_positions(time, result);
  return result;
}

}  // namespace heddle
