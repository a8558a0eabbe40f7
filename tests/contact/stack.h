#pragma once

#include <heddle/contact/surface_pairs.h>

#include <vector>

namespace heddle::test {

inline constexpr double kStep = 0.01;  // s

/// Square sheets of `cells` x `cells` cells of 1 cm, one above the other.
struct Stack {
  std::vector<CollisionBody> bodies;
  std::vector<Vec3> x, v;
  std::vector<Skin> skins;
  std::vector<Triangle> triangles;  // of all sheets

  void add(int cells, const Vec3& corner, const Vec3& velocity, bool kinematic = false) {
    const int first = static_cast<int>(x.size()), row = cells + 1;
    CollisionBody body{.vertex_count = row * row, .triangles = {}, .kinematic = kinematic};
    for (int j = 0; j < row; ++j)
      for (int i = 0; i < row; ++i) {
        x.push_back(corner + 0.01 * Vec3(i, j, 0));
        v.push_back(velocity);
        skins.push_back(
            {.radius = 5e-4, .roughness = {{0.3, 0.3}}, .inverse_mass = kinematic ? 0.0 : 1 / 2e-5});
      }
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const int a = j * row + i;
        body.triangles.push_back({a, a + 1, a + row});
        body.triangles.push_back({a + 1, a + row + 1, a + row});
      }
    for (const Triangle& t : body.triangles) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    bodies.push_back(std::move(body));
  }
};

}  // namespace heddle::test
