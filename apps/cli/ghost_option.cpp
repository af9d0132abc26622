#include "ghost_option.hpp"

#include "pliant/scene/build.hpp"
#include "pliant/scene/schema.hpp"

#include <algorithm>

namespace pliant::cli {

void add_ghost(CLI::App& command, std::string& named) {
  command.add_option("--ghost", named,
                     "to compare: another model of the scene (full, modal, tree), or the folder that "
                     "`pliant run --out` wrote");
}

Result<std::unique_ptr<view::Ghost>> open_ghost(const std::string& named, const std::string& scene_file,
                                                const view::Simulation& simulation, Progress& progress,
                                                const BuildOptions& build) {
  if (named.empty()) return std::unique_ptr<view::Ghost>();
  const auto& models = known_models();
  if (std::find(models.begin(), models.end(), named) == models.end()) {
    if (!std::filesystem::is_directory(named))
      return bad_option("--ghost", "\"" + named + "\" is neither a model nor a folder",
                        "for example --ghost full, or --ghost out/run after pliant run SCENE --out out/run");
    return view::Ghost::recorded(named, simulation.scene());
  }
  Overrides overrides;
  overrides.model = named;
  Result<SceneDescription> scene = read_scene_file(scene_file, overrides);
  if (!scene) return scene.errors();
  const auto kept = std::make_shared<const SceneDescription>(std::move(scene).value());
  Result<std::unique_ptr<view::Simulation>> other = view::Simulation::make(
      *kept,
      [kept, &progress, build] {
        auto built = build_scene(*kept, progress, build);
        progress.end();
        return built;
      },
      view::TableNumbers::kFloat);
  if (!other) return other.errors();
  return view::Ghost::live(std::move(other).value());
}

}  // namespace pliant::cli
