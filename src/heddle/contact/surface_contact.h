#pragma once

#include <heddle/contact/pair_contact.h>
#include <heddle/contact/surface_pairs.h>
#include <heddle/dynamics/barrier.h>
#include <heddle/dynamics/encounters.h>
#include <heddle/dynamics/pair_spring.h>
#include <heddle/dynamics/velocity_filter.h>

#include <span>

namespace heddle {

/// What the contact of surfaces took in one step.
struct SurfaceContactReport {
  int contacts = 0;
  int rounds = 0;        // of continuous detection
  int zones = 0;         // rigid ones, at the end
  double shift = 0;      // 1, the farthest that a vertex was moved, of the thickness there
  bool tangled = false;  // there were intersections at the beginning
  bool resolved = true;  // false: the step should be cut
  int meeting = -1;      // a vertex of cloth that could not be kept apart, if it was not resolved
  int entering = -1;     // a vertex that pins or hands led into an obstacle, if there is one
};

/// What it took in all pieces of all steps so far, also in those that were cut.
struct SurfaceContactTotals {
  int most_rounds = 0;  // of impulses after continuous detection, in one piece
  int clips = 0;        // pieces whose motion was cut short where those did not suffice
  int zones = 0;        // rigid ones, where that did not suffice either
};

/// How much of what contact did in a solve was wrong and is put right in the next.
enum class Revision { none, minor, major };

/// Particles that something else has to do with in a step, each list ascending.
struct HeldParticles {
  std::span<const int> moved;    // by pins or hands; may cross obstacles
  std::span<const int> inside;   // of an obstacle, at the beginning; may cross it
  std::span<const int> resting;  // on an obstacle
};

/// What a scene wants kept apart.
struct SurfaceContactScope {
  bool self = true;       // cloth from cloth
  bool obstacles = true;  // cloth from the faces of obstacles
};

/// How surfaces of cloth are kept apart from each other and from the faces of obstacles; vertices are kept
/// out of obstacles by ObstacleContact. In each step: begin_step, touch, a solve, predict, and if that asks
/// for it another solve with other springs and constraints, then resolve, and where needed solves with the
/// barrier.
class SurfaceContact {
 public:
  virtual ~SurfaceContact() = default;

  virtual const CollisionSurface& surface() const = 0;
  virtual SurfaceContactScope scope() const = 0;

  /// Takes the positions of all vertices of the surface at the beginning of a step, m. If surfaces may
  /// intersect, those that do should be pulled apart.
  virtual void begin_step(std::span<const Vec3> begin, bool may_intersect, const HeldParticles& held) = 0;

  /// Finds the springs() with which surfaces that touch at the beginning press and rub on each other; the
  /// solve should see them. `ahead` is where they would go without any force, obstacles where they are told
  /// to.
  /// `whole` is the length of a step that is not cut, s.
  virtual void touch(std::span<const Vec3> begin, std::span<const Vec3> ahead, double dt, double whole) {}
  /// Looks at the motion that the step would make without contact of surfaces; true if it asks for another
  /// solve.
  virtual bool predict(std::span<const Vec3> begin, std::span<const Vec3> end, double dt) = 0;
  /// What that solve should see.
  virtual std::span<PairSpring> springs() { return {}; }
  virtual void constrain(VelocityFilter& filter) {}
  /// Particles that constrain() holds, ascending.
  virtual std::span<const int> constrained() const { return {}; }
  /// Particles on their way back through meshes, ascending; these should let them pass in that solve.
  virtual std::span<const int> passing_obstacles() const { return {}; }
  /// Particles about to come off obstacles that they cross, ascending; friction should not hold them.
  virtual std::span<const int> leaving_obstacles() const { return {}; }
  /// Looks at the force with which the constraints were enforced, N per particle, and at the springs; says
  /// whether another solve is needed.
  virtual Revision revise(std::span<const Vec3> reaction) { return Revision::none; }

  /// May change `end`, the positions after the step. `planes` are obstacles as particles see them.
  virtual SurfaceContactReport resolve(std::span<const Vec3> begin, std::span<Vec3> end, double dt,
                                       std::span<PlaneContact> planes) = 0;
  /// After resolve(): keeps surfaces apart while the end of the step is looked for once more, starting from
  /// the `end` that resolve() gave; null if this way of contact has none. Valid until the next step.
  virtual Barrier* barrier(std::span<const Vec3> end, std::span<PlaneContact> planes) { return nullptr; }
  /// After touch(): keeps surfaces from meeting while a solve moves particles each in its own time; null if
  /// this way of contact has none. Valid until the next step.
  virtual Encounters* encounters() { return nullptr; }
  /// Of the last call of resolve().
  virtual const SurfaceContactReport& report() const = 0;
  virtual SurfaceContactTotals totals() const { return {}; }
  /// What the searches since the last call took.
  virtual SearchWork take_search_work() { return {}; }
  /// After resolve(): adds to every particle how hard other surfaces pressed on it during that step, N,
  /// also while they drew apart what intersects; nothing where that is not known.
  virtual void add_pressures(double dt, std::span<double> pressures) const {}
};

}  // namespace heddle
