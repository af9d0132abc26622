// pliant decompose: scenes and meshes, tables and files, mistakes.
#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "program.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

using Json = nlohmann::json;
using test::Outcome;

const std::string kScene = test::beam_scene(
                               "dt = 0.005\n"
                               "duration = 0.02\n"
                               "gravity = [0, 0, -4]\n",
                               "cells = [8, 2, 2], element = \"hex\"") +
                           R"(model = { type = "tree", linear_modes = 2, modes = 6 }
[[body.domain]]
name = "tip"
where = "x > 0.5"
modes = 4
[[body.domain]]
name = "stem"
where = "true"
)";

class Decompose : public testing::Test {
 protected:
  void SetUp() override {
    test::write_text(folder_.path() / "scene.toml", kScene);
    const VolumeMesh beam = generate_box({1.0, 0.2, 0.1}, {8, 2, 2}, ElementKind::kTet);
    ASSERT_TRUE(write_volume_file(folder_.path() / "beam.msh", beam).ok());
  }
  Outcome pliant(const std::vector<std::string>& arguments) {
    return test::run_program(arguments, folder_.path());
  }
  Json json(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.exit_code == 0 ? Json::parse(outcome.out) : Json::object();
  }

  test::TemporaryFolder folder_;
};

TEST_F(Decompose, ShowsTheDomainsOfAScene) {
  const Json beam = json({"decompose", "scene.toml"})["bodies"]["beam"];
  EXPECT_EQ(beam["root"], "stem");
  EXPECT_EQ(beam["depth"], 1);
  ASSERT_EQ(beam["domains"].size(), 2U);
  const Json& tip = beam["domains"][1];
  EXPECT_EQ(tip["name"], "tip");
  EXPECT_EQ(tip["elements"], 16);
  EXPECT_EQ(tip["vertices"], 45);
  EXPECT_EQ(tip["parent"], "stem");
  EXPECT_EQ(tip["modes"], 4);
  EXPECT_NEAR(tip["volume"].get<double>(), 0.01, 1e-15);
  EXPECT_NEAR(tip["interface_area"].get<double>(), 0.02, 1e-15);
  EXPECT_TRUE(beam["domains"][0]["parent"].is_null());

  const Outcome table = pliant({"decompose", "scene.toml"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_NE(table.out.find("stem"), std::string::npos);
  const Json other = json({"decompose", "scene.toml", "--auto", "4"});
  EXPECT_EQ(other["bodies"]["beam"]["domains"].size(), 4U);
}

TEST_F(Decompose, ShowsPlacedParts) {
  const Json plant =
      json({"decompose", (test::source_folder() / "examples/plant.toml").string()})["bodies"]["plant"];
  EXPECT_EQ(plant["root"], "pot");
  ASSERT_GT(plant["domains"].size(), 10U);
  const Json& stem = plant["domains"][1];
  EXPECT_EQ(stem["parent"], "pot");
  EXPECT_GT(stem["interface_area"].get<double>(), 0.0);
}

TEST_F(Decompose, WritesALabelledMeshAndAPicture) {
  const Json found = json(
      {"decompose", "beam.msh", "--auto", "4", "--fix", "x < 1e-6", "-o", "cut.msh", "--svg", "tree.svg"});
  ASSERT_EQ(found["domains"].size(), 4U);
  EXPECT_EQ(found["depth"], 3);
  EXPECT_EQ(test::read_text(folder_.path() / "tree.svg").substr(0, 4), "<svg");
  // its labels are the same domains again
  const Json again = json({"decompose", "cut.msh", "--labels", "--fix", "x < 1e-6"});
  EXPECT_EQ(again["domains"], found["domains"]);
  const Outcome other = pliant({"decompose", "beam.msh", "--auto", "2", "-o", "cut.vtu", "--quiet"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
}

TEST_F(Decompose, RunsTellWhatDomainsThereAre) {
  const Json run = json({"run", "scene.toml", "--no-cache"});
  EXPECT_EQ(run["model"], "tree");
  EXPECT_TRUE(run["healthy"].get<bool>());
  EXPECT_EQ(
      run["bodies"]["beam"]["domains"],
      Json::parse(R"([{"name":"stem","modes":6,"attachment":6},{"name":"tip","modes":4,"attachment":0}])"));
  EXPECT_EQ(run["dofs"], 16);
}

TEST_F(Decompose, BadRequestsWriteNothing) {
  const auto before = test::listing(folder_.path());
  for (const std::vector<std::string>& extra :
       std::vector<std::vector<std::string>>{{"beam.msh"},
                                             {"beam.msh", "--auto", "0"},
                                             {"beam.msh", "--auto", "-3"},
                                             {"beam.msh", "--auto", "x"},
                                             {"beam.msh", "--auto", "2", "--labels"},
                                             {"beam.msh", "--auto", "2", "--body", "beam"},
                                             {"beam.msh", "--auto", "2", "--root", "stem"},
                                             {"beam.msh", "--auto", "2", "--fix", "x < -1"},
                                             {"beam.msh", "--auto", "2", "-o", "no/where.msh"},
                                             {"beam.msh", "--auto", "2", "--svg", "no/where.svg"},
                                             {"beam.msh", "--auto", "2", "-o", "cut.obj"},
                                             {"scene.toml", "--body", "leaf"},
                                             {"scene.toml", "--fix", "x < 1"},
                                             {"missing.msh", "--auto", "2"}}) {
    std::vector<std::string> arguments{"decompose"};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << extra[0] << (extra.size() > 2 ? extra[1] + extra[2] : "")
                                    << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(outcome.error_lines().empty());
    EXPECT_EQ(test::listing(folder_.path()), before);
  }
  const Outcome absurd = pliant({"decompose", "beam.msh", "--auto", "1000000000"});
  EXPECT_EQ(absurd.exit_code, 0);
  EXPECT_NE(absurd.err.find("auto"), std::string::npos);  // a note: fewer than asked for
}

TEST_F(Decompose, DividesVerticesOfASceneAndOfAMesh) {
  const Json beam = json({"decompose", "scene.toml", "--vertices"})["bodies"]["beam"];
  ASSERT_EQ(beam["domains"].size(), 2U);
  const Json& tip = beam["domains"][0];  // in the order of the list: x > 0.5 takes 4 of 9 layers
  EXPECT_EQ(tip["name"], "tip");
  EXPECT_EQ(tip["vertices"], 36);
  EXPECT_EQ(tip["elements"], 12);
  EXPECT_EQ(tip["anchored"], false);
  EXPECT_EQ(tip["neighbours"], Json({"stem"}));
  EXPECT_NEAR(tip["share"].get<double>(), 3.5 / 8.0, 1e-12);  // half of the layer of coupling elements
  EXPECT_EQ(beam["domains"][1]["anchored"], true);
  EXPECT_EQ(beam["domains"][1]["held"], 9);
  EXPECT_EQ(beam["coupling"]["elements"], 4);
  EXPECT_EQ(beam["coupling"]["by_domains"]["2"], 4);
  EXPECT_EQ(beam["moved"], 0);
  ASSERT_EQ(beam["pairs"].size(), 1U);

  const Json mesh =
      json({"decompose", "beam.msh", "--vertices", "--auto", "3", "--fix", "x < 1e-6", "-o", "parts.vtu"});
  EXPECT_EQ(mesh["domains"].size(), 3U);
  EXPECT_EQ(mesh["domains"][0]["anchored"], true);
  const auto written = read_volume_file(folder_.path() / "parts.vtu");
  ASSERT_TRUE(written.ok());
  Index inner = 0;
  for (const Label label : written.value().mesh.tet_labels) inner += label > 0 ? 1 : 0;
  EXPECT_EQ(inner + mesh["coupling"]["elements"].get<Index>(), mesh["elements"].get<Index>());
  const Outcome table = pliant({"decompose", "beam.msh", "--vertices", "--auto", "3"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_NE(table.out.find("coupling elements"), std::string::npos);
}

TEST_F(Decompose, RefusesWhatVerticesDoNotHave) {
  const std::vector<std::string> base{"decompose", "beam.msh", "--vertices", "--auto", "3"};
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--root", "part 1"}, {"--merge-cycles"}, {"--svg", "tree.svg"}, {"-o", "parts.msh"}}) {
    std::vector<std::string> arguments = base;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << more.front();
    EXPECT_NE(outcome.err.find(more.front()), std::string::npos);
  }
  // Conditions are located where they stand: the first domain takes a single layer of vertices.
  std::string scene = kScene;
  scene.replace(scene.find("x > 0.5"), 7, "x > 0.9");
  test::write_text(folder_.path() / "thin.toml", scene);
  const Outcome thin = pliant({"decompose", "thin.toml", "--vertices"});
  EXPECT_EQ(thin.exit_code, 2);
  EXPECT_NE(thin.err.find("thin.toml:"), std::string::npos);
  EXPECT_NE(thin.err.find("domain[0].where"), std::string::npos) << thin.err;
}

/// A scene of coupled bodies needs no option to be divided by vertices, and the matrix of its steps is drawn.
TEST_F(Decompose, DrawsTheMatrixOfCoupledDomains) {
  std::string coupled = kScene;
  coupled.replace(coupled.find("\"tree\", linear_modes = 2"), 24, "\"coupled\"");
  test::write_text(folder_.path() / "coupled.toml", coupled);
  const Json beam = json({"decompose", "coupled.toml", "--matrix", "matrix.svg"})["bodies"]["beam"];
  ASSERT_EQ(beam["domains"].size(), 2U);
  EXPECT_EQ(beam["domains"][0]["name"], "tip");
  EXPECT_EQ(beam["domains"][0]["modes"], 4);
  EXPECT_EQ(beam["domains"][1]["modes"], 6);
  EXPECT_EQ(json({"decompose", "coupled.toml"})["bodies"]["beam"]["coupling"], beam["coupling"]);
  const std::string picture = test::read_text(folder_.path() / "matrix.svg");
  EXPECT_EQ(picture.find("<svg"), picture.find('<'));
  EXPECT_NE(picture.find("tip"), std::string::npos);
  EXPECT_EQ(pliant({"decompose", "coupled.toml", "--matrix", "no/folder.svg"}).exit_code, 2);
}

}  // namespace
}  // namespace pliant
