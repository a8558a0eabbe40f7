#pragma once

#include <heddle/dynamics/integrator.h>
#include <heddle/sim/registry.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// A way to step through time, as studies use it: linear systems are solved exactly, so that the method
/// itself is seen.
struct Method {
  std::string name;
  Value text;  // that it was read from
  Entity entity;

  std::unique_ptr<Integrator> build() const;
};

/// The registered integrator of this name, or one with parameters: {"type": "name", …}.
Result<Method> find_method(const std::string& text, const Catalogue& catalogue);
/// All registered ones with their default parameters.
std::vector<Method> all_methods(const Catalogue& catalogue);
/// The same method with other steps, in s.
Method with_step(const Method& method, double step, const Catalogue& catalogue);

}  // namespace heddle
