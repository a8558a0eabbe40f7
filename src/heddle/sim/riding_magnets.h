#pragma once

#include <heddle/magnetics/dipole.h>
#include <heddle/magnetics/magnet.h>
#include <heddle/sim/model.h>

#include <memory>
#include <span>
#include <vector>

namespace heddle {

struct MagnetDescription;
struct PreparedCloth;
struct PreparedRod;

/// A magnetised cloth or rod: small magnets, of one cell each, that ride on particles.
class RidingMagnets {
 public:
  RidingMagnets(std::vector<Magnet> magnets, int object) : magnets_(std::move(magnets)), object_(object) {}
  virtual ~RidingMagnets() = default;

  std::span<const Magnet> magnets() const { return magnets_; }
  /// Number among the cloths, or behind them among the rods.
  int object() const { return object_; }
  /// Of all magnets, in their order.
  virtual void append_poses(const State& state, std::vector<RigidTransform>& poses) const = 0;
  /// What `loads` about the origins of the poses do to the particles, N (of turning ones N m).
  virtual void add_forces(const State& state, std::span<const Wrench> loads,
                          std::span<Vec3> forces) const = 0;

 private:
  std::vector<Magnet> magnets_;
  int object_;
};

/// A magnet for each face: its remanence is along weft, warp and normal. Null if it cannot be magnetic.
std::unique_ptr<RidingMagnets> make_magnetic_cloth(const MagnetDescription& magnet,
                                                   const PreparedCloth& cloth, int number,
                                                   Diagnostics& diagnostics);
/// A magnet for each segment: its remanence is along the directors d1, d2, d3, where d3 is the direction of
/// the segment.
std::unique_ptr<RidingMagnets> make_magnetic_rod(const MagnetDescription& magnet, const PreparedRod& rod,
                                                 const RodPlace& place, int number, Diagnostics& diagnostics);

}  // namespace heddle
