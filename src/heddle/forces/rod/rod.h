#pragma once

#include <heddle/dynamics/system.h>
#include <heddle/forces/rod/rod_section.h>
#include <heddle/forces/rod/rod_shape.h>
#include <heddle/forces/rod/rod_turning.h>

#include <memory>
#include <optional>
#include <vector>

namespace heddle {

/// How the frames of a rod belong to its segments.
struct RodForm {
  /// True: frames turn freely and a penalty draws them to the segments (CoRDE, Spillmann 2008). False: they
  /// follow the segments exactly and have one angle each.
  bool corde = false;
  std::optional<double> penalty;  // kappa, N; without it the stiffness against stretch, see Spillmann 3.2.2
  double inertia_scale = 0.01;    // alpha, of J11 and J22 (Spillmann 2008, 3.3.3); 1: as they are
  bool gyroscopic = false;
  bool implicit = true;  // gives Jacobians to implicit integrators
};

/// Where a rod is in the arrays of a system.
struct RodPlace {
  int first_particle = 0;  // nodes, then turning particles
  int node_count = 0;
  int first_frame = 0;
  std::vector<RodSegment> segments;
  std::optional<Vec3> unscale;  // of turning particles that hold rotation vectors, see corde.h
};

/// Collects rods, and whatever else has particles, until a system can be made.
struct RodSystem {
  State state;
  std::vector<double> mass;    // kg, and kg m2 of turning particles
  std::vector<double> weight;  // kg, that gravity acts on
  std::vector<std::unique_ptr<ForceTerm>> terms;
  std::vector<std::unique_ptr<Turning>> turnings;

  RodPlace add(const RodShape& shape, const RodSection& section, const RodForm& form = {});
  /// All of it under gravity (m/s2).
  std::unique_ptr<System> system(const Vec3& gravity);
};

}  // namespace heddle
