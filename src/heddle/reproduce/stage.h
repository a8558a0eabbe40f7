#pragma once

#include <heddle/sim/build.h>
#include <heddle/sim/step.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// A scene with an obstacle of the given file name: a tube through rings of equally many points, m, open at
/// both ends.
Result<Simulation> build_with_tube(const std::string& scene, const std::string& file,
                                   std::span<const std::vector<Vec3>> rings);

/// Of all surfaces of a simulation in the numbering of its contact: particles, then obstacles. m
std::vector<Vec3> surface_positions(const Simulation& sim);

/// Pairs of triangles that intersect, exactly; the simulation has contact of surfaces.
std::int64_t intersections(const Simulation& sim);

/// Area of the shadow on the ground, m^2, from a picture of squares of the given size, m.
double shadow_area(const Simulation& sim, double pixel);

/// Seconds that some work takes.
template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// By stages: what the search and the separation of surfaces took, and what the solver took, s.
double collision_seconds(const StepSummary& summary);
double integration_seconds(const StepSummary& summary);

/// The reason as an error, for steps that failed.
Diagnostics failed_step(const StepSummary& summary);

}  // namespace heddle
