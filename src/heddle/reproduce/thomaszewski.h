#pragma once

#include <heddle/reproduce/experiment.h>

namespace heddle {

// B. Thomaszewski, Efficient Cloth Simulation, thesis, Tuebingen 2010.
Result<Findings> thomaszewski_impulses(const Effort& effort);
Result<Findings> thomaszewski_volumes(const Effort& effort);
Result<Findings> thomaszewski_funnel(const Effort& effort);
Result<Findings> thomaszewski_drapes(const Effort& effort);
Result<Findings> thomaszewski_limit_kernel(const Effort& effort);
Result<Findings> thomaszewski_swing_limits(const Effort& effort);
Result<Findings> thomaszewski_disc_limits(const Effort& effort);
Result<Findings> thomaszewski_slide_limits(const Effort& effort);
Result<Findings> thomaszewski_table_limits(const Effort& effort);
Result<Findings> thomaszewski_directions(const Effort& effort);
Result<Findings> thomaszewski_measured_fabrics(const Effort& effort);
Result<Findings> thomaszewski_dress(const Effort& effort);
Result<Findings> thomaszewski_course(const Effort& effort);
Result<Findings> thomaszewski_integrators(const Effort& effort);
Result<Findings> thomaszewski_tent(const Effort& effort);
Result<Findings> thomaszewski_ribbon(const Effort& effort);
Result<Findings> thomaszewski_tablecloth(const Effort& effort);
Result<Findings> thomaszewski_bar(const Effort& effort);
Result<Findings> thomaszewski_stack(const Effort& effort);
Result<Findings> thomaszewski_field(const Effort& effort);
Result<Findings> thomaszewski_cubes(const Effort& effort);
Result<Findings> thomaszewski_momentum(const Effort& effort);
Result<Findings> thomaszewski_materials(const Effort& effort);
Result<Findings> thomaszewski_magnet_times(const Effort& effort);

}  // namespace heddle
