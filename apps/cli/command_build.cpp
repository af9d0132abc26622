#include "commands.hpp"
#include "pliant/scene/build.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  Common common;
  std::string scene;
  CacheOptions cache;
};

/// Errors that were not measured are left out.
Json training_json(const BuildReport& report) {
  Json made = Json::object();
  if (report.training) {
    made["cases"] = report.training->cases;
    made["left_out"] = report.training->left_out;
    made["known"] = report.training->known;
    made["shapes"] = report.training->shapes;
  }
  Json& expected = made["expected_error"] = Json::object();
  const auto add = [&](const char* name, double error) {
    if (error >= 0.0) expected[name] = error;
  };
  add("static_gravity", report.expected->gravity);
  add("static_modal_loads", report.expected->mixed);
  add("frequencies", report.expected->frequencies);
  add("swing", report.expected->swing);
  return made;
}

std::string training_text(const BuildReport& report) {
  std::string text;
  if (report.training)
    text += fmt::format("\n  trained with {} shapes; {} load cases solved, {} known already or too many",
                        report.training->shapes, report.training->cases - report.training->left_out,
                        report.training->known);
  text += "\n  expected errors, against `full` on this mesh, of cases that training did not see:";
  const auto add = [&](const char* what, double error) {
    if (error >= 0.0) text += fmt::format("\n    {:<44} {:8.3f} %", what, 100.0 * error);
  };
  add("static shape under gravity", report.expected->gravity);
  add("static shape under a mixture of modal loads", report.expected->mixed);
  add("first six natural frequencies, the largest", report.expected->frequencies);
  add("second half of the scene's first period, RMS", report.expected->swing);
  return text;
}

Json cubature_json(const BuildReport& report) {
  Json all = Json::array();
  for (const auto& [name, made] : report.cubature) {
    Json curve = Json::array();
    for (Index i = 0; i < made.curve.cols(); ++i)
      curve.push_back({{"points", static_cast<Index>(made.curve(0, i))},
                       {"fitted", made.curve(1, i)},
                       {"held_out", made.curve(2, i)}});
    Json entry{{"of", name},
               {"used", made.kept},
               {"points", made.points},
               {"error", made.error},
               {"from_cache", made.from_cache},
               {"seconds", made.seconds}};
    if (made.cubature_us > 0.0) entry["evaluation_us"] = made.cubature_us;
    if (made.polynomial_us > 0.0) entry["polynomial_us"] = made.polynomial_us;
    entry["curve"] = std::move(curve);
    all.push_back(std::move(entry));
  }
  return all;
}

std::string cubature_text(const BuildReport& report) {
  std::string text;
  for (const auto& [name, made] : report.cubature) {
    text += fmt::format("\n  cubature of {}: {} points, error {:.2f} %, {}", name, made.points,
                        100.0 * made.error,
                        made.from_cache ? "from the cache" : fmt::format("chosen in {:.1f} s", made.seconds));
    if (!made.kept) text += ", not used";
  }
  return text;
}

Json build_json(const BuiltScene& built) {
  Json bodies = Json::object();
  for (std::size_t b = 0; b < built.world->bodies().size(); ++b) {
    const Body& body = built.world->bodies()[b];
    Json entry{{"model", std::string(body.model->type())}, {"dofs", body.model->dof_count()}};
    if (const std::optional<BasisReport>& basis = built.reports[b].basis) {
      entry["modes"] = basis->size;
      entry["captured"] = basis->captured;
      if (basis->sketch)
        entry["sketch"] = {{"recorded", basis->sketch->recorded},
                           {"solved", basis->sketch->solved},
                           {"kept", basis->sketch->kept}};
      entry["polynomial"] = basis->polynomial;
      entry["from_cache"] = basis->from_cache;
      entry["file"] = basis->file.string();
    }
    if (built.reports[b].expected) entry["training"] = training_json(built.reports[b]);
    if (!built.reports[b].pose_residuals.empty()) entry["pose_residuals"] = built.reports[b].pose_residuals;
    if (!built.reports[b].cubature.empty()) entry["cubature"] = cubature_json(built.reports[b]);
    bodies[body.name] = std::move(entry);
  }
  Json stages = Json::array();
  for (const StageTime& stage : built.stages)
    stages.push_back({{"name", stage.name}, {"seconds", stage.seconds}});
  return {{"bodies", std::move(bodies)}, {"stages", std::move(stages)}, {"build_s", built.seconds}};
}

std::string build_text(const BuiltScene& built) {
  std::string text;
  for (std::size_t b = 0; b < built.world->bodies().size(); ++b) {
    const Body& body = built.world->bodies()[b];
    text +=
        fmt::format("{}: {}, {} degrees of freedom", body.name, body.model->type(), body.model->dof_count());
    if (const std::optional<BasisReport>& basis = built.reports[b].basis) {
      text += fmt::format(", {:.4f} % of the energy captured, {}", 100.0 * basis->captured,
                          basis->from_cache ? "from the cache" : "built");
      if (basis->sketch)
        text += fmt::format("\n  sketch: {} loads recorded, {} solved, {} shapes kept",
                            basis->sketch->recorded, basis->sketch->solved, basis->sketch->kept);
      if (!basis->file.empty()) text += fmt::format("\n  {}", basis->file.string());
    }
    if (built.reports[b].expected) text += training_text(built.reports[b]);
    text += cubature_text(built.reports[b]);
    if (!built.reports[b].pose_residuals.empty()) {
      text += "\n  what the body cannot take of the poses, before and after each pass of enveloping:";
      for (const double residual : built.reports[b].pose_residuals) text += fmt::format(" {:.4f}", residual);
    }
    text += "\n";
  }
  text += "where the time went\n";
  for (const StageTime& stage : built.stages)
    text += fmt::format("  {:<32} {:9.3f} s {:5.1f} %\n", stage.name, stage.seconds,
                        100.0 * stage.seconds / built.seconds);
  return text + fmt::format("  {:<32} {:9.3f} s\n", "in all", built.seconds);
}

int build(const Options& options) {
  const Result<SceneDescription> scene = read_scene_file(options.scene);
  if (!scene) return report(scene.errors());
  const auto progress = make_progress(options.common);
  const Result<std::unique_ptr<BuiltScene>> built =
      build_or_give_up(scene.value(), *progress, options.cache.build());
  progress->end();
  if (!built) return report(built.errors());
  print_notes(built.value()->notes, options.common);
  const int code = print_result(options.common.json ? build_json(*built.value()).dump() + "\n"
                                                    : build_text(*built.value()));
  for (const BuildReport& made : built.value()->reports)
    if (made.basis && made.basis->file.empty() && !options.cache.off)  // the notes have said why
      return report(Diagnostic{ErrorCode::kDisk,
                               {options.cache.build().cache.value_or("").string(), 0, 0, "--cache"},
                               "the cache was not written",
                               "name another folder, or none by --no-cache"});
  return code;
}

}  // namespace

void add_build(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("build", "Precompute what a scene needs, into the cache");
  command->add_option("SCENE", options->scene, "scene file (.toml)")->required();
  add_cache(*command, options->cache);
  command->footer("Example:\n  pliant build examples/spoon.toml");
  add_common(*command, options->common);
  command->callback(
      [options, &exit_code] { exit_code = with_threads(options->common, [&] { return build(*options); }); });
}

}  // namespace pliant::cli
