// Events of trees through the program.
#include "cli/program.hpp"
#include "pliant/file/state_file.hpp"
#include "pliant/file/volume_file.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

TEST(TreeEventsProgram, ReplacesAndDetaches) {
  const test::TemporaryFolder folder;
  const auto tip = [&](const std::string& scene) {
    test::write_text(folder.path() / "scene.toml",
                     scene + "[[probe]]\nname = \"tip\"\nnear = [2, 0.1, 0.1]\n");
    const test::Outcome outcome =
        test::run_program({"run", "scene.toml", "--json", "--cache", "cache"}, folder.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    if (outcome.exit_code != 0) return 0.0;
    return nlohmann::json::parse(outcome.out)["probes"]["tip"]["u"].back()[2].get<double>();
  };
  const std::string row = test::row_scene(0.1), event = "[[event]]\nt = 0.05\n",
                    replaced = row + event + "replace = { domain = \"outer\", class = \"heavy bar\" }\n",
                    detached = row + event + "detach = \"outer\"\n";
  const double plain = tip(row);
  EXPECT_LT(plain, -0.001);
  EXPECT_GT(std::abs(tip(replaced) / plain - 1), 1e-3);
  EXPECT_GT(std::abs(tip(detached) / plain - 1), 1e-3);
  std::string wrong = replaced;
  wrong.replace(wrong.rfind("outer"), 5, "upper");
  test::write_text(folder.path() / "scene.toml", wrong);
  const test::Outcome refused = test::run_program({"run", "scene.toml"}, folder.path());
  EXPECT_EQ(refused.exit_code, 2);
  ASSERT_EQ(refused.error_lines().size(), 1U);
  EXPECT_NE(refused.error_lines()[0].find("scene.toml:29:"), std::string::npos) << refused.error_lines()[0];
}

/// Frames of a torn body have points twice; its last state has the vertices of its mesh, so that it can be
/// read.
TEST(TreeEventsProgram, LastStateOfATornBodyHasTheVerticesOfItsMesh) {
  const test::TemporaryFolder folder;
  test::write_text(
      folder.path() / "scene.toml",
      "[simulation]\ndt = 0.01\nduration = 0.1\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"beam\"\n"
      "generate = { shape = \"box\", size = [0.9, 0.2, 0.1], cells = [9, 2, 1], element = \"tet\" }\n"
      "material = { law = \"stvk\", young = 1e6, poisson = 0.3, density = 1000 }\n"
      "fixed = [\"x < 1e-6\"]\nmodel = { type = \"tree\", linear_modes = 3, modes = 8 }\n"
      "[[body.domain]]\nname = \"root\"\nwhere = \"x < 0.3\"\n"
      "[[body.domain]]\nname = \"tip\"\nwhere = \"x >= 0.3\"\n"
      "[[event]]\nt = 0.05\ndetach = \"tip\"\n[[probe]]\nname = \"end\"\nvertex = 59\n");
  const test::Outcome outcome = test::run_program({"run", "scene.toml", "--json", "--no-cache", "--out",
                                                   "out", "--frames", "volume", "--final", "end.txt"},
                                                  folder.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json run = nlohmann::json::parse(outcome.out);
  const Index vertices = 10 * 3 * 2;
  const Result<VertexState> state =
      read_state(test::read_text(folder.path() / "end.txt"), "end.txt", vertices);
  ASSERT_TRUE(state.ok()) << to_string(state.error());
  const VectorX& u = state.value().displacements;
  ASSERT_EQ(u.size(), 3 * vertices);
  EXPECT_EQ(u[3 * 59 + 2], run["probes"]["end"]["u"].back()[2].get<double>());
  const Result<VolumeFile> frame = read_volume_file(folder.path() / "out/beam_0003.vtu");
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame.value().mesh.vertex_count(), vertices + 3 * 2);  // the joint's points twice
}

}  // namespace
}  // namespace pliant
