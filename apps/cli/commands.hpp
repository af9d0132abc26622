// apps/cli/commands.hpp — one function per command adds its options; the command's exit code goes to
// `exit_code`.
#pragma once

#include "console.hpp"

#include <CLI/CLI.hpp>

namespace pliant::cli {

void add_info(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_mesh(CLI::App& app, int& exit_code);
void add_modes(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);

/// --json, --quiet and --threads.
void add_common(CLI::App& command, Common& common);
/// Puts --threads into force.
int apply(const Common& common);

}  // namespace pliant::cli
