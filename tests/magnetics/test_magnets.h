#pragma once

#include <heddle/core/random.h>
#include <heddle/magnetics/magnet_system.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace heddle {

inline Vec3 random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

inline RigidTransform random_pose(Random& random, double spread) {
  return {rotation_from_degrees(180 * random_vector(random)), spread * random_vector(random)};
}

inline Magnet magnet_of(const ShapeVariant& shape, const MagnetMaterial& material,
                        const CellOptions& options) {
  auto solid = make_solid(shape, {});
  auto magnet = make_magnet(*solid, material, options, "magnet");
  EXPECT_TRUE(magnet.ok()) << (magnet.ok() ? "" : magnet.errors().text());
  return std::move(*magnet);
}

inline MagnetMaterial permanent(const Vec3& remanence) {
  return {.kind = MagnetKind::permanent, .remanence = remanence};
}
inline MagnetMaterial induced(double chi, double saturation = 0) {
  return {.kind = MagnetKind::induced, .susceptibility = chi, .saturation = saturation};
}

/// A cube of 1 cm with n x n x n cells; n a power of 2.
inline Magnet cube_magnet(int n, const Vec3& remanence = {0, 0, 1}) {
  return magnet_of(Box{{0.01, 0.01, 0.01}}, permanent(remanence), {.density = n * n * n / 1e-6});
}

/// A ball with about as many cells along its diameter; n a power of 2.
inline Magnet ball_magnet(double radius, int n, const MagnetMaterial& material) {
  return magnet_of(Sphere{radius}, material, {.density = n * n * n / (8 * radius * radius * radius)});
}

/// n x n x n equal dipoles in a cube of 1 cm of 1 T along z.
inline std::vector<Dipole> cube_lattice(int n, const Vec3& centre) {
  std::vector<Dipole> dipoles;
  const double h = 0.01 / n;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        dipoles.push_back({centre + h * Vec3(i + 0.5 - 0.5 * n, j + 0.5 - 0.5 * n, k + 0.5 - 0.5 * n),
                           {0, 0, h * h * h / kVacuumPermeability}});
  return dipoles;
}

inline Vec3 lattice_force(int n, const Vec3& offset) {
  DipoleList first;
  for (const Dipole& d : cube_lattice(n, Vec3::Zero())) first.add(d.position, d.moment);
  first.finish();
  Vec3 force = Vec3::Zero();
  for (const Dipole& d : cube_lattice(n, offset)) force += load_of(first, d, 1e-9).force;
  return force;
}

/// A closed ring of square section about the z axis, m.
inline TriangleMesh ring_mesh(double radius, double section, int around) {
  TriangleMesh mesh;
  const double half = 0.5 * section;
  const Vec2 corners[] = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
  for (int i = 0; i < around; ++i)
    for (const Vec2& corner : corners) {
      const double angle = 2 * std::numbers::pi * i / around, r = radius + corner[0];
      mesh.positions.emplace_back(r * std::cos(angle), r * std::sin(angle), corner[1]);
    }
  for (int i = 0; i < around; ++i)
    for (int k = 0; k < 4; ++k) {
      const int a = 4 * i + k, b = 4 * i + (k + 1) % 4;
      const int c = 4 * ((i + 1) % around) + k, d = 4 * ((i + 1) % around) + (k + 1) % 4;
      mesh.triangles.push_back({a, c, b});
      mesh.triangles.push_back({b, c, d});
    }
  return mesh;
}

/// Sums over all bodies relative to sums of sizes; torques about the origin.
struct Balance {
  double force = 0, torque = 0;
};
inline Balance balance_of(std::span<const Wrench> loads, std::span<const RigidTransform> poses) {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double force_size = 0, torque_size = 0;
  for (size_t i = 0; i < loads.size(); ++i) {
    const Vec3 moment = poses[i].translation.cross(loads[i].force);
    force += loads[i].force;
    torque += loads[i].torque + moment;
    force_size += loads[i].force.norm();
    torque_size += loads[i].torque.norm() + moment.norm();
  }
  return {force.norm() / force_size, torque.norm() / torque_size};
}

}  // namespace heddle
