#pragma once

#include <heddle/dynamics/force_term.h>

#include <vector>

namespace heddle {

/// Weight: f = m g.
class Gravity final : public ForceTerm {
 public:
  /// `mass` in kg per particle, `acceleration` in m/s2.
  Gravity(std::vector<double> mass, const Vec3& acceleration) : mass_(std::move(mass)), g_(acceleration) {}

  std::string_view name() const override { return "gravity"; }
  bool is_conservative() const override { return true; }
  bool is_external() const override { return true; }
  double energy(const Configuration& q) const override;
  void add_force(const Configuration& q, std::span<Vec3> force) const override;

 private:
  std::vector<double> mass_;
  Vec3 g_;
};

}  // namespace heddle
