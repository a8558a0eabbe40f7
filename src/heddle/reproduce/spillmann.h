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
Result<Findings> spillmann_buckling(const Effort& effort);
Result<Findings> spillmann_cost(const Effort& effort);
Result<Findings> spillmann_wires(const Effort& effort);
Result<Findings> spillmann_thread(const Effort& effort);
Result<Findings> spillmann_spiral(const Effort& effort);
Result<Findings> spillmann_spheroid(const Effort& effort);
Result<Findings> spillmann_coarse_net(const Effort& effort);
Result<Findings> spillmann_dense_net(const Effort& effort);
Result<Findings> spillmann_chain(const Effort& effort);
Result<Findings> spillmann_bar(const Effort& effort);
Result<Findings> spillmann_adaptive_knot(const Effort& effort);
Result<Findings> spillmann_cg_iterations(const Effort& effort);
Result<Findings> spillmann_coil_table(const Effort& effort);
Result<Findings> spillmann_poles(const Effort& effort);
Result<Findings> spillmann_response(const Effort& effort);
Result<Findings> spillmann_prusik(const Effort& effort);

}  // namespace heddle
