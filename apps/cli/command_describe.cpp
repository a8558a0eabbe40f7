#include "commands.h"
#include "terminal.h"

#include <heddle/materials/fabric.h>
#include <heddle/scene/describe_text.h>
#include <heddle/scene/schema.h>
#include <heddle/sim/registry.h>

#include <fmt/core.h>

namespace heddle::cli {

namespace {

std::string describe_preset(const FabricPreset& preset, DescribeFormat format) {
  return describe_object(
      {preset.name, preset.summary, preset.source, description_of<Fabric>(), &preset.fabric}, format);
}

Result<std::string> describe_any(const std::string& name, DescribeFormat format) {
  if (const FabricPreset* preset = find_preset(name)) return describe_preset(*preset, format);
  std::vector<std::string> presets;
  for (const FabricPreset& preset : fabric_presets()) presets.push_back(preset.name);
  Result<std::string> text = describe(make_catalogue(), name, format, presets);
  if (text && name.empty() && format == DescribeFormat::text)
    for (const FabricPreset& preset : fabric_presets()) *text += "\n" + describe_preset(preset, format);
  return text;
}

/// Names and summaries only.
int execute_list() {
  fmt::print("{}\nfabrics that come with Heddle\n", describe_catalogue(make_catalogue()));
  for (const FabricPreset& preset : fabric_presets()) fmt::print("  {:<22}{}\n", preset.name, preset.summary);
  return kSuccess;
}

int execute_describe(const std::string& name, DescribeFormat format) {
  const Result<std::string> text = describe_any(name, format);
  if (!text) return reject(text.errors());
  fmt::print("{}", *text);
  return kSuccess;
}

int execute_schema() {
  fmt::print("{}", json_schema(make_catalogue()));
  return kSuccess;
}

}  // namespace

void add_describe(CLI::App& program, Action& action) {
  auto name = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  auto as_markdown = std::make_shared<bool>(false);
  auto as_list = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand(
      "describe", "Print what a scene may contain: types with their parameters, and fabrics");
  command->footer("Example: heddle describe --list, then heddle describe grid");
  command->add_option("type", *name,
                      "A type (grid), a category (mesh), both (mesh.grid) or a fabric (cotton); default all");
  auto* json_flag = command->add_flag("--json", *as_json, "Print as JSON");
  auto* markdown_flag = command->add_flag("--markdown", *as_markdown, "Print as a page of the reference");
  markdown_flag->excludes(json_flag);
  command->add_flag("--list", *as_list, "Print only the names of all types and fabrics, with a sentence each")
      ->excludes(json_flag)
      ->excludes(markdown_flag);
  command->callback([=, &action] {
    action = [=] {
      if (*as_list) return execute_list();
      return execute_describe(*name, *as_json       ? DescribeFormat::json
                                     : *as_markdown ? DescribeFormat::markdown
                                                    : DescribeFormat::text);
    };
  });

  CLI::App* schema = program.add_subcommand("schema", "Print the JSON Schema of scenes, for editors");
  schema->footer("Example: heddle schema > scene.schema.json");
  schema->callback([&action] { action = execute_schema; });
}

}  // namespace heddle::cli
