// `pliant run`: its JSON, its files, interruption, checkpoints.
#include "pliant/file/state_file.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "program.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pliant {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::run_program;

const std::string kScene = test::beam_scene(
                               "dt = 0.01\n"
                               "duration = 0.2\n"
                               "gravity = [0, 0, -9.81]\n"
                               "[output]\n"
                               "every = 5\n",
                               "cells = [4, 2, 1]") +
                           R"([[probe]]
name = "tip"
near = [1, 0.1, 0.1]
[[probe]]
name = "slow"
vertex = 4
every = 10
[[event]]
t = 0.1
gravity = [0, 0, 0]
)";

class RunCommand : public testing::Test {
 protected:
  void SetUp() override { test::write_text(folder_.path() / "scene.toml", kScene); }
  Outcome pliant(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path()); }
  Json run_json(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "scene.toml", "--json"});
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.exit_code == 0 ? Json::parse(outcome.out) : Json::object();
  }
  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_.path() / name; }

  test::TemporaryFolder folder_;
};

/// Without what depends on the clock.
Json timeless(Json document) {
  document.erase("build_s");
  document.erase("step_us");
  return document;
}

TEST_F(RunCommand, DocumentHasTheContractsFields) {
  const Json run = run_json({});
  EXPECT_EQ(run["model"], "full");
  EXPECT_EQ(run["steps"], 20);
  EXPECT_EQ(run["healthy"], true);
  EXPECT_FALSE(run.contains("failure"));
  EXPECT_EQ(run["state_hash"].get<std::string>().size(), 32U);
  EXPECT_EQ(run["probes"]["tip"]["t"].size(), 21U);
  EXPECT_EQ(run["probes"]["tip"]["u"].size(), 21U);
  EXPECT_EQ(run["probes"]["slow"]["t"], Json::parse("[0.0, 0.1, 0.2]"));
  EXPECT_EQ(run["probes"]["tip"]["u"][0], Json::parse("[0.0, 0.0, 0.0]"));
  for (const char* key : {"t", "kinetic", "strain", "potential"}) EXPECT_EQ(run["energy"][key].size(), 21U);
  for (const char* key : {"t", "center", "linear", "angular"}) EXPECT_EQ(run["momentum"][key].size(), 21U);
  const Json& body = run["bodies"]["beam"];
  EXPECT_EQ(body["dofs"], run["dofs"]);
  EXPECT_EQ(body["energy"], run["energy"]);  // one body: its rows are the totals
  EXPECT_EQ(body["momentum"], run["momentum"]);
  EXPECT_EQ(body["reactions"]["x < 1e-6"]["force"].size(), 21U);
  EXPECT_TRUE(body["domains"].is_array());
  for (const char* key : {"mean", "p50", "p99", "max"}) EXPECT_GT(run["step_us"][key].get<double>(), 0.0);
  EXPECT_GT(run["build_s"].get<double>(), 0.0);
  // the event switches gravity off: from then on there is no potential
  EXPECT_NE(run["energy"]["potential"][10], 0.0);
  EXPECT_EQ(run["energy"]["potential"][11], 0.0);
}

TEST_F(RunCommand, FilesAreWrittenAndReadable) {
  const Json run = run_json({"--out", "results/first", "--final", "final.txt"});
  const std::vector<std::string> expected{"animation.glb", "beam_0000.vtu", "beam_0001.vtu", "beam_0002.vtu",
                                          "beam_0003.vtu", "beam_0004.vtu", "energy.csv",    "energy.svg",
                                          "probes.csv",    "probes.svg",    "scene.pvd"};
  EXPECT_EQ(test::listing(at("results/first")), expected);
  const std::string name = at("results/first/beam_0004.vtu").string();
  const Result<FramePoints> frame = read_frame_points(test::read_text(name), name);
  ASSERT_TRUE(frame.ok());
  // frames are the deformed shape
  const Json u = run["probes"]["slow"]["u"][2];
  const VolumeMesh rest = generate_box(Vector3(1, 0.2, 0.1), {4, 2, 1}, ElementKind::kTet);
  const auto found = std::find(frame.value().vertices.begin(), frame.value().vertices.end(), 4);
  ASSERT_NE(found, frame.value().vertices.end());
  const Vector3 place =
      rest.vertices[4] + Vector3(u[0].get<double>(), u[1].get<double>(), u[2].get<double>());
  EXPECT_LT((frame.value().places[to_size(found - frame.value().vertices.begin())] - place).norm(),
            1e-7);  // floats

  const Result<VertexState> state =
      read_state(test::read_text(at("final.txt")), "final.txt", rest.vertex_count());
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(state.value().displacements[3 * 4 + 2], u[2].get<double>());
}

