#include "commands.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/scene/modes.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ModesOptions {
  Common common;
  ModesRequest request;
  std::string input;
  std::optional<double> young, poisson, density;
  std::string output;
  CacheOptions cache;
};

Json modes_json(const Model::Frequencies& modes, const Model& model) {
  return {{"frequencies_hz", modes.hz}, {"rigid", modes.rigid}, {"dofs", model.dof_count()}};
}

std::string modes_text(const std::string& name, const Model::Frequencies& modes, const Model& model) {
  std::string text =
      fmt::format("{}: {} degrees of freedom, {} rigid modes\n", name, model.dof_count(), modes.rigid);
  for (std::size_t i = 0; i < modes.hz.size(); ++i)
    text += fmt::format("  mode {:3}  {:12.6g} Hz\n", i + 1, modes.hz[i]);
  return text;
}

int scene_modes(const ModesOptions& options) {
  if (options.young || options.poisson || options.density || !options.request.fixed.empty() ||
      !options.output.empty())
    return report(bad_option("", "--young, --poisson, --density, --fix and -o are for mesh files",
                             "the scene says it all"));
  const Result<SceneDescription> scene = read_scene_file(options.input, {std::nullopt, std::nullopt, false});
  if (!scene) return report(scene.errors());
  const auto progress = make_progress(options.common);
  const Result<std::unique_ptr<BuiltScene>> built =
      build_or_give_up(scene.value(), *progress, options.cache.build());
  progress->end();
  if (!built) return report(built.errors());
  print_notes(built.value()->notes, options.common);
  Json bodies = Json::object();
  std::string text;
  for (const Body& body : built.value()->world->bodies()) {
    progress->begin("factorise and iterate " + body.name, 0);
    const Result<Model::Frequencies> modes =
        body.model->natural_frequencies(options.request.count, *progress);
    progress->end();
    if (!modes) return report(modes.errors());
    bodies[body.name] = modes_json(modes.value(), *body.model);
    text += modes_text(body.name, modes.value(), *body.model);
  }
  return print_result(options.common.json ? Json{{"bodies", std::move(bodies)}}.dump() + "\n" : text);
}

int file_modes(ModesOptions& options) {
  Diagnostics missing;
  const auto need = [&](const std::optional<double>& value, const char* option, double& target) {
    if (value) {
      target = *value;
    } else {
      missing.push_back(bad_option(option, "is missing", "a mesh file says nothing of its material"));
    }
  };
  Material& material = options.request.material;
  need(options.young, "--young", material.young);
  need(options.poisson, "--poisson", material.poisson);
  need(options.density, "--density", material.density);
  if (!missing.empty()) return report(missing);
  if (!options.output.empty()) {
    if (std::filesystem::path(options.output).extension() != ".vtu")
      return report(bad_option("-o", "mode shapes are written as .vtu", "name a .vtu file"));
    if (const Status possible = check_writable(options.output, "-o"); !possible)
      return report(possible.errors());
    if (const Status safe = check_not_input(options.output, "-o", {{options.input}}); !safe)
      return report(safe.errors());
  }
  options.request.mesh = options.input;
  const auto progress = make_progress(options.common);
  const Result<ModesOutcome> outcome = mesh_modes(options.request, *progress);
  progress->end();
  if (!outcome) return report(outcome.errors());
  print_notes(outcome.value().notes, options.common);
  const ModesOutcome& found = outcome.value();
  if (!options.output.empty()) {
    const Status written = write_file(options.output, modes_vtu(found));
    if (!written) return report(written.errors());
  }
  return print_result(options.common.json ? modes_json(found.modes, *found.model).dump() + "\n"
                                          : modes_text(options.input, found.modes, *found.model));
}

}  // namespace

void add_modes(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ModesOptions>();
  CLI::App* command = app.add_subcommand("modes", "Natural frequencies and mode shapes");
  command->add_option("INPUT", options->input, "volume mesh, or a scene (.toml)")->required();
  command->add_option("--young", options->young, "Young's modulus, Pa");
  command->add_option("--poisson", options->poisson, "Poisson's ratio");
  command->add_option("--density", options->density, "density, kg/m³");
  command->add_option("--fix", options->request.fixed, "selection of held vertices; may be repeated")
      ->take_all()
      ->expected(1);
  command->add_option("--count", options->request.count, "how many, rigid ones not counted (default 10)");
  command->add_option("-o,--output", options->output, "write the shapes as .vtu for ParaView");
  command->footer(
      "Examples:\n  pliant modes beam.msh --young 1e6 --poisson 0.3 --density 1000 --fix \"x < 1e-6\"\n"
      "  pliant modes examples/cantilever_tet.toml --count 5 --json");
  add_cache(*command, options->cache);
  add_common(*command, options->common);
  command->callback([options, &exit_code] {
    exit_code = with_threads(options->common, [&] {
      if (options->request.count < 1)
        return report(bad_option("--count", "must be >= 1, got " + std::to_string(options->request.count)));
      const bool scene = std::filesystem::path(options->input).extension() == ".toml";
      return scene ? scene_modes(*options) : file_modes(*options);
    });
  });
}

}  // namespace pliant::cli
