#pragma once

#include <heddle/magnetics/magnet_system.h>

#include <functional>

namespace heddle {

/// Magnets at their places.
struct MagnetScene {
  std::vector<Magnet> magnets;
  std::vector<RigidTransform> poses;

  int cell_count() const;
  void add(const std::shared_ptr<const Solid>& solid, const MagnetMaterial& material, double density,
           const RigidTransform& pose);
};

/// An example of Thomaszewski 2010, 6.4.1, at one moment: sizes and places are not given there, see
/// magnet_scenes.cpp. At least as many cells as there.
struct MagnetExample {
  std::string name;
  int cells = 0;            // published
  double milliseconds = 0;  // published, for magnetic forces in one step
  double gain = 0;          // published, of adaptive fronts
  std::function<MagnetScene()> make;
};
std::vector<MagnetExample> magnet_examples();

/// As published: permanent magnets magnetise, no parts at contact, all pairs of magnets. The distance r_0 at
/// which the finest cells suffice is one edge of them: figure 6.7 shows cells of 5 mm to do at 5 mm.
MagnetOptions published_options(bool adaptive);

/// A cube of 1 cm3 and 1 T along z with n x n x n cells, n a power of 2.
Magnet unit_cube(int n, const Vec3& remanence = {0, 0, 1});
std::shared_ptr<const Solid> solid_of(const ShapeVariant& shape);
/// A ring of square section (m) about the z axis.
std::shared_ptr<const Solid> ring_solid(double radius, double section);

/// Two toy magnets with an iron ball at the right one (example 6.1); the gap in m is that from the left
/// magnet to the ball. Magnets 0 and 1 are the left toy, 2 and 3 the right one, 4 the ball.
MagnetScene toy_magnets(double gap, bool parallel);

/// Pairs of cells that are computed in one step.
std::int64_t cell_pairs(const MagnetScene& scene, const FrontOptions& front);

}  // namespace heddle
