#pragma once

#include <heddle/dynamics/constraint.h>
#include <heddle/math/types.h>

#include <functional>
#include <optional>
#include <vector>

namespace heddle {

/// Particles that are held at places which move as told: pins and attachments to obstacles.
class Attachment final : public Constraint {
 public:
  /// Writes the place of every particle at a time (s), m.
  using Places = std::function<void(double time, std::vector<Vec3>& places)>;

  /// After `release` (s) the particles are free.
  Attachment(std::vector<int> particles, Places places, std::optional<double> release)
      : particles_(std::move(particles)), places_(std::move(places)), release_(release) {}

  std::string_view name() const override { return "attachment"; }
  void constrain(const State& state, double dt, VelocityFilter& filter) const override;

 private:
  std::vector<int> particles_;
  Places places_;
  std::optional<double> release_;
};

}  // namespace heddle
