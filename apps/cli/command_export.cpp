#include "commands.h"
#include "server/html_export.h"
#include "terminal.h"

#include <heddle/io/export.h>
#include <heddle/io/overwrite.h>

#include <algorithm>
#include <array>
#include <map>

namespace heddle::cli {

namespace {

struct Options {
  std::string folder;
  ExportOptions exporting;
  std::string out;
  std::string rods = "tubes";
  bool json = false;
};

const std::map<std::string, RodExport>& rod_exports() {
  static const std::map<std::string, RodExport> names{
      {"tubes", RodExport::tubes}, {"curves", RodExport::curves}, {"both", RodExport::both}};
  return names;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats()) names.push_back(format.name);
  names.emplace_back("html");
  return names;
}

/// Endings of files that someone may expect from an export; others are parts of names, as in drape_v1.2
constexpr std::array kKnownEndings = {".gltf", ".glb", ".usd", ".usda", ".usdc", ".usdz", ".html", ".htm",
                                      ".obj",  ".ply", ".pc2", ".vtp",  ".vtu",  ".pvd",  ".png",  ".mp4"};

/// The file or folder as it will be called: single files get the ending of their format.
Result<std::filesystem::path> target_of(const Options& given) {
  std::string ending = given.exporting.format == "html" ? ".html" : "";
  for (const ExportFormat& format : export_formats())
    if (format.name == given.exporting.format && format.single_file) ending = format.extension;
  std::filesystem::path out = given.out;
  if (ending.empty() || out.extension() == ending) return out;
  if (std::find(kKnownEndings.begin(), kKnownEndings.end(), out.extension()) != kKnownEndings.end())
    return failure({out.string()}, "an export to " + given.exporting.format + " is a " + ending + " file",
                   "end the name in " + ending);
  return out += ending;
}

Status write_page(const RunReader& reader, const ExportOptions& options) {
  if (!options.object.empty() || options.first > 0 || options.last >= 0 || options.rods != RodExport::tubes)
    return failure({}, "a page holds the whole run", "leave --object, --rods, --first and --last away");
  if (Status allowed = check_overwrite(options.out, options.overwrite); !allowed) return allowed;
  return export_html(reader, options.out);
}

int execute(Options given) {
  const Result<std::filesystem::path> target = target_of(given);
  if (!target) return reject(target.errors());
  given.exporting.out = *target;
  given.exporting.rods = rod_exports().at(given.rods);
  const Result<RunReader> reader = RunReader::open(given.folder);
  if (!reader) return reject(reader.errors());
  const Status written = given.exporting.format == "html" ? write_page(*reader, given.exporting)
                                                          : export_run(*reader, given.exporting);
  if (!written) return reject(written.errors());
  report_written(given.exporting.out.string(), given.json);
  return kSuccess;
}

}  // namespace

void add_export(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("export", "Write a run in another format");
  command->footer("Example: heddle export out/drape_sphere --to gltf -o drape.glb");
  command->add_option("folder", options->folder, "Run folder")->required();
  command->add_option("--to", options->exporting.format, "Format")
      ->required()
      ->check(CLI::IsMember(format_names()));
  command->add_option("-o,--output", options->out, "Folder, or file for gltf, usd and html")
      ->required()
      ->check(is_named);
  command->add_option("--object", options->exporting.object, "Only this cloth, rod or obstacle");
  command->add_option("--rods", options->rods, "Rods as the tubes that are drawn, as curves, or both")
      ->check(CLI::IsMember({"tubes", "curves", "both"}))
      ->capture_default_str();
  command->add_option("--first", options->exporting.first, "First frame")->check(CLI::NonNegativeNumber);
  command->add_option("--last", options->exporting.last, "Last frame; default the end of the run")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--overwrite", options->exporting.overwrite,
                    "Replace what is there, even if Heddle did not write it");
  command->add_flag("--json", options->json, "Print the name of what was written as JSON");
  command->callback([=, &action] { action = [=] { return execute(*options); }; });
}

}  // namespace heddle::cli
