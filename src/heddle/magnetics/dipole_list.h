#pragma once

#include <heddle/magnetics/dipole.h>
#include <heddle/math/lanes.h>

#include <array>
#include <vector>

namespace heddle {

/// Dipoles by component, filled up to whole groups of four with ones that do nothing.
class DipoleList {
 public:
  static constexpr int kGroup = 4;

  void clear();
  void add(const Vec3& place, const Vec3& moment);
  /// After the last one was added.
  void finish();

  int size() const { return size_; }
  int group_count() const { return (size_ + kGroup - 1) / kGroup; }
  Dipole operator[](int i) const;
  Lanes component(int which, int group) const;
  /// False if none is within `reach` (m) of a place.
  bool may_be_within(const Vec3& place, double reach) const {
    return (place - place.cwiseMax(low_).cwiseMin(high_)).squaredNorm() < reach * reach;
  }

 private:
  int size_ = 0;
  Vec3 low_ = Vec3::Zero(), high_ = Vec3::Zero();  // m, of a box around all
  std::array<std::vector<double>, 6> components_;  // x, y, z of places, then of moments
};

/// Sum of the fields of all, at a place, T. Dipoles nearer than `closest` (m) act from that distance; one at
/// the place itself does not act.
Vec3 field_of(const DipoleList& dipoles, const Vec3& place, double closest);

/// The same for dipoles that are cubes of this size (m) with a constant magnetisation, averaged over such a
/// cube about the place: neighbours in a lattice feel 0.85 of the field of a point. Points would make
/// lattices of susceptibilities above 11 magnetise themselves in columns of alternating direction.
Vec3 field_of_cubes(const DipoleList& dipoles, const Vec3& place, double size);

/// What acts on a dipole.
struct DipoleLoad {
  Vec3 force = Vec3::Zero();   // N
  Vec3 torque = Vec3::Zero();  // N m, about its place
};
/// Sum of the effects of all on a dipole, see dipole_effect.
DipoleLoad load_of(const DipoleList& dipoles, const Dipole& on, double closest);

}  // namespace heddle
