#include <heddle/sim/fabric_library.h>

namespace heddle {

namespace {

/// A fabric of the scene: the values of its base, then its own on top.
Fabric read_fabric(const Value& value, ReadContext& context) {
  Fabric fabric;
  if (const Value* base = value.find("base"); base && base->is_string())
    if (const FabricPreset* preset = find_preset(base->string())) fabric = preset->fabric;
  read_object(value, description_of<Fabric>(), &fabric, context);
  return fabric;
}

}  // namespace

FabricLibrary::FabricLibrary(const SceneDescription& scene, const Catalogue& catalogue,
                             Diagnostics& diagnostics) {
  ReadContext context{catalogue, diagnostics};
  for (const FabricPreset& preset : fabric_presets()) fabrics_[preset.name] = preset.fabric;
  for (const auto& [name, raw] : scene.fabrics) fabrics_[name] = read_fabric(raw.value, context);
}

std::vector<std::string> FabricLibrary::names() const {
  std::vector<std::string> names;
  for (const auto& [name, fabric] : fabrics_) names.push_back(name);
  return names;
}

const Fabric* FabricLibrary::find(const std::string& name, const SourceLocation& where,
                                  Diagnostics& diagnostics) const {
  const auto found = fabrics_.find(name);
  if (found != fabrics_.end()) return &found->second;
  const std::string nearest = nearest_name(name, names());
  diagnostics.error(
      where, "unknown fabric " + in_quotes(name),
      nearest.empty() ? "expected " + quoted_list(names()) : "did you mean " + in_quotes(nearest) + "?");
  return nullptr;
}

}  // namespace heddle
