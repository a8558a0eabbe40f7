#pragma once

#include <heddle/reproduce/experiment.h>

namespace heddle {

/// Rods of Spillmann 2008, chapter 3.
std::span<const Experiment> spillmann_experiments();

Result<Findings> spillmann_resolution(const Effort& effort);

}  // namespace heddle
