#pragma once

#include <heddle/constraints/strain_kernel.h>

#include <span>
#include <vector>

namespace heddle {

/// Which elements meet at each particle.
class Incidence {
 public:
  Incidence() = default;
  /// `nodes` holds `per_element` particles for each element.
  Incidence(std::span<const int> nodes, int per_element, int particle_count);

  /// Ordered by the particles of the elements, so that sums over them do not depend on the order of elements.
  std::span<const int> of(int particle) const { return part(elements_, particle); }
  /// Where the particle is in the nodes of all those elements, in the same order.
  std::span<const int> places_of(int particle) const { return part(places_, particle); }
  int particle_count() const { return static_cast<int>(start_.size()) - 1; }

 private:
  std::span<const int> part(const std::vector<int>& list, int particle) const {
    const auto i = static_cast<size_t>(particle);
    return {list.data() + start_[i], static_cast<size_t>(start_[i + 1] - start_[i])};
  }

  std::vector<int> start_{0}, elements_, places_;
};

/// The faces of a scene whose strain is limited.
class LimitedFaces {
 public:
  static constexpr int kNodes = 3;

  /// `rest` are the corners along weft and warp, m, counter-clockwise.
  void add(const Triangle& particles, const std::array<Vec2, 3>& rest, const StrainBounds& bounds);
  /// After the last face.
  void finish(int particle_count);

  int size() const { return static_cast<int>(nodes_.size()); }
  const Triangle& nodes(int face) const { return nodes_[static_cast<size_t>(face)]; }
  const RestFace& rest(int face) const { return rest_[static_cast<size_t>(face)]; }
  const StrainBounds& bounds(int face) const { return bounds_[static_cast<size_t>(face)]; }
  const Incidence& incidence() const { return incidence_; }

  FacePoints points(int face, std::span<const Vec3> values) const {
    const Triangle& t = nodes(face);
    return {values[static_cast<size_t>(t[0])], values[static_cast<size_t>(t[1])],
            values[static_cast<size_t>(t[2])]};
  }
  PlaneStrain strain(int face, std::span<const Vec3> x) const {
    return strain_of(rest(face), points(face, x));
  }
  double excess(int face, std::span<const Vec3> x) const { return bounds(face).excess(strain(face, x)); }

  /// The face that is farthest beyond its bounds, and by how much; -1 and 0 if none is.
  struct Worst {
    int face = -1;
    double excess = 0;
  };
  Worst worst(std::span<const Vec3> x) const;

 private:
  std::vector<Triangle> nodes_;
  std::vector<RestFace> rest_;
  std::vector<StrainBounds> bounds_;
  Incidence incidence_;
};

}  // namespace heddle
