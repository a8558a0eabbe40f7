#include "commands.h"
#include "terminal.h"

#include <heddle/io/atomic_file.h>
#include <heddle/io/run_record.h>
#include <heddle/scene/load.h>
#include <heddle/sim/build.h>
#include <heddle/sim/checkpoint.h>
#include <heddle/sim/input_files.h>
#include <heddle/sim/judge.h>
#include <heddle/sim/registry.h>
#include <heddle/sim/step.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

/// The state before the failed step if there is one, else the newest checkpoint.
Result<Checkpoint> state_to_run(const RunFolder& folder) {
  const auto failed = failed_state_file(folder);
  if (std::filesystem::exists(failed)) {
    const Result<std::string> bytes = read_file(failed);
    if (!bytes) return bytes.errors();
    return decode_checkpoint(*bytes, failed.string());
  }
  Diagnostics unusable;
  const auto newest = newest_checkpoint(folder, unusable);
  print(unusable);
  if (newest) return *newest;
  return failure({folder.checkpoints().string()}, "the run has no checkpoint yet");
}

/// What one looks at to see why a step fails.
nlohmann::ordered_json facts_of(const Simulation& sim) {
  const Configuration q = configuration_of(sim.state);
  const StrainExtremes strain = strain_extremes(sim.model, sim.state);
  nlohmann::ordered_json energy{{"kinetic", sim.model.system->kinetic_energy(q)}};
  for (const auto& term : sim.model.system->terms())
    if (term->is_conservative()) energy[term->name()] = term->energy(q);
  return {{"step", sim.state.step},
          {"time", sim.state.time},
          {"contacts", sim.state.contacts.size()},
          {"energy", energy},
          {"strain",
           {{"weft", {strain.smallest.weft, strain.largest.weft}},
            {"warp", {strain.smallest.warp, strain.largest.warp}},
            {"shear", {strain.smallest.shear, strain.largest.shear}}}}};
}

nlohmann::ordered_json facts_of(const StepSummary& summary) {
  nlohmann::ordered_json seconds;
  for (size_t stage = 0; stage < summary.seconds.size(); ++stage)
    seconds[std::string(kStageNames[stage])] = summary.seconds[stage];
  return {
      {"solver_iterations", summary.solver_iterations}, {"retries", summary.retries}, {"seconds", seconds}};
}

void print_state(const char* when, const nlohmann::ordered_json& facts) {
  fmt::print("{}: step {} at {:.6f} s, {} contacts\n", when, facts["step"].get<std::int64_t>(),
             facts["time"].get<double>(), facts["contacts"].get<size_t>());
  for (const auto& [name, value] : facts["energy"].items())
    fmt::print("  {} energy {:.6g} J\n", name, value.get<double>());
  for (const auto& [mode, range] : facts["strain"].items())
    fmt::print("  strain {} {:.4f} to {:.4f}\n", mode, range[0].get<double>(), range[1].get<double>());
}

void print_work(const nlohmann::ordered_json& facts) {
  fmt::print("  {} solver iterations, {} retries\n", facts["solver_iterations"].get<int>(),
             facts["retries"].get<int>());
  for (const auto& [stage, seconds] : facts["seconds"].items())
    fmt::print("  {:9} {:8.3f} ms\n", stage, 1e3 * seconds.get<double>());
}

/// The scene as it was run; its own file may have been edited since, or be gone.
Result<Simulation> build_scene(const RunFolder& folder, const RunRecord& record) {
  const Catalogue catalogue = make_catalogue();
  const Result<LoadedScene> scene = load_scene_texts(record.scene_texts, record.scene_file, catalogue);
  if (!scene) return scene.errors();
  Diagnostics problems = changed_inputs(record, scene->description);
  if (problems.has_errors()) return problems;
  Result<Simulation> simulation = build(scene->description, catalogue, problems);
  if (simulation) return simulation;
  problems = simulation.errors();
  problems.error({folder.root().string()}, "the scene of this run cannot be built from here",
                 "work in the folder where the run was started, with the meshes and textures in place");
  return problems;
}

int execute(const std::string& name, bool json) {
  if (const Result<RunReader> reader = RunReader::open(name); !reader) return reject(reader.errors());
  const RunFolder folder(name);
  const Result<RunRecord> record = read_record(folder);
  if (!record) return reject(record.errors());
  Result<Simulation> sim = build_scene(folder, *record);
  if (!sim) return reject(sim.errors());
  Result<Checkpoint> checkpoint = state_to_run(folder);
  if (!checkpoint) return reject(checkpoint.errors());
  if (checkpoint->state.x.size() != sim->state.x.size())
    return reject(failure({name}, "the checkpoint does not fit the scene", "run the scene again"));
  sim->state = std::move(checkpoint->state);
  const nlohmann::ordered_json before = facts_of(*sim);
  const StepSummary summary = step(*sim, [](const Snapshot&) -> Status { return Done{}; });
  const nlohmann::ordered_json after = facts_of(*sim), work = facts_of(summary);
  if (json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"before", before}, {"after", after}, {"work", work}}.dump(2));
  } else {
    print_state("before", before);
    print_state("after", after);
    print_work(work);
  }
  if (summary.outcome == StepOutcome::accepted) return kSuccess;
  fmt::print(stderr, "error: {}\n", summary.reason);
  return kFailedRun;
}

}  // namespace

void add_step(CLI::App& program, Action& action) {
  auto folder = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      program.add_subcommand("step", "Run one step of a run again and tell all about it; writes nothing");
  command->footer("Example: heddle step out/drape_sphere");
  command->add_option("folder", *folder, "Run folder; its failed step, or the one after its last checkpoint")
      ->required();
  command->add_flag("--json", *json, "Print it as JSON");
  command->callback([=, &action] { action = [=] { return execute(*folder, *json); }; });
}

}  // namespace heddle::cli
