#pragma once

#include <heddle/reproduce/experiment.h>

namespace heddle {

// E. Boxerman, Speeding Up Cloth Simulation, MSc thesis, University of British Columbia, 2003. Most of its
// figures are drawn without numbers. Gravity, friction, solids and some stiffnesses are not given there: see
// boxerman_rig.h for what stands in.
std::span<const Experiment> boxerman_experiments();

Result<Findings> boxerman_truss(const Effort& effort);
Result<Findings> boxerman_stability(const Effort& effort);
Result<Findings> boxerman_amplification(const Effort& effort);
Result<Findings> boxerman_damping(const Effort& effort);
Result<Findings> boxerman_switching(const Effort& effort);
Result<Findings> boxerman_difference(const Effort& effort);
Result<Findings> boxerman_adaptive_cost(const Effort& effort);
Result<Findings> boxerman_start(const Effort& effort);
Result<Findings> boxerman_preconditioners(const Effort& effort);
Result<Findings> boxerman_constrained(const Effort& effort);
Result<Findings> boxerman_overhead(const Effort& effort);
Result<Findings> boxerman_decomposition(const Effort& effort);
Result<Findings> boxerman_threads(const Effort& effort);
Result<Findings> boxerman_ground(const Effort& effort);
Result<Findings> boxerman_snapshots(const Effort& effort);
Result<Findings> boxerman_together(const Effort& effort);

}  // namespace heddle
