#include <heddle/magnetics/dipole_list.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace heddle {

namespace {

/// Three components of four vectors.
struct Four {
  Lanes x{}, y{}, z{};

  Vec3 sum() const {
    const auto total = [](Lanes v) { return (v[0] + v[1]) + (v[2] + v[3]); };
    return {total(x), total(y), total(z)};
  }
};

Lanes all(double value) {
  return Lanes{value, value, value, value};
}

Lanes inverse_root(Lanes v) {
  Eigen::Array4d array;
  std::memcpy(array.data(), &v, sizeof v);
  array = array.sqrt();
  std::memcpy(&v, array.data(), sizeof v);
  return Lanes{1, 1, 1, 1} / v;
}

bool any_below(Lanes v, double limit) {
  return v[0] < limit || v[1] < limit || v[2] < limit || v[3] < limit;
}

/// The field of a dipole that is nearer than it may be.
Vec3 bounded_field(const Vec3& offset, const Vec3& moment, double closest) {
  const double length = offset.norm();
  if (length == 0) return Vec3::Zero();
  return dipole_field(length < closest ? Vec3(offset * (closest / length)) : offset, moment);
}

/// In sizes: farther cubes act like points, but for a few per cent that differ by direction.
constexpr double kCubeReach = 1.3;

/// Average between two cubes side by side by the field of points: 0.848; between ones that touch at an edge
/// 0.98 to 1.07. In between and below a parabola that leads there.
double cube_share(double distance_in_sizes) {
  const double lack = (kCubeReach - distance_in_sizes) / (kCubeReach - 1);
  return lack > 0 ? std::max(0.0, 1 - 0.152 * lack * lack) : 1.0;
}

/// Sums fields; near(offset, moment) is asked for all in groups with one nearer than `reach`.
template <class Near>
Vec3 sum_fields(const DipoleList& dipoles, const Vec3& place, double reach, const Near& near_field) {
  Four sum;
  Vec3 near = Vec3::Zero();
  const Lanes x = all(place[0]), y = all(place[1]), z = all(place[2]);
  const double reach2 = std::max(reach * reach, 1e-300);
  const bool is_near = dipoles.may_be_within(place, std::max(reach, 1e-150));
  for (int g = 0; g < dipoles.group_count(); ++g) {
    const Lanes dx = x - dipoles.component(0, g), dy = y - dipoles.component(1, g),
                dz = z - dipoles.component(2, g);
    const Lanes r2 = dx * dx + dy * dy + dz * dz;
    if (is_near && any_below(r2, reach2)) {
      for (int i = g * DipoleList::kGroup; i < std::min((g + 1) * DipoleList::kGroup, dipoles.size()); ++i)
        near += near_field(place - dipoles[i].position, dipoles[i].moment);
      continue;
    }
    const Lanes mx = dipoles.component(3, g), my = dipoles.component(4, g), mz = dipoles.component(5, g);
    const Lanes inverse = inverse_root(r2), inverse2 = inverse * inverse, cube = inverse2 * inverse;
    const Lanes along = all(3.0) * inverse2 * cube * (mx * dx + my * dy + mz * dz);
    sum.x += along * dx - cube * mx;
    sum.y += along * dy - cube * my;
    sum.z += along * dz - cube * mz;
  }
  return kDipoleFactor * sum.sum() + near;
}

}  // namespace

void DipoleList::clear() {
  size_ = 0;
  for (std::vector<double>& component : components_) component.clear();
}

void DipoleList::add(const Vec3& place, const Vec3& moment) {
  low_ = size_ == 0 ? place : Vec3(low_.cwiseMin(place));
  high_ = size_ == 0 ? place : Vec3(high_.cwiseMax(place));
  ++size_;
  for (int k = 0; k < 3; ++k) {
    components_[static_cast<size_t>(k)].push_back(place[k]);
    components_[static_cast<size_t>(k) + 3].push_back(moment[k]);
  }
}

void DipoleList::finish() {
  const auto padded = static_cast<size_t>(group_count() * kGroup);
  for (size_t k = 0; k < 6; ++k) components_[k].resize(padded, k < 3 ? 1e6 : 0.0);
}

Dipole DipoleList::operator[](int i) const {
  const auto k = static_cast<size_t>(i);
  return {{components_[0][k], components_[1][k], components_[2][k]},
          {components_[3][k], components_[4][k], components_[5][k]}};
}

Lanes DipoleList::component(int which, int group) const {
  Lanes lanes;
  std::memcpy(&lanes, components_[static_cast<size_t>(which)].data() + group * kGroup, sizeof lanes);
  return lanes;
}

Vec3 field_of(const DipoleList& dipoles, const Vec3& place, double closest) {
  return sum_fields(dipoles, place, closest, [&](const Vec3& offset, const Vec3& moment) {
    return bounded_field(offset, moment, closest);
  });
}

Vec3 field_of_cubes(const DipoleList& dipoles, const Vec3& place, double size) {
  return sum_fields(dipoles, place, kCubeReach * size, [&](const Vec3& offset, const Vec3& moment) {
    const double distance = offset.norm();
    if (distance == 0) return Vec3(Vec3::Zero());
    return Vec3(cube_share(distance / size) * dipole_field(offset, moment));
  });
}

DipoleLoad load_of(const DipoleList& dipoles, const Dipole& on, double closest) {
  Four field, force;
  DipoleLoad near;
  const Vec3 &p = on.position, &m = on.moment;
  const bool is_near = dipoles.may_be_within(p, closest);
  const Lanes x = all(p[0]), y = all(p[1]), z = all(p[2]), kx = all(m[0]), ky = all(m[1]), kz = all(m[2]);
  for (int g = 0; g < dipoles.group_count(); ++g) {
    const Lanes dx = x - dipoles.component(0, g), dy = y - dipoles.component(1, g),
                dz = z - dipoles.component(2, g);
    const Lanes r2 = dx * dx + dy * dy + dz * dz;
    if (is_near && any_below(r2, closest * closest)) {
      for (int i = g * DipoleList::kGroup; i < std::min((g + 1) * DipoleList::kGroup, dipoles.size()); ++i) {
        const Dipole other = dipoles[i];
        const DipoleEffect effect = dipole_effect(p - other.position, m, other.moment, closest);
        near.force += effect.force;
        near.torque += effect.torque;
      }
      continue;
    }
    const Lanes mx = dipoles.component(3, g), my = dipoles.component(4, g), mz = dipoles.component(5, g);
    const Lanes inverse = inverse_root(r2), inverse2 = inverse * inverse, cube = inverse2 * inverse;
    const Lanes fifth = all(3.0) * cube * inverse2;
    const Lanes own = kx * dx + ky * dy + kz * dz, other = mx * dx + my * dy + mz * dz;
    const Lanes both = kx * mx + ky * my + kz * mz;
    const Lanes radial = fifth * (both - all(5.0) * own * other * inverse2);
    const Lanes along = fifth * other, across = fifth * own;
    field.x += along * dx - cube * mx;
    field.y += along * dy - cube * my;
    field.z += along * dz - cube * mz;
    force.x += radial * dx + along * kx + across * mx;
    force.y += radial * dy + along * ky + across * my;
    force.z += radial * dz + along * kz + across * mz;
  }
  return {kDipoleFactor * force.sum() + near.force, m.cross(kDipoleFactor * field.sum()) + near.torque};
}

}  // namespace heddle
