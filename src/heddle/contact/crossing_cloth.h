#pragma once

#include <heddle/contact/surface_contact.h>
#include <heddle/contact/surface_pairs.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// Cloth that nothing can keep out of obstacles: what began a step inside of one, and what pins or hands hold
/// in it or move into it. Other obstacles stay closed to what is held.
class CrossingCloth {
 public:
  /// The pairs must outlive it.
  explicit CrossingCloth(const SurfacePairs& pairs) : pairs_(&pairs) {}

  void begin_step(const HeldParticles& held);
  /// Of a triangle of cloth and one of an obstacle that intersect at the beginning of the step: true if they
  /// may go on to, because a vertex of the cloth's is held or inside.
  bool admit(const std::array<int, 2>& triangles);
  /// Looks at what is held among the candidates of the motion from `begin` to `end`, m. What comes as near to
  /// an obstacle as only pins bring it may cross that obstacle from now on.
  void look(std::span<const Vec3> begin, std::span<const Vec3> end);
  /// A vertex of a held part that runs into an obstacle in the motion that was looked at last, or -1.
  int entering() const { return entering_; }
  /// Whether the parts of a pair may pass through each other.
  bool may_cross(const PrimitivePair& pair) const;

 private:
  /// A held vertex and the body of an obstacle that it may cross.
  struct Pass {
    int vertex = 0, body = 0;
    auto operator<=>(const Pass&) const = default;
  };
  /// How a held part of cloth goes, seen from an obstacle.
  enum class Way { apart, along, into };
  struct Meeting {
    Pass pass;
    Way way = Way::apart;
  };
  bool is_held(int vertex) const { return held_[static_cast<size_t>(vertex)] != 0; }
  bool is_inside(int vertex) const { return inside_[static_cast<size_t>(vertex)] != 0; }
  /// Of the obstacle in a pair, or -1.
  int obstacle_of(const PrimitivePair& pair) const;
  /// True if all that the pair has of cloth is held.
  bool is_told(const PrimitivePair& pair) const;
  Way way_of(const PrimitivePair& pair, std::span<const Vec3> begin, std::span<const Vec3> end) const;
  void sort_passes();

  const SurfacePairs* pairs_;
  std::vector<char> held_, inside_;  // by vertex
  bool is_any_held_ = false, is_any_inside_ = false;
  std::vector<Pass> passes_;  // ascending
  std::vector<Meeting> meeting_;
  std::vector<std::vector<Meeting>> found_;  // by chunk of candidates
  int entering_ = -1;
};

}  // namespace heddle
