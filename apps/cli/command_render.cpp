#include "ghost_option.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/serve/page_files.hpp"
#include "pliant/serve/render.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>

namespace pliant::cli {
namespace {

struct RenderOptions {
  Common common;
  std::string scene, output, browser, ghost;
  std::optional<std::string> model;
  std::string size = "960x540";
  std::vector<double> camera;
  bool elements = false;
  std::vector<std::string> cut;
  view::SetVolume volume;
  CacheOptions cache;
  view::RenderRequest request;
};

constexpr int kSmallest = 16;
constexpr int kLargest = 8192;

/// Extensions of pictures and films, with the names of their formats.
const std::map<std::string, std::string> kFormats{
    {".png", "png"}, {".jpg", "jpeg"}, {".webm", "webm"}, {".webp", "webp"}};

bool film(const RenderOptions& options) {
  return options.request.format == "webm" || options.request.format == "webp";
}

/// WIDTHxHEIGHT.
Status read_size(RenderOptions& options) {
  view::PictureSize& size = options.request.size;
  char rest = 0;
  if (std::sscanf(options.size.c_str(), "%5dx%5d%c", &size.width, &size.height, &rest) !=
      2)  // NOLINT(cert-err34-c)
    return bad_option("--size", "\"" + options.size + "\" is no size", "for example --size 1280x720");
  for (const int side : {size.width, size.height})
    if (side < kSmallest || side > kLargest)
      return bad_option("--size",
                        fmt::format("sides must lie in [{}, {}], got {}", kSmallest, kLargest, side));
  if (options.request.format == "webm" && (size.width % 2 != 0 || size.height % 2 != 0))
    return bad_option("--size", "sides of a film must be even, got " + options.size);
  return Done{};
}

/// AXIS,SHARE.
Status read_cut(RenderOptions& options) {
  view::SetVolume& volume = options.volume;
  volume.on = options.elements || !options.cut.empty() ? 1 : 0;
  if (options.cut.empty()) return Done{};
  const Diagnostic problem =
      bad_option("--cut", "takes an axis and a share in [0, 1]", "for example --cut y,0.5");
  if (options.cut.size() != 2 || options.cut[0].size() != 1) return problem;
  const std::size_t axis = std::string("xyz").find(options.cut[0]);
  const std::string& share = options.cut[1];
  const auto [end, error] = std::from_chars(share.data(), share.data() + share.size(), volume.share);
  if (axis == std::string::npos || error != std::errc{} || end != share.data() + share.size()) return problem;
  if (!(volume.share >= 0.0 && volume.share <= 1.0)) return problem;
  volume.axis = static_cast<std::uint8_t>(axis + 1);
  return Done{};
}

Diagnostics check(RenderOptions& options) {
  Diagnostics problems;
  if (const Status cut = read_cut(options); !cut) problems.push_back(cut.error());
  const auto format = kFormats.find(std::filesystem::path(options.output).extension().string());
  if (format != kFormats.end()) options.request.format = format->second;
  if (format == kFormats.end())
    problems.push_back(
        bad_option("-o", "a picture is a .png or .jpg, a film a .webm or .webp", "name such a file"));
  else if (const Status possible = check_writable(options.output, "-o"); !possible)
    problems.push_back(possible.error());
  if (const Status sized = read_size(options); !sized) problems.push_back(sized.error());
  view::RenderRequest& request = options.request;
  if (request.time && !(*request.time >= 0.0 && std::isfinite(*request.time)))
    problems.push_back(bad_option("--time", fmt::format("must be >= 0 s, got {}", *request.time)));
  if (!(request.fps >= 1.0 && request.fps <= 240.0))
    problems.push_back(bad_option("--fps", fmt::format("must lie in [1, 240], got {}", request.fps)));
  if (!options.camera.empty()) {
    if (options.camera.size() < 2 || options.camera.size() > 3) {
      problems.push_back(bad_option("--camera", "takes two or three numbers", "AZIMUTH,ELEVATION[,ZOOM]"));
    } else {
      request.azimuth = options.camera[0];
      request.elevation = options.camera[1];
      if (options.camera.size() == 3) request.zoom = options.camera[2];
    }
  }
  if (request.elevation && !(std::abs(*request.elevation) <= 89.0))
    problems.push_back(bad_option("--camera", "the elevation must lie in [-89, 89] degrees"));
  if (!(request.zoom >= 0.01 && request.zoom <= 100.0))
    problems.push_back(bad_option("--camera", "the zoom must lie in [0.01, 100]"));
  return problems;
}

int render(RenderOptions options) {
  if (const Diagnostics problems = check(options); !problems.empty()) return report(problems);
  if (view::page_files().empty())
    return report(Diagnostic{ErrorCode::kMissing,
                             {},
                             "this program was built without the page",
                             "install nodejs and npm, then build it again by ./dev build"});
  const Result<std::filesystem::path> browser = view::Browser::find(options.browser);
  if (!browser) return report(browser.errors());
  options.request.browser = browser.value();
  Overrides overrides;
  overrides.model = options.model;
  const Result<SceneDescription> scene = read_scene_file(options.scene, overrides);
  if (!scene) return report(scene.errors());
  if (const Status safe = check_not_input(options.output, "-o", scene.value().inputs); !safe)
    return report(safe.errors());
  const auto progress = make_progress(options.common);
  const BuildOptions build = options.cache.build();
  auto simulation = view::Simulation::make(
      scene.value(), [&] { return build_or_give_up(scene.value(), *progress, build); },
      view::TableNumbers::kFloat);
  progress->end();
  if (!simulation) return report(simulation.errors());
  if (options.volume.on != 0)
    if (const Status shown = simulation.value()->execute(options.volume); !shown)
      return report(shown.errors());
  auto ghost = open_ghost(options.ghost, options.scene, *simulation.value(), *progress, build);
  if (!ghost) return report(ghost.errors());
  const auto draw = film(options) ? view::render_film : view::render_picture;
  const Result<std::string> made =
      draw(std::move(simulation).value(), std::move(ghost).value(), options.request, *progress);
  progress->end();
  if (!made) return report(made.errors());
  if (const Status written = write_file(options.output, made.value()); !written)
    return report(written.errors());
  say(options.common,
      fmt::format("wrote {} ({:.0f} kB)", options.output, static_cast<double>(made.value().size()) / 1e3));
  return kDone;
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("render", "a picture or a film of a scene, without a screen");
  auto options = std::make_shared<RenderOptions>();
  command->add_option("scene", options->scene, "scene file (.toml)")->required();
  command
      ->add_option("-o,--output", options->output,
                   "picture (.png, .jpg) or film (.webm, or .webp for web pages)")
      ->required();
  command->add_option("--time", options->request.time,
                      "when, or until when, s (default: the scene's end; statics: load factor)");
  command->add_option("--size", options->size, "WIDTHxHEIGHT in pixels (default 960x540)");
  command
      ->add_option("--camera", options->camera,
                   "from where: AZIMUTH,ELEVATION[,ZOOM] in degrees (default: the broad side)")
      ->delimiter(',');
  command->add_option("--look", options->request.look, "surface, wireframe, domains, displacement or stress")
      ->check(CLI::IsMember({"surface", "wireframe", "domains", "displacement", "stress"}));
  command->add_flag("--elements", options->elements, "elements instead of the surface, with their edges");
  command
      ->add_option(
          "--cut", options->cut,
          "AXIS,SHARE: without elements beyond a share of the way along x, y or z; implies --elements")
      ->delimiter(',');
  command->add_flag("--scale", options->request.scale, "with axes and a scale bar");
  command->add_option("--fps", options->request.fps, "frames of a film per second of the scene (default 30)");
  command->add_option("--browser", options->browser, "Chromium to use (default: the one that is installed)");
  command->add_option("--model", options->model, "model of every body instead of the scene's");
  command->add_flag("--quiet", options->common.quiet, "no progress, no notes");
  command->add_option("--threads", options->common.threads,
                      "threads to use (default: all cores); results do not depend on it");
  add_ghost(*command, options->ghost);
  command->add_flag("--beside", options->request.beside, "the ghost beside the scene, not over it");
  add_cache(*command, options->cache);
  command->footer(
      "Examples:\n  pliant render examples/dragon.toml -o dragon.png --time 1.5\n"
      "  pliant render examples/spoon.toml -o spoon.webm --size 1280x720");
  command->callback(
      [options, &exit_code] { exit_code = with_threads(options->common, [&] { return render(*options); }); });
}

}  // namespace pliant::cli
