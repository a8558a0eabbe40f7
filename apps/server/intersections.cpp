#include "server/intersections.h"

#include <nlohmann/json.hpp>

namespace heddle {

std::string intersections_json(const FrameIntersections& found) {
  nlohmann::json faces = nlohmann::json::array();
  for (const auto& [object, face] : found.faces) faces.push_back({object, face});
  return nlohmann::json{{"frame", found.frame}, {"pairs", found.count}, {"faces", std::move(faces)}}.dump();
}

}  // namespace heddle
