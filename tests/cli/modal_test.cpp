// Reduced models through the program: build, cache, events, shapes, sketches.
#include "program.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace pliant {
namespace {

using Json = nlohmann::json;
using test::Outcome;

const std::string kScene = test::beam_scene(
                               "dt = 0.005\n"
                               "duration = 0.25\n"
                               "gravity = [0, 0, -4]\n",
                               "cells = [6, 2, 2], element = \"hex\"") +
                           R"(model = { type = "modal", linear_modes = 5, modes = 12 }
[[probe]]
name = "tip"
near = [1, 0.1, 0.1]
)";

class ModalProgram : public testing::Test {
 protected:
  void SetUp() override { scene(kScene); }
  void scene(const std::string& text) { test::write_text(folder_.path() / "scene.toml", text); }
  /// The scene with another model line.
  void model(const std::string& line) {
    std::string text = kScene;
    const std::size_t begin = text.find("model = ");
    text.replace(begin, text.find('\n', begin) - begin, line);
    scene(text);
  }
  Outcome pliant(std::vector<std::string> arguments) {
    if (arguments.front() != "sketch") arguments.insert(arguments.end(), {"--cache", "cache"});
    return test::run_program(arguments, folder_.path());
  }
  Json json(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.exit_code == 0 ? Json::parse(outcome.out) : Json::object();
  }
  static Vector3 tip(const Json& run) {
    const Json& u = run["probes"]["tip"]["u"].back();
    return {u[0].get<double>(), u[1].get<double>(), u[2].get<double>()};
  }

  test::TemporaryFolder folder_;
};

TEST_F(ModalProgram, BuildsOnceAndTakesItFromTheCacheAfterwards) {
  const Json first = json({"build", "scene.toml"});
  EXPECT_FALSE(first["bodies"]["beam"]["from_cache"].get<bool>());
  EXPECT_EQ(first["bodies"]["beam"]["modes"], 12);
  EXPECT_GT(first["stages"].size(), 4U);
  const Json second = json({"build", "scene.toml"});
  EXPECT_TRUE(second["bodies"]["beam"]["from_cache"].get<bool>());
  EXPECT_EQ(second["bodies"]["beam"]["file"], first["bodies"]["beam"]["file"]);
  const Json cached = json({"run", "scene.toml"});
  const Json fresh = json({"run", "scene.toml", "--no-cache"});
  EXPECT_EQ(cached["state_hash"], fresh["state_hash"]);
  EXPECT_EQ(cached["model"], "modal");
  EXPECT_EQ(cached["dofs"], 12);
}

