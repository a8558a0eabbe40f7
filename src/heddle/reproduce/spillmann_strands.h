#pragma once

#include <heddle/strands/engine.h>

#include <span>
#include <string>
#include <vector>

namespace heddle {

// Strands for the experiments of Spillmann 2008: materials of Table 3.2 by the printed law that they belong
// to, a soft cord by the physical one, and what steps took.

StrandMaterial comparison_strand();
StrandMaterial wire_strand();
StrandMaterial thread_strand();
StrandMaterial rope_strand();
/// Radius of 5 mm, explicit steps of 0.1 ms with segments of 6 mm.
StrandMaterial cord_strand(double friction);

/// Along a direction; `twist` in rad from end to end.
RodShape straight_strand(double length, int segments, double twist = 0, const Vec3& from = Vec3::Zero(),
                         const Vec3& direction = Vec3::UnitX());

/// Through points, straight at rest.
RodShape limp_shape(std::vector<Vec3> points);

/// Holds a segment with its ends.
void hold(Strands& strands, int segment);

/// Slows strands down: v exp(-drag dt).
void slow_down(Strands& strands, double factor);

/// What many steps took, and what was seen after each.
class StrandTally {
 public:
  void add(const Strands& strands, const StrandStepReport& report);

  long steps = 0, changed = 0, refinements = 0, cg_iterations = 0;
  int most_contacts = 0, most_iterations = 0;
  double deepest = -1;  // of the radius, after a step
  double mean(double sum) const { return sum / static_cast<double>(steps > 0 ? steps : 1); }
  double nodes() const { return mean(nodes_); }
  double contacts() const { return mean(contacts_); }
  double iterations() const { return mean(iterations_); }
  double first() const { return mean(first_); }  // of the radius, mean overlap before contact
  // ms for a step
  double force() const { return 1e3 * mean(force_); }
  double detection() const { return 1e3 * mean(detection_); }
  double response() const { return 1e3 * mean(response_); }
  double refinement() const { return 1e3 * mean(refinement_); }
  double all() const { return force() + detection() + response() + refinement(); }
  std::string parts() const;

 private:
  double nodes_ = 0, contacts_ = 0, iterations_ = 0, first_ = 0;
  double force_ = 0, detection_ = 0, response_ = 0, refinement_ = 0;
};

}  // namespace heddle
