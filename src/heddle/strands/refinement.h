#pragma once

#include <heddle/solve/nonlinear_cg.h>
#include <heddle/strands/strands.h>

#include <functional>
#include <optional>
#include <span>

namespace heddle {

/// Which neighbour of a change may move with it (Spillmann 2008, 4.1.3).
enum class MovingSide { left, right, neither };

struct RefinementOptions {
  bool variational = true;  // false: new nodes stay where they are put on the old segment (barycentric)
  int iterations = 10;      // of conjugate gradients
};

struct RefinementReport {
  double before = 0, after = 0;  // J, elastic energy less work of loads: as put, and when relaxed
  int iterations = 0;
};

/// True if the strands may be as they are now; asked after a change moved some segments.
using StrandGuard = std::function<bool(const Strands& strands, std::span<const int> segments)>;

/// Cuts a segment of a rod in two halves (Spillmann 2008, 4.1.3, 4.2): the new node and a neighbour move, and
/// their three frames turn, to where the energy is least. What the nodes around are loaded with (weight,
/// contact, inertia) is what they resisted before; so a strand at rest or in even motion is not disturbed.
/// Sums of mass, rest length and momentum stay. If the guard refuses the result, it moves back towards the
/// old segment, which lies as it did.
RefinementReport split_segment(Strands& strands, int segment, MovingSide side,
                               const RefinementOptions& options, const StrandGuard& guard = {});

/// Takes out the node between a segment and the next one of the same rod, which become one (4.1.4). Nothing
/// and no report if the node is initial, held, or shared by others, or if the guard refuses the result.
std::optional<RefinementReport> merge_segments(Strands& strands, int segment, MovingSide side,
                                               const RefinementOptions& options,
                                               const StrandGuard& guard = {});

/// The joint at which a segment is followed by the next one of its rod; -1 if there is none.
int joint_behind(const Strands& strands, int segment);

}  // namespace heddle
