#include "examples.hpp"
#include "ghost_option.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/scene/sketch.hpp"
#include "pliant/serve/scene_loader.hpp"
#include "pliant/serve/server.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace pliant::cli {
namespace {

struct ViewOptions {
  Common common;
  std::string scene;
  std::optional<std::string> model;
  CacheOptions cache;
  view::ServerOptions server;
  int port = 0;
  bool paused = false;
  bool half = false;
  std::string pulls, ghost, write, examples;
};

/// No output may replace an input.
Status check_outputs(const ViewOptions& options, const SceneDescription& scene) {
  if (Status safe = check_not_input(options.pulls, "--pulls", inputs_but_pulls(scene)); !safe) return safe;
  std::vector<std::filesystem::path> others = scene.inputs;
  std::erase(others, scene.file);  // --write may name the scene itself, that is its purpose
  return check_not_input(options.write, "--write", others);
}

/// Builds a scene that the command line or a page has asked for, on the loader's thread.
Result<std::unique_ptr<view::Session>> build_session(const ViewOptions& options, const view::SceneWish& wish,
                                                     Progress& progress) {
  Overrides overrides;
  if (!wish.model.empty()) overrides.model = wish.model;
  Result<SceneDescription> read = read_scene_file(wish.file, overrides);
  if (!read) return read.errors();
  const auto scene = std::make_shared<const SceneDescription>(std::move(read).value());
  const bool own = wish.file == options.scene;  // files of the command line belong to its scene
  if (own)
    if (const Status safe = check_outputs(options, *scene); !safe) return safe.errors();
  const BuildOptions build = options.cache.build();
  const view::TableNumbers numbers = options.half ? view::TableNumbers::kHalf : view::TableNumbers::kFloat;
  // Later builds, for a reset, have nobody to report to.
  const auto reporting = std::make_shared<Progress*>(&progress);
  Diagnostics notes;
  auto simulation = view::Simulation::make(
      *scene,
      [scene, reporting, build] {
        auto built = build_scene(*scene, **reporting, build);
        (*reporting)->end();
        return built;
      },
      numbers);
  if (!simulation) return simulation.errors();
  print_notes(simulation.value()->scene().notes, options.common);
  view::Session::Options how;
  how.paused = options.paused;
  if (own && !options.write.empty()) how.scene_file = options.write;
  view::Workshop::Options work;
  work.build = build;
  work.numbers = numbers;
  if (own && !options.pulls.empty()) work.pulls_file = options.pulls;
  auto workshop = std::make_unique<view::Workshop>(*scene, work, *simulation.value());
  auto ghost = open_ghost(own ? options.ghost : "", wish.file.string(), *simulation.value(), progress, build);
  *reporting = &no_progress();
  if (!ghost) return ghost.errors();
  auto session =
      std::make_unique<view::Session>(std::move(simulation).value(), how, std::move(ghost).value());
  session->use(std::move(workshop));
  return session;
}

/// Problems that can be told before anything is built.
Diagnostics check(ViewOptions& options, bool gallery) {
  if (options.port < 0 || options.port > 65535)
    return {bad_option("--port", fmt::format("must lie in [0, 65535], got {}", options.port))};
  options.server.port = static_cast<std::uint16_t>(options.port);
  if (options.scene.empty() && !gallery)
    return {bad_option("scene", "is missing, and there is no folder of examples to choose from",
                       "name a scene file, or the folder of the examples by --examples")};
  if (options.scene.empty()) {
    for (const auto& [given, name] :
         {std::pair(!options.pulls.empty(), "--pulls"), std::pair(!options.write.empty(), "--write"),
          std::pair(!options.ghost.empty(), "--ghost")})
      if (given) return {bad_option(name, "needs a scene", "name the scene file")};
  }
  if (!options.pulls.empty())
    if (const Status possible = check_writable(options.pulls, "--pulls"); !possible) return possible.errors();
  if (!options.write.empty())
    if (const Status possible = check_writable(options.write, "--write"); !possible) return possible.errors();
  if (view::page_files().empty())
    return {Diagnostic{ErrorCode::kMissing,
                       {},
                       "this program was built without the page",
                       "install nodejs and npm, then build it again by ./dev build"}};
  if (options.scene.empty()) return {};
  Overrides overrides;
  overrides.model = options.model;
  const Result<SceneDescription> scene = read_scene_file(options.scene, overrides);
  if (!scene) return scene.errors();
  const Status safe = check_outputs(options, scene.value());
  return safe ? Diagnostics{} : safe.errors();
}

/// The scenes that pages may open: those of a folder, and the one of the command line.
std::vector<view::GalleryScene> gallery_of(const ViewOptions& options) {
  const std::filesystem::path folder =
      options.examples.empty() ? find_examples() : std::filesystem::path(options.examples);
  return folder.empty() ? std::vector<view::GalleryScene>() : view::read_gallery(folder);
}

int serve(ViewOptions options) {
  std::vector<view::GalleryScene> gallery = gallery_of(options);
  if (const Diagnostics problems = check(options, !gallery.empty()); !problems.empty())
    return report(problems);
  const auto console = make_progress(options.common);
  view::SceneLoader loader([&options](const view::SceneWish& wish,
                                      Progress& progress) { return build_session(options, wish, progress); },
                           std::move(gallery), *console);
  auto server = view::Server::listen(loader, view::page_files(), options.server);
  if (!server) return report(server.errors());
  if (!options.scene.empty()) loader.open(view::SceneWish{options.scene, options.model.value_or("")});
  if (const int code = print_result(server.value()->url() + "\n"); code != kDone) return code;
  say(options.common, "open it in a browser; Ctrl-C ends");
  // A scene of the command line that cannot be built ends the program, unless another has been opened since.
  const auto failed = [&] {
    return !options.scene.empty() && !server.value()->has_shown() && !loader.failure().empty();
  };
  server.value()->run([&] { return interrupted().load() || failed(); });
  if (failed()) return report(loader.failure());
  end_soon();
  return kDone;
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("view", "watch, pull and edit a scene in a browser");
  auto options = std::make_shared<ViewOptions>();
  command->add_option("scene", options->scene,
                      "scene file (.toml); without one, the page offers the examples");
  command->add_option("--examples", options->examples, "folder of the scenes that the page offers")
      ->check(CLI::ExistingDirectory);
  command->add_option("--port", options->port, "port to listen on (default 0: any that is free)");
  command->add_option("--host", options->server.host,
                      "numeric address to listen on (default 127.0.0.1; any other needs --token)");
  command->add_option("--token", options->server.token, "secret that pages must know, 8 characters or more");
  command->add_option("--model", options->model, "model of every body instead of the scene's");
  add_ghost(*command, options->ghost);
  command->add_flag("--paused", options->paused, "begin paused");
  command->add_flag("--half", options->half, "send bases as half floats: half the bytes, three digits");
  command->add_option("--pulls", options->pulls, "where the page may write recorded pulls");
  command->add_option("--write", options->write, "where the page may write the scene with its edits");
  command->add_flag("--quiet", options->common.quiet, "no progress, no notes");
  command->add_option("--threads", options->common.threads,
                      "threads to use (default: all cores); results do not depend on it");
  add_cache(*command, options->cache);
  command->callback(
      [options, &exit_code] { exit_code = with_threads(options->common, [&] { return serve(*options); }); });
}

}  // namespace pliant::cli
