#include "commands.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/base/text.hpp"
#include "pliant/file/state_file.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/scene/schema.hpp"
#include "pliant/store/run_report.hpp"
#include "pliant/store/snapshot_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <new>
#include <numeric>

namespace pliant::cli {
namespace {

constexpr std::size_t kMostNotes = 20;  // of a run, in its summary

struct RunOptions {
  Common common;
  std::string scene;
  std::optional<std::string> model;
  std::optional<double> duration;
  std::optional<std::string> frames;
  std::string out, final_state, checkpoint, resume, snapshots;
  CacheOptions cache;
  Index checkpoint_every = 100;
  Index snapshots_every = 1;
};

Diagnostics check_options(const RunOptions& options) {
  Diagnostics problems;
  if (options.model) {
    const auto& known = known_models();
    if (std::find(known.begin(), known.end(), *options.model) == known.end()) {
      const std::string near = nearest_word(*options.model, known);
      problems.push_back(bad_option(
          "--model", "\"" + *options.model + "\" is no model",
          near.empty() ? fmt::format("known: {}", fmt::join(known, ", ")) : "did you mean " + near + "?"));
    }
  }
  if (options.duration && !(*options.duration >= 0.0 && std::isfinite(*options.duration)))
    problems.push_back(
        bad_option("--duration", "must be >= 0 s, got " + fmt::format("{}", *options.duration)));
  if (options.frames && *options.frames != "surface" && *options.frames != "volume")
    problems.push_back(
        bad_option("--frames", "\"" + *options.frames + "\" cannot be written", "known: surface, volume"));
  if (options.frames && options.out.empty())
    problems.push_back(bad_option("--frames", "needs a folder for the frames", "add --out DIR"));
  if (options.checkpoint_every < 1) problems.push_back(bad_option("--checkpoint-every", "must be >= 1"));
  for (const auto& [file, option] :
       {std::pair(options.final_state, "--final"), std::pair(options.checkpoint, "--checkpoint")}) {
    if (file.empty()) continue;
    if (const Status possible = check_writable(file, option); !possible) problems.push_back(possible.error());
  }
  if (options.snapshots_every < 1) problems.push_back(bad_option("--snapshots-every", "must be >= 1"));
  for (const auto& [folder, option] :
       {std::pair(options.out, "--out"), std::pair(options.snapshots, "--snapshots")}) {
    if (folder.empty()) continue;
    if (const Status possible = check_folder(folder, option); !possible) problems.push_back(possible.error());
  }
  return problems;
}

/// One body: the file itself; several: NAME is put before the extension.
std::vector<std::filesystem::path> final_paths(const std::filesystem::path& file, const World& world) {
  if (world.bodies().size() == 1) return {file};
  std::vector<std::filesystem::path> paths;
  for (const std::string& name : file_stems(world.bodies()))
    paths.push_back(file.parent_path() / (file.stem().string() + "." + name + file.extension().string()));
  return paths;
}

/// Whether `run --out` writes a file of this name.
bool is_result(const std::string& name, const std::vector<std::string>& stems) {
  for (const char* plain : {"scene.pvd", "animation.glb", "energy.csv", "energy.svg", "probes.csv",
                            "probes.svg", "forces.csv", "forces.svg"})
    if (name == plain) return true;
  return std::any_of(stems.begin(), stems.end(), [&](const std::string& stem) {
    if (name == stem + ".pvd") return true;
    if (!name.starts_with(stem + "_") || !name.ends_with(".vtu")) return false;
    const std::string number = name.substr(stem.size() + 1, name.size() - stem.size() - 5);
    return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
  });
}

/// No file that `written` names may be an input; the folder need not exist yet.
Status check_contents(const std::filesystem::path& folder, const std::string& option,
                      std::span<const std::filesystem::path> inputs,
                      const std::function<bool(const std::string&)>& written) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (!written(entry.path().filename().string())) continue;
    if (Status safe = check_not_input(entry.path(), option, inputs); !safe) return safe;
  }
  return Done{};
}

