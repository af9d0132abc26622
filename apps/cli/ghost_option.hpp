// apps/cli/ghost_option.hpp — --ghost MODEL|FOLDER of `pliant view` and `pliant render`.
#pragma once

#include "commands.hpp"
#include "pliant/serve/ghost.hpp"

namespace pliant::cli {

/// --ghost.
void add_ghost(CLI::App& command, std::string& named);
/// What it names: a model type, which is built and started, or the folder of a recorded run; empty: none.
Result<std::unique_ptr<view::Ghost>> open_ghost(const std::string& named, const std::string& scene_file,
                                                const view::Simulation& simulation, Progress& progress,
                                                const BuildOptions& build);

}  // namespace pliant::cli
