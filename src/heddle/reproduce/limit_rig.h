#pragma once

#include <heddle/reproduce/stage.h>

#include <string>

namespace heddle {

/// Strains that a run is to keep, and how.
struct LimitCase {
  std::string name;
  std::string method;  // a value of "limits" in JSON, or empty: nothing is limited
  PlaneStrain limits;  // along weft and warp, and shear
};

/// What a run with strain limits did.
struct LimitRun {
  PlaneStrain largest;    // over all faces and steps; shear by its size
  double excess = 0;      // 1, beyond the limits at the end of a step, at most
  double iterations = 0;  // of limiting, in the mean over its calls
  double limit_seconds = 0, integration_seconds = 0, all_seconds = 0;
  std::vector<Vec3> positions;       // m, at the end
  std::vector<PlaneStrain> strains;  // by face, at the end
  bool intersects = false;
  std::string failure;  // empty if it ended
};

/// The parameters of a fabric that has the limits, as JSON without braces. Where nothing is limited the
/// limits are so wide that they only serve to measure.
std::string limits_json(const LimitCase& limits);
/// The key "limits" of a scene with a comma before it, or nothing.
std::string method_json(const LimitCase& limits);

/// Runs a scene to its end, looking at every step.
LimitRun run_limited(Simulation sim, bool count_intersections);
Result<LimitRun> run_limited(const std::string& scene, bool count_intersections = false);

}  // namespace heddle
