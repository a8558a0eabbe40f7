#pragma once

#include <heddle/forces/rod/rod_section.h>
#include <heddle/forces/rod/rod_shape.h>

#include <cmath>
#include <vector>

namespace heddle {

/// What a strand is made of.
struct StrandMaterial {
  RodSection section;
  double penalty = 1000;     // kappa, N, that draws frames to their segments (Spillmann 2008, (3.14))
  double inertia_scale = 1;  // alpha, of J11 and J22 (Spillmann 2008, 3.3.3)
  double friction = 0.3;
};

struct StrandNode {
  Vec3 x = Vec3::Zero();  // m
  Vec3 v = Vec3::Zero();  // m/s
  double mass = 0;        // kg
  double radius = 0;      // m
  bool held = false;      // keeps its velocity, whatever pulls
  bool initial = true;    // is never taken out
  int tag = 0;            // whatever its owner wants to find it by: numbers change when nodes come and go
};

struct StrandSegment {
  std::array<int, 2> ends{};      // nodes
  Quat frame = Quat::Identity();  // directors; the penalty draws d3 to the segment
  Vec3 spin = Vec3::Zero();       // rad/s, in the axes of the frame
  Vec3 inertia = Vec3::Ones();    // kg m2
  double length = 0;              // m, at rest
  int material = 0;
  bool held = false;  // the frame keeps its spin; not cut nor merged
  int tag = 0;
  std::array<double, 2> touched{-HUGE_VAL, -HUGE_VAL};  // s, when its halves last touched a strand
};

/// Where two segments meet.
struct StrandJoint {
  std::array<int, 2> segments{};
  double length = 0;         // m, half of both
  Vec3 rest = Vec3::Zero();  // 1/m, u at rest
};

/// Rods and nets as CoRDE has them (Spillmann 2008, 3.2): nodes, segments with unit quaternions, and a joint
/// for every two segments that meet. Segments of a rod follow each other in the array, so do its joints.
struct Strands {
  std::vector<StrandNode> nodes;
  std::vector<StrandSegment> segments;
  std::vector<StrandJoint> joints;
  std::vector<StrandMaterial> materials;

  /// Where a shape was put.
  struct Place {
    int first_node = 0, first_segment = 0;
  };
  /// `stride`: of a rod, only each so-manieth node is initial; the first and the last are.
  Place add(const RodShape& shape, const StrandMaterial& material, int stride = 1);

  int node_count() const { return static_cast<int>(nodes.size()); }
  int segment_count() const { return static_cast<int>(segments.size()); }
  const RodSection& section(const StrandSegment& s) const {
    return materials[static_cast<size_t>(s.material)].section;
  }
  double radius(int segment) const { return section(segments[static_cast<size_t>(segment)]).radius; }
  Vec3 momentum() const;          // kg m/s
  Vec3 angular_momentum() const;  // kg m2/s, about the origin
};

struct StrandForces {
  std::vector<Vec3> force;   // N, on nodes
  std::vector<Vec3> moment;  // N m, on frames, in their own axes
};

/// J.
struct StrandEnergies {
  double stretch = 0, bending = 0, twist = 0, penalty = 0, kinetic = 0;
  double elastic() const { return stretch + bending + twist + penalty; }
};

/// Inner forces with friction (Spillmann 2008, 3.2.3 and 3.3.2, with the signs of negative gradients).
void find_forces(const Strands& strands, StrandForces& out);
/// Only the moments: between them nodes stay where they are (3.3.3).
void find_moments(const Strands& strands, StrandForces& out);
StrandEnergies find_energies(const Strands& strands);

/// Twice the vector part of the relative rotation: l u of a joint now (Spillmann 2008, (3.17), closed form).
Vec3 bend_of(const Strands& strands, const StrandJoint& joint);

/// Mass and moments of inertia of a segment by its length.
Vec3 strand_inertia(const StrandMaterial& material, double length);

/// The longest explicit step that the shortest modes bear, s: the least of 1/sqrt(sum 1/h_k^2) over segments
/// with the limits h_k of stretch, of nodes and of frames against the penalty, of bending and of twist, and
/// shorter with friction. Where sub-steps of light frames make it longer, frames swing fast between nodes
/// that are moved seldom: take half of it.
double longest_stable_step(const Strands& strands, int turning_substeps = 1);

}  // namespace heddle