TEST_F(ModalProgram, ADamagedCacheFileIsNotedAndBuiltAnew) {
  const std::string file = json({"build", "scene.toml"})["bodies"]["beam"]["file"];
  const auto path =
      std::filesystem::path(file).is_absolute() ? std::filesystem::path(file) : folder_.path() / file;
  {
    std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(3000);
    stream.put('\x5a');
  }
  const Outcome again = pliant({"build", "scene.toml"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_NE(again.err.find("note"), std::string::npos);
  EXPECT_NE(again.out.find("built"), std::string::npos);
  EXPECT_TRUE(json({"build", "scene.toml"})["bodies"]["beam"]["from_cache"].get<bool>());
}

TEST_F(ModalProgram, IsNearFullAndHashesAlikeForAnyNumberOfThreads) {
  const Json modal = json({"run", "scene.toml", "--threads", "1"});
  const Json two = json({"run", "scene.toml", "--threads", "2", "--no-cache"});
  const Json full = json({"run", "scene.toml", "--model", "full"});
  EXPECT_EQ(modal["state_hash"], two["state_hash"]);
  EXPECT_GT(tip(full).norm(), 0.05);
  EXPECT_LT((tip(modal) - tip(full)).norm(), 0.02 * tip(full).norm());
}

TEST_F(ModalProgram, UsesTheFirstShapesOfABasisWithoutBuilding) {
  (void)json({"build", "scene.toml"});
  model("model = { type = \"modal\", linear_modes = 5, modes = 12, modes_used = 7 }");
  const Json cut = json({"build", "scene.toml"});
  EXPECT_TRUE(cut["bodies"]["beam"]["from_cache"].get<bool>());
  EXPECT_EQ(cut["bodies"]["beam"]["modes"], 7);
  model("model = { type = \"modal\", linear_modes = 5, modes = 12, modes_used = 13 }");
  const Outcome more = pliant({"build", "scene.toml"});
  EXPECT_EQ(more.exit_code, 2);
  EXPECT_NE(more.err.find("modes_used"), std::string::npos);
}

TEST_F(ModalProgram, EventsEditMaterialsInBothModels) {
  scene(kScene + "[[event]]\nt = 0.1\nset = { young = 3e6, density = 800 }\n");
  const Json modal = json({"run", "scene.toml"});
  const Json full = json({"run", "scene.toml", "--model", "full"});
  EXPECT_LT((tip(modal) - tip(full)).norm(), 0.03 * tip(full).norm());
  scene(kScene);
  EXPECT_GT((tip(json({"run", "scene.toml"})) - tip(full)).norm(), 0.2 * tip(full).norm());
}

TEST_F(ModalProgram, ResumesAcrossAnEvent) {
  scene(kScene + "[[event]]\nt = 0.1\nset = { young = 3e6 }\n");
  const Json whole = json({"run", "scene.toml"});
  (void)json({"run", "scene.toml", "--duration", "0.15", "--checkpoint", "state.ckpt"});
  EXPECT_EQ(json({"run", "scene.toml", "--resume", "state.ckpt"})["state_hash"], whole["state_hash"]);
}

TEST_F(ModalProgram, MakesABasisFromTheShapesOfAFullRun) {
  const Json full =
      json({"run", "scene.toml", "--model", "full", "--snapshots", "shapes", "--snapshots-every", "2"});
  model("model = { type = \"modal\", modes = 6, shapes = [\"shapes\"] }");
  const Json modal = json({"run", "scene.toml"});
  EXPECT_EQ(modal["dofs"], 6);
  EXPECT_LT((tip(modal) - tip(full)).norm(), 0.02 * tip(full).norm());
  model("model = { type = \"modal\", modes = 6, shapes = [\"nowhere.txt\"] }");
  EXPECT_EQ(pliant({"run", "scene.toml"}).exit_code, 2);
}

TEST_F(ModalProgram, MakesABasisFromASketch) {
  test::write_text(folder_.path() / "script.toml",
                   "rate = 4\n[[pull]]\nwhere = \"x > 0.99\"\nt = [0, 1, 2]\n"
                   "force = [[0, 0, 0], [0, 0, -20], [0, 15, 10]]\n");
  const Json written = json({"sketch", "scene.toml", "script.toml", "-o", "pulls.txt"});
  EXPECT_GT(written["pulls"].get<int>(), 8);
  model("model = { type = \"modal\", modes = 6, sketch = \"pulls.txt\", separation = 0.1 }");
  const Json built = json({"build", "scene.toml"});
  const Json& counts = built["bodies"]["beam"]["sketch"];
  EXPECT_GE(counts["recorded"], counts["solved"]);
  EXPECT_GE(counts["solved"], counts["kept"]);
  EXPECT_GE(counts["kept"].get<int>(), 3);
  const Json modal = json({"run", "scene.toml"});
  const Json full = json({"run", "scene.toml", "--model", "full"});
  EXPECT_LT((tip(modal) - tip(full)).norm(), 0.1 * tip(full).norm());
  test::write_text(folder_.path() / "script.toml",
                   "[[pull]]\nnear = [1, 0, 0]\nt = [1, 0]\nforce = [[0,0,0],[1,0,0]]\n");
  const Outcome wrong = pliant({"sketch", "scene.toml", "script.toml", "-o", "pulls.txt"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("script.toml"), std::string::npos);
}

TEST_F(ModalProgram, RefusesMotionsThatItCannotFollow) {
  scene(kScene +
        "[[body.motion]]\nwhere = \"x > 0.99\"\ntranslate = { t = [0, 1], by = [[0, 0, 0], [0, 0, 1]] }\n");
  const Outcome outcome = pliant({"run", "scene.toml"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("scene.toml"), std::string::npos);
}

TEST_F(ModalProgram, SubstepsAndExplicitStepsAgreeWithSmallerOnes) {
  std::string text = kScene;
  text.replace(text.find("dt = 0.005"), 10,
               "dt = 0.005\nsubsteps = 25\nintegrator = \"central-differences\"");
  scene(text);
  const Json fine = json({"run", "scene.toml"});
  EXPECT_EQ(fine["steps"], 50);
  scene(kScene);
  EXPECT_LT((tip(json({"run", "scene.toml"})) - tip(fine)).norm(), 0.02 * tip(fine).norm());
}

}  // namespace
}  // namespace pliant
