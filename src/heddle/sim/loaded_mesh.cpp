#include <heddle/sim/loaded_mesh.h>

#include <heddle/core/text.h>
#include <heddle/io/mesh_file.h>
#include <heddle/mesh/generators.h>

namespace heddle {

std::filesystem::path folder_of(const SourceLocation& where) {
  return std::filesystem::path(where.file).parent_path();
}

std::optional<TriangleMesh> load_mesh(const Entity& mesh, Diagnostics& diagnostics) {
  if (!mesh.is<MeshFile>()) return make_mesh(mesh);
  Diagnostics warnings;
  Result<TriangleMesh> read = make_mesh(mesh.as<MeshFile>(), folder_of(mesh.where), &warnings);
  append_at(mesh.where, "", warnings, diagnostics);
  if (read) return std::move(*read);
  append_at(mesh.where, "", read.errors(), diagnostics);
  return std::nullopt;
}

void append_at(const SourceLocation& where, const std::string& what, const Diagnostics& items,
               Diagnostics& out) {
  for (const Diagnostic& item : items.items()) {
    const std::string place = to_string(item.where);
    const std::string message = what + (place.empty() ? "" : place + ": ") + item.message;
    item.severity == Severity::error ? out.error(where, message, item.remedy)
                                     : out.warning(where, message, item.remedy);
  }
}

Diagnostics with_remedy_for(const Entity& mesh, const std::string& owner, const Diagnostics& found) {
  if (mesh.is<MeshFile>()) return found;
  const std::string remedy = "change the numbers of this " + in_quotes(mesh.type()) +
                             (owner == "cloth" ? ", or the scale of the cloth" : "");
  Diagnostics changed;
  for (const Diagnostic& item : found.items())
    item.severity == Severity::error ? changed.error(item.where, item.message, remedy)
                                     : changed.warning(item.where, item.message, remedy);
  return changed;
}

}  // namespace heddle
