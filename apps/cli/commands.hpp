// apps/cli/commands.hpp — one function per command adds its options; the command's exit code goes to
// `exit_code`.
#pragma once

#include "console.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/scene/build.hpp"

#include <CLI/CLI.hpp>

#include <functional>

namespace pliant::cli {

void add_build(CLI::App& app, int& exit_code);
void add_haptic(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_decompose(CLI::App& app, int& exit_code);
void add_mesh(CLI::App& app, int& exit_code);
void add_modes(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_sketch(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);
void add_weights(CLI::App& app, int& exit_code);

/// --json, --quiet and --threads.
void add_common(CLI::App& command, Common& common);
/// Where reduced bodies are kept.
struct CacheOptions {
  std::string folder;
  bool off = false;
  [[nodiscard]] BuildOptions build() const;
};
/// --cache and --no-cache.
void add_cache(CLI::App& command, CacheOptions& cache);
/// build_scene(), which an interrupt ends even where a factorisation does not look up from its work.
Result<std::unique_ptr<BuiltScene>> build_or_give_up(const SceneDescription& scene, Progress& progress,
                                                     const BuildOptions& build);
/// Carries out a command with as many threads as --threads says; returns its exit code.
int with_threads(const Common& common, const std::function<int()>& command);

}  // namespace pliant::cli
