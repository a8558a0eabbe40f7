#include <heddle/contact/untangle.h>

#include <cmath>

namespace heddle {

namespace {

/// What is on the wrong side comes back within about this time, s, at a speed between these two, m/s.
/// Slower, it is pressed on other things meanwhile: see docs/models/untangling.md.
constexpr double kReturnTime = 0.02;
constexpr double kSlowest = 0.1, kFastest = 2;
/// Faces of cloth leave the edges and corners of obstacles at this speed, m/s: slower, the tension of the
/// cloth around holds them.
constexpr double kPush = 1;
/// Share of a lack of distance that one step makes good.
constexpr double kRecovery = 0.2;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// How far something goes back in a step, m.
double return_step(double depth, double thickness, double dt) {
  return std::min(depth + thickness, dt * std::clamp(depth / kReturnTime, kSlowest, kFastest));
}

/// Where a line from a to b passes a plane above which they are so high, or its end nearest to it.
Vec3 passage(const Vec3& a, const Vec3& b, double height_a, double height_b) {
  const double share = height_a == height_b ? 0.5 : std::clamp(height_a / (height_a - height_b), 0.0, 1.0);
  return a + share * (b - a);
}

}  // namespace

double Untangler::radius_of(int triangle, std::span<const double> radii) const {
  const Triangle& t = surface_.triangles[at(triangle)];
  return std::max({radii[at(t[0])], radii[at(t[1])], radii[at(t[2])]});
}

void Untangler::pull_vertex(const Aspect& aspect, const View& view, std::span<const Vec3> velocity,
                            std::span<const double> radii, double dt,
                            std::vector<PairSpring>& springs) const {
  if (view.side == 0) return;
  const Proximity& near = view.proximity;
  const Triangle& t = surface_.triangles[at(view.triangle)];
  const double thickness = radii[at(view.vertex)] + radius_of(view.triangle, radii);
  PairSpring spring{{view.vertex, t[0], t[1], t[2]}, near.weights, near.normal, near.distance};
  if (view.side != aspect.side) {
    spring.normal = -near.normal;
    spring.gap = -near.distance;
    spring.target = spring.gap + return_step(near.distance, thickness, dt);
  } else {
    double recession = 0;
    for (size_t i = 0; i < 4; ++i)
      recession += near.weights[i] * near.normal.dot(velocity[at(spring.particles[i])]);
    if (near.distance + dt * recession >= thickness) return;
    spring.target =
        near.distance < thickness ? near.distance + kRecovery * (thickness - near.distance) : thickness;
  }
  leave_out_obstacles(velocity, dt, spring);
  springs.push_back(spring);
}

void Untangler::leave_out_obstacles(std::span<const Vec3> velocity, double dt, PairSpring& spring) const {
  for (size_t i = 0; i < 4; ++i) {
    if (!is_obstacle(sheet_[at(spring.particles[i])])) continue;
    spring.target -= dt * spring.weights[i] * spring.normal.dot(velocity[at(spring.particles[i])]);
    spring.weights[i] = 0;
    spring.particles[i] = spring.particles[0];
  }
}

/// Edges of obstacles push faces of cloth away whose vertices are all on the right side: across the edge, or
/// off its end where a corner sticks out.
void Untangler::push_face(const Crossing& crossing, double dt, std::vector<PairSpring>& springs) const {
  const Edge& edge = surface_.edges[at(crossing.edge)];
  const Triangle& t = surface_.triangles[at(crossing.triangle)];
  const int side = wanted_side(sheet_[at(edge[0])], face_sheet_[at(crossing.triangle)]);
  Vec3 way = Vec3::Zero();
  for (const int face : surface_.edge_triangles[at(crossing.edge)])
    if (face != kNoFace) way += face_normal_[at(face)];
  if (way.isZero()) return;
  way = side * way.normalized();
  const Vec3 &normal = face_normal_[at(crossing.triangle)], &a = x_[at(edge[0])], &b = x_[at(edge[1])];
  const double first = normal.dot(a - x_[at(t[0])]), second = normal.dot(b - x_[at(t[0])]);
  const int corner = std::abs(first) < std::abs(second) ? edge[0] : edge[1];
  const Vec3 point = passage(a, b, first, second);
  const double size = (x_[at(t[1])] - x_[at(t[0])]).norm();
  if ((x_[at(corner)] - point).norm() < size) way = side * vertex_normal_[at(corner)];
  springs.push_back({{t[0], t[1], t[2], t[0]}, {1 / 3.0, 1 / 3.0, 1 / 3.0, 0}, way, 0, dt * kPush});
}

/// Beside borders edges pass through faces without a vertex on a wrong side.
void Untangler::pull_edge(const Crossing& crossing, std::span<const Vec3> velocity,
                          std::span<const double> radii, double dt, std::vector<PairSpring>& springs) const {
  const Edge& edge = surface_.edges[at(crossing.edge)];
  if (is_obstacle(sheet_[at(edge[0])])) return push_face(crossing, dt, springs);
  const Vec3 way = wanted_side(face_sheet_[at(crossing.triangle)], sheet_[at(edge[0])]) *
                   face_normal_[at(crossing.triangle)];
  const Triangle& t = surface_.triangles[at(crossing.triangle)];
  const Vec3 &a = x_[at(edge[0])], &b = x_[at(edge[1])], &corner = x_[at(t[0])];
  const double first = way.dot(a - corner), second = way.dot(b - corner);
  if (first == second) return;
  const int wrong = first < second ? edge[0] : edge[1];
  const Vec3 point = passage(a, b, first, second);
  const Proximity near = vertex_triangle_proximity({point, corner, x_[at(t[1])], x_[at(t[2])]});
  const double gap = way.dot(x_[at(wrong)] - point);
  const double thickness = radii[at(wrong)] + radius_of(crossing.triangle, radii);
  PairSpring spring{
      {wrong, t[0], t[1], t[2]}, near.weights, way, gap, gap + return_step(-gap, thickness, dt)};
  leave_out_obstacles(velocity, dt, spring);
  springs.push_back(spring);
}

void Untangler::add_springs(std::span<const Vec3> velocity, std::span<const double> radii, double dt,
                            std::vector<PairSpring>& springs) const {
  for (const Aspect& aspect : aspects_)
    for (const View& view : aspect.views) pull_vertex(aspect, view, velocity, radii, dt, springs);
  for (const Crossing& crossing : crossings_) pull_edge(crossing, velocity, radii, dt, springs);
}

}  // namespace heddle