/// Everything that happens beside the steps, and what it left behind.
class Run {
 public:
  Run(const RunOptions& options, const std::vector<std::filesystem::path>& inputs, BuiltScene& built)
      : options_(options), inputs_(inputs), built_(built), world_(*built.world) {}

  int execute() {
    std::optional<Snapshot> snapshot;
    if (!options_.resume.empty()) {
      Result<Snapshot> read = read_snapshot(options_.resume, built_.input_hash);
      if (!read) return report(read.errors());
      snapshot = std::move(read).value();
      drop_final_rows(world_, *snapshot);
      if (const Status resumed = world_.resume(*snapshot); !resumed)
        return report(of_checkpoint(resumed.errors()));
    }
    if (const int code = prepare_output(); code != kDone) return code;
    observe();
    if (snapshot && frames_) take_up(*frames_);
    const auto progress = make_progress(options_.common);
    const auto start = std::chrono::steady_clock::now();
    try {
      if (snapshot || begin()) world_.run(*progress);
    } catch (const std::bad_alloc&) {  // what was computed is still there
      failure_ = RunFailure{world_.time(), "out of memory; take a coarser mesh"};
    }
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress->end();
    Diagnostics trouble = write_results();
    const std::string text = options_.common.json ? run_json(world_, built_.seconds, failure_) : summary();
    const int code = print_result(text);
    const RunRecord& record = world_.record();
    if (!failure_ && !record.healthy) failure_ = RunFailure{record.failure_t, record.failure_reason};
    if (failure_)
      trouble.push_back({ErrorCode::kNumerical,
                         {options_.scene, 0, 0, fmt::format("t = {:g}", failure_->t)},
                         failure_->reason,
                         ""});
    if (!trouble.empty()) report(trouble);
    return trouble.empty() ? code : kFailed;
  }

 private:
  /// The first acceleration. Of a large body it takes a long factorisation, and there is nothing to keep yet.
  bool begin() {
    const Abandonable work;
    return world_.start();
  }
  /// Problems of a checkpoint that can be read, but does not fit.
  [[nodiscard]] Diagnostics of_checkpoint(Diagnostics list) const {
    for (Diagnostic& problem : list) {
      if (problem.where.file.empty()) problem.where.file = options_.resume;
    }
    return list;
  }

  int prepare_output() {
    if (!options_.final_state.empty()) {
      final_paths_ = final_paths(options_.final_state, world_);
      for (const std::filesystem::path& path : final_paths_) {
        if (const Status possible = check_writable(path, "--final"); !possible)
          return report(possible.errors());
        if (const Status safe = check_not_input(path, "--final", inputs_); !safe)
          return report(safe.errors());
      }
    }
    const std::vector<std::string> stems = file_stems(world_.bodies(), "scene");
    const auto is_shape = [](const std::string& name) { return name.starts_with("shape_"); };
    for (const Status& safe :
         {check_contents(options_.out, "--out", inputs_,
                         [&](const std::string& name) { return is_result(name, stems); }),
          check_contents(options_.snapshots, "--snapshots", inputs_, is_shape)})
      if (!safe) return report(safe.errors());
    for (const auto& [folder, option] :
         {std::pair(options_.out, "--out"), std::pair(options_.snapshots, "--snapshots")}) {
      if (folder.empty()) continue;
      std::error_code error;
      std::filesystem::create_directories(folder, error);
      if (error)
        return report({ErrorCode::kUnwritable,
                       {folder, 0, 0, option},
                       "cannot be made: " + error.message(),
                       "name another folder"});
    }
    if (options_.out.empty()) return kDone;
    std::vector<const CarriedSurface*> surfaces;
    surfaces.reserve(built_.surfaces.size());
    for (const auto& surface : built_.surfaces) surfaces.push_back(surface ? &*surface : nullptr);
    FrameContent content = built_.frame_content;
    if (options_.frames)
      content = *options_.frames == "volume" ? FrameContent::kVolume : FrameContent::kSurface;
    frames_.emplace(options_.out, world_, std::move(surfaces), content);
    return kDone;
  }

