#pragma once

#include <heddle/constraints/limited_faces.h>

namespace heddle {

/// How a face gets back within its bounds.
///   hold   the modes that are within their bounds keep their strain (Thomaszewski 2010, (3.4))
///   least  by the shortest way; the other modes may follow. Corrections never build up then.
enum class FaceCorrection { hold, least };

/// Faces for LimitSweeps, on positions.
struct StrainElements {
  static constexpr int kNodes = 3;
  const LimitedFaces& faces;
  double tolerance = 1e-3;
  FaceCorrection correction = FaceCorrection::least;

  int size() const { return faces.size(); }
  const Triangle& nodes(int face) const { return faces.nodes(face); }
  const Incidence& incidence() const { return faces.incidence(); }

  bool violates(int face, std::span<const Vec3> x) const { return faces.excess(face, x) > tolerance; }

  bool correct(int face, std::span<const Vec3> x, const FaceMasses& mass, FacePoints& displacement) const {
    const RestFace& rest = faces.rest(face);
    const Mat32 F = deformation(rest, faces.points(face, x));
    const Mat2 U = right_stretch(F);
    const PlaneStrain strain{U(0, 0) - 1, U(1, 1) - 1, U(0, 1)};
    const PlaneStrain target = faces.bounds(face).nearest(strain);
    if ((strain - target).largest() <= tolerance) return false;
    const FaceStretch now = stretch_of(F, U);
    if (!now.is_regular || !can_move(mass)) return false;
    if (correction == FaceCorrection::hold)
      move_to_strain(rest, now, target, mass, displacement);
    else
      move_least(rest, now, target - strain, mass, displacement);
    return true;
  }
};

/// Faces for LimitSweeps, on velocities: rates of strain between -limit and limit, 1/s.
struct RateElements {
  static constexpr int kNodes = 3;
  const LimitedFaces& faces;
  std::span<const Vec3> x;  // m
  double limit = 10;        // 1/s
  double tolerance = 1e-3;  // of it
  FaceCorrection correction = FaceCorrection::least;

  int size() const { return faces.size(); }
  const Triangle& nodes(int face) const { return faces.nodes(face); }
  const Incidence& incidence() const { return faces.incidence(); }

  bool violates(int face, std::span<const Vec3> v) const {
    FacePoints ignored;
    return correct(face, v, {1, 1, 1}, ignored);
  }

  bool correct(int face, std::span<const Vec3> v, const FaceMasses& mass, FacePoints& change) const {
    const RestFace& rest = faces.rest(face);
    const FaceStretch now = stretch_of(rest, faces.points(face, x));
    if (!now.is_regular || !can_move(mass)) return false;
    const PlaneStrain rate = strain_rate(rest, now, faces.points(face, v));
    const StrainBounds bounds{{-limit, -limit, -limit}, {limit, limit, limit}};
    const PlaneStrain target = bounds.nearest(rate);
    if ((rate - target).largest() <= tolerance * limit) return false;
    if (correction == FaceCorrection::hold)
      move_by_strain(rest, now, target - rate, mass, change);
    else
      move_least(rest, now, target - rate, mass, change);
    return true;
  }
};

/// Edges with one limit for all: the baseline (Provot 1995; Bridson, Fedkiw and Anderson 2002).
class LimitedEdges {
 public:
  static constexpr int kNodes = 2;
  using Edge = std::array<int, 2>;

  /// All edges of some faces, each with its length at rest in the first face that has it.
  LimitedEdges() = default;
  LimitedEdges(const LimitedFaces& faces, int particle_count, double limit, double tolerance);

  int size() const { return static_cast<int>(nodes_.size()); }
  const Edge& nodes(int edge) const { return nodes_[static_cast<size_t>(edge)]; }
  const Incidence& incidence() const { return incidence_; }
  double strain(int edge, std::span<const Vec3> x) const;

  bool violates(int edge, std::span<const Vec3> x) const {
    return std::abs(strain(edge, x)) > limit_ + tolerance_;
  }
  bool correct(int edge, std::span<const Vec3> x, const std::array<double, 2>& mass,
               std::array<Vec3, 2>& displacement) const;

 private:
  std::vector<Edge> nodes_;
  std::vector<double> length_;  // m
  double limit_ = 0.1, tolerance_ = 1e-3;
  Incidence incidence_;
};

}  // namespace heddle
