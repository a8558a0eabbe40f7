#include <heddle/scene/load.h>
#include <heddle/sim/registry.h>

#include <cstddef>
#include <cstdint>

/// Any bytes must give a scene or errors, never a crash; every error must name the file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const heddle::Catalogue catalogue = heddle::make_catalogue();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const heddle::Result<heddle::LoadedScene> loaded = heddle::load_scene_text(text, "fuzz/a.json", catalogue);
  if (loaded) return loaded->description.cloths.empty() ? __builtin_trap(), 0 : 0;
  for (const heddle::Diagnostic& item : loaded.errors().items())
    if (item.where.file.empty() || item.message.empty()) __builtin_trap();
  return 0;
}
