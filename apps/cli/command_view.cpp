#include "ghost_option.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/scene/sketch.hpp"
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
  std::string pulls, ghost, write;
};

/// No output may replace an input.
Status check_outputs(const ViewOptions& options, const SceneDescription& scene) {
  if (Status safe = check_not_input(options.pulls, "--pulls", inputs_but_pulls(scene)); !safe) return safe;
  std::vector<std::filesystem::path> others = scene.inputs;
  std::erase(others, scene.file);  // --write may name the scene itself, that is its purpose
  return check_not_input(options.write, "--write", others);
}

int serve(ViewOptions options) {
  if (options.port < 0 || options.port > 65535)
    return report(bad_option("--port", fmt::format("must lie in [0, 65535], got {}", options.port)));
  options.server.port = static_cast<std::uint16_t>(options.port);
  if (!options.pulls.empty())
    if (const Status possible = check_writable(options.pulls, "--pulls"); !possible)
      return report(possible.errors());
  if (!options.write.empty())
    if (const Status possible = check_writable(options.write, "--write"); !possible)
      return report(possible.errors());
  Overrides overrides;
  overrides.model = options.model;
  const Result<SceneDescription> scene = read_scene_file(options.scene, overrides);
  if (!scene) return report(scene.errors());
  if (const Status safe = check_outputs(options, scene.value()); !safe) return report(safe.errors());
  if (view::page_files().empty())
    return report(Diagnostic{ErrorCode::kMissing,
                             {},
                             "this program was built without the page",
                             "install nodejs and npm, then build it again by ./dev build"});
  const auto progress = make_progress(options.common);
  const BuildOptions build = options.cache.build();
  Diagnostics notes;
  auto simulation = view::Simulation::make(
      scene.value(),
      [&]() -> Result<std::unique_ptr<BuiltScene>> {
        auto built = build_scene(scene.value(), *progress, build);
        progress->end();
        if (built) notes = built.value()->notes;
        return built;
      },
      options.half ? view::TableNumbers::kHalf : view::TableNumbers::kFloat);
  if (!simulation) return report(simulation.errors());
  print_notes(notes, options.common);
  view::Session::Options how;
  how.paused = options.paused;
  if (!options.write.empty()) how.scene_file = options.write;
  view::Workshop::Options work;
  work.build = build;
  work.numbers = options.half ? view::TableNumbers::kHalf : view::TableNumbers::kFloat;
  if (!options.pulls.empty()) work.pulls_file = options.pulls;
  auto workshop = std::make_unique<view::Workshop>(scene.value(), work, *simulation.value());
  auto ghost = open_ghost(options.ghost, options.scene, *simulation.value(), *progress, build);
  if (!ghost) return report(ghost.errors());
  view::Session session(std::move(simulation).value(), how, std::move(ghost).value());
  session.use(std::move(workshop));
  auto server = view::Server::listen(session, view::page_files(), options.server);
  if (!server) return report(server.errors());
  session.run();
  if (const int code = print_result(server.value()->url() + "\n"); code != kDone) return code;
  say(options.common, "open it in a browser; Ctrl-C ends");
  server.value()->run([] { return interrupted().load(); });
  session.stop();
  return kDone;
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("view", "watch, pull and edit a scene in a browser");
  auto options = std::make_shared<ViewOptions>();
  command->add_option("scene", options->scene, "scene file (.toml)")->required();
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
