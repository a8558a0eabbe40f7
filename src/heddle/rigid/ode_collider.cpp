#include <heddle/rigid/ode_collider.h>

#include <heddle/mesh/measures.h>

#include <ode/ode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace heddle {

namespace {

constexpr int kMostFound = 128;  // contacts of a pair
constexpr int kMostKept = 8;

/// The engine initialises itself for the whole process; its messages would be printed.
void start_engine() {
  static const bool started = [] {
    dInitODE2(0);
    const auto silent = [](int, const char*, va_list) {};
    dSetMessageHandler(silent);
    dSetErrorHandler(silent);
    dSetDebugHandler(silent);
    return true;
  }();
  static_cast<void>(started);
  dAllocateODEDataForThread(dAllocateMaskAll);
}

struct GeomDeleter {
  void operator()(dGeomID geom) const { dGeomDestroy(geom); }
};
struct MeshDeleter {
  void operator()(dTriMeshDataID data) const { dGeomTriMeshDataDestroy(data); }
};

Vec3 vector_of(const dReal* v) {
  return {v[0], v[1], v[2]};
}

/// A solid as the engine sees it.
class EngineSolid {
 public:
  /// `share`: of its smallest half width, by which it is enlarged.
  EngineSolid(const SolidSurface& surface, double share) {
    if (surface.shape)
      make_shape(*surface.shape, share);
    else
      make_mesh(surface);
  }

  dGeomID geom() const { return geom_.get(); }
  double margin() const { return margin_; }
  bool is_plane() const { return is_plane_; }

  void place(const RigidTransform& pose) {
    if (is_plane_) {
      const Vec3 normal = pose.direction(Vec3::UnitZ());
      dGeomPlaneSetParams(geom(), normal.x(), normal.y(), normal.z(), normal.dot(pose.translation));
      return;
    }
    const Quat& q = pose.rotation;
    const dQuaternion rotation{q.w(), q.x(), q.y(), q.z()};
    dGeomSetQuaternion(geom(), rotation);
    dGeomSetPosition(geom(), pose.translation.x(), pose.translation.y(), pose.translation.z());
  }

  BoundingBox bounds() const {
    if (is_plane_) return {Vec3::Constant(-HUGE_VAL), Vec3::Constant(HUGE_VAL)};
    std::array<dReal, 6> box{};
    dGeomGetAABB(geom(), box.data());
    return {Vec3(box[0], box[2], box[4]), Vec3(box[1], box[3], box[5])};
  }

 private:
  void make_shape(const ShapeVariant& shape, double share) {
    constexpr double kLargestMargin = 5e-4;  // m
    const auto grow = [&](double half_width) {
      margin_ = std::min(kLargestMargin, share * half_width);
      return margin_;
    };
    if (const auto* sphere = std::get_if<Sphere>(&shape)) {
      geom_.reset(dCreateSphere(nullptr, sphere->radius + grow(sphere->radius)));
    } else if (const auto* box = std::get_if<Box>(&shape)) {
      const double m = 2 * grow(0.5 * box->size.minCoeff());
      geom_.reset(dCreateBox(nullptr, box->size.x() + m, box->size.y() + m, box->size.z() + m));
    } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
      geom_.reset(dCreateCapsule(nullptr, capsule->radius + grow(capsule->radius), capsule->length));
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
      const double m = grow(std::min(cylinder->radius, 0.5 * cylinder->height));
      geom_.reset(dCreateCylinder(nullptr, cylinder->radius + m, cylinder->height + 2 * m));
    } else {
      is_plane_ = true;
      geom_.reset(dCreatePlane(nullptr, 0, 0, 1, 0));
    }
  }

  void make_mesh(const SolidSurface& surface) {
    vertices_ = surface.vertices;
    for (const Triangle& t : surface.triangles) indices_.insert(indices_.end(), t.begin(), t.end());
    data_.reset(dGeomTriMeshDataCreate());
    dGeomTriMeshDataBuildDouble(data_.get(), vertices_.data(), sizeof(Vec3),
                                static_cast<int>(vertices_.size()), indices_.data(),
                                static_cast<int>(indices_.size()), 3 * sizeof(dTriIndex));
    geom_.reset(dCreateTriMesh(nullptr, data_.get(), nullptr, nullptr, nullptr));
  }

  std::vector<Vec3> vertices_;
  std::vector<dTriIndex> indices_;
  std::unique_ptr<dxTriMeshData, MeshDeleter> data_;
  std::unique_ptr<dxGeom, GeomDeleter> geom_;
  double margin_ = 0;  // m
  bool is_plane_ = false;
};

