#include <heddle/collision/broad/broad_phase.h>
#include <heddle/collision/broad/brute_force.h>
#include <heddle/collision/broad/bvh.h>
#include <heddle/collision/broad/spatial_hash.h>
#include <heddle/core/check.h>

namespace heddle {

namespace {

using Make = std::unique_ptr<BroadPhase> (*)(const CollisionSurface&, std::span<const Vec3>,
                                             const BroadPhaseOptions&);

template <int K>
std::unique_ptr<BroadPhase> make_bvh(const CollisionSurface& surface, std::span<const Vec3> reference,
                                     const BroadPhaseOptions& options) {
  return std::make_unique<Bvh<K>>(surface, reference, options);
}

template <class T>
std::unique_ptr<BroadPhase> make_plain(const CollisionSurface& surface, std::span<const Vec3>,
                                       const BroadPhaseOptions&) {
  return std::make_unique<T>(surface);
}

constexpr std::array<std::string_view, 6> kNames{"bvh", "bvh6", "bvh8", "bvh14", "hash", "brute_force"};
constexpr std::array<Make, 6> kMakers{
    make_bvh<18>, make_bvh<6>, make_bvh<8>, make_bvh<14>, make_plain<SpatialHash>, make_plain<BruteForce>};

}  // namespace

void SearchWork::add(const SearchWork& other) {
  seconds += other.seconds;
  busy.resize(std::max(busy.size(), other.busy.size()));
  for (size_t i = 0; i < other.busy.size(); ++i) busy[i] += other.busy[i];
}

void BroadPhase::update(std::span<const Vec3> begin, std::span<const Vec3> end, double margin) {
  radii_.assign(begin.size(), 0.5 * margin);
  update(begin, end, radii_);
}

std::unique_ptr<BroadPhase> make_broad_phase(std::string_view name, const CollisionSurface& surface,
                                             std::span<const Vec3> reference,
                                             const BroadPhaseOptions& options) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return kMakers[i](surface, reference, options);
  HEDDLE_CHECK(!"a known broad phase");
  return nullptr;
}

std::span<const std::string_view> broad_phase_names() {
  return kNames;
}

}  // namespace heddle
