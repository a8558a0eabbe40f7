#include <heddle/sim/prepared_body.h>

#include <heddle/core/text.h>
#include <heddle/geometry/tessellate.h>
#include <heddle/sim/loaded_mesh.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

std::shared_ptr<const Solid> checked(const Result<std::shared_ptr<const Solid>>& solid,
                                     const std::string& what, const SourceLocation& where,
                                     Diagnostics& diagnostics) {
  if (solid) return *solid;
  append_at(where, what, solid.errors(), diagnostics);
  return nullptr;
}

/// Fills surface, shape and solid.
bool load_body(const BodyDescription& body, BodyPart& part, Diagnostics& diagnostics) {
  MovingSurface surface;
  const std::string what = "body " + in_quotes(body.name) + ": ";
  if (body.shape) {
    part.shape = shape_of(body.shape).value();
    part.solid = checked(make_solid(*part.shape, body.shape.where), "", body.shape.where, diagnostics);
    if (!part.solid) return false;
    SurfaceMesh mesh = tessellate(*part.shape);
    surface.vertices = std::move(mesh.positions);
    surface.triangles = std::move(mesh.triangles);
  } else {
    std::optional<TriangleMesh> mesh = load_mesh(body.mesh, diagnostics);
    if (!mesh) return false;
    part.solid = checked(make_solid(*mesh, body.name), what, body.mesh.where, diagnostics);
    if (!part.solid) return false;
    surface.vertices = std::move(mesh->positions);
    surface.triangles = std::move(mesh->triangles);
  }
  part.surface = std::make_shared<const MovingSurface>(std::move(surface));
  return true;
}

SolidSurface solid_surface(const std::optional<ShapeVariant>& shape, const MovingSurface& surface) {
  if (shape) return {.shape = shape};
  return {.vertices = surface.vertices, .triangles = surface.triangles};
}

Vec3 in_own_axes(const PrincipalInertia& inertia, const Vec3& turning) {
  return inertia.axes * inertia.moments.cwiseProduct(inertia.axes.conjugate() * turning);
}

int number_named(const std::string& name, const Model& model) {
  for (size_t k = 0; k < model.bodies.size(); ++k)
    if (model.bodies[k].name == name) return static_cast<int>(k);
  for (size_t k = 0; k < model.obstacles.size(); ++k)
    if (model.obstacles[k].name == name) return static_cast<int>(model.bodies.size() + k);
  return -1;
}

}  // namespace

std::optional<PreparedBody> prepare_body(const BodyDescription& body, Diagnostics& diagnostics) {
  PreparedBody prepared;
  if (static_cast<bool>(body.shape) == static_cast<bool>(body.mesh))
    return std::nullopt;  // has been reported
  if (!load_body(body, prepared.part, diagnostics)) return std::nullopt;
  const VolumeProperties& properties = prepared.part.solid->properties();
  const Friction friction{body.stiction * body.friction, body.friction};
  prepared.part.name = body.name;
  prepared.part.friction = friction;
  prepared.part.centre = properties.centre;
  const double density = body.mass ? *body.mass / properties.volume : body.density;
  RigidBody& rigid = prepared.body;
  rigid.name = body.name;
  rigid.surface = solid_surface(prepared.part.shape, *prepared.part.surface);
  rigid.mass = density * properties.volume;
  rigid.centre = properties.centre;
  rigid.inertia = principal_inertia(density * properties.inertia);
  rigid.touch = {friction.resting, friction.sliding, body.restitution};
  rigid.damping = body.damping;
  rigid.angular_damping = body.angular_damping;
  BodyState& start = prepared.start;
  start.rotation = rotation_from_degrees(body.rotation);
  start.x = start.rotation * properties.centre + body.translation;
  start.v = body.velocity;
  const Vec3 turning = start.rotation.conjugate() * (kDegree * body.angular_velocity);
  start.angular_momentum = start.rotation * in_own_axes(rigid.inertia, turning);
  return prepared;
}

