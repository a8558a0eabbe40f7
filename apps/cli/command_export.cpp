#include "commands.h"
#include "server/html_export.h"
#include "terminal.h"

#include <heddle/io/export.h>

#include <fmt/core.h>

namespace heddle::cli {

namespace {

struct Options {
  std::string folder;
  ExportOptions exporting;
  std::string out;
};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats()) names.push_back(format.name);
  names.emplace_back("html");
  return names;
}

int execute(Options given) {
  const Result<RunReader> reader = RunReader::open(given.folder);
  if (!reader) return reject(reader.errors());
  given.exporting.out = given.out;
  const Status written = given.exporting.format == "html" ? export_html(*reader, given.out)
                                                          : export_run(*reader, given.exporting);
  if (!written) return reject(written.errors());
  fmt::print("wrote {}\n", given.out);
  return kSuccess;
}

}  // namespace

void add_export(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("export", "Write a run in another format");
  command->footer("Example: heddle export out/drape_sphere --to gltf -o drape.glb");
  command->add_option("folder", options->folder, "Run folder")->required();
  command->add_option("--to", options->exporting.format, "Format")->required()->check(CLI::IsMember(format_names()));
  command->add_option("-o,--output", options->out, "Folder, or file for gltf, usd and html")->required();
  command->add_option("--object", options->exporting.object, "Only this cloth or obstacle");
  command->add_option("--first", options->exporting.first, "First frame")->check(CLI::NonNegativeNumber);
  command->add_option("--last", options->exporting.last, "Last frame; default the end of the run");
  command->add_flag("--overwrite", options->exporting.overwrite, "Replace what is there");
  command->callback([=, &action] { action = [=] { return execute(*options); }; });
}

}  // namespace heddle::cli