/// The surface unless the scene or the command line asks for the volume.
TEST_F(RunCommand, FramesHoldTheSurfaceOrTheVolume) {
  const auto elements = [&](const std::string& scene, std::vector<std::string> options) {
    test::write_text(at("scene.toml"), scene);
    options.insert(options.end(), {"--out", "results"});
    run_json(options);
    const Result<VolumeFile> frame = read_volume_file(at("results/beam_0004.vtu"));
    if (frame) return frame.value().mesh.element_count();
    EXPECT_EQ(frame.error().code, ErrorCode::kMissing);
    return Index{0};
  };
  const Index all = 6 * 4 * 2 * 1;
  std::string volume = kScene;
  volume.replace(volume.find("every = 5\n"), 10, "every = 5\nframes = \"volume\"\n");
  EXPECT_EQ(elements(kScene, {}), 0);
  EXPECT_EQ(elements(kScene, {"--frames", "volume"}), all);
  EXPECT_EQ(elements(volume, {}), all);
  EXPECT_EQ(elements(volume, {"--frames", "surface"}), 0);
  EXPECT_EQ(pliant({"run", "scene.toml", "--out", "other", "--frames", "all"}).exit_code, 2);
  EXPECT_EQ(pliant({"run", "scene.toml", "--frames", "volume"}).exit_code, 2);  // without a folder
  EXPECT_FALSE(std::filesystem::exists(at("other")));
}

TEST_F(RunCommand, ThreadsDoNotChangeTheResult) {
  EXPECT_EQ(timeless(run_json({"--threads", "1"})), timeless(run_json({"--threads", "2"})));
}

TEST_F(RunCommand, ResumedRunIsTheSame) {
  const Json whole = run_json({"--final", "whole.txt"});
  run_json({"--duration", "0.07", "--checkpoint", "half.ckpt", "--checkpoint-every", "3"});
  const Json resumed = run_json({"--resume", "half.ckpt", "--final", "resumed.txt"});
  EXPECT_EQ(timeless(resumed), timeless(whole));
  EXPECT_EQ(test::read_text(at("resumed.txt")), test::read_text(at("whole.txt")));
}

TEST_F(RunCommand, CoupledDomainsAreReportedAndResumed) {
  const std::string coupled =
      "model = { type = \"coupled\", modes = 8, domains = { auto = 2 } }\n[[body.domain]]\nname = \"part "
      "1\"\n"
      "modes = 6\n";
  std::string scene(kScene);
  scene.replace(scene.find("cells = [4, 2, 1]"), 17, "cells = [8, 2, 1]");
  scene.insert(scene.find("[[probe]]"), coupled);
  test::write_text(at("scene.toml"), scene);
  const Json whole = run_json({"--final", "whole.txt", "--threads", "1"});
  EXPECT_EQ(whole["model"], "coupled");
  const Json& domains = whole["bodies"]["beam"]["domains"];
  ASSERT_EQ(domains.size(), 2U);
  EXPECT_EQ(domains[0], (Json{{"name", "part 0"}, {"modes", 8}, {"attachment", 0}}));
  EXPECT_EQ(domains[1]["modes"], 6);
  EXPECT_TRUE(whole["bodies"]["beam"]["joints"].empty());
  run_json({"--duration", "0.07", "--checkpoint", "half.ckpt", "--checkpoint-every", "3"});
  const Json resumed = run_json({"--resume", "half.ckpt", "--final", "resumed.txt"});
  EXPECT_EQ(timeless(resumed), timeless(whole));
  EXPECT_EQ(test::read_text(at("resumed.txt")), test::read_text(at("whole.txt")));
}

