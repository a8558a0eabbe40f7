#pragma once

#include <heddle/math/animated.h>

#include <vector>

namespace heddle {

/// Places of the vertices of a surface at equal intervals of time and on straight lines in between. Before
/// the first and after the last sample they stand still.
struct VertexSamples {
  std::vector<Vec3f> positions;  // m, sample after sample; floats, because there may be many
  double start = 0;              // s, time of the first sample
  double interval = 0.04;        // s
};

/// Triangles that move as told: what an obstacle is to contact of surfaces, pictures and exports, whether it
/// was a shape, a mesh or a sequence of meshes. Vertices have places in the surface's own frame, constant or
/// sampled, and `motion` moves that frame.
struct MovingSurface {
  std::vector<Triangle> triangles;
  std::vector<Vec3> vertices;  // m, in the own frame, where the motion of the vertices starts
  VertexSamples samples;       // empty: the surface is rigid
  Motion motion;

  int vertex_count() const { return static_cast<int>(vertices.size()); }
  bool deforms() const { return !samples.positions.empty(); }
  int sample_count() const {
    return vertices.empty() ? 0 : static_cast<int>(samples.positions.size() / vertices.size());
  }

  /// Where the vertices are in the world at a time (s), m; appended to `out`.
  void append_positions(double time, std::vector<Vec3>& out) const;
  std::vector<Vec3> positions(double time) const;
  /// The same for some of them.
  template <size_t N>
  std::array<Vec3, N> positions(const std::array<int, N>& chosen, double time) const {
    const RigidTransform pose = motion.at(time);
    std::array<Vec3, N> result;
    for (size_t k = 0; k < N; ++k) result[k] = pose.point(local(chosen[k], time));
    return result;
  }

 private:
  Vec3 local(int vertex, double time) const;
};

}  // namespace heddle
