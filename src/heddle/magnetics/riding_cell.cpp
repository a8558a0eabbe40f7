#include <heddle/magnetics/riding_cell.h>

namespace heddle {

namespace {

/// Edges from the first corner, and the directions that make the axes.
struct Place {
  Vec3 a, b, normal, weft;
  double double_area, stretch;  // m2, 1

  Place(const std::array<Vec3, 3>& x, const Vec2& share) : a(x[1] - x[0]), b(x[2] - x[0]) {
    normal = a.cross(b);
    double_area = normal.norm();
    normal /= double_area;
    weft = share[0] * a + share[1] * b;
    stretch = weft.norm();
    weft /= stretch;
  }
};

}  // namespace

FaceCell::FaceCell(const std::array<Vec2, 3>& rest) {
  Mat2 edges;
  edges << rest[1] - rest[0], rest[2] - rest[0];
  weft_ = edges.inverse().col(0);
}

RigidTransform FaceCell::pose(const std::array<Vec3, 3>& x) const {
  const Place place(x, weft_);
  Mat3 axes;
  axes << place.weft, place.normal.cross(place.weft), place.normal;
  return {Quat(axes), (x[0] + x[1] + x[2]) / 3};
}

// The axes turn by d(theta) = n x dn + n (n . (d x dd)) with normal n and weft d; both are differentiated by
// the edges a and b.
std::array<Vec3, 3> FaceCell::forces(const std::array<Vec3, 3>& x, const Wrench& load) const {
  const Place place(x, weft_);
  const Vec3 tilting = load.torque.cross(place.normal) / place.double_area;
  const Vec3 spinning = load.torque.dot(place.normal) / place.stretch * place.normal.cross(place.weft);
  const Vec3 on_a = place.b.cross(tilting) + weft_[0] * spinning,
             on_b = tilting.cross(place.a) + weft_[1] * spinning;
  const Vec3 share = load.force / 3;
  return {share - on_a - on_b, share + on_a, share + on_b};
}

SegmentLoad segment_load(const Vec3& from, const Vec3& to, const Wrench& load) {
  const Vec3 along = to - from;
  const double length = along.norm();
  const Vec3 direction = along / length, couple = load.torque.cross(direction) / length;
  return {{0.5 * load.force - couple, 0.5 * load.force + couple}, load.torque.dot(direction)};
}

}  // namespace heddle