  void observe() {
    world_.observe([this](const World& world) -> Status {
      const std::string said = world_.take_warning();
      if (!said.empty() && notes_.size() < kMostNotes)
        notes_.push_back(fmt::format("at {:.4g} s: {}", world.time(), said));
      return Done{};
    });
    if (frames_) {
      world_.observe([this](const World& world) -> Status {
        if (world.step_index() % built_.frame_every != 0) return Done{};
        return frames_->add(world, world.step_index() / built_.frame_every, world.time());
      });
    }
    if (!options_.snapshots.empty())
      world_.observe([this](const World& world) { return write_shapes(world); });
    if (!options_.checkpoint.empty()) {
      world_.observe([this](const World& world) -> Status {
        if (world.step_index() == 0 || world.step_index() % options_.checkpoint_every != 0) return Done{};
        return write_snapshot(options_.checkpoint, world.snapshot(), built_.input_hash);
      });
    }
  }

  /// Without the copies of vertices where a domain has come off, which are the last: for the body of the
  /// scene.
  [[nodiscard]] std::string state_of(const World& world, std::size_t b) const {
    const Model& model = *world.bodies()[b].model;
    const Index n = built_.elastic[b]->dof_count();
    return write_state({model.displacements().head(n), model.velocities().head(n)});
  }

  /// The shapes of this moment, for a basis made of them.
  [[nodiscard]] Status write_shapes(const World& world) const {
    const Index step = world.step_index();
    if (step % options_.snapshots_every != 0) return Done{};
    const std::filesystem::path file =
        std::filesystem::path(options_.snapshots) / fmt::format("shape_{:06}.txt", step);
    const std::vector<std::filesystem::path> paths = final_paths(file, world);
    for (std::size_t b = 0; b < paths.size(); ++b) {
      if (Status written = write_file(paths[b], state_of(world, b)); !written) return written;
    }
    return Done{};
  }

  /// Frames of the part before the checkpoint, when the same folder is used again.
  void take_up(FrameWriter& frames) const {
    const std::vector<double>& t = world_.record().t;
    for (Index step = 0; step <= world_.step_index() && step < std::ssize(t); step += built_.frame_every)
      frames.take_up(step / built_.frame_every, t[to_size(step)]);
  }

  /// What was computed is kept, whatever happened; disk trouble comes back.
  Diagnostics write_results() {
    Diagnostics trouble;
    const auto note = [&](const Status& status) {
      if (!status) trouble.insert(trouble.end(), status.errors().begin(), status.errors().end());
      return status.ok();
    };
    if (frames_) {
      note(frames_->finish());
      files_ = frames_->entry_points();
      const auto tables = write_run_tables(world_, options_.out);
      if (tables) {
        files_.insert(files_.end(), tables.value().begin(), tables.value().end());
      } else {
        trouble.insert(trouble.end(), tables.errors().begin(), tables.errors().end());
      }
    }
    for (std::size_t b = 0; b < final_paths_.size(); ++b) {
      if (note(write_file(final_paths_[b], state_of(world_, b)))) files_.push_back(final_paths_[b]);
    }
    if (!options_.checkpoint.empty() &&
        note(write_snapshot(options_.checkpoint, world_.snapshot(), built_.input_hash)))
      files_.emplace_back(options_.checkpoint);
    return trouble;
  }

