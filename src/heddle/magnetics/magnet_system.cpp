#include <heddle/magnetics/magnet_system.h>

#include <heddle/parallel/parallel.h>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

}  // namespace

MagnetSystem::MagnetSystem(std::vector<Magnet> magnets, std::vector<Coil> coils, const MagnetOptions& options)
    : bodies_(std::move(magnets)), coils_(std::move(coils)), options_(options) {}

InductionReport MagnetSystem::update(std::span<const RigidTransform> poses,
                                     std::span<const RigidTransform> coil_poses) {
  HEDDLE_CHECK_EQ(poses.size(), bodies_.size());
  HEDDLE_CHECK_EQ(coil_poses.size(), coils_.size());
  placed_.resize(bodies_.size());
  parallel_for(
      static_cast<int>(bodies_.size()),
      [&](int i) { placed_[at(i)] = PlacedMagnet(bodies_[at(i)], poses[at(i)]); }, 64);
  placed_coils_.clear();
  for (size_t c = 0; c < coils_.size(); ++c) placed_coils_.emplace_back(coils_[c], coil_poses[c]);
  const Interactions interactions(placed_, options_.interaction);
  const InductionReport report =
      induce(placed_, interactions, outer_fields(interactions), options_.induction);
  loads_ = interactions.loads();
  coil_loads_.assign(coils_.size(), {});
  add_outer_loads();
  add_coil_loads();
  return report;
}

std::vector<Vec3> MagnetSystem::outer_fields(const Interactions& interactions) const {
  std::vector<Vec3> fields(at(interactions.leaf_count()), options_.outer_field);
  if (placed_coils_.empty()) return fields;
  parallel_for(
      static_cast<int>(placed_.size()),
      [&](int i) {
        const PlacedMagnet& magnet = placed_[at(i)];
        if (magnet.magnet->is_permanent()) return;
        for (int leaf = 0; leaf < magnet.leaf_count(); ++leaf)
          for (const PlacedCoil& coil : placed_coils_)
            fields[at(interactions.leaf_offset(i) + leaf)] += coil.field(magnet.leaf_place(leaf));
      },
      1);
  return fields;
}

void MagnetSystem::add_outer_loads() {
  if (options_.outer_field.isZero(0)) return;
  for (size_t i = 0; i < placed_.size(); ++i)
    loads_[i].torque += placed_[i].moments[0].cross(options_.outer_field);
}

// A coil gets the opposite of what it does to each magnet: currents that flow in closed wires obey Newton's
// third law together with dipoles.
void MagnetSystem::add_coil_loads() {
  const size_t coils = placed_coils_.size();
  std::vector<Wrench> on_magnets(placed_.size() * coils);
  parallel_for(
      static_cast<int>(on_magnets.size()),
      [&](int k) {
        const PlacedMagnet& magnet = placed_[at(k) / coils];
        for (int leaf = 0; leaf < magnet.leaf_count(); ++leaf) {
          const Wrench load =
              placed_coils_[at(k) % coils].load_on({magnet.leaf_place(leaf), magnet.leaf_moment(leaf)});
          const Vec3 arm = magnet.leaf_place(leaf) - magnet.pose.translation;
          on_magnets[at(k)] += {load.force, load.torque + arm.cross(load.force)};
        }
      },
      1);
  for (size_t k = 0; k < on_magnets.size(); ++k) {
    const Wrench& load = on_magnets[k];
    const PlacedCoil& coil = placed_coils_[k % coils];
    const Vec3 between = placed_[k / coils].pose.translation - coil.pose().translation;
    loads_[k / coils] += load;
    coil_loads_[k % coils] += {-load.force, -load.torque - between.cross(load.force)};
  }
  for (size_t a = 0; a < coils; ++a)
    for (size_t b = 0; b < coils; ++b)
      if (a != b) coil_loads_[a] += placed_coils_[a].load_from(placed_coils_[b]);
}

Vec3 MagnetSystem::field(const Vec3& place) const {
  Vec3 sum = options_.outer_field;
  for (const PlacedMagnet& magnet : placed_) {
    const double closest = magnet.magnet->cells.leaf_diameter();
    for (int leaf = 0; leaf < magnet.leaf_count(); ++leaf) {
      const Vec3 offset = place - magnet.leaf_place(leaf);
      const double length = offset.norm();
      if (length == 0) continue;
      sum += dipole_field(length < closest ? Vec3(offset * (closest / length)) : offset,
                          magnet.leaf_moment(leaf));
    }
  }
  for (const PlacedCoil& coil : placed_coils_) sum += coil.field(place);
  return sum;
}

}  // namespace heddle
