#include "commands.h"
#include "terminal.h"

#include <heddle/core/text.h>
#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/registry.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

nlohmann::json to_json(const Diagnostics& diagnostics) {
  auto list = nlohmann::json::array();
  for (const Diagnostic& item : diagnostics.items())
    list.push_back({{"severity", item.severity == Severity::error ? "error" : "warning"},
                    {"file", item.where.file},
                    {"line", item.where.line},
                    {"column", item.where.column},
                    {"message", item.message},
                    {"remedy", item.remedy}});
  return list;
}

int finish(const Diagnostics& found, bool json, const std::string& summary) {
  if (json)
    fmt::print("{}\n", to_json(found).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  else
    print(found);
  if (found.has_errors()) return kBadInput;
  if (!json) fmt::print("{}\n", summary);
  return kSuccess;
}

int execute(const std::string& file, bool json) {
  const Catalogue catalogue = make_catalogue();
  const Result<LoadedScene> scene = load_scene(file, catalogue, check_parts(catalogue));
  if (!scene) return finish(scene.errors(), json, "");
  Diagnostics found = scene->warnings;
  const Result<Simulation> simulation = build(scene->description, catalogue, found);
  if (!simulation) return finish(simulation.errors(), json, "");
  const Model& model = simulation->model;
  return finish(
      found, json,
      fmt::format("{}: good; {}{}{} with {}, {}, {} of {}\nintegrator {}", file,
                  counted(model.cloths.size(), "cloth"),
                  model.rods.empty() ? "" : " and " + counted(model.rods.size(), "rod"),
                  model.bodies.empty() ? "" : " and " + counted(model.bodies.size(), "body", "bodies"),
                  counted(static_cast<size_t>(simulation->state.particle_count()), "vertex", "vertices"),
                  counted(model.obstacles.size(), "obstacle"),
                  counted(static_cast<size_t>(model.frame_count() - 1), "frame"),
                  counted(static_cast<size_t>(model.steps_per_frame), "step"), model.integrator));
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  auto file = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("check", "Report everything that is wrong with a scene");
  command->footer("Example: heddle check scenes/drape_sphere.json");
  command->add_option("scene", *file, "Scene file (JSON)")->required();
  command->add_flag("--json", *json, "Print the messages as JSON");
  command->callback([=, &action] { action = [=] { return execute(*file, *json); }; });
}

}  // namespace heddle::cli
