#pragma once

#include <heddle/forces/bending/patch_bending.h>
#include <heddle/materials/fabric.h>
#include <heddle/mesh/rest_state.h>
#include <heddle/mesh/topology.h>
#include <heddle/mesh/triangle_mesh.h>
#include <heddle/scene/scene_description.h>
#include <heddle/sim/fabric_library.h>

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// A cloth of the scene with everything its force terms are built from.
struct PreparedCloth {
  std::string name;
  int first_particle = 0;
  TriangleMesh mesh;  // where it starts, m
  RestState rest;
  Topology topology;
  std::vector<double> rest_angles;  // per hinge, rad
  std::vector<Fabric> fabrics;      // the different ones
  std::vector<std::string> fabric_names;
  std::vector<int> face_fabric;  // per face, into fabrics

  const Fabric& fabric(int face) const {
    return fabrics[static_cast<size_t>(face_fabric[static_cast<size_t>(face)])];
  }
  bool flat_at_rest() const;
  /// Bending rigidity across a hinge, from the direction of its edge against weft and warp, N m.
  double hinge_rigidity(const Hinge& hinge) const;
  double hinge_damping(const Hinge& hinge) const;  // s
  /// The hinge unfolded into the plane at its rest lengths, m.
  std::array<Vec3, 4> unfolded(const Hinge& hinge) const;
  /// A face with its neighbours, unfolded likewise; a missing neighbour's vertex is that of the face.
  BendingPatch unfolded_patch(int face) const;
  std::array<int, 6> patch_vertices(int face) const;
  /// Indices of a stencil in the arrays of the whole scene.
  template <size_t N>
  std::array<int, N> global(std::array<int, N> local) const {
    for (int& index : local) index += first_particle;
    return local;
  }
};

/// Generates or reads the mesh, checks it, places it and assigns fabrics. Reports everything that is wrong
/// and then returns nothing.
std::optional<PreparedCloth> prepare_cloth(const ClothDescription& cloth, const FabricLibrary& fabrics,
                                           const Catalogue& catalogue, int first_particle,
                                           Diagnostics& diagnostics);

}  // namespace heddle
