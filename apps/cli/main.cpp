#include "commands.h"

#include <heddle/core/check.h>
#include <heddle/core/text.h>
#include <heddle/core/version.h>

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <system_error>

namespace {

using namespace heddle;

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// `error: unknown option "--thread"; did you mean "--threads"?`
std::string unknown(const std::string& kind, const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(word, known);
  return "error: unknown " + kind + " " + in_quotes(word) + "; " +
         (nearest.empty() ? "expected " + quoted_list(known) : "did you mean " + in_quotes(nearest) + "?") +
         "\n";
}

/// What is wrong with the command line; the parser itself does not name what it does not know.
std::string explain(const CLI::App& program, const CLI::Error& error, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  const std::vector<std::string> commands = command_names(program);
  if (!first.empty() && first[0] != '-' &&
      std::find(commands.begin(), commands.end(), first) == commands.end())
    return unknown("command", first, commands);
  const CLI::App* command = &program;
  std::string name = "heddle";
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  const std::vector<std::string> options = option_names(*command);
  for (int i = 1; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    const bool known = std::find(options.begin(), options.end(), word) != options.end();
    if (word.starts_with("--") && !known) return unknown("option", word, options);
  }
  std::string said = error.what();
  if (const std::string unread = "Could not convert: "; said.starts_with(unread))
    said = "cannot read a number: " + said.substr(unread.size());
  return "error: " + said + "; see " + name + " --help\n";
}

/// Output that could not be written is a failure; a reader that has seen enough needs no message.
int output_failed(int error) {
  if (error != EPIPE) {
    const std::string text = std::string("error: cannot write the output: ") + std::strerror(error) + "\n";
    std::fputs(text.c_str(), stderr);
  }
  return heddle::cli::kFailedRun;
}

/// The exit code once all output is written.
int flushed(int code) {
  errno = 0;
  std::cout.flush();
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (!lost) return code;
  const int failed = output_failed(errno != 0 ? errno : EIO);
  return code == heddle::cli::kSuccess ? failed : code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace heddle::cli;
  // A closed pipe and a file that may not grow are errors of the write, not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App program{"Heddle simulates cloth and shows it as it looks.", "heddle"};
  program.footer("Example: heddle run scenes/drape_sphere.json -o out/drape && heddle view out/drape");
  program.set_version_flag("--version", std::string("heddle ") + heddle::version());
  program.require_subcommand(1);
  program.failure_message(
      [&](const CLI::App*, const CLI::Error& error) { return explain(program, error, argc, argv); });
  Action action;
  for (const auto add : {add_run, add_check, add_describe, add_info, add_view, add_export, add_picture,
                         add_movie, add_step, add_reproduce, add_study, add_fabric})
    add(program, action);
  try {
    program.parse(argc, argv);
    return flushed(action());
  } catch (const CLI::ParseError& error) {
    const int code = program.exit(error);
    return flushed(code == 0 ? kSuccess : kBadInput);
  } catch (const std::system_error& error) {
    return output_failed(error.code().value());
  } catch (const heddle::CheckFailure& error) {
    fmt::print(stderr, "internal error: {}\nplease report it with the scene\n", error.what());
    return kFailedRun;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: out of memory; use a coarser mesh\n");
    return kFailedRun;
  }
}
