#pragma once

#include <heddle/contact/contact_barrier.h>
#include <heddle/contact/crossing_cloth.h>
#include <heddle/contact/event_encounters.h>
#include <heddle/contact/impact_zones.h>
#include <heddle/contact/impulse_solver.h>
#include <heddle/contact/surface_contact.h>
#include <heddle/contact/untangle.h>
#include <heddle/core/describe.h>
#include <heddle/geometry/continuous.h>

#include <memory>
#include <span>
#include <vector>

namespace heddle {

/// Scene parameters of contact by impulses.
struct ImpulseContact {
  bool self = true;         // keep cloth away from cloth
  bool obstacles = true;    // keep cloth away from the faces of obstacles
  int sweeps = 10;          // of impulses in each round, at most
  int rounds = 6;           // of continuous detection with impulses
  double separation = 0.1;  // 1, share of the thickness

  static void describe(Describer<ImpulseContact>& d);
};

/// Keeps surfaces apart: cloth from itself, from other cloth and from mesh obstacles. In three stages
/// (Bridson, Fedkiw, Anderson 2002; Thomaszewski 2010, 2.4.3): pairs that are nearer than their thickness, or
/// will be, get impulses with friction; then continuous detection and impulses alternate until no pair meets;
/// what is left moves rigidly. Stage two misses nothing, so a step that starts without intersections and is
/// resolved ends without.
class ContactByImpulses : public SurfaceContact {
 public:
  /// The pairs are those of the scope of the parameters.
  ContactByImpulses(const ImpulseContact& parameters, std::unique_ptr<SurfacePairs> pairs);

  const CollisionSurface& surface() const override { return pairs_->surface(); }
  SurfaceContactScope scope() const override { return {parameters_.self, parameters_.obstacles}; }
  /// Intersections are looked for if there may be some, or if the step fails.
  void begin_step(std::span<const Vec3> begin, bool may_intersect, const HeldParticles& held) override;
  void touch(std::span<const Vec3> begin, std::span<const Vec3> ahead, double dt, double whole) override;
  /// Draws apart what intersects.
  bool predict(std::span<const Vec3> begin, std::span<const Vec3> end, double dt) override;
  std::span<PairSpring> springs() override { return springs_; }
  std::span<const int> passing_obstacles() const override { return untangler_.passing_obstacles(); }
  std::span<const int> leaving_obstacles() const override { return untangler_.leaving_obstacles(); }
  /// Lets springs go that pull, and others rub as they press.
  Revision revise(std::span<const Vec3> reaction) override;
  /// Changes `end` so that straight motion from `begin` meets nothing.
  SurfaceContactReport resolve(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                               std::span<PlaneContact> planes) override;
  Barrier* barrier(std::span<const Vec3> end, std::span<PlaneContact> planes) override;
  Encounters* encounters() override { return touched_ ? &encounters_ : nullptr; }
  const EncounterTotals& encounter_totals() const { return encounters_.totals(); }
  const SurfaceContactReport& report() const override { return report_; }
  SurfaceContactTotals totals() const override { return totals_; }
  SearchWork take_search_work() override { return pairs_->take_work(); }
  /// What rigid zones take is not known and left out.
  void add_pressures(double dt, std::span<double> pressures) const override;

 private:
  /// True for pairs that nothing can keep apart: of an obstacle and cloth that crosses it, and of triangles
  /// that intersect already.
  bool is_exempt(const PrimitivePair& pair) const;
  bool is_tangled(const PrimitivePair& pair) const;
  /// True if some of its vertices move as told.
  bool is_told(const std::array<int, 4>& vertices) const;
  /// The farthest that a vertex was moved from where the step wanted it, of the thickness there.
  double farthest_shift(std::span<const Vec3> end) const;
  /// Of the contacts found last.
  int first_free_vertex() const;
  /// Pairs of triangles that intersect and should not.
  std::vector<std::array<int, 2>> intersecting(std::span<const Vec3> x);
  /// Shows the untangler what intersects, and lets pass what it cannot help.
  void find_tangles(std::span<const Vec3> begin);
  void find_velocities(std::span<const Vec3> begin, std::span<const Vec3> end, double dt);
  /// Near pairs, then rounds of detection and impulses; true if they end with nothing meeting.
  bool resolve_by_impulses(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                           std::span<PlaneContact> planes, SurfaceContactReport& report);
  bool resolve_by_zones(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                        SurfaceContactReport& report);
  void move(std::span<const Vec3> begin, std::span<Vec3> end, double dt);
  void add_near_pairs(std::span<const Vec3> begin, double dt);
  /// Sums up how hard springs and contacts pressed.
  void find_pressures();
  /// A contact for a pair that is nearest already and would come nearer.
  std::optional<PairContact> nearing(const PrimitivePair& pair, const PairPoints& x0,
                                     const PairPoints& x1) const;
  /// Adds contacts for all pairs that meet; returns how many. Pairs that did not meet and have not moved
  /// since are not looked at again.
  int add_meeting_pairs(std::span<const Vec3> begin, std::span<const Vec3> end);
  template <class Find>
  int collect(const Find& find);

  ImpulseContact parameters_;
  SurfaceContactReport report_;
  SurfaceContactTotals totals_;
  std::unique_ptr<SurfacePairs> pairs_;
  std::vector<double> inverse_mass_;
  std::vector<Vec3> velocity_;
  std::vector<Vec3> wanted_;
  std::vector<Vec3> detected_end_;  // of the last detection in this step, or empty
  std::vector<char> changed_;       // by vertex: moved since then, or part of a pair that met
  std::vector<char> left_alone_;    // by vertex
  bool has_crossings_ = false;      // of cloth that may cross obstacles, in this step
  bool is_tangled_ = false;         // something intersects at the beginning of this step
  Untangler untangler_;
  CrossingCloth crossing_;
  std::vector<PairSpring> springs_;  // of this step
  bool touched_ = false;             // springs_ know the pairs that were near at the beginning
  std::vector<PairContact> contacts_;
  std::vector<double> pressures_;                // by vertex: N s in the last step
  std::vector<std::vector<PairContact>> found_;  // by chunk of candidates
  ImpactZones zones_;
  ContactBarrier barrier_;
  EventEncounters encounters_;
};

}  // namespace heddle
