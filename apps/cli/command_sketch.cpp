#include "commands.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/file/pulls_file.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/scene/load_mesh.hpp"
#include "pliant/scene/sketch.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  Common common;
  std::string scene, script, output;
  std::optional<std::string> body;
};

/// The body that is meant, or null.
const BodyText* choose_body(const SceneDescription& scene, const std::optional<std::string>& name) {
  if (!name) return scene.bodies.size() == 1 ? &scene.bodies.front() : nullptr;
  for (const BodyText& body : scene.bodies)
    if (body.name == *name) return &body;
  return nullptr;
}

int sketch(const Options& options) {
  if (const Status possible = check_writable(options.output, "-o"); !possible)
    return report(possible.errors());
  Result<SceneDescription> scene = read_scene_file(options.scene);
  if (!scene) return report(scene.errors());
  std::vector<std::filesystem::path> inputs = inputs_but_pulls(scene.value());
  inputs.emplace_back(options.script);
  if (const Status safe = check_not_input(options.output, "-o", inputs); !safe) return report(safe.errors());
  const BodyText* body = choose_body(scene.value(), options.body);
  if (body == nullptr)
    return report(bad_option("--body",
                             options.body ? "there is no body \"" + *options.body + "\"" : "is missing",
                             "take the name of a [[body]]"));
  const auto progress = make_progress(options.common);
  const Result<BodyShape> shape = load_shape(scene.value(), *body, *progress);
  progress->end();
  if (!shape) return report(shape.errors());
  const Result<std::string> script = read_file(options.script);
  if (!script) return report(script.errors());
  const Result<std::vector<Pull>> pulls =
      expand_pull_script(script.value(), options.script, shape.value().mesh);
  if (!pulls) return report(pulls.errors());
  if (const Status written = write_file(options.output, write_pulls(pulls.value())); !written)
    return report(written.errors());
  const double first = pulls.value().front().time, last = pulls.value().back().time;
  if (options.common.json)
    return print_result(
        Json{{"pulls", pulls.value().size()}, {"t", {first, last}}, {"file", options.output}}.dump() + "\n");
  return print_result(
      fmt::format("{} pulls from t = {:g} s to {:g} s\n  written  {}\nuse it: model = {{ type = \"modal\", "
                  "sketch = \"{}\" }}\n",
                  pulls.value().size(), first, last, options.output, options.output));
}

}  // namespace

void add_sketch(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("sketch", "Record pulls from a script, for a basis made of them");
  command->add_option("SCENE", options->scene, "scene file (.toml)")->required();
  command->add_option("SCRIPT", options->script, "pulls over time (.toml); see docs/guide/sketching.md")
      ->required();
  command->add_option("-o,--output", options->output, "file of pulls, for model.sketch")->required();
  command->add_option("--body", options->body, "which body, when there are several");
  command->footer(
      "Example:\n  pliant sketch examples/spoon_bases/spoon.toml examples/spoon_bases/pulls.toml -o "
      "pulls.txt");
  add_common(*command, options->common);
  command->callback(
      [options, &exit_code] { exit_code = with_threads(options->common, [&] { return sketch(*options); }); });
}

}  // namespace pliant::cli
