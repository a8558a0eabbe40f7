#include <heddle/parallel/parallel.h>
#include <heddle/parallel/scheduler.h>
#include <heddle/render/element_tubes.h>
#include <heddle/render/picture_stage.h>

#include <embree3/rtcore.h>

#include <algorithm>
#include <cstring>

namespace heddle {

struct PictureStage::Embree {
  RTCDevice device = rtcNewDevice(nullptr);
  RTCScene scene = rtcNewScene(device);

  Embree() { rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST); }
  void attach(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles);
  void commit();
  ~Embree() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
  Embree(const Embree&) = delete;
  Embree& operator=(const Embree&) = delete;
};

namespace {

/// Of the way to what lies next to it, which may be rounded towards it as far.
constexpr float kRoundedShare = 0.45f;
/// Of triangles around a vertex that lacks room.
constexpr int kRings = 3;

void set_ray(RTCRay& out, const Ray& ray) {
  out.org_x = ray.origin.x();
  out.org_y = ray.origin.y();
  out.org_z = ray.origin.z();
  out.dir_x = ray.direction.x();
  out.dir_y = ray.direction.y();
  out.dir_z = ray.direction.z();
  out.tnear = 0;
  out.tfar = std::numeric_limits<float>::infinity();
  out.time = 0;
  out.mask = ~0U;
  out.id = 0;
  out.flags = 0;
}

/// Follows the ray of the query to what it meets first, if anything.
bool meets(RTCScene scene, RTCRayHit& query) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene, &context, &query);
  return query.hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

/// Share of its rounding that each vertex of a surface has room for among surfaces that are not rounded.
std::vector<float> room_to_round(const Surface& surface, RTCScene unrounded, float nearest) {
  std::vector<float> room(surface.positions.size(), 1);
  parallel_for(static_cast<int>(room.size()), [&](int k) {
    const auto i = static_cast<size_t>(k);
    const Vec3f way = surface.positions[i] - surface.unrounded[i];
    const float length = way.norm();
    if (length < nearest) return;
    RTCRayHit query;
    set_ray(query.ray, {surface.unrounded[i], way / length});
    query.ray.tnear = nearest;
    query.ray.tfar = length / kRoundedShare;
    if (meets(unrounded, query)) room[i] = kRoundedShare * query.ray.tfar / length;
  });
  return room;
}

/// The least of every vertex and its neighbours: triangles between two vertices need room as well.
std::vector<float> least_around(const std::vector<Triangle>& triangles, const std::vector<float>& values) {
  std::vector<float> least = values;
  for (const Triangle& triangle : triangles) {
    const auto value = [&](int corner) {
      return values[static_cast<size_t>(triangle[static_cast<size_t>(corner)])];
    };
    const float lowest = std::min({value(0), value(1), value(2)});
    for (const int i : triangle)
      least[static_cast<size_t>(i)] = std::min(least[static_cast<size_t>(i)], lowest);
  }
  return least;
}

/// Obstacles and cloth of the snapshot; level obstacles are put into `level`.
std::vector<std::unique_ptr<Surface>> make_surfaces(const SnapshotModel& model, const Snapshot& snapshot,
                                                    ColourField field,
                                                    std::vector<std::unique_ptr<Surface>>& level) {
  std::vector<std::unique_ptr<Surface>> surfaces;
  for (size_t i = 0; i < model.objects.size(); ++i) {
    const SnapshotObject& object = model.objects[i];
    if (object.kind == SnapshotObject::Kind::cloth) {
      surfaces.push_back(std::make_unique<Surface>(cloth_surface(object, snapshot.objects[i], field)));
      if (field == ColourField::treatment)
        surfaces.push_back(std::make_unique<Surface>(element_tubes(object, snapshot.objects[i])));
      continue;
    }
    auto surface = std::make_unique<Surface>(obstacle_surface(object, snapshot.objects[i]));
    (level_height(*surface) ? level : surfaces).push_back(std::move(surface));
  }
  return surfaces;
}

}  // namespace

