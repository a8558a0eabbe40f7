#include <heddle/magnetics/placed_magnet.h>

namespace heddle {

PlacedMagnet::PlacedMagnet(const Magnet& of, const RigidTransform& at) : magnet(&of), pose(at) {
  const BoundingBox& bounds = of.solid->bounds();
  box = {pose.point(bounds.center()), pose.rotation.toRotationMatrix(), 0.5 * bounds.sizes()};
  radius = box.radius();
  const Vec3 magnetisation =
      of.is_permanent() ? Vec3(box.axes * of.material.remanence / kVacuumPermeability) : Vec3::Zero();
  places.reserve(cells().size());
  moments.reserve(cells().size());
  for (const Cell& cell : cells()) {
    places.push_back(box.axes * cell.place + pose.translation);
    moments.push_back(cell.volume * magnetisation);
  }
}

void PlacedMagnet::magnetise(std::span<const Vec3> leaf_moments) {
  for (size_t i = cells().size(); i-- > 0;) {
    const Cell& cell = cells()[i];
    const auto own = static_cast<int>(i);
    if (cell.is_leaf(own)) {
      moments[i] = leaf_moments[static_cast<size_t>(cell.first_leaf)];
      continue;
    }
    moments[i].setZero();
    for (int child = own + 1; child < cell.next; child = cells()[static_cast<size_t>(child)].next)
      moments[i] += moments[static_cast<size_t>(child)];
  }
}

namespace {

/// A long cell is not like a dipole: the first term that a cube lacks beyond it is of fourth order, that of a
/// body of other proportions of second order.
constexpr double kLongest = 1.7;  // by the shortest edge

bool is_far_enough(const PlacedMagnet& of, const Cell& cell, const PlacedMagnet& seen_from, double opening) {
  const double longest = 2 * cell.half.maxCoeff();
  if (longest > kLongest * 2 * cell.half.minCoeff()) return false;
  const double needed = opening * longest;
  const OrientedBox box{of.box.axes * cell.box_centre + of.pose.translation, of.box.axes, cell.half};
  // Balls decide most of it, then the distance of the centre, which is at most a radius more than that of the
  // box.
  const double radius = box.radius();
  if ((box.centre - seen_from.box.centre).norm() >= needed + radius + seen_from.radius) return true;
  const double from_centre = (box.centre - nearest_point(seen_from.box, box.centre)).norm();
  if (from_centre < needed) return false;
  if (from_centre >= needed + radius) return true;
  return are_apart(box, seen_from.box, needed);
}

}  // namespace

void choose_front(const PlacedMagnet& of, const PlacedMagnet& seen_from, const FrontOptions& options,
                  std::vector<int>& front) {
  front.clear();
  const std::span<const int> leaves = of.magnet->cells.leaves();
  if (!options.adaptive) return front.assign(leaves.begin(), leaves.end());
  const auto end = static_cast<int>(of.cells().size());
  for (int i = 0; i < end;) {
    const Cell& cell = of.cells()[static_cast<size_t>(i)];
    if (cell.is_leaf(i) || is_far_enough(of, cell, seen_from, options.opening)) {
      front.push_back(i);
      i = cell.next;
    } else {
      ++i;
    }
  }
}

}  // namespace heddle
