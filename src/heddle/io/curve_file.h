#pragma once

#include <heddle/core/describe.h>
#include <heddle/mesh/curves.h>

#include <filesystem>
#include <string>

namespace heddle {

/// Curves that a scene takes from the lines of a file: {"type": "file", "path": "rope.obj"}.
struct CurveFile {
  std::string path;         // relative to the scene's folder
  std::string up = "auto";  // auto, y, z
  double scale = 1;         // m per unit of the file
  int segments = 0;         // pieces of equal length of a single curve; 0: one for each line

  static void describe(Describer<CurveFile>& d);
};

/// Reads lines (l) between vertices (v); what else an OBJ file holds is not looked at. Lines may share
/// vertices and so make rings and nets. `name` is used in messages.
Result<CurveNet> read_obj_lines(std::string_view text, const std::string& name);

Result<CurveNet> make_curve(const CurveFile& description, const std::filesystem::path& base_folder);

}  // namespace heddle
