#pragma once

#include <heddle/forces/rod/rod_frames.h>

#include <optional>
#include <vector>

namespace heddle {

/// Consecutive segments of one rod.
struct RodRow {
  int first = 0, count = 0;  // segments
  bool closed = false;       // the last one ends where the first begins
};

/// Nodes and segments of a rod or a net of rods, at the start. Every two segments that share a node are
/// joined there (Spillmann 2008, 3.4).
struct RodShape {
  std::vector<Vec3> nodes;  // m
  std::vector<SegmentEnds> segments;
  std::vector<RodRow> rows;
  std::vector<Quat> frames;       // of the segments at the start, d3 along them
  std::vector<Quat> rest_frames;  // how they lie to each other at rest
  std::optional<Vec3> curvature;  // 1/m, Darboux vector at rest, instead of what rest_frames say; 0: straight
  std::vector<double> rest_lengths;  // m
};

/// Rods along segments that may meet in any number. Where two segments meet that are alone there, they belong
/// to one rod, whose segments run one way; so their order and ends may change. It rests as it lies, without
/// the `twist` (rad) along each rod.
RodShape rods_along(std::vector<Vec3> points, const std::vector<SegmentEnds>& segments, double twist = 0);
/// A row of segments through points, the last one back to the first if it is closed.
RodShape rod_through(std::vector<Vec3> points, bool closed, double twist = 0);

}  // namespace heddle
