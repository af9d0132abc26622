#include "commands.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant::cli {

void add_common(CLI::App& command, Common& common) {
  command.add_flag("--json", common.json, "print one JSON document on standard output");
  command.add_flag("--quiet", common.quiet, "no progress, no notes");
  command.add_option("--threads", common.threads,
                     "threads to use (default: all cores); results do not depend on it");
}

void add_cache(CLI::App& command, CacheOptions& cache) {
  command.add_option(
      "--cache", cache.folder,
      "folder for reduced bodies (default: $PLIANT_CACHE, else pliant in the user's cache folder)");
  command.add_flag("--no-cache", cache.off, "build anew, keep nothing");
}

BuildOptions CacheOptions::build() const {
  if (off) return {};
  return {folder.empty() ? default_cache_folder() : std::filesystem::path(folder)};
}

Result<std::unique_ptr<BuiltScene>> build_or_give_up(const SceneDescription& scene, Progress& progress,
                                                     const BuildOptions& build) {
  const Abandonable work;
  return build_scene(scene, progress, build);
}

int with_threads(const Common& common, const std::function<int()>& command) {
  if (common.threads < 0 || common.threads > 4096)
    return report(bad_option("--threads", "must lie in [0, 4096], got " + std::to_string(common.threads)));
  const ThreadScope scope(common.threads);
  return command();
}

}  // namespace pliant::cli
