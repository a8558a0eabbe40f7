#pragma once

#include <heddle/render/surface.h>
#include <heddle/render/textile.h>

#include <memory>

namespace heddle {

struct Ray {
  Vec3f origin;
  Vec3f direction;  // unit
};

/// What a ray meets.
struct Hit {
  enum class Kind { cloth, obstacle, ground };
  Kind kind = Kind::ground;
  float distance = 0;                // m
  Vec3f position;                    // m
  Vec3f geometric_normal;            // unit, of the front
  Vec3f normal;                      // unit, interpolated, on the same side as geometric_normal
  bool front = true;                 // seen from the front
  const Surface* surface = nullptr;  // null for the ground
  int face = 0;
  float u = 0, v = 0;  // barycentric weights of the triangle's second and third corner
};

/// The geometry of one picture: triangles in a ray tracing structure above a level, endless ground.
class PictureStage {
 public:
  /// Level obstacles at least as wide as the rest become the ground; without one it lies at `ground_height`,
  /// or just below the lowest thing of the frame. `more` is drawn with it.
  PictureStage(const SnapshotModel& model, const Snapshot& snapshot, ColourField field,
               std::optional<double> ground_height, std::vector<Surface> more = {});
  ~PictureStage();
  PictureStage(const PictureStage&) = delete;
  PictureStage& operator=(const PictureStage&) = delete;

  bool intersect(const Ray& ray, Hit& hit) const;
  /// Whether anything lies on the ray.
  bool occluded(const Ray& ray) const;
  float ground_height() const { return ground_; }
  /// Box around everything but the ground.
  const Bounds& bounds() const { return bounds_; }
  /// Rays that leave a surface start this far from it, m.
  float offset() const { return offset_; }

 private:
  struct Embree;
  /// Rounds refined cloth only as far as there is room, so that layers do not show through each other.
  void round_within_gaps();
  void hit_triangle(unsigned geometry, unsigned face, Hit& hit) const;

  std::vector<std::unique_ptr<Surface>> surfaces_;
  std::unique_ptr<Embree> embree_;
  Bounds bounds_;
  float ground_ = 0;
  float offset_ = 0;
};

}  // namespace heddle
