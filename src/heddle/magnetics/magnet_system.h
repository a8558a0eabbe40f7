#pragma once

#include <heddle/magnetics/coil.h>
#include <heddle/magnetics/induction.h>

namespace heddle {

struct MagnetOptions {
  InteractionOptions interaction;
  InductionOptions induction;
  Vec3 outer_field = Vec3::Zero();  // T, the same everywhere
};

/// Magnets and coils that act on each other. Knows no masses and no time: places in, forces and torques out.
class MagnetSystem {
 public:
  explicit MagnetSystem(std::vector<Magnet> magnets, std::vector<Coil> coils = {},
                        const MagnetOptions& options = {});

  /// Puts all at their places, magnetises what is induced, and computes what acts on each
  /// (Thomaszewski 2010, algorithm 6.1). As many poses as magnets and coils.
  InductionReport update(std::span<const RigidTransform> poses,
                         std::span<const RigidTransform> coil_poses = {});

  // Of the last update.
  std::span<const Wrench> loads() const { return loads_; }  // on magnets, about the origins of their poses
  std::span<const Wrench> coil_loads() const { return coil_loads_; }  // on coils, the same
  std::span<const PlacedMagnet> magnets() const { return placed_; }
  /// Flux density at a place, T: of all cells, coils and the outer field. Inside magnets it is that of their
  /// cells, none of them nearer than its diameter.
  Vec3 field(const Vec3& place) const;

  void set_current(int coil, double current) { coils_[static_cast<size_t>(coil)].current = current; }  // A

 private:
  std::vector<Vec3> outer_fields(const Interactions& interactions) const;
  void add_outer_loads();
  void add_coil_loads();

  std::vector<Magnet> bodies_;
  std::vector<Coil> coils_;
  MagnetOptions options_;
  std::vector<PlacedMagnet> placed_;
  std::vector<PlacedCoil> placed_coils_;
  std::vector<Wrench> loads_, coil_loads_;
};

}  // namespace heddle
