#pragma once

#include <heddle/dynamics/force_term.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// Forces from outside that somebody else finds before each step and that stay the same within it.
class GivenForces final : public ForceTerm {
 public:
  /// N per particle (of turning ones N m); as long as there are particles, or empty for none.
  GivenForces(std::string name, std::shared_ptr<const std::vector<Vec3>> forces)
      : name_(std::move(name)), forces_(std::move(forces)) {}

  std::string_view name() const override { return name_; }
  bool is_conservative() const override { return false; }
  bool is_external() const override { return true; }
  void add_force(const Configuration& q, std::span<Vec3> force) const override;

 private:
  std::string name_;
  std::shared_ptr<const std::vector<Vec3>> forces_;
};

}  // namespace heddle
