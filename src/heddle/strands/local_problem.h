#pragma once

#include <heddle/solve/nonlinear_cg.h>
#include <heddle/strands/strands.h>

#include <span>
#include <vector>

namespace heddle {

/// A few nodes and frames that move while all others stay (Spillmann 2008, (4.3)), with their elements.
class LocalProblem {
 public:
  LocalProblem(const Strands& strands, std::vector<int> nodes, std::vector<int> segments);

  /// Elastic forces on the nodes as they are, without friction, N.
  std::vector<Vec3> elastic_forces() const;
  /// Finds where elastic energy less the work of loads (N, one for each node) is least.
  NonlinearCgReport relax(int iterations, std::span<const Vec3> loads);
  /// Nodes and frames a share of the way from where they were, 0, to where they were relaxed to, 1.
  void write(double share, Strands& strands) const;

  /// Segments that end in moving nodes or turn, and those joined to them.
  std::span<const int> touched() const { return all_segments_; }

 private:
  void add_elements(const Strands& strands);
  int local_node(const Strands& strands, int node);
  int local_segment(const Strands& strands, int segment);
  std::vector<double> unknowns() const;
  void set(std::span<const double> x);
  std::vector<double> scales() const;

  std::vector<int> nodes_, segments_;          // that move
  std::vector<int> all_nodes_, all_segments_;  // of the window
  Strands window_;
  Strands start_;
};

}  // namespace heddle
