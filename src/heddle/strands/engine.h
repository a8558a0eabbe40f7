#pragma once

#include <heddle/strands/refinement.h>
#include <heddle/strands/strand_contact.h>

#include <functional>
#include <optional>

namespace heddle {

/// When strands are refined (Spillmann 2008, 4.1.2). Angles are |u| l, the bend and twist from segment to
/// segment: the thesis gives 0.6 and 0.2 without a unit.
struct Adaptivity {
  double refine_angle = 0.6;  // rad
  double merge_angle = 0.2;   // rad
  double shortest = 0;        // m, Omega_min: no segment is cut to less
  double longest = HUGE_VAL;  // m, Omega_max: none is merged to more
  double merge_time = 0.01;   // s without contact, t_merge
  int every = 10;             // steps from one look to the next
  RefinementOptions options;
};

/// What a step took, and what it did.
struct StrandStepReport {
  StrandContactReport contact;
  double force_seconds = 0;  // of the processor, for forces and integration
  double refine_seconds = 0;
  int split = 0, merged = 0, cg_iterations = 0;
};

/// Strands with explicit steps as published (Spillmann 2008, 3.3 and chapters 4 and 6): semi-implicit Euler,
/// which makes the same positions as Verlet, frames by sub-steps, contact by displacements, refinement where
/// strands bend or touch.
class StrandEngine {
 public:
  Strands strands;
  Vec3 gravity = Vec3::Zero();
  int turning_substeps = 1;
  bool gyroscopic = false;
  std::optional<Adaptivity> adaptivity;
  /// Called at the beginning of each step: may set velocities and spins of what is held, and let it go.
  std::function<void(double time, Strands& strands)> prescribe;

  explicit StrandEngine(StrandContactOptions contact = {}, std::vector<StrandPlane> planes = {})
      : contact_(contact, std::move(planes)) {}

  StrandStepReport step(double dt);
  double time() const { return time_; }
  StrandContact& contact() { return contact_; }

 private:
  void turn_frames(double dt);
  void move_nodes(double dt);
  void respond(double dt, StrandStepReport& report);
  void note_touches();
  void adapt(double dt, StrandStepReport& report);
  void merge_where_wanted(StrandStepReport& report);
  void find_bends();
  bool touches(int segment, int half, double within) const;
  MovingSide freer_side(int segment, int other) const;
  bool wants_split(int segment, double interval) const;
  bool wants_merge(const StrandJoint& joint) const;

  StrandContact contact_;
  double time_ = 0;
  long steps_ = 0;
  StrandForces forces_;
  std::vector<Vec3> before_;
  std::vector<double> bend_;  // rad, the most at the joints of a segment
};

}  // namespace heddle
