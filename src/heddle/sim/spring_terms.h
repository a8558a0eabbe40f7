#pragma once

#include <heddle/sim/registry.h>

namespace heddle {

// Builders of the models that are made of springs. They need a cloth on a regular grid and report any other.

ForceTerms build_choi_ko(const Entity& entity, const TermContext& context);
ForceTerms build_provot(const Entity& entity, const TermContext& context);
ForceTerms build_buckling(const Entity& entity, const TermContext& context);
ForceTerms build_flexion(const Entity& entity, const TermContext& context);

}  // namespace heddle
