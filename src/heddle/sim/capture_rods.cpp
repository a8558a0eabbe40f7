#include <heddle/sim/capture_rods.h>

#include <cmath>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

std::vector<Vec3f> skin_of(const RodPart& rod, const State& state) {
  std::vector<Vec3f> positions;
  for (const Vec3& vertex : rod.skin.vertices(state.x, state.frames))
    positions.push_back(vertex.cast<float>());
  return positions;
}

/// Curvature and twist (1/m) between the frames of two segments that follow each other.
Vec2 bend_between(const RodPart& rod, const State& state, int first, int second) {
  const Quat& a = state.frames[at(rod.place.segments[at(first)].frame)];
  const Quat& b = state.frames[at(rod.place.segments[at(second)].frame)];
  const Eigen::AngleAxisd turn(a.conjugate() * b);
  const double angle = turn.angle() > M_PI ? turn.angle() - 2 * M_PI : turn.angle();
  const double length = 0.5 * (rod.rest_lengths[at(first)] + rod.rest_lengths[at(second)]);
  const Vec3 rate = turn.axis() * angle / length;
  return {rate.head<2>().norm(), rate[2]};
}

/// Strains of the surface by segment: stretch, bending, twist.
std::vector<Vec3> surface_strains(const RodPart& rod, const State& state) {
  std::vector<Vec3> strains(rod.place.segments.size(), Vec3::Zero());
  for (size_t s = 0; s < strains.size(); ++s) {
    const auto& [a, b] = rod.place.segments[s].ends;
    strains[s][0] = (state.x[at(b)] - state.x[at(a)]).norm() / rod.rest_lengths[s] - 1;
  }
  for (const RodRow& row : rod.rows) {
    const int joints = row.count - (row.closed ? 0 : 1);
    std::vector<int> count(at(row.count), 0);
    for (int k = 0; k < joints; ++k) {
      const int first = row.first + k, second = row.first + (k + 1) % row.count;
      const Vec2 bend = rod.radius * bend_between(rod, state, first, second);
      for (const int s : {first, second}) {
        strains[at(s)].tail<2>() += bend;
        ++count[at(s - row.first)];
      }
    }
    for (int k = 0; k < row.count; ++k)
      if (count[at(k)] > 0) strains[at(row.first + k)].tail<2>() /= count[at(k)];
  }
  return strains;
}

SnapshotCurves curves_of(const RodPart& rod) {
  TubeLines lines = rod.skin.centre_lines();
  return {.radius = static_cast<float>(rod.radius),
          .ring_size = TubeSkin::kSides,
          .rings = std::move(lines.rings),
          .lines = std::move(lines.lines),
          .faces = std::move(lines.faces)};
}

}  // namespace

void add_drawable_rod(const RodPart& rod, const State& state, SnapshotModel& model) {
  const auto material = static_cast<std::int32_t>(model.materials.size());
  for (const auto& [name, colour] : {std::pair{rod.name, rod.colour}, {rod.name + " stripe", rod.stripe}})
    model.materials.push_back({.name = name,
                               .front_colour = colour.cast<float>(),
                               .back_colour = colour.cast<float>(),
                               .pattern = "plain"});
  SnapshotObject& object = model.objects.emplace_back();
  object.name = rod.name;
  object.curves = curves_of(rod);
  object.triangles = rod.skin.triangles();
  object.rest_positions = skin_of(rod, state);
  for (int face = 0; face < static_cast<int>(object.triangles.size()); ++face)
    object.face_material.push_back(material + (rod.skin.is_stripe(face) ? 1 : 0));
}

SnapshotObjectFrame drawn_rod(const RodPart& rod, const State& state, std::span<const float> pressures) {
  SnapshotObjectFrame frame;
  frame.positions = skin_of(rod, state);
  for (int vertex = 0; vertex < rod.skin.vertex_count(); ++vertex) {
    const size_t node = at(rod.skin.node_of_vertex(vertex));
    frame.velocities.push_back(state.v[node].cast<float>());
    frame.pressures.push_back(pressures[node]);
  }
  const std::vector<Vec3> strains = surface_strains(rod, state);
  for (int face = 0; face < static_cast<int>(rod.skin.triangles().size()); ++face)
    frame.strains.push_back(strains[at(rod.skin.frame_of_face(face) - rod.place.first_frame)].cast<float>());
  return frame;
}

}  // namespace heddle
