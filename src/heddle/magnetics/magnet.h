#pragma once

#include <heddle/magnetics/cell_tree.h>
#include <heddle/math/rigid_transform.h>

namespace heddle {

/// How a body answers a magnetic field.
enum class MagnetKind {
  permanent,      // hard ferromagnet: its magnetisation never changes
  induced,        // para- and diamagnets, soft ferromagnets: magnetised by the field
  superconductor  // expels the field
};

struct MagnetMaterial {
  MagnetKind kind = MagnetKind::permanent;
  Vec3 remanence = Vec3::Zero();  // T, B_r of a permanent magnet, in the axes of the body
  double susceptibility = 0;      // chi of an induced one: above 0 attracted, from -1 to 0 repelled
  double saturation = 0;          // T, mu0 times the largest magnetisation of an induced one; 0: no limit
};

/// The susceptibility with which cells are magnetised: -1 for a superconductor, 0 for a permanent magnet.
double effective_susceptibility(const MagnetMaterial& material);

/// A magnetic body, constant; where it is comes with a pose.
struct Magnet {
  std::shared_ptr<const Solid> solid;
  CellTree cells;
  MagnetMaterial material;

  bool is_permanent() const { return material.kind == MagnetKind::permanent; }
};

/// Refuses susceptibilities below -1, negative saturations, densities that are not above 0 and what CellTree
/// refuses; `name` is shown with the messages.
Result<Magnet> make_magnet(std::shared_ptr<const Solid> solid, const MagnetMaterial& material,
                           const CellOptions& options, const std::string& name);

/// Errors for magnets that are within each other: the two, and how deep. Names and poses as many as
/// magnets.
Diagnostics check_overlaps(std::span<const Magnet> magnets, std::span<const RigidTransform> poses,
                           std::span<const std::string> names);

}  // namespace heddle
