#pragma once

#include <heddle/forces/rod/rod.h>

#include <memory>
#include <vector>

namespace heddle {

/// A material of Spillmann 2008, Table 3.2, with the printed law of stiffness that it belongs to.
RodSection ropes();

/// One rod by itself, stepped without a scene.
class RodRig {
 public:
  RodRig(const RodShape& shape, const RodSection& section, const RodForm& form, const Vec3& gravity);

  /// Holds the nodes and the frame of a segment.
  void clamp(int segment);
  void pin(int node) { held_.push_back(place_.first_particle + node); }
  /// Explicit steps, frames in shorter ones; false if they are not finite.
  bool step_explicit(double dt, int count, int turning_substeps = 1);
  /// Newton's method; false if a step fails.
  bool step_implicit(double dt, int count);

  const Vec3& node(int i) const { return state_.x[static_cast<size_t>(i)]; }

 private:
  std::unique_ptr<System> system_;
  State state_;
  RodPlace place_;
  std::vector<int> held_;
};

/// Along x from the origin.
RodShape straight_rod(double length, int segments, double twist = 0);

}  // namespace heddle
