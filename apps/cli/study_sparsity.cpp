#include "commands.h"
#include "study_plot.h"
#include "terminal.h"

#include <heddle/core/text.h>
#include <heddle/parallel/scheduler.h>
#include <heddle/sim/build.h>
#include <heddle/sim/step.h>
#include <heddle/study/sparsity.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <array>

namespace heddle::cli {

namespace {

struct Options {
  std::string scene, folder;
  std::int64_t frame = 0;
  int threads = 0;
  bool json = false, overwrite = false;
};

constexpr std::array kViews{"full", "adaptive", "decomposed"};
constexpr std::array kEndings{".svg", ".png"};

std::string file_of(const Options& options, const std::string& view, const std::string& ending) {
  return (std::filesystem::path(options.folder) / (view + ending)).string();
}

Status check_files(const Options& options) {
  if (options.folder.empty()) return Done{};
  Diagnostics errors;
  for (const char* view : kViews)
    for (const char* ending : kEndings)
      if (const Status name = check_plot(file_of(options, view, ending), options.overwrite); !name)
        errors.append(name.errors());
  if (errors.has_errors()) return errors;
  return Done{};
}

/// The scene when it has reached the frame.
Result<Simulation> simulate(const Options& options) {
  Result<Simulation> sim = build_file(options.scene);
  if (!sim) return sim;
  if (options.frame >= sim->model.frame_count())
    return failure({options.scene}, "there is no frame " + std::to_string(options.frame),
                   "the scene has frames 0 to " + std::to_string(sim->model.frame_count() - 1));
  const StepSummary summary = advance_to(*sim, sim->model.frame_time(options.frame));
  if (summary.outcome != StepOutcome::accepted) return failure({options.scene}, summary.reason);
  return sim;
}

Status write_files(const Options& options, const std::vector<SparsityView>& views) {
  if (options.folder.empty()) return Done{};
  const std::string subject =
      std::filesystem::path(options.scene).stem().string() + ", frame " + std::to_string(options.frame);
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error) return failure({options.folder}, "cannot make the folder: " + error.message());
  for (const SparsityView& view : views)
    for (const char* ending : kEndings)
      if (const Status written =
              write_plot(file_of(options, view.name, ending), sparsity_plot(view, subject));
          !written)
        return written;
  return Done{};
}

nlohmann::ordered_json to_json(const std::vector<SparsityView>& views) {
  auto out = nlohmann::ordered_json::array();
  for (const SparsityView& view : views)
    out.push_back({{"matrix", view.name},
                   {"rows", view.pattern.row_count()},
                   {"blocks", view.pattern.block_count()},
                   {"nonzeros", view.nonzeros},
                   {"bandwidth", view.bandwidth()},
                   {"components", view.components}});
  return out;
}

void print_table(const std::vector<SparsityView>& views) {
  fmt::print("{:<12} {:>8} {:>10} {:>12} {:>10} {:>11}  {}\n", "matrix", "rows", "blocks", "non-zeros",
             "bandwidth", "components", "shows");
  for (const SparsityView& view : views)
    fmt::print("{:<12} {:>8} {:>10} {:>12} {:>10} {:>11}  {}\n", view.name, view.pattern.row_count(),
               view.pattern.block_count(), view.nonzeros, view.bandwidth(),
               view.components > 0 ? std::to_string(view.components) : "", view.summary);
}

int execute(const Options& options) {
  if (const Status files = check_files(options); !files) return reject(files.errors());
  const Result<Simulation> sim = ThreadPool(options.threads).run([&] { return simulate(options); });
  if (!sim) return reject(sim.errors());
  const std::vector<SparsityView> views = sparsity_views(*sim);
  if (const Status written = write_files(options, views); !written) return reject(written.errors());
  if (options.json)
    fmt::print("{}\n", to_json(views).dump(2));
  else
    print_table(views);
  return kSuccess;
}

}  // namespace

void add_study_sparsity(CLI::App& study, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = study.add_subcommand("sparsity", "Pictures of the matrix of a scene");
  command->footer("Example: heddle study sparsity scenes/adaptive_imex.json --frame 20 -o pictures");
  command->add_option("scene", options->scene, "Scene file")->required()->check(is_named);
  command->add_option("--frame", options->frame, "Frame at which the matrix is looked at; 0 is the start")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("-o,--output", options->folder,
                   "Folder for full, adaptive and decomposed, each as .svg and .png")
      ->check(is_named);
  command->add_flag("--overwrite", options->overwrite, "Replace pictures that exist");
  command->add_flag("--json", options->json, "Print JSON");
  command->add_option("--threads", options->threads, "Threads; 0 means all processors")
      ->check(CLI::Range(0, 1024));
  command->callback([=, &action] { action = [=] { return execute(*options); }; });
}

}  // namespace heddle::cli