/// Enough points to carry a body: the deepest, and those that are farthest from the ones before.
void keep_few(std::vector<SolidContact>& contacts) {
  if (contacts.size() <= kMostKept) return;
  const auto deepest = std::min_element(contacts.begin(), contacts.end(),
                                        [](const auto& a, const auto& b) { return a.gap < b.gap; });
  std::iter_swap(contacts.begin(), deepest);
  std::vector<double> distance(contacts.size(), std::numeric_limits<double>::infinity());
  for (size_t kept = 1; kept < kMostKept; ++kept) {
    size_t next = kept;
    for (size_t i = kept; i < contacts.size(); ++i) {
      distance[i] = std::min(distance[i], (contacts[i].place - contacts[kept - 1].place).squaredNorm());
      if (distance[i] > distance[next]) next = i;
    }
    std::swap(contacts[kept], contacts[next]);
    std::swap(distance[kept], distance[next]);
  }
  contacts.resize(kMostKept);
}

class OdeCollider final : public BodyCollider {
 public:
  OdeCollider(std::span<const RigidBody> bodies, std::span<const RigidObstacle> obstacles,
              std::vector<std::pair<int, int>> pairs_apart)
      : body_count_(static_cast<int>(bodies.size())), apart_(std::move(pairs_apart)) {
    constexpr double kShare = 0.002;
    start_engine();
    for (const RigidBody& body : bodies) solids_.emplace_back(body.surface, kShare);
    for (const RigidObstacle& obstacle : obstacles) solids_.emplace_back(obstacle.surface, 0);
    std::sort(apart_.begin(), apart_.end());
  }

  void collide(std::span<const RigidTransform> bodies, std::span<const RigidTransform> obstacles,
               std::vector<SolidContact>& contacts) override {
    start_engine();
    bounds_.clear();
    for (size_t k = 0; k < solids_.size(); ++k) {
      solids_[k].place(k < bodies.size() ? bodies[k] : obstacles[k - bodies.size()]);
      bounds_.push_back(solids_[k].bounds());
    }
    contacts.clear();
    for (const auto& [first, second] : near_pairs()) collide_pair(first, second, contacts);
  }

 private:
  /// Bodies whose boxes overlap, by a sweep along x.
  const std::vector<std::pair<int, int>>& near_pairs() {
    const auto low = [&](int k) { return bounds_[static_cast<size_t>(k)].min().x(); };
    order_.resize(solids_.size());
    for (size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<int>(k);
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return low(a) < low(b); });
    pairs_.clear();
    active_.clear();
    for (const int k : order_) {
      std::erase_if(active_,
                    [&](int other) { return bounds_[static_cast<size_t>(other)].max().x() < low(k); });
      for (const int other : active_) {
        const std::pair pair(std::min(k, other), std::max(k, other));
        if (pair.first >= body_count_ || std::binary_search(apart_.begin(), apart_.end(), pair)) continue;
        if (bounds_[static_cast<size_t>(k)].intersects(bounds_[static_cast<size_t>(other)]))
          pairs_.push_back(pair);
      }
      active_.push_back(k);
    }
    std::sort(pairs_.begin(), pairs_.end());
    return pairs_;
  }

  void collide_pair(int first, int second, std::vector<SolidContact>& contacts) {
    const EngineSolid &a = solids_[static_cast<size_t>(first)], &b = solids_[static_cast<size_t>(second)];
    std::array<dContactGeom, kMostFound> found;
    const int count = dCollide(a.geom(), b.geom(), kMostFound, found.data(), sizeof(dContactGeom));
    found_.clear();
    const double margin = a.margin() + b.margin();
    for (int k = 0; k < count; ++k) {
      const dContactGeom& contact = found[static_cast<size_t>(k)];
      const Vec3 normal = vector_of(contact.normal);
      if (!(normal.squaredNorm() > 0.5)) continue;
      // Points of the enlarged surface go back to where the surfaces are.
      const double back = b.is_plane() ? a.margin() : 0.5 * (a.margin() - b.margin());
      const Vec3 place = vector_of(contact.pos) + back * normal;
      found_.push_back({first, second, place, normal.normalized(), margin - contact.depth});
    }
    keep_few(found_);
    contacts.insert(contacts.end(), found_.begin(), found_.end());
  }

  int body_count_;
  std::vector<std::pair<int, int>> apart_, pairs_;
  std::vector<EngineSolid> solids_;
  std::vector<BoundingBox> bounds_;
  std::vector<int> order_, active_;
  std::vector<SolidContact> found_;
};

}  // namespace

std::unique_ptr<BodyCollider> make_ode_collider(std::span<const RigidBody> bodies,
                                                std::span<const RigidObstacle> obstacles,
                                                std::vector<std::pair<int, int>> pairs_apart) {
  return std::make_unique<OdeCollider>(bodies, obstacles, std::move(pairs_apart));
}

}  // namespace heddle