PictureStage::PictureStage(const SnapshotModel& model, const Snapshot& snapshot, ColourField field,
                           std::optional<double> ground_height, std::vector<Surface> more)
    : embree_(std::make_unique<Embree>()) {
  std::vector<std::unique_ptr<Surface>> level;
  surfaces_ = make_surfaces(model, snapshot, field, level);
  for (const auto& surface : surfaces_) bounds_.extend(bounds_of(*surface));
  const float width = bounds_.isEmpty() ? 0 : bounds_.sizes().head<2>().maxCoeff();
  std::optional<float> ground;
  for (auto& surface : level) {
    const float own_width = bounds_of(*surface).sizes().head<2>().minCoeff();
    const float height = *level_height(*surface);
    if (own_width >= width && (!ground || height < *ground)) {
      ground = height;
    } else {
      bounds_.extend(bounds_of(*surface));
      surfaces_.push_back(std::move(surface));
    }
  }
  for (Surface& surface : more) {
    bounds_.extend(bounds_of(surface));
    surfaces_.push_back(std::make_unique<Surface>(std::move(surface)));
  }
  const float size = bounds_.isEmpty() ? 1 : bounds_.sizes().norm();
  const float lowest = bounds_.isEmpty() ? 0 : bounds_.min().z() - 0.002f * size;
  ground_ = ground ? *ground : ground_height ? static_cast<float>(*ground_height) : lowest;
  offset_ = 3e-5f * size;
  round_within_gaps();
  for (const auto& surface : surfaces_) embree_->attach(surface->positions, surface->triangles);
  embree_->commit();
}

PictureStage::~PictureStage() = default;

void PictureStage::Embree::attach(const std::vector<Vec3f>& positions,
                                  const std::vector<Triangle>& triangles) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  void* vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                           sizeof(Vec3f), positions.size());
  if (!positions.empty()) std::memcpy(vertices, positions.data(), positions.size() * sizeof(Vec3f));
  void* indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                          sizeof(Triangle), triangles.size());
  if (!triangles.empty()) std::memcpy(indices, triangles.data(), triangles.size() * sizeof(Triangle));
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
}

void PictureStage::Embree::commit() {
  // Built by one thread, the tree, and with it the choice among equal hits, is always the same.
  on_one_thread([&] { rtcCommitScene(scene); });
}

void PictureStage::round_within_gaps() {
  const auto is_rounded = [](const auto& surface) {
    return surface->cloth && surface->positions != surface->unrounded;
  };
  if (std::none_of(surfaces_.begin(), surfaces_.end(), is_rounded)) return;
  Embree unrounded;
  for (const auto& surface : surfaces_)
    unrounded.attach(surface->cloth ? surface->unrounded : surface->positions, surface->triangles);
  unrounded.commit();
  const float nearest = 0.1f * offset_;  // what is nearer is the cloth itself
  for (const auto& surface : surfaces_) {
    if (!is_rounded(surface)) continue;
    std::vector<float> room = room_to_round(*surface, unrounded.scene, nearest);
    for (int ring = 0; ring < kRings; ++ring) room = least_around(surface->triangles, room);
    for (size_t i = 0; i < room.size(); ++i)
      surface->positions[i] =
          surface->unrounded[i] + room[i] * (surface->positions[i] - surface->unrounded[i]);
  }
}

bool PictureStage::intersect(const Ray& ray, Hit& hit) const {
  RTCRayHit query;
  set_ray(query.ray, ray);
  const bool triangle = meets(embree_->scene, query);
  const float above = ray.origin.z() - ground_;
  if (above > 0 && ray.direction.z() < 0 && above < -ray.direction.z() * query.ray.tfar) {
    hit = Hit{};
    hit.distance = -above / ray.direction.z();
    hit.position = ray.origin + hit.distance * ray.direction;
    hit.geometric_normal = hit.normal = Vec3f::UnitZ();
    return true;
  }
  if (!triangle) return false;
  hit.distance = query.ray.tfar;
  hit.position = ray.origin + hit.distance * ray.direction;
  hit.geometric_normal = Vec3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z).normalized();
  hit.front = hit.geometric_normal.dot(ray.direction) < 0;
  hit.u = query.hit.u;
  hit.v = query.hit.v;
  hit_triangle(query.hit.geomID, query.hit.primID, hit);
  return true;
}

void PictureStage::hit_triangle(unsigned geometry, unsigned face, Hit& hit) const {
  const Surface& surface = *surfaces_[geometry];
  hit.surface = &surface;
  hit.face = static_cast<int>(face);
  hit.kind = surface.cloth ? Hit::Kind::cloth : Hit::Kind::obstacle;
  const Vec3f* corner = &surface.corner_normals[3 * static_cast<size_t>(face)];
  const Vec3f blend = (1 - hit.u - hit.v) * corner[0] + hit.u * corner[1] + hit.v * corner[2];
  hit.normal = blend.squaredNorm() > 0.01f ? blend.normalized() : hit.geometric_normal;
  if (hit.normal.dot(hit.geometric_normal) < 0) hit.normal = hit.geometric_normal;
}

bool PictureStage::occluded(const Ray& ray) const {
  if (ray.direction.z() < 0 && ray.origin.z() > ground_) return true;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay query;
  set_ray(query, ray);
  rtcOccluded1(embree_->scene, &context, &query);
  return query.tfar < 0;
}

}  // namespace heddle
