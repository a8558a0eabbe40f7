#pragma once

#include <heddle/sim/simulation.h>
#include <heddle/sim/step.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace heddle::test {

using Json = nlohmann::json;

/// A scene with one cloth called "cloth" of the fabric "probe", tight solver tolerance, and 100 steps a
/// second. Tests change what they need before they build it.
Json one_cloth(const Json& mesh);
/// The only cloth and its fabric in such a scene.
Json& cloth_of(Json& scene);
Json& fabric_of(Json& scene);
/// One step per frame, so that every step has this length (s).
void set_step(Json& scene, double seconds);

/// From text to a simulation as the command does it; a bad scene ends the test program with its errors.
Simulation build_scene(const Json& scene);

/// Steps until `time` (s) with a look at the state after every step; stops at the first failure.
StepSummary advance_to(Simulation& simulation, double time, const std::function<void()>& after_step);
/// Steps until nothing moves faster than `speed` (m/s) or `time` (s) has come; true if it came to rest.
bool advance_to_rest(Simulation& simulation, double speed, double time);

double largest_speed(const State& state);
Vec3 momentum(const Simulation& simulation);  // kg m/s
/// Pairs of triangles of cloth that intersect, by exact predicates.
std::int64_t intersections(const Simulation& simulation);
/// The same, with those of cloth and the surfaces of obstacles; for scenes of one cloth.
std::int64_t all_intersections(const Simulation& simulation);
/// True if HEDDLE_FULL is set: slow variants run too.
bool full();

}  // namespace heddle::test
