#include "commands.h"
#include "terminal.h"

#include <heddle/materials/tensile_fit.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace heddle::cli {

namespace {

struct FitOptions {
  std::string file;
  std::string direction = "warp";
  double load = kUsualLoad;
  bool gram_force = false;
  bool json = false;
};

Result<TensileFit> fit(const FitOptions& options) {
  std::ifstream in(options.file);
  if (!in)
    return failure({options.file, 0, 0}, "cannot be read",
                   "give a text file with strain and load in each line");
  std::stringstream text;
  text << in.rdbuf();
  const double unit = options.gram_force ? kGramForcePerCentimetre : 1;
  const auto curve = read_tensile_curve(text.str(), unit, options.file);
  if (!curve) return curve.errors();
  return fit_tensile_curve(*curve, options.load);
}

int execute(const FitOptions& options) {
  const Result<TensileFit> found = fit(options);
  if (!found) {
    print(found.errors());
    return kBadInput;
  }
  if (options.json) {
    const nlohmann::json out{{"stiffness", found->stiffness},
                             {"limit", found->limit},
                             {"error", found->error},
                             {"points", found->points}};
    fmt::print("{}\n", out.dump(2));
    return kSuccess;
  }
  fmt::print("\"{0}_stiffness\": {1:.4g}, \"{0}_stretch_limit\": {2:.4g}\n", options.direction,
             found->stiffness, found->limit);
  fmt::print("limit at {:.4g} N/m; the {} points below it are {:.2g} N/m off the line in the mean\n",
             options.load, found->points, found->error);
  return kSuccess;
}

}  // namespace

void add_fabric(CLI::App& program, Action& action) {
  auto options = std::make_shared<FitOptions>();
  CLI::App* fabric = program.add_subcommand("fabric", "Numbers of fabrics from measurements");
  fabric->require_subcommand(1);
  fabric->footer("Example: heddle fabric fit warp.csv --gf-per-cm --direction warp");
  CLI::App* command =
      fabric->add_subcommand("fit", "Fit stiffness and strain limit to a measured tensile curve");
  command->footer("Example: heddle fabric fit warp.csv --gf-per-cm --direction warp");
  command->add_option("curve", options->file, "Text file: strain (1) and load in each line")->required();
  command->add_option("--load", options->load, "Load at the limit, N/m")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--direction", options->direction, "weft or warp, for the names that are printed")
      ->capture_default_str()
      ->check(CLI::IsMember({"weft", "warp"}));
  command->add_flag("--gf-per-cm", options->gram_force, "Loads of the file are in gf/cm (KES), not N/m");
  command->add_flag("--json", options->json, "Print the numbers as JSON");
  command->callback([=, &action] { action = [=] { return execute(*options); }; });
}

}  // namespace heddle::cli
