#pragma once

#include <heddle/core/result.h>
#include <heddle/sim/step.h>

#include <set>
#include <string>

namespace heddle {

/// Tells what goes wrong in a run without ending it, once for each cloth, because it lasts for a while.
class RunWatch {
 public:
  /// Cloth that found no room.
  Diagnostics after_step(const Model& model, const StepSummary& summary, const std::string& scene_file);
  /// Cloth that is stretched beyond what fabrics bear.
  Diagnostics after_frame(const Model& model, const State& state, const std::string& scene_file);

 private:
  std::set<std::string> squeezed_, overstretched_;  // names of cloths
};

}  // namespace heddle
