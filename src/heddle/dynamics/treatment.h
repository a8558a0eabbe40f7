#pragma once

#include <heddle/dynamics/system.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Which forces a method treats explicitly.
struct Splitting {
  bool all_explicit = false;
  std::vector<std::string> explicit_terms;  // by name
  std::optional<StableElements> stable;     // which elements may stay explicit; dt and mass are filled in
};

/// How a step treats an element; inactive ones have neither force nor Jacobian.
enum class Treatment : std::uint8_t { inactive, explicitly, implicitly };

/// Of the elements of one term in a step of length dt (s) from a configuration.
std::vector<Treatment> find_treatments(const System& system, const ForceTerm& term,
                                       const Splitting& splitting, const Configuration& q, double dt);

/// False if all elements that act between particles are treated alike whatever happens.
bool may_differ(const System& system, const Splitting& splitting);

}  // namespace heddle
