#include <heddle/sim/riding_magnets.h>

#include <heddle/core/text.h>
#include <heddle/magnetics/riding_cell.h>
#include <heddle/sim/prepared_cloth.h>
#include <heddle/sim/prepared_rod.h>

#include <cmath>
#include <numbers>
#include <numeric>

namespace heddle {

namespace {

size_t at(int i) {
  return static_cast<size_t>(i);
}

/// Magnets of one cell each that stand for these volumes (m3). Cells are cubes of one size for all, so that
/// they act like dipoles down to that distance from each other.
std::vector<Magnet> cells_of(const Vec3& remanence, std::span<const double> volumes, double size) {
  auto solid = make_solid(Box{{size, size, size}}, {});
  HEDDLE_CHECK(solid.ok());
  const double cube = size * size * size;
  std::vector<Magnet> magnets;
  for (const double volume : volumes) {
    const MagnetMaterial material{.kind = MagnetKind::permanent, .remanence = volume / cube * remanence};
    if (magnets.empty()) {
      auto first = make_magnet(*solid, material, {.density = 0.5 / cube}, "cell");
      HEDDLE_CHECK(first.ok());
      magnets.push_back(std::move(*first));
    } else {
      magnets.push_back(magnets.front());
      magnets.back().material = material;
    }
  }
  return magnets;
}

bool is_good(const MagnetDescription& magnet, const std::string& what, Diagnostics& diagnostics) {
  if (magnet.kind != "permanent")
    diagnostics.error(magnet.where, what + " can only be a permanent magnet",
                      "use \"permanent\", or attach bodies of iron to it");
  if (magnet.cells)
    diagnostics.error(magnet.where, what + " has a cell in each of its elements", "leave out \"cells\"");
  return magnet.kind == "permanent" && !magnet.cells;
}

class MagneticCloth final : public RidingMagnets {
 public:
  MagneticCloth(const PreparedCloth& cloth, std::vector<Magnet> magnets, int number)
      : RidingMagnets(std::move(magnets), number) {
    for (size_t f = 0; f < cloth.rest.triangles.size(); ++f) {
      faces_.push_back(cloth.global(cloth.mesh.triangles[f]));
      cells_.emplace_back(cloth.rest.triangles[f]);
    }
  }

  void append_poses(const State& state, std::vector<RigidTransform>& poses) const override {
    for (size_t f = 0; f < cells_.size(); ++f) poses.push_back(cells_[f].pose(corners(state, f)));
  }

  void add_forces(const State& state, std::span<const Wrench> loads, std::span<Vec3> forces) const override {
    for (size_t f = 0; f < cells_.size(); ++f) {
      const std::array<Vec3, 3> share = cells_[f].forces(corners(state, f), loads[f]);
      for (size_t k = 0; k < 3; ++k) forces[at(faces_[f][k])] += share[k];
    }
  }

 private:
  std::array<Vec3, 3> corners(const State& state, size_t face) const {
    const Triangle& t = faces_[face];
    return {state.x[at(t[0])], state.x[at(t[1])], state.x[at(t[2])]};
  }

  std::vector<Triangle> faces_;  // by particles
  std::vector<FaceCell> cells_;
};

class MagneticRod final : public RidingMagnets {
 public:
  MagneticRod(const RodPlace& place, std::vector<Magnet> magnets, int number)
      : RidingMagnets(std::move(magnets), number), segments_(place.segments), unscale_(place.unscale) {}

  void append_poses(const State& state, std::vector<RigidTransform>& poses) const override {
    for (const RodSegment& segment : segments_)
      poses.push_back({state.frames[at(segment.frame)],
                       0.5 * (state.x[at(segment.ends[0])] + state.x[at(segment.ends[1])])});
  }

  void add_forces(const State& state, std::span<const Wrench> loads, std::span<Vec3> forces) const override {
    for (size_t s = 0; s < segments_.size(); ++s) {
      const RodSegment& segment = segments_[s];
      if (unscale_) {
        // Frames that turn freely take the whole torque, in their own axes.
        const Vec3 torque = state.frames[at(segment.frame)].conjugate() * loads[s].torque;
        for (const int end : segment.ends) forces[at(end)] += 0.5 * loads[s].force;
        forces[at(segment.turning)] += unscale_->cwiseProduct(torque);
        continue;
      }
      const SegmentLoad load =
          segment_load(state.x[at(segment.ends[0])], state.x[at(segment.ends[1])], loads[s]);
      for (size_t k = 0; k < 2; ++k) forces[at(segment.ends[k])] += load.forces[k];
      forces[at(segment.turning)][0] += load.moment;
    }
  }

 private:
  std::vector<RodSegment> segments_;
  std::optional<Vec3> unscale_;  // see RodPlace
};

}  // namespace

std::unique_ptr<RidingMagnets> make_magnetic_cloth(const MagnetDescription& magnet,
                                                   const PreparedCloth& cloth, int number,
                                                   Diagnostics& diagnostics) {
  if (!is_good(magnet, "cloth " + in_quotes(cloth.name), diagnostics)) return nullptr;
  std::vector<double> volumes;
  for (int f = 0; f < cloth.mesh.triangle_count(); ++f)
    volumes.push_back(cloth.rest.area[at(f)] * cloth.fabric(f).thickness);
  const double area = std::accumulate(cloth.rest.area.begin(), cloth.rest.area.end(), 0.0);
  const double size = std::sqrt(area / static_cast<double>(volumes.size()));
  return std::make_unique<MagneticCloth>(cloth, cells_of(magnet.remanence, volumes, size), number);
}

std::unique_ptr<RidingMagnets> make_magnetic_rod(const MagnetDescription& magnet, const PreparedRod& rod,
                                                 const RodPlace& place, int number,
                                                 Diagnostics& diagnostics) {
  if (!is_good(magnet, "rod " + in_quotes(rod.name), diagnostics)) return nullptr;
  const double section = std::numbers::pi * rod.section.radius * rod.section.radius;
  std::vector<double> volumes;
  double length = 0;
  for (const double segment : rod.shape.rest_lengths) {
    volumes.push_back(section * segment);
    length += segment;
  }
  const double size = length / static_cast<double>(volumes.size());
  return std::make_unique<MagneticRod>(place, cells_of(magnet.remanence, volumes, size), number);
}

}  // namespace heddle
