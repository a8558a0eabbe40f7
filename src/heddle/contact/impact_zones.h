#pragma once

#include <heddle/contact/impulse_solver.h>

#include <vector>

namespace heddle {

/// The last means against contacts that impulses do not resolve: vertices that collide with each other move
/// as one rigid body for this step, with the momentum and the angular momentum they have together
/// (Provot 1997; Bridson, Fedkiw, Anderson 2002). A zone that holds particles which move as told moves with
/// them. Zones only grow until clear().
class ImpactZones {
 public:
  void clear(int vertex_count);
  /// The vertices of a contact belong together.
  void join(std::span<const int> vertices);
  /// Sets the velocities of all zones.
  void stiffen(const Bodies& bodies) const;
  int zone_count() const;

 private:
  int root(int vertex) const;
  static void stiffen(std::span<const int> zone, const Bodies& bodies);

  std::vector<int> parent_;  // of each vertex; roots are their own
  std::vector<int> joined_;  // vertices in some zone, in the order they came
};

}  // namespace heddle
