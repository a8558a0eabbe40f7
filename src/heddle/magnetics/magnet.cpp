#include <heddle/magnetics/magnet.h>

#include <heddle/core/text.h>
#include <heddle/geometry/oriented_box.h>

#include <algorithm>

namespace heddle {

namespace {

OrientedBox placed_box(const Magnet& magnet, const RigidTransform& pose) {
  const BoundingBox& box = magnet.solid->bounds();
  return {pose.point(box.center()), pose.rotation.toRotationMatrix(), 0.5 * box.sizes()};
}

/// Points within a body, as a lattice over its bounding box: cells alone are too few to see overlaps.
std::vector<Vec3> points_within(const Solid& solid) {
  constexpr int kAlong = 8;
  std::vector<Vec3> points;
  const BoundingBox& box = solid.bounds();
  for (int i = 0; i < kAlong * kAlong * kAlong; ++i) {
    const Vec3 share(i % kAlong + 0.5, i / kAlong % kAlong + 0.5, i / (kAlong * kAlong) + 0.5);
    const Vec3 point = box.min() + box.sizes().cwiseProduct(share / kAlong);
    if (solid.distance(point) < 0) points.push_back(point);
  }
  return points;
}

/// How deep one magnet lies inside another, m; 0 if it does not.
double depth_within(const Magnet& inner, const RigidTransform& pose, const Magnet& outer,
                    const RigidTransform& outer_pose) {
  double depth = 0;
  for (int leaf = 0; leaf < inner.cells.leaf_count(); ++leaf)
    for (const Vec3& part : inner.cells.parts(leaf, 3))
      depth = std::max(depth, -outer.solid->distance(outer_pose.point_to_local(pose.point(part))));
  for (const Vec3& point : points_within(*inner.solid))
    depth = std::max(depth, -outer.solid->distance(outer_pose.point_to_local(pose.point(point))));
  return depth;
}

}  // namespace

double effective_susceptibility(const MagnetMaterial& material) {
  switch (material.kind) {
    case MagnetKind::permanent:
      return 0;
    case MagnetKind::induced:
      return material.susceptibility;
    case MagnetKind::superconductor:
      return -1;
  }
  return 0;
}

Result<Magnet> make_magnet(std::shared_ptr<const Solid> solid, const MagnetMaterial& material,
                           const CellOptions& options, const std::string& name) {
  Diagnostics diagnostics;
  if (material.kind == MagnetKind::induced && !(material.susceptibility >= -1))
    diagnostics.error({name},
                      "a susceptibility of " + short_number_text(material.susceptibility) +
                          " is below -1, which no material has",
                      "use -1 to 0 for diamagnets, or the kind superconductor");
  if (!(material.saturation >= 0))
    diagnostics.error({name}, "the saturation of " + short_number_text(material.saturation) + " T is below 0",
                      "use 0 for none, or about 2 T for iron");
  if (!(options.density > 0))
    diagnostics.error({name},
                      "a density of " + short_number_text(options.density) + " cells per m3 gives no cells",
                      "use a number above 0, such as 8e6");
  if (diagnostics.has_errors()) return diagnostics;
  Result<CellTree> cells = CellTree::build(*solid, options, name);
  if (!cells) return cells.errors();
  return Magnet{std::move(solid), std::move(*cells), material};
}

Diagnostics check_overlaps(std::span<const Magnet> magnets, std::span<const RigidTransform> poses,
                           std::span<const std::string> names) {
  constexpr double kTouch = 1e-6;  // m, of bodies that are put side by side
  Diagnostics diagnostics;
  for (size_t i = 0; i < magnets.size(); ++i)
    for (size_t j = i + 1; j < magnets.size(); ++j) {
      if (are_apart(placed_box(magnets[i], poses[i]), placed_box(magnets[j], poses[j]), kTouch)) continue;
      const double depth = std::max(depth_within(magnets[i], poses[i], magnets[j], poses[j]),
                                    depth_within(magnets[j], poses[j], magnets[i], poses[i]));
      if (depth <= kTouch) continue;
      diagnostics.error({names[i]},
                        "the magnets \"" + names[i] + "\" and \"" + names[j] + "\" are " +
                            short_number_text(depth) + " m within each other",
                        "move them apart");
    }
  return diagnostics;
}

}  // namespace heddle
