#include <heddle/materials/fabric.h>

namespace heddle {

const std::vector<FabricPreset>& fabric_presets() {
  static const std::vector<FabricPreset> presets{{"cotton", "Plain-woven cotton.", "", {}}};
  return presets;
}

}  // namespace heddle
