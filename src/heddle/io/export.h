#pragma once

#include <heddle/core/result.h>
#include <heddle/io/run_folder.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

/// How rods are written: as the tubes that are drawn, as curves along their middle, or as both.
enum class RodExport { tubes, curves, both };

struct ExportOptions {
  std::string format;         // a name of export_formats()
  std::filesystem::path out;  // the folder, or the file of single-file formats (extension added if missing)
  std::string object;         // only this one; empty: all
  RodExport rods = RodExport::tubes;
  int first = 0;           // frame numbers, both ends included
  int last = -1;           // -1: to the end of the run
  bool overwrite = false;  // also replace what this exporter did not write
};

struct ExportFormat {
  std::string name;
  std::string extension;  // with its dot
  bool single_file = false;
  std::string doc;  // one sentence
};

const std::vector<ExportFormat>& export_formats();

/// Writes the frames of a run for other programs; z is up and lengths are metres in every file, except that
/// glTF gets a root node that turns z to its y. All frames are read and checked before anything is written;
/// every file appears whole or not at all. A folder or file that is not empty and not from an earlier export
/// of the same format is an error unless `overwrite`; files of the earlier export that are not written again
/// vanish.
Status export_run(const RunReader& run, const ExportOptions& options);

}  // namespace heddle
