#pragma once

#include <heddle/math/types.h>

#include <array>
#include <span>
#include <vector>

namespace heddle {

/// A row of points with a frame on each segment between them, d3 along it.
struct TubeRow {
  std::vector<int> nodes;   // positions
  std::vector<int> frames;  // as many as segments
  bool closed = false;      // a last segment leads back to the first node
};

/// The rows that a skin is around, as they are found in it.
struct TubeLines {
  std::vector<int> rings;  // by point: the first of the kSides vertices that it is the middle of
  std::vector<std::array<int, 2>> lines;  // points; rows that share a node share its point
  std::vector<int> faces;                 // by line: one of the faces around it, outside of the stripe
};

/// Round surfaces around smooth curves through rows of points, turned as the frames say.
class TubeSkin {
 public:
  static constexpr int kSides = 12;
  static constexpr int kRings = 2;  // for each segment

  TubeSkin() = default;
  TubeSkin(std::vector<TubeRow> rows, double radius);

  const std::vector<Triangle>& triangles() const { return triangles_; }
  /// Whether a face belongs to the stripe along d1.
  bool is_stripe(int face) const { return stripe_[static_cast<size_t>(face)] != 0; }
  /// The frame of the segment that a face is nearest to.
  int frame_of_face(int face) const { return face_frame_[static_cast<size_t>(face)]; }
  /// The node that a vertex is nearest to.
  int node_of_vertex(int vertex) const { return vertex_node_[static_cast<size_t>(vertex)]; }
  int vertex_count() const { return static_cast<int>(vertex_node_.size()); }

  TubeLines centre_lines() const;
  std::vector<Vec3> vertices(std::span<const Vec3> positions, std::span<const Quat> frames) const;

 private:
  void add_ring_faces(int ring, int next, int frame);
  void add_cap(int ring, int centre, bool first, int frame);
  void add_row(const TubeRow& row);

  std::vector<TubeRow> rows_;
  double radius_ = 0;  // m
  std::vector<Triangle> triangles_;
  std::vector<char> stripe_;
  std::vector<int> face_frame_, vertex_node_;
};

}  // namespace heddle
