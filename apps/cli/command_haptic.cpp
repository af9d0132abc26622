#include "commands.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/serve/haptic_devices.hpp"
#include "pliant/sim/contacts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <unistd.h>

namespace pliant::cli {
namespace {

using Json = nlohmann::ordered_json;

struct HapticOptions {
  Common common;
  std::string scene, tool, device, out;
  std::optional<std::string> model;
  std::optional<double> duration, rate;
  int udp = -1;
  bool pipe = false, fast = false;
  HapticSettings settings;
  Index every = 10;
  CacheOptions cache;
};

/// What a run leaves behind, every so many periods.
struct Rows {
  std::vector<double> t, penetration;
  std::vector<Index> count;
  std::vector<Vector3> device, tool, force, torque;

  void reserve(std::size_t rows) {
    for (auto* list : {&device, &tool, &force, &torque}) list->reserve(rows);
    t.reserve(rows);
    penetration.reserve(rows);
    count.reserve(rows);
  }
  void add(World& world, const Tool& at) {
    const ContactRow row = world.contact_row();
    t.push_back(world.time());
    penetration.push_back(row.penetration);
    count.push_back(row.count);
    device.push_back(at.device().position);
    tool.push_back(at.pose().position);
    force.push_back(at.wrench().force);
    torque.push_back(at.wrench().torque);
  }
};

Json json_of(const std::vector<Vector3>& list) {
  Json all = Json::array();
  for (const Vector3& v : list) all.push_back(Json::array({v[0], v[1], v[2]}));
  return all;
}

template <class T>
T most(const std::vector<T>& list) {
  return list.empty() ? T() : *std::max_element(list.begin(), list.end());
}

double strongest(const Rows& rows) {
  double size = 0.0;
  for (const Vector3& f : rows.force) size = std::max(size, f.norm());
  return size;
}

std::string document(const HapticLoop& loop, const Rows& rows) {
  const World& world = loop.world();
  const TickTimes& times = loop.times();
  const ToolCoupling& c = loop.coupling();
  Json all{{"steps", world.step_index()},
           {"rate_hz", 1.0 / loop.period()},
           {"healthy", world.healthy()},
           {"state_hash", world.state_hash()},
           {"stability", {{"limit", loop.limit()}, {"share", c.stiffness / loop.limit()}}},
           {"coupling",
            {{"stiffness", c.stiffness},
             {"damping", c.damping},
             {"turn_stiffness", c.turn_stiffness},
             {"turn_damping", c.turn_damping},
             {"mass", c.mass},
             {"inertia", c.inertia}}}};
  if (!world.healthy())
    all["failure"] = {{"t", world.record().failure_t}, {"reason", world.record().failure_reason}};
  all["step_us"] = {{"mean", 1e6 * times.mean()},
                    {"p50", 1e6 * times.share(0.5)},
                    {"p99", 1e6 * times.share(0.99)},
                    {"p99.9", 1e6 * times.share(0.999)},
                    {"max", 1e6 * times.most()}};
  all["deadlines"] = {
      {"periods", times.count()}, {"missed", times.misses()}, {"latest_us", 1e6 * times.latest()}};
  all["penetration"] = most(rows.penetration);
  all["rows"] = {{"t", rows.t},
                 {"count", rows.count},
                 {"penetration", rows.penetration},
                 {"device", json_of(rows.device)},
                 {"tool", json_of(rows.tool)},
                 {"force", json_of(rows.force)},
                 {"torque", json_of(rows.torque)}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string summary(const HapticOptions& options, const HapticLoop& loop, const Rows& rows) {
  const TickTimes& times = loop.times();
  std::string text =
      fmt::format("{}\n  periods      {} of {:.4g} ms\n", options.scene, times.count(), 1e3 * loop.period());
  text += fmt::format("  coupling     {:.4g} N/m, {:.3g} N s/m; stable below {:.4g} N/m\n",
                      loop.coupling().stiffness, loop.coupling().damping, loop.limit());
  text += fmt::format("  a step       {:.3g} us (median), 99.9 %: {:.4g} us, longest {:.4g} us\n",
                      1e6 * times.share(0.5), 1e6 * times.share(0.999), 1e6 * times.most());
  text += fmt::format("  deadlines    {} missed\n", times.misses());
  text += fmt::format("  force        {:.4g} N at most\n  penetration  {:.3g} m at most\n", strongest(rows),
                      most(rows.penetration));
  return text;
}

std::string table(const Rows& rows) {
  std::string csv = "t,count,penetration,device_x,device_y,device_z,tool_x,tool_y,tool_z,fx,fy,fz,tx,ty,tz\n";
  for (std::size_t i = 0; i < rows.t.size(); ++i) {
    csv += fmt::format("{},{},{}", rows.t[i], rows.count[i], rows.penetration[i]);
    for (const auto* list : {&rows.device, &rows.tool, &rows.force, &rows.torque})
      csv += fmt::format(",{},{},{}", (*list)[i][0], (*list)[i][1], (*list)[i][2]);
    csv += "\n";
  }
  return csv;
}

Diagnostics check(const HapticOptions& options) {
  Diagnostics problems;
  const int devices = static_cast<int>(!options.device.empty()) + static_cast<int>(options.udp >= 0) +
                      static_cast<int>(options.pipe);
  if (devices != 1)
    problems.push_back(bad_option("--device", devices == 0 ? "is missing" : "is not the only device",
                                  "give one of --device FILE, --pipe and --udp PORT"));
  if (options.udp > 65535) problems.push_back(bad_option("--udp", "must lie in [0, 65535]"));
  const auto positive = [&](const std::optional<double>& value, const char* option, double least) {
    if (value && !(*value >= least && std::isfinite(*value)))
      problems.push_back(bad_option(option, fmt::format("must be >= {}, got {}", least, *value)));
  };
  positive(options.duration, "--duration", 0.0);
  positive(options.rate, "--rate", 1.0);
  positive(options.settings.stiffness, "--stiffness", 0.0);
  positive(options.settings.damping, "--damping", 0.0);
  positive(options.settings.mass, "--mass", 1e-6);
  positive(options.settings.device_damping, "--device-damping", 0.0);
  positive(options.settings.delay, "--delay", 0.0);
  positive(options.settings.most_force, "--max-force", 0.0);
  if (options.every < 1) problems.push_back(bad_option("--every", "must be >= 1"));
  if (options.fast && options.device.empty())
    problems.push_back(bad_option("--fast", "goes with --device only", "a hand moves in real time"));
  if (!options.out.empty())
    if (const Status possible = check_writable(options.out, "--out"); !possible)
      problems.push_back(possible.error());
  return problems;
}

/// The obstacle that the device leads: the one that is named, or the only one that is no plane.
Result<std::size_t> choose_tool(const HapticOptions& options, const World& world) {
  if (world.contacts() == nullptr)
    return bad_option("SCENE", "has no [contact], so a tool touches nothing",
                      "add [contact] and an [[obstacle]]");
  const std::vector<Obstacle>& obstacles = world.contacts()->obstacles();
  std::vector<std::string> names;
  std::vector<std::size_t> solid;
  for (std::size_t o = 0; o < obstacles.size(); ++o) {
    if (obstacles[o].name == options.tool) return o;
    if (std::holds_alternative<ContactPlane>(obstacles[o].shape)) continue;
    names.push_back(obstacles[o].name);
    solid.push_back(o);
  }
  if (options.tool.empty() && solid.size() == 1) return solid.front();
  const std::string remedy = names.empty() ? "add an [[obstacle]] that is no plane"
                                           : fmt::format("take one of: {}", fmt::join(names, ", "));
  if (options.tool.empty()) return bad_option("--tool", "is missing", remedy);
  return bad_option("--tool", "there is no obstacle \"" + options.tool + "\"", remedy);
}

Result<std::unique_ptr<HapticDevice>> open_device(const HapticOptions& options) {
  if (!options.device.empty()) return scripted_device(std::filesystem::path(options.device));
  if (options.pipe) return pipe_device(STDIN_FILENO, options.common.json ? -1 : STDOUT_FILENO);
  Result<UdpDevice> udp = udp_device(options.udp);
  if (!udp) return udp.errors();
  say(options.common, fmt::format("poses are expected at 127.0.0.1:{} (UDP)", udp.value().port));
  return std::move(udp).value().device;
}

int execute(const HapticOptions& options, World& world, std::size_t tool, HapticDevice& device) {
  auto loop = HapticLoop::make(world, tool, device, options.settings);
  if (!loop) return report(loop.errors());
  HapticLoop& own = *loop.value();
  Rows rows;
  const double duration = world.settings().duration;
  const Index periods = duration > 0.0 ? std::llround(duration / own.period()) : -1;
  rows.reserve(to_size(periods > 0 ? periods / options.every + 2 : 100000));
  own.observe([&](World& now, const Tool& at) {
    if (now.step_index() % options.every == 0) rows.add(now, at);
  });
  const auto progress = make_progress(options.common);
  progress->begin("haptic loop", std::max<Index>(0, periods));
  if (options.fast) {
    constexpr Index kChunk = 500;
    for (Index done = 0; done < periods && world.healthy() && !progress->cancelled(); done += kChunk) {
      own.run(std::min(kChunk, periods - done));
      progress->update(world.step_index());
    }
  } else {
    own.start(periods);
    Index seen = 0;
    while (own.running() && !progress->cancelled()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if (own.update()) seen = own.snapshot().step;
      progress->update(seen);
    }
    own.stop();
  }
  progress->end();
  if (!options.out.empty())
    if (const Status written = write_file(options.out, table(rows)); !written)
      return report(written.errors());
  int code = kDone;
  if (options.common.json)
    code = print_result(document(own, rows));
  else if (!options.pipe)
    code = print_result(summary(options, own, rows));
  else
    say(options.common, summary(options, own, rows));
  if (world.healthy()) return code;
  return report(Diagnostic{ErrorCode::kNumerical,
                           {options.scene, 0, 0, fmt::format("t = {:g}", world.record().failure_t)},
                           world.record().failure_reason,
                           ""});
}

int haptic(const HapticOptions& options) {
  if (const Diagnostics problems = check(options); !problems.empty()) return report(problems);
  auto device = open_device(options);
  if (!device) return report(device.errors());
  Overrides overrides;
  overrides.model = options.model;
  overrides.duration = options.duration;
  const Result<SceneDescription> scene = read_scene_file(options.scene, overrides);
  if (!scene) return report(scene.errors());
  if (const Status safe = check_not_input(options.out, "--out", scene.value().inputs); !safe)
    return report(safe.errors());
  const auto progress = make_progress(options.common);
  const Result<std::unique_ptr<BuiltScene>> built =
      build_or_give_up(scene.value(), *progress, options.cache.build());
  progress->end();
  if (!built) return report(built.errors());
  print_notes(built.value()->notes, options.common);
  World& world = *built.value()->world;
  const Result<std::size_t> tool = choose_tool(options, world);
  if (!tool) return report(tool.errors());
  if (options.rate) world.set_dt(1.0 / *options.rate);
  if (!world.start())
    return report(
        Diagnostic{ErrorCode::kNumerical, {options.scene, 0, 0, ""}, world.record().failure_reason, ""});
  return execute(options, world, tool.value(), *device.value());
}

}  // namespace

void add_haptic(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<HapticOptions>();
  CLI::App* command = app.add_subcommand("haptic", "Touch a scene with a device that pushes back");
  command->add_option("SCENE", options->scene, "scene file (.toml) with [contact]")->required();
  command->add_option("--tool", options->tool,
                      "obstacle that the device leads (default: the only one that is no plane)");
  command->add_option("--device", options->device, "table of poses t,x,y,z[,qw,qx,qy,qz] that plays a hand");
  command->add_flag("--pipe", options->pipe,
                    "poses are lines x y z [qw qx qy qz] on stdin, forces are lines on stdout");
  command->add_option(
      "--udp", options->udp,
      "port on 127.0.0.1 for the same lines as datagrams, which are answered (0: any free one)");
  command->add_option("--duration", options->duration, "seconds, instead of the scene's; 0: without end");
  command->add_option("--rate", options->rate, "periods a second (default: 1 / dt of the scene)");
  command->add_flag("--fast", options->fast, "with --device: without waiting for the clock");
  command->add_option("--stiffness", options->settings.stiffness,
                      "of the coupling, N/m (default: half the stability limit)");
  command->add_option("--damping", options->settings.damping,
                      "of the coupling, N s/m (default: the device's)");
  command->add_option("--device-damping", options->settings.device_damping,
                      "of the device itself, N s/m, from which the limit follows (default 1)");
  command->add_option("--delay", options->settings.delay,
                      "periods from a pose to the force that answers it (default 1)");
  command->add_option("--mass", options->settings.mass, "of the tool, kg (default 0.1)");
  command->add_option("--max-force", options->settings.most_force,
                      "more is never sent to the device, N (default: no limit)");
  command->add_option("--every", options->every, "periods between recorded rows (default 10)");
  command->add_option("--out", options->out, "table of the rows (.csv)");
  command->add_option("--model", options->model, "model type of every body, instead of the scene's");
  add_cache(*command, options->cache);
  command->footer(
      "Examples:\n  pliant haptic examples/haptic.toml --device examples/haptic_stroke.csv --json\n"
      "  pliant haptic examples/haptic.toml --udp 5005 --duration 0\n"
      "  my_device | pliant haptic examples/haptic.toml --pipe | my_motors");
  add_common(*command, options->common);
  command->callback(
      [options, &exit_code] { exit_code = with_threads(options->common, [&] { return haptic(*options); }); });
}

}  // namespace pliant::cli
