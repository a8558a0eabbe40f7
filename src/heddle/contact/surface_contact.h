#pragma once

#include <heddle/collision/broad/broad_phase.h>
#include <heddle/contact/impact_zones.h>
#include <heddle/contact/impulse_solver.h>
#include <heddle/contact/untangle.h>
#include <heddle/core/describe.h>
#include <heddle/dynamics/pair_spring.h>
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
  int rounds = 12;          // of continuous detection with impulses
  double separation = 0.1;  // 1, share of the thickness

  static void describe(Describer<ImpulseContact>& d);
};

/// What a vertex brings into a contact of surfaces.
struct Skin {
  double radius = 0;  // m, half the thickness
  Roughness roughness;
  double inverse_mass = 0;  // 1/kg, zero if it moves as told
};

/// What the resolution of one step took.
struct SurfaceContactReport {
  int contacts = 0;
  int rounds = 0;        // of continuous detection
  int zones = 0;         // rigid ones, at the end
  bool tangled = false;  // there were intersections at the beginning
  bool resolved = true;  // the step ends without any pair having met
};

/// Keeps surfaces apart: cloth from itself, from other cloth and from mesh obstacles. In three stages
/// (Bridson, Fedkiw, Anderson 2002; Thomaszewski 2010, 2.4.3): pairs that are nearer than their thickness, or
/// will be, get impulses with friction; then continuous detection and impulses alternate until no pair meets;
/// what is left moves rigidly. Stage two misses nothing, so a step that starts without intersections and is
/// resolved ends without.
class SurfaceContact {
 public:
  /// Without `parameters.self` only pairs with an obstacle are kept apart; without `parameters.obstacles` the
  /// surface should have none. `reference` are positions for which the search tree is built, best the rest
  /// shape.
  SurfaceContact(const ImpulseContact& parameters, CollisionSurface surface, std::vector<Skin> skins,
                 std::span<const Vec3> reference, FrictionTable frictions = {});
  SurfaceContact(const SurfaceContact&) = delete;  // its parts know each other
  SurfaceContact& operator=(const SurfaceContact&) = delete;

  const ImpulseContact& parameters() const { return parameters_; }
  const CollisionSurface& surface() const { return surface_; }

  /// Takes the positions of all vertices of the surface at the beginning of a step, m. `held` are particles
  /// that something else moves; `inside` are particles that began inside an obstacle: both may cross
  /// obstacles. If surfaces may intersect, those that do are pulled apart in this step; otherwise it looks
  /// for them only if it fails.
  void begin_step(std::span<const Vec3> begin, bool may_intersect, std::span<const int> held,
                  std::span<const int> inside);

  /// Springs for the pairs of cloth that motion from `begin` to `end` would bring too near, so that the
  /// solver sees them beside all other forces.
  std::span<PairSpring> find_springs(std::span<const Vec3> begin, std::span<const Vec3> end, double dt);

  /// Changes `end` so that straight motion from `begin` meets nothing. `planes` are obstacles as particles
  /// see them.
  SurfaceContactReport resolve(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                               std::span<PlaneContact> planes);
  /// Of the last call of resolve().
  const SurfaceContactReport& report() const { return report_; }

 private:
  struct Pair {
    std::array<int, 4> vertices;
    bool vertex_triangle;
  };
  struct Pressed {
    std::array<int, 4> vertices;
    double impulse;  // N s
    auto operator<=>(const Pressed&) const = default;
  };
  Pair pair_of(int candidate) const;
  int candidate_count() const;
  PairPoints points(const Pair& pair, std::span<const Vec3> positions) const;
  static Proximity proximity(const Pair& pair, const PairPoints& x);
  /// True for pairs that nothing can keep apart: of an obstacle and cloth that is sewn to it or in it, and
  /// of triangles that intersect already.
  bool is_exempt(const Pair& pair) const;
  bool is_tangled(const Pair& pair) const;
  bool crosses_obstacle(int triangle) const;
  /// Pairs of triangles that intersect and should not.
  std::vector<std::array<int, 2>> intersecting(std::span<const Vec3> x) const;
  /// Shows the untangler what intersects, and lets pass what it cannot help.
  void find_tangles(std::span<const Vec3> begin);
  void find_velocities(std::span<const Vec3> begin, std::span<const Vec3> end, double dt);
  /// Near pairs, then rounds of detection and impulses; true if they end with nothing meeting.
  bool resolve_by_impulses(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                           std::span<PlaneContact> planes, SurfaceContactReport& report);
  bool resolve_by_zones(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                        SurfaceContactReport& report);
  double thickness(const Pair& pair) const;
  Friction friction(const Pair& pair) const;
  void search(std::span<const Vec3> begin, std::span<const Vec3> end);
  void move(std::span<const Vec3> begin, std::span<Vec3> end, double dt);
  void add_near_pairs(std::span<const Vec3> begin, double dt);
  /// Tells contacts what their springs pressed with.
  void take_over_springs();
  /// Adds contacts for all pairs that meet; returns how many. Pairs that did not meet and have not moved
  /// since are not looked at again.
  int add_meeting_pairs(std::span<const Vec3> begin, std::span<const Vec3> end);
  template <class Find>
  int collect(const Find& find);

  ImpulseContact parameters_;
  SurfaceContactReport report_;
  CollisionSurface surface_;
  std::vector<Skin> skins_;
  FrictionTable frictions_;
  std::unique_ptr<BroadPhase> broad_;
  std::vector<double> radii_;
  std::vector<double> inverse_mass_;
  std::vector<Vec3> velocity_;
  std::vector<Vec3> wanted_, relative_end_, partial_;
  std::vector<Vec3> detected_end_;  // of the last detection in this step, or empty
  std::vector<char> changed_;       // by vertex: moved since then, or part of a pair that met
  std::vector<char> crosses_obstacles_, left_alone_;  // by vertex
  bool is_tangled_ = false;                           // something intersects at the beginning of this step
  Untangler untangler_;
  CandidatePairs candidates_;
  std::vector<PairSpring> springs_;  // of this step
  std::vector<Pressed> pressed_;
  std::vector<PairContact> contacts_;
  std::vector<std::vector<PairContact>> found_;  // by chunk of candidates
  ImpactZones zones_;
};

}  // namespace heddle