  [[nodiscard]] std::string summary() const {
    const RunRecord& record = world_.record();
    Index dofs = 0;
    for (const Body& body : world_.bodies()) dofs += body.model->dof_count();
    std::string text = fmt::format("{}\n", options_.scene);
    text += fmt::format("  model        {}, {} degrees of freedom, built in {:.2f} s\n",
                        world_.bodies().front().model->type(), dofs, built_.seconds);
    const StepTimes times = step_times(record.step_seconds);
    const double stepping = std::accumulate(record.step_seconds.begin(), record.step_seconds.end(), 0.0);
    text += fmt::format("  steps        {} in {:.2f} s", record.steps, stepping);
    const double simulated = world_.settings().dt * static_cast<double>(std::min<Index>(
                                                        record.steps, std::ssize(record.step_seconds)));
    if (!record.step_seconds.empty()) {
      text += fmt::format(", {:.3g} ms each (99 %: {:.3g} ms)", times.mean / 1000.0, times.p99 / 1000.0);
      if (simulated > 0.0) text += fmt::format(", {:.2g} x real time", simulated / stepping);
    }
    text += "\n";
    text += fmt::format("  whole run    {:.2f} s with rows and files", seconds_);
    if (simulated > 0.0 && seconds_ > 0.0) text += fmt::format(", {:.2g} x real time", simulated / seconds_);
    text += "\n";
    if (record.damped_steps > 0)
      text += fmt::format("  damped       {} steps, by backward Euler: the motion is too fast for dt\n",
                          record.damped_steps);
    if (record.rough_steps > 0)
      text += fmt::format("  rough        {} steps: contacts of rigid bodies are less exact than asked\n",
                          record.rough_steps);
    for (const std::string& note : notes_) text += fmt::format("  note         {}\n", note);
    if (!record.t.empty()) text += row_text(record);
    for (std::size_t b = 0; b < record.bodies.size(); ++b)
      text += joints_text(world_.bodies()[b], record.bodies[b].joints);
    for (std::size_t p = 0; p < world_.probes().size(); ++p) {
      if (record.probe_u[p].empty()) continue;
      const Vector3& u = record.probe_u[p].back();
      text += fmt::format("  probe        {}: ({:.6g}, {:.6g}, {:.6g}) {}\n", world_.probes()[p].name, u[0],
                          u[1], u[2], world_.probes()[p].obstacle ? "N" : "m");
    }
    text += fmt::format("  state hash   {}\n", world_.state_hash());
    for (const std::filesystem::path& file : files_)
      text += fmt::format("  written      {}\n", file.string());
    return text;
  }

  /// Energies and reactions at the end.
  [[nodiscard]] std::string row_text(const RunRecord& record) const {
    const bool is_static = world_.settings().integrator == Integrator::kStatic;
    const Energies energy = total_energy(record).back();
    std::string text =
        fmt::format("  at the end   {} = {:.6g}{}: kinetic {:.6g} J, strain {:.6g} J, potential {:.6g} J\n",
                    is_static ? "load factor" : "t", record.t.back(), is_static ? "" : " s", energy.kinetic,
                    energy.strain, energy.potential);
    for (std::size_t b = 0; b < record.bodies.size(); ++b) {
      const Body& body = world_.bodies()[b];
      for (std::size_t s = 0; s < body.support_names.size() && !record.bodies[b].reactions.empty(); ++s) {
        const Reaction& r = record.bodies[b].reactions.back()[s];
        text += fmt::format(
            "  reaction     {} at \"{}\": force ({:.5g}, {:.5g}, {:.5g}) N, moment ({:.5g}, {:.5g}, {:.5g}) "
            "N m\n",
            body.name, body.support_names[s], r.force[0], r.force[1], r.force[2], r.moment[0], r.moment[1],
            r.moment[2]);
      }
    }
    return text;
  }