RigidObstacle rigid_obstacle(const ObstaclePart& obstacle) {
  return {solid_surface(obstacle.shape, *obstacle.surface),
          {obstacle.friction.resting, obstacle.friction.sliding, 0}};
}

std::vector<RigidJoint> make_joints(const SceneDescription& scene, const Model& model,
                                    std::span<const BodyState> bodies) {
  std::vector<RigidJoint> joints;
  const auto pose_of = [&](int number) {
    if (number < 0) return RigidTransform{};
    const auto k = static_cast<size_t>(number);
    if (k >= bodies.size()) return model.obstacles[k - bodies.size()].surface->motion.at(0);
    return RigidTransform{bodies[k].rotation, bodies[k].x - bodies[k].rotation * model.bodies[k].centre};
  };
  const auto local = [](const RigidTransform& pose, const RigidTransform& frame) {
    return RigidTransform{pose.rotation.conjugate() * frame.rotation, pose.point_to_local(frame.translation)};
  };
  for (const JointDescription& description : scene.joints) {
    RigidJoint& joint = joints.emplace_back();
    joint.name = description.name;
    joint.kind = description.kind == "fixed"    ? JointKind::fixed
                 : description.kind == "hinge"  ? JointKind::hinge
                 : description.kind == "slider" ? JointKind::slider
                                                : JointKind::ball;
    joint.first = number_named(description.body, model);
    joint.second = description.to.empty() ? -1 : number_named(description.to, model);
    const RigidTransform frame{Quat::FromTwoVectors(Vec3::UnitZ(), description.axis), description.place};
    joint.in_first = local(pose_of(joint.first), frame);
    joint.in_second = local(pose_of(joint.second), frame);
    if (!description.motor) continue;
    joint.motor = JointMotor{description.motor->place, description.motor->strength};
    if (joint.kind == JointKind::hinge)
      for (double& value : joint.motor->place.values) value *= kDegree;
  }
  return joints;
}

std::optional<Magnet> prepare_magnet(const MagnetDescription& magnet,
                                     const std::shared_ptr<const Solid>& solid, bool is_ball,
                                     const std::string& name, Diagnostics& diagnostics) {
  constexpr double kUsualDensity = 8e6;  // 1/m3
  const double volume = solid->bounds().volume();
  const double usual = is_ball ? 1 : std::clamp(std::ceil(kUsualDensity * volume), 8.0, 512.0);
  const double cells = magnet.cells ? *magnet.cells : usual;
  constexpr double kRounding = 1 - 1e-9;
  const MagnetMaterial material{.kind = magnet.kind == "permanent" ? MagnetKind::permanent
                                        : magnet.kind == "induced" ? MagnetKind::induced
                                                                   : MagnetKind::superconductor,
                                .remanence = magnet.remanence,
                                .susceptibility = magnet.susceptibility,
                                .saturation = magnet.saturation};
  Result<Magnet> made = make_magnet(solid, material, {.density = kRounding * cells / volume}, name);
  if (made) return std::move(*made);
  append_at(magnet.where, "", made.errors(), diagnostics);
  return std::nullopt;
}

std::shared_ptr<const Solid> obstacle_solid(const ObstaclePart& obstacle, const SourceLocation& where,
                                            Diagnostics& diagnostics) {
  if (obstacle.shape) return checked(make_solid(*obstacle.shape, where), "", where, diagnostics);
  if (obstacle.surface->deforms()) {
    diagnostics.error(where, "a sequence cannot be magnetic", "use a shape or a closed mesh that moves");
    return nullptr;
  }
  TriangleMesh mesh;
  mesh.positions = obstacle.surface->vertices;
  mesh.triangles = obstacle.surface->triangles;
  return checked(make_solid(mesh, obstacle.name), "obstacle " + in_quotes(obstacle.name) + ": ", where,
                 diagnostics);
}

}  // namespace heddle
