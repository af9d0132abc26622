#include "commands.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/scene/weights.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace pliant::cli {
namespace {

using WeightsJson = nlohmann::ordered_json;

struct WeightsOptions {
  Common common;
  CacheOptions cache;
  std::string scene, body, output, svg;
};

WeightsJson weights_json(const DomainWeights& weights) {
  WeightsJson domains = WeightsJson::array();
  for (Index d = 0; d < weights.weights.cols(); ++d) {
    const VertexId seed = weights.seeds[to_size(d)];
    const Vector3& at = weights.mesh.vertices[to_size(seed)];
    domains.push_back({{"name", fmt::format("part {}", d)},
                       {"seed", seed},
                       {"at", {at[0], at[1], at[2]}},
                       {"least", weights.weights.col(d).minCoeff()},
                       {"most", weights.weights.col(d).maxCoeff()}});
  }
  return {{"kind", weights.kind}, {"from_cache", weights.from_cache}, {"domains", std::move(domains)}};
}

std::string weights_text(const DomainWeights& weights) {
  std::string text =
      fmt::format("{}: {} domains, {} weights\n", weights.body, weights.weights.cols(), weights.kind);
  text += fmt::format("  {:<10} {:>8} {:>10} {:>10} {:>10} {:>8} {:>8}\n", "domain", "seed", "x", "y", "z",
                      "least", "most");
  for (Index d = 0; d < weights.weights.cols(); ++d) {
    const VertexId seed = weights.seeds[to_size(d)];
    const Vector3& at = weights.mesh.vertices[to_size(seed)];
    text += fmt::format("  {:<10} {:>8} {:>10.4g} {:>10.4g} {:>10.4g} {:>8.3f} {:>8.3f}\n",
                        fmt::format("part {}", d), seed, at[0], at[1], at[2],
                        weights.weights.col(d).minCoeff(), weights.weights.col(d).maxCoeff());
  }
  return text;
}

int run_weights(const WeightsOptions& options) {
  const Result<SceneDescription> scene = read_scene_file(options.scene, {std::nullopt, std::nullopt, false});
  if (!scene) return report(scene.errors());
  const auto progress = make_progress(options.common);
  Diagnostics notes;
  const Result<std::vector<DomainWeights>> all =
      domain_weights(scene.value(), options.body, options.cache.build(), *progress, notes);
  progress->end();
  if (!all) return report(all.errors());
  const DomainWeights& first = all.value().front();
  const char* file = !options.output.empty() ? "-o" : "--svg";
  if (all.value().size() > 1 && !(options.output.empty() && options.svg.empty()))
    return report(bad_option(file, "the scene has several bodies of overlapping domains",
                             "name one of them: --body \"" + first.body + "\""));
  if (!options.output.empty())
    if (const Status written = write_file(options.output, weights_vtu(first)); !written)
      return report(written.errors());
  if (!options.svg.empty())
    if (const Status written = write_file(options.svg, weights_svg(first)); !written)
      return report(written.errors());
  print_notes(notes, options.common);
  if (!options.common.json) {
    std::string text;
    for (const DomainWeights& weights : all.value()) text += weights_text(weights);
    return print_result(text);
  }
  WeightsJson bodies = WeightsJson::object();
  for (const DomainWeights& weights : all.value()) bodies[weights.body] = weights_json(weights);
  return print_result(WeightsJson{{"bodies", std::move(bodies)}}.dump() + "\n");
}

}  // namespace

void add_weights(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<WeightsOptions>();
  CLI::App* command = app.add_subcommand("weights", "How the overlapping domains of a `blended` body blend");
  command->add_option("SCENE", options->scene, "scene (.toml)")->required();
  command->add_option("--body", options->body, "this body only");
  command->add_option("-o,--output", options->output, "write the mesh with all weights, for ParaView (.vtu)");
  command->add_option("--svg", options->svg, "write curves along the longest side of the body");
  command->footer("Example:\n  pliant weights examples/blended_beam.toml --svg weights.svg -o weights.vtu");
  add_cache(*command, options->cache);
  add_common(*command, options->common);
  command->callback([options, &exit_code] {
    exit_code = with_threads(options->common, [&] { return run_weights(*options); });
  });
}

}  // namespace pliant::cli
