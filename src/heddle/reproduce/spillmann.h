#pragma once

#include <heddle/reproduce/experiment.h>

namespace heddle {

/// Rods of Spillmann 2008, chapters 3, 4 and 6.
std::span<const Experiment> spillmann_experiments();

Result<Findings> spillmann_resolution(const Effort& effort);
Result<Findings> spillmann_looping(const Effort& effort);
Result<Findings> spillmann_pendulum(const Effort& effort);
Result<Findings> spillmann_fisherman(const Effort& effort);
Result<Findings> spillmann_coil(const Effort& effort);
Result<Findings> spillmann_prusik(const Effort& effort);

}  // namespace heddle
