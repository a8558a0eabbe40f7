#include "commands.h"
#include "terminal.h"

#include <heddle/scene/describe_text.h>
#include <heddle/scene/schema.h>
#include <heddle/sim/registry.h>

#include <fmt/core.h>

namespace heddle::cli {

namespace {

int execute_describe(const std::string& name, DescribeFormat format) {
  const Result<std::string> text = describe(make_catalogue(), name, format);
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
  CLI::App* command =
      program.add_subcommand("describe", "Print what a scene may contain: types and their parameters");
  command->footer("Example: heddle describe grid");
  command->add_option("type", *name, "A type (grid), a category (mesh) or both (mesh.grid); default all");
  auto* json_flag = command->add_flag("--json", *as_json, "Print as JSON");
  command->add_flag("--markdown", *as_markdown, "Print as a page of the reference")->excludes(json_flag);
  command->callback([=, &action] {
    action = [=] {
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
