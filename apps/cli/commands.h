#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle::cli {

/// Exit codes of every command.
inline constexpr int kSuccess = 0;
inline constexpr int kFailedRun = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 128;  // and the number of the signal: 130 after Ctrl-C, as shells have it

/// For options that name a file or folder: why the text is none; empty if it is one.
inline std::string is_named(const std::string& text) {
  return text.empty() ? "expected the name of a file or folder, found \"\"" : "";
}

/// The work of the command that was chosen; returns the exit code.
using Action = std::function<int()>;

// Each adds its command to the program and sets `action` when the command line chooses it.
void add_run(CLI::App& program, Action& action);
void add_check(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);
void add_step(CLI::App& program, Action& action);
void add_describe(CLI::App& program, Action& action);  // also "schema"
void add_export(CLI::App& program, Action& action);
void add_picture(CLI::App& program, Action& action);
void add_movie(CLI::App& program, Action& action);
void add_view(CLI::App& program, Action& action);
void add_reproduce(CLI::App& program, Action& action);
void add_study(CLI::App& program, Action& action);
void add_fabric(CLI::App& program, Action& action);
void add_study_detail(CLI::App& study, Action& action);
void add_study_energy(CLI::App& study, Action& action);
void add_study_sparsity(CLI::App& study, Action& action);

}  // namespace heddle::cli
