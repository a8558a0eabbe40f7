#pragma once

#include <heddle/contact/surface_pairs.h>
#include <heddle/dynamics/encounters.h>

#include <functional>

namespace heddle {

/// What happened between the ends of steps, in all of them.
struct EncounterTotals {
  long registered = 0;  // pairs whose volumes of motion overlap
  long kept = 0;        // of those, that would come near each other if they went on straight
  long tested = 0;      // at events
  long pushes = 0;      // that stopped a pair
};

/// Contact of surfaces while particles move each in its own time (Thomaszewski 2010, 4.3): pairs are
/// registered for a step by the motion that velocities predict, those that would not come near each other on
/// the straight way are culled, the others are tested at the events of their triangles, and what
/// approaches within its thickness is stopped, with friction. What that misses is left to the end of the
/// step.
class EventEncounters final : public Encounters {
 public:
  using Exempt = std::function<bool(const PrimitivePair&)>;

  /// Knows the pairs of a contact, and keeps no more of them than it needs in a step.
  EventEncounters(SurfacePairs& pairs, Exempt is_exempt) : pairs_(&pairs), is_exempt_(std::move(is_exempt)) {}

  /// Positions of all vertices of the surface at the beginning of the step, and at its end if no force acts;
  /// obstacles are where they are told to be, m.
  void set_step(std::span<const Vec3> begin, std::span<const Vec3> ahead);

  void begin(std::span<const Triangle> triangles, std::span<const MovingParticle> particles,
             double dt) override;
  bool meet(int triangle, double time, std::span<const MovingParticle> particles, int& next,
            Push& push) override;

  const EncounterTotals& totals() const { return totals_; }

 private:
  /// Finds for each vertex a triangle whose events it is tested at.
  void assign_vertices(std::span<const Triangle> triangles);
  void register_pairs();
  /// Makes per triangle the list of its pairs.
  void sort_pairs();
  /// What stops a pair that approaches within its thickness; false if it does not.
  bool stop(const PrimitivePair& pair, double time, std::span<const MovingParticle> particles,
            Push& push) const;
  Vec3 position(int vertex, double time, std::span<const MovingParticle> particles) const;
  Vec3 velocity(int vertex, std::span<const MovingParticle> particles) const;
  double inverse_mass(int vertex, std::span<const MovingParticle> particles) const;

  SurfacePairs* pairs_;
  Exempt is_exempt_;
  EncounterTotals totals_;
  double dt_ = 0;                  // s
  std::vector<Vec3> begin_, end_;  // m, of all vertices of the surface
  std::vector<Triangle> triangles_;
  std::vector<int> triangle_of_;  // by vertex, or -1
  std::vector<PrimitivePair> kept_;
  std::vector<std::vector<PrimitivePair>> parts_;
  std::vector<int> start_, order_;  // per triangle: its pairs
};

}  // namespace heddle