TEST_F(RunCommand, CheckpointOfAnotherSceneIsRefused) {
  run_json({"--checkpoint", "a.ckpt"});
  std::string other(kScene);
  other.replace(other.find("young = 1e6"), 11, "young = 2e6");
  test::write_text(at("scene.toml"), other);
  const auto before = test::listing(folder_.path());
  const Outcome outcome = pliant({"run", "scene.toml", "--resume", "a.ckpt", "--out", "results"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(test::listing(folder_.path()), before);

  test::write_text(at("broken.ckpt"), test::read_text(at("a.ckpt")).substr(0, 300));
  EXPECT_EQ(pliant({"run", "scene.toml", "--resume", "broken.ckpt"}).exit_code, 2);
}

TEST_F(RunCommand, InterruptionKeepsWhatWasComputed) {
  const Outcome outcome =
      run_program({"run", "scene.toml", "--duration", "1000", "--json", "--quiet", "--out", "results"},
                  folder_.path(), 1500);
  ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
  const Json run = Json::parse(outcome.out);
  EXPECT_EQ(run["healthy"], false);
  EXPECT_TRUE(run["failure"]["t"].is_number());
  EXPECT_TRUE(run["failure"]["reason"].is_string());
  EXPECT_GT(run["steps"].get<int>(), 0);
  EXPECT_EQ(run["probes"]["tip"]["t"].size(), run["steps"].get<std::size_t>() + 1);
  EXPECT_TRUE(std::filesystem::exists(at("results/scene.pvd")));
}

TEST_F(RunCommand, FailureIsExitOneWithTheRowsSoFar) {
  std::string hard(kScene);
  hard.replace(hard.find("dt = 0.01"), 9, "dt = 0.01\nnewton = { iterations = 2, tolerance = 1e-14 }");
  test::write_text(at("scene.toml"), hard);
  const Outcome outcome = pliant({"run", "scene.toml", "--json"});
  ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
  const Json run = Json::parse(outcome.out);
  EXPECT_EQ(run["healthy"], false);
  EXPECT_EQ(run["energy"]["t"].size(), run["steps"].get<std::size_t>() + 1);
}

TEST_F(RunCommand, TwoBodiesAddUp) {
  std::string two(kScene);
  two.replace(
      two.find("[[probe]]\nname = \"tip\""), 22,
      "[[body]]\nname = \"free one\"\n"
      "generate = { shape = \"box\", cells = [2, 2, 2], element = \"hex\" }\ntransform = { translate = [0, "
      "0, 3] }\n"
      "material = { young = 1e6, poisson = 0.3, density = 500 }\n[[probe]]\nname = \"tip\"\nbody = \"beam\"");
  two.replace(two.find("vertex = 4\n"), 11, "vertex = 4\nbody = \"beam\"\n");
  test::write_text(at("scene.toml"), two);
  const Json run = run_json({"--out", "results", "--final", "end.txt"});
  const Json &a = run["bodies"]["beam"], &b = run["bodies"]["free one"];
  EXPECT_EQ(run["dofs"].get<int>(), a["dofs"].get<int>() + b["dofs"].get<int>());
  EXPECT_NEAR(run["energy"]["kinetic"][5].get<double>(),
              a["energy"]["kinetic"][5].get<double>() + b["energy"]["kinetic"][5].get<double>(), 1e-12);
  EXPECT_TRUE(std::filesystem::exists(at("results/free_one.pvd")));
  EXPECT_TRUE(std::filesystem::exists(at("results/beam_0000.vtu")));
  EXPECT_TRUE(std::filesystem::exists(at("end.beam.txt")));
  EXPECT_TRUE(std::filesystem::exists(at("end.free_one.txt")));
}

TEST_F(RunCommand, BodiesOfLikeNamesGetFilesOfTheirOwn) {
  const std::string body =
      "generate = { shape = \"box\", cells = [1, 1, 1] }\n"
      "material = { young = 1e6, poisson = 0.3, density = 500 }\n";
  test::write_text(at("scene.toml"),
                   "[simulation]\ndt = 0.01\nduration = 0.01\n[[body]]\nname = \"a/b\"\n" + body +
                       "initial = { velocity = [1, 0, 0] }\n[[body]]\nname = \"a_b\"\n" + body);
  run_json({"--final", "end.txt"});
  const auto speed = [&](const char* file) {
    const Result<VertexState> state = read_state(test::read_text(at(file)), file, 8);
    return state.ok() ? state.value().velocities[0] : -1.0;
  };
  EXPECT_NEAR(speed("end.a_b.txt"), 1.0, 1e-9);
  EXPECT_NEAR(speed("end.a_b-2.txt"), 0.0, 1e-9);

  // a file of one of them cannot be written: nothing is simulated, nothing claims to be written
  std::filesystem::remove(at("end.a_b-2.txt"));
  std::filesystem::create_directory(at("end.a_b-2.txt"));
  const Outcome outcome = pliant({"run", "scene.toml", "--final", "end.txt", "--out", "results"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(std::filesystem::exists(at("results")));
}

TEST_F(RunCommand, BadRequestsWriteNothing) {
  const auto before = test::listing(folder_.path());
  for (const std::vector<std::string>& extra :
       std::vector<std::vector<std::string>>{{"--model", "rigid"},
                                             {"--duration", "-1"},
                                             {"--duration", "nan"},
                                             {"--final", "no/where.txt"},
                                             {"--checkpoint", "no/where"},
                                             {"--checkpoint-every", "0"},
                                             {"--resume", "missing"},
                                             {"--out", "scene.toml"},
                                             {"--out", "scene.toml/results"},
                                             // folders that are there, but take no files, even of root
                                             {"--final", "/proc/end.txt"},
                                             {"--checkpoint", "/proc/end.ckpt"},
                                             {"--out", "/proc/results"},
                                             {"--out", "/proc"}}) {
    std::vector<std::string> arguments{"run", "scene.toml", "--json"};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    if (extra[0] != "--out") arguments.insert(arguments.end(), {"--out", "results"});
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << extra[0] << " " << outcome.err;
    EXPECT_EQ(outcome.error_lines().size(), 1U) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(test::listing(folder_.path()), before) << extra[0];
  }
}

TEST_F(RunCommand, SelectionsThatAreEmptySayTheRange) {
  std::string empty(kScene);
  empty.replace(empty.find("x < 1e-6"), 8, "x < -1.0");
  test::write_text(at("scene.toml"), empty);
  const Outcome outcome = pliant({"run", "scene.toml"});
  EXPECT_EQ(outcome.exit_code, 2);
  ASSERT_EQ(outcome.error_lines().size(), 1U);
  EXPECT_TRUE(outcome.error_lines()[0].starts_with("error: scene.toml:11:10: body[0].fixed[0]: "))
      << outcome.err;
  EXPECT_NE(outcome.err.find("x in [0, 1]"), std::string::npos) << outcome.err;
}

TEST_F(RunCommand, InitialFileContinuesARun) {
  // without gravity and the event, a run from the final state goes on like the whole one, but for the
  // acceleration, which the equation of motion gives again
  std::string free(kScene);
  free.erase(free.find("[[event]]"));
  test::write_text(at("scene.toml"), free);
  const Json whole = run_json({});
  run_json({"--duration", "0.1", "--final", "half.txt"});
  free.replace(free.find("fixed ="), 7, "initial = { file = \"half.txt\" }\nfixed =");
  test::write_text(at("scene.toml"), free);
  const Json second = run_json({"--duration", "0.1"});
  const double expected = whole["probes"]["tip"]["u"][20][2].get<double>();
  EXPECT_NEAR(second["probes"]["tip"]["u"][10][2].get<double>(), expected, 1e-6 * std::abs(expected));
}

}  // namespace
}  // namespace pliant
