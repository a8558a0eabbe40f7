#include <heddle/magnetics/pair_load.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

/// In cell diameters: beyond, cells differ from dipoles by less than a thousandth.
constexpr double kPartsReach = 2.5;

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Adds what acts on a dipole of a body with this origin.
void add(const DipoleLoad& load, const Vec3& arm, Wrench& sum) {
  sum.force += load.force;
  sum.torque += load.torque + arm.cross(load.force);
}

Wrench plain_load(const PlacedMagnet& first, std::span<const int> front, const DipoleList& second,
                  double closest) {
  const auto rows = [&](int begin, int end) {
    Wrench sum;
    for (int k = begin; k < end; ++k) {
      const size_t cell = at(front[at(k)]);
      add(load_of(second, {first.places[cell], first.moments[cell]}, closest),
          first.places[cell] - first.pose.translation, sum);
    }
    return sum;
  };
  constexpr int kRows = 128;  // as many are worth a task of their own
  const auto count = static_cast<int>(front.size());
  if (count <= kRows) return rows(0, count);
  std::vector<Wrench> partial;
  return ordered_sum(count, Wrench(), partial, rows, kRows);
}

void fill_parts(const PlacedMagnet& magnet, int leaf, DipoleList& list) {
  list.clear();
  const std::span<const Vec3> parts = magnet.magnet->cells.parts(leaf, 3);
  for (const Vec3& part : parts)
    list.add(magnet.pose.point(part), magnet.leaf_moment(leaf) / static_cast<double>(parts.size()));
  list.finish();
}

/// The difference that it makes to split two leaves, the second into parts that are given.
Wrench split_load(const PlacedMagnet& first, int leaf, const PlacedMagnet& second, int other,
                  const DipoleList& other_parts) {
  const double a = first.magnet->cells.leaf_diameter(), b = second.magnet->cells.leaf_diameter();
  Wrench sum;
  const std::span<const Vec3> parts = first.magnet->cells.parts(leaf, 2);
  const Vec3 share = first.leaf_moment(leaf) / static_cast<double>(parts.size());
  for (const Vec3& part : parts) {
    const Vec3 arm = first.box.axes * part;
    add(load_of(other_parts, {first.pose.translation + arm, share}, a / 4 + b / 6), arm, sum);
  }
  const DipoleEffect whole = dipole_effect(first.leaf_place(leaf) - second.leaf_place(other),
                                           first.leaf_moment(leaf), second.leaf_moment(other), 0.5 * (a + b));
  add({-whole.force, -whole.torque}, first.leaf_place(leaf) - first.pose.translation, sum);
  return sum;
}

/// Of all leaves of both fronts that are near each other.
Wrench contact_load(const PlacedMagnet& first, const PlacedMagnet& second, double closest,
                    PairScratch& scratch) {
  const double reach = kPartsReach * closest;
  Wrench sum;
  if (first.leaf_count() == 1 && second.leaf_count() == 1) return sum;  // nothing to split
  if (are_apart(first.box, second.box, reach)) return sum;
  for (const int other : scratch.second_front) {
    const Cell& cell = second.cells()[at(other)];
    if (!cell.is_leaf(other)) continue;
    bool is_filled = false;
    for (const int own : scratch.first_front) {
      const Cell& near = first.cells()[at(own)];
      const Vec3 offset = first.places[at(own)] - second.places[at(other)];
      if (!near.is_leaf(own) || offset.squaredNorm() >= reach * reach) continue;
      if (!is_filled) fill_parts(second, cell.first_leaf, scratch.parts);
      is_filled = true;
      sum += split_load(first, near.first_leaf, second, cell.first_leaf, scratch.parts);
    }
  }
  return sum;
}

}  // namespace

double closest_distance(const PlacedMagnet& a, const PlacedMagnet& b) {
  return 0.5 * (a.magnet->cells.leaf_diameter() + b.magnet->cells.leaf_diameter());
}

Wrench pair_load(const PlacedMagnet& first, const PlacedMagnet& second, const PairOptions& options,
                 PairScratch& scratch) {
  choose_front(first, second, options.front, scratch.first_front);
  choose_front(second, first, options.front, scratch.second_front);
  const double closest = closest_distance(first, second);
  Wrench sum;
  if (scratch.first_front.size() == 1 && scratch.second_front.size() == 1) {
    const Vec3 arm = first.places[0] - first.pose.translation;
    const DipoleEffect effect =
        dipole_effect(first.places[0] - second.places[0], first.moments[0], second.moments[0], closest);
    add({effect.force, effect.torque}, arm, sum);
  } else {
    scratch.second.clear();
    for (const int cell : scratch.second_front)
      scratch.second.add(second.places[at(cell)], second.moments[at(cell)]);
    scratch.second.finish();
    sum = plain_load(first, scratch.first_front, scratch.second, closest);
  }
  if (options.contact_parts) sum += contact_load(first, second, closest, scratch);
  return sum;
}

// The total torque of two bodies on each other vanishes, T1 + T2 + (o1 - o2) x F1 = 0, because it does for
// each pair of dipoles (Thomaszewski 2010, 6.2.3).
Wrench reaction(const Wrench& load, const PlacedMagnet& first, const PlacedMagnet& second) {
  const Vec3 between = first.pose.translation - second.pose.translation;
  return {-load.force, -load.torque - between.cross(load.force)};
}

}  // namespace heddle