  /// How well the domains of a tree agreed where they meet, at the worst.
  [[nodiscard]] static std::string joints_text(const Body& body, const std::vector<JointState>& joints) {
    std::size_t wide = 0, bent = 0, count = 0;
    const auto relative = [&](std::size_t d) { return joints[d].gap / std::max(1e-300, joints[d].size); };
    for (std::size_t d = 0; d < std::min(joints.size(), body.domains.size()); ++d) {
      if (joints[d].size > 0.0) ++count;
      if (relative(d) > relative(wide)) wide = d;
      if (joints[d].deviation > joints[bent].deviation) bent = d;
    }
    if (count == 0) return "";
    return fmt::format(
        "  joints       {} of {}: widest gap {:.3g} m, {:.2g} % of \"{}\"; farthest from a rotation {:.2g} "
        "%, "
        "\"{}\"\n",
        count, body.name, joints[wide].gap, 100.0 * relative(wide), body.domains[wide].name,
        100.0 * joints[bent].deviation, body.domains[bent].name);
  }

  const RunOptions& options_;
  const std::vector<std::filesystem::path>& inputs_;  // files that no output may replace
  BuiltScene& built_;
  World& world_;
  std::optional<FrameWriter> frames_;
  std::vector<std::string> notes_;                  // what the run had to say, such as about cuts
  std::vector<std::filesystem::path> final_paths_;  // one per body, when asked for
  std::vector<std::filesystem::path> files_;        // that were written
  std::optional<RunFailure> failure_;
  double seconds_ = 0.0;
};

int run(const RunOptions& options) {
  if (const Diagnostics problems = check_options(options); !problems.empty()) return report(problems);
  const Result<SceneDescription> scene = read_scene_file(options.scene, {options.model, options.duration});
  if (!scene) return report(scene.errors());
  for (const auto& [file, option] :
       {std::pair(options.final_state, "--final"), std::pair(options.checkpoint, "--checkpoint")})
    if (const Status safe = check_not_input(file, option, scene.value().inputs); !safe)
      return report(safe.errors());
  const auto progress = make_progress(options.common);
  const Result<std::unique_ptr<BuiltScene>> built =
      build_or_give_up(scene.value(), *progress, options.cache.build());
  progress->end();
  if (!built) {
    const int code = report(built.errors());
    if (code == kFailed && options.common.json) print_result(failure_json({0.0, to_string(built.error())}));
    return code;
  }
  print_notes(built.value()->notes, options.common);
  return Run(options, scene.value().inputs, *built.value()).execute();
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Simulate a scene");
  command->add_option("SCENE", options->scene, "scene file (.toml)")->required();
  command->add_option("--model", options->model, "model type of every body, instead of the scene's");
  command->add_option("--duration", options->duration, "simulated seconds, instead of the scene's");
  command->add_option("--out", options->out, "folder for frames, animation, plots and tables");
  command->add_option("--frames", options->frames,
                      "what frames hold: surface or volume, instead of the scene's (default surface)");
  command->add_option("--final", options->final_state,
                      "write the last state; with several bodies one FILE.NAME.EXT each");
  command->add_option("--checkpoint", options->checkpoint,
                      "write a checkpoint, again and again and at the end");
  command->add_option("--checkpoint-every", options->checkpoint_every,
                      "steps between checkpoints (default 100)");
  command->add_option("--resume", options->resume, "go on from a checkpoint of the same scene");
  command->add_option("--snapshots", options->snapshots,
                      "folder for the shapes of the run, from which a basis can be made (model.shapes)");
  command->add_option("--snapshots-every", options->snapshots_every, "steps between them (default 1)");
  add_cache(*command, options->cache);
  command->footer(
      "Examples:\n  pliant run examples/cantilever_tet.toml --out out/cantilever\n"
      "  pliant run examples/twisted_bar.toml --json > twisted.json\n"
      "  pliant run long.toml --checkpoint long.ckpt --checkpoint-every 50\n"
      "  pliant run long.toml --resume long.ckpt");
  add_common(*command, options->common);
  command->callback(
      [options, &exit_code] { exit_code = with_threads(options->common, [&] { return run(*options); }); });
}

}  // namespace pliant::cli
