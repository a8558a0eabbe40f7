#pragma once

#include <compare>
#include <vector>

namespace heddle {

/// A vertex and a triangle of another place that may come near each other.
struct VertexTriangle {
  int vertex, triangle;
  auto operator<=>(const VertexTriangle&) const = default;
};

/// Two edges without a common vertex that may come near each other; first < second.
struct EdgeEdge {
  int first, second;
  auto operator<=>(const EdgeEdge&) const = default;
};

/// What a broad phase hands to a narrow phase; no pair twice. Kept by the caller, so that memory is reused.
struct CandidatePairs {
  std::vector<VertexTriangle> vertex_triangle;
  std::vector<EdgeEdge> edge_edge;

  void clear() {
    vertex_triangle.clear();
    edge_edge.clear();
  }
  bool operator==(const CandidatePairs&) const = default;
};

}  // namespace heddle
