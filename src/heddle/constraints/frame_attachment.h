#pragma once

#include <heddle/dynamics/constraint.h>
#include <heddle/math/rigid_transform.h>

#include <functional>
#include <optional>
#include <vector>

namespace heddle {

/// Particles that stay where they are in a moving frame: pins and attachments to obstacles.
class FrameAttachment final : public Constraint {
 public:
  /// `pose(t)` is the frame at time t; `local` the positions in it, m; after `release` (s) the particles are
  /// free.
  FrameAttachment(std::vector<int> particles, std::vector<Vec3> local,
                  std::function<RigidTransform(double)> pose, std::optional<double> release)
      : particles_(std::move(particles)),
        local_(std::move(local)),
        pose_(std::move(pose)),
        release_(release) {}

  std::string_view name() const override { return "attachment"; }
  void constrain(const State& state, double dt, VelocityFilter& filter) const override;

 private:
  std::vector<int> particles_;
  std::vector<Vec3> local_;
  std::function<RigidTransform(double)> pose_;
  std::optional<double> release_;
};

}  // namespace heddle
