#include "commands.h"

#include <heddle/core/check.h>
#include <heddle/core/version.h>

#include <fmt/core.h>

#include <csignal>

int main(int argc, char** argv) {
  using namespace heddle::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the write, not the end of the program
  CLI::App program{"Heddle simulates cloth and shows it as it looks.", "heddle"};
  program.footer("Example: heddle run scenes/drape_sphere.json -o out/drape && heddle view out/drape");
  program.set_version_flag("--version", std::string("heddle ") + heddle::version());
  program.require_subcommand(1);
  Action action;
  for (const auto add : {add_run, add_check, add_describe, add_info, add_view, add_export, add_picture, add_movie,
                         add_step})
    add(program, action);
  try {
    program.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& error) {
    const int code = program.exit(error);
    return code == 0 ? kSuccess : kBadInput;
  } catch (const heddle::CheckFailure& error) {
    fmt::print(stderr, "internal error: {}\nplease report it with the scene\n", error.what());
    return kFailedRun;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: out of memory; use a coarser mesh\n");
    return kFailedRun;
  }
}
