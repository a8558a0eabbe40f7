#pragma once

#include <heddle/io/run_record.h>
#include <heddle/scene/scene_description.h>

#include <map>
#include <string>

namespace heddle {

/// Hashes of the mesh, sequence and texture files that a scene names, and of the buffers that those name, by
/// their names as seen from the scene. Files that cannot be read are left out: building the scene reports
/// them at their place.
std::map<std::string, std::string> input_hashes(const SceneDescription& scene);

/// Names every such file that is not as the run has recorded it; empty if there is none. Files without a
/// record count as unchanged.
Diagnostics changed_inputs(const RunRecord& record, const SceneDescription& scene);

}  // namespace heddle
