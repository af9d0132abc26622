// The program from outside: exit codes, error lines, JSON; nothing is written when the request was bad.
#include "pliant/file/surface_file.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "program.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::run_program;

/// A folder with a small beam as box.msh, its surface as box.obj, and an empty working folder.
class Cli : public testing::Test {
 protected:
  void SetUp() override {
    const VolumeMesh mesh = generate_box(Vector3(1, 0.2, 0.1), {5, 2, 1}, ElementKind::kTet);
    ASSERT_TRUE(write_volume_file(folder_.path() / "box.msh", mesh).ok());
    ASSERT_TRUE(write_surface_file(folder_.path() / "box.obj", boundary_surface(mesh).surface).ok());
    before_ = test::listing(folder_.path());
  }
  Outcome pliant(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path()); }
  /// Exit 2, at least one error line, nothing on stdout, nothing written.
  void expect_refused(const std::vector<std::string>& arguments) {
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_GE(outcome.error_lines().size(), 1U) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(test::listing(folder_.path()), before_);
  }

  test::TemporaryFolder folder_;
  std::vector<std::string> before_;
};

TEST_F(Cli, HelpAndVersion) {
  EXPECT_EQ(pliant({"--help"}).exit_code, 0);
  const Outcome version = pliant({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("pliant ")) << version.out;
  for (const char* command : {"info", "convert", "mesh", "modes", "run"}) {
    const Outcome help = pliant({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << command;
  }
}

TEST_F(Cli, BadUsageIsExitTwo) {
  expect_refused({});
  expect_refused({"fly"});
  expect_refused({"info"});
  expect_refused({"info", "box.msh", "--jsno"});
  expect_refused({"info", "missing.msh"});
  expect_refused({"info", "missing.obj"});
  expect_refused({"info", "scene.toml"});
  expect_refused({"info", "box.msh", "--threads", "many"});
  expect_refused({"info", "box.msh", "--threads", "-1"});
  expect_refused({"convert", "box.msh"});
  expect_refused({"convert", "box.msh", "-o", "box.xyz"});
  expect_refused({"convert", "box.msh", "-o", "nowhere/box.msh"});
  expect_refused({"convert", "box.msh", "-o", "/proc/box.msh"});
  expect_refused({"convert", "box.msh", "-o", "new.msh", "--format", "3"});
  expect_refused({"convert", "box.msh", "-o", "new.vtu", "--format", "2.2"});
  expect_refused({"convert", "box.msh", "-o", "new.inp"});
  for (const char* order : {"0", "3", "-1", "two"})
    expect_refused({"convert", "box.msh", "-o", "new.vtu", "--order", order});
  expect_refused({"mesh", "box.obj", "-o", "new.msh"});
  expect_refused({"mesh", "box.obj", "-o", "new.msh", "--resolution", "0"});
  expect_refused({"mesh", "box.obj", "-o", "new.msh", "--resolution", "8", "--element", "pyramid"});
  expect_refused({"mesh", "box.obj", "-o", "new.veg", "--resolution", "8", "--element", "tet10"});
  expect_refused({"mesh", "box.obj", "-o", "new.xyz", "--resolution", "8"});
  expect_refused({"mesh", "box.msh", "-o", "new.msh", "--resolution", "8"});
  expect_refused({"modes", "box.msh"});
  expect_refused({"modes", "box.msh", "--young", "-1", "--poisson", "0.3", "--density", "1"});
  expect_refused({"modes", "box.msh", "--young", "nan", "--poisson", "0.3", "--density", "1"});
  expect_refused({"modes", "box.msh", "--young", "1", "--poisson", "0.3", "--density", "1", "--fix", "x <"});
  expect_refused(
      {"modes", "box.msh", "--young", "1", "--poisson", "0.3", "--density", "1", "--fix", "x > 5"});
  expect_refused({"modes", "box.msh", "--young", "1", "--poisson", "0.3", "--density", "1", "--count", "0"});
  expect_refused(
      {"modes", "box.msh", "--young", "1", "--poisson", "0.3", "--density", "1", "-o", "shapes.msh"});
  expect_refused({"modes", "box.obj", "--young", "1", "--poisson", "0.3", "--density", "1"});
  expect_refused({"run", "missing.toml"});
}

TEST_F(Cli, InfoOfAVolume) {
  const Outcome outcome = pliant({"info", "box.msh", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json info = Json::parse(outcome.out);
  EXPECT_EQ(info["vertices"], 6 * 3 * 2);
  EXPECT_EQ(info["elements"]["tet4"], 6 * 5 * 2 * 1);
  EXPECT_EQ(info["elements"]["hex8"], 0);
  EXPECT_EQ(info["elements"]["tet10"], 0);
  EXPECT_NEAR(info["volume"].get<double>(), 0.02, 1e-15);
  EXPECT_EQ(info["bbox"], Json::parse("[[0,0,0],[1,0.2,0.1]]"));
  EXPECT_EQ(info["components"], 1);
  EXPECT_EQ(info["inverted"], 0);
  EXPECT_EQ(info["duplicate_vertices"], 0);
  EXPECT_EQ(info["unused_vertices"], 0);
  EXPECT_EQ(info["boundary_triangles"], 2 * 2 * (5 * 2 + 5 * 1 + 2 * 1));
  EXPECT_GT(info["min_quality"].get<double>(), 0.0);
  EXPECT_LT(info["dihedral_deg"][0].get<double>(), info["dihedral_deg"][1].get<double>());
  EXPECT_EQ(info["labels"].size(), 1);
  EXPECT_EQ(info["labels"][0]["elements"], 6 * 5 * 2 * 1);
}

TEST_F(Cli, InfoListsLabels) {
  test::write_text(
      folder_.path() / "two.mesh",
      "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n"
      "Tetrahedra\n2\n1 2 3 4 7\n2 3 4 5 3\nEnd\n");
  const Outcome outcome = pliant({"info", "two.mesh", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["labels"],
            Json::parse(R"([{"label":3,"elements":1},{"label":7,"elements":1}])"));
  EXPECT_NE(pliant({"info", "two.mesh"}).out.find("labels              3: 1 elements"), std::string::npos);
}

TEST_F(Cli, InfoOfASurface) {
  const Outcome outcome = pliant({"info", "box.obj", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json info = Json::parse(outcome.out);
  EXPECT_EQ(info["watertight"], true);
  EXPECT_EQ(info["manifold"], true);
  EXPECT_EQ(info["self_intersections"], 0);
  EXPECT_NEAR(info["volume"].get<double>(), 0.02, 1e-9);
}

TEST_F(Cli, ConvertKeepsTheMesh) {
  for (const char* name : {"a.mesh", "a.veg", "a.vtu", "a.msh"}) {
    ASSERT_EQ(pliant({"convert", "box.msh", "-o", name}).exit_code, 0) << name;
    const Result<VolumeFile> before = read_volume_file(folder_.path() / "box.msh");
    const Result<VolumeFile> after = read_volume_file(folder_.path() / name);
    ASSERT_TRUE(before.ok() && after.ok()) << name;
    EXPECT_EQ(after.value().mesh.vertices, before.value().mesh.vertices) << name;
    EXPECT_EQ(after.value().mesh.tets, before.value().mesh.tets) << name;
  }
  EXPECT_EQ(pliant({"convert", "box.msh", "-o", "b.msh", "--format", "2.2"}).exit_code, 0);
  EXPECT_TRUE(test::read_text(folder_.path() / "b.msh").starts_with("$MeshFormat\n2.2"));
}

/// Up and down again is the same mesh; in between it has as many more vertices as edges.
TEST_F(Cli, ConvertChangesTheOrder) {
  const Outcome up = pliant({"convert", "box.msh", "-o", "box10.msh", "--order", "2", "--json"});
  ASSERT_EQ(up.exit_code, 0) << up.err;
  const Json made = Json::parse(up.out);
  const int tets = 6 * 5 * 2 * 1;
  EXPECT_EQ(made["elements"], (Json{{"tet4", 0}, {"hex8", 0}, {"tet10", tets}}));
  const Json info = Json::parse(pliant({"info", "box10.msh", "--json"}).out);
  EXPECT_EQ(info["elements"]["tet10"], tets);
  EXPECT_NEAR(info["volume"].get<double>(), 0.02, 1e-15);
  EXPECT_EQ(info["labels"][0]["elements"], tets);
  EXPECT_EQ(info["unused_vertices"], 0);
  // Of a solid without holes V − E + F − T = 1, and 4 T = 2 F − (boundary triangles).
  const int faces = (4 * tets + 2 * 2 * (5 * 2 + 5 * 1 + 2 * 1)) / 2;
  const int corners = 6 * 3 * 2;
  EXPECT_EQ(made["vertices"], corners + (corners + faces - tets - 1));
  EXPECT_NE(pliant({"info", "box10.msh"}).out.find(" tet10"), std::string::npos);

  before_ = test::listing(folder_.path());
  expect_refused({"convert", "box10.msh", "-o", "box.veg"});
  ASSERT_EQ(pliant({"convert", "box10.msh", "-o", "down.veg", "--order", "1"}).exit_code, 0);
  const Result<VolumeFile> first = read_volume_file(folder_.path() / "box.msh");
  const Result<VolumeFile> last = read_volume_file(folder_.path() / "down.veg");
  ASSERT_TRUE(first.ok() && last.ok());
  EXPECT_EQ(last.value().mesh.vertices, first.value().mesh.vertices);
  EXPECT_EQ(last.value().mesh.tets, first.value().mesh.tets);
}

TEST_F(Cli, ReadsInputFilesOfCalculix) {
  test::write_text(
      folder_.path() / "tet.inp",
      "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n5, .5, 0, 0\n6, .5, .5, 0\n7, 0, .5, 0\n"
      "8, 0, 0, .5\n9, .5, 0, .5\n10, 0, .5, .5\n*ELEMENT, TYPE=C3D10, ELSET=core\n"
      "1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n*MATERIAL, NAME=steel\n");
  before_ = test::listing(folder_.path());
  expect_refused({"convert", "tet.inp", "-o", "tet.msh"});  // the material
  const Json info = Json::parse(pliant({"info", "tet.inp", "--json"}).out);
  EXPECT_EQ(info["elements"]["tet10"], 1);
  EXPECT_NEAR(info["volume"].get<double>(), 1.0 / 6.0, 1e-15);
  EXPECT_EQ(info["labels"], Json::parse(R"([{"label":1,"elements":1,"name":"core"}])"));
  EXPECT_EQ(pliant({"convert", "tet.inp", "-o", "tet.msh", "--drop-extras"}).exit_code, 0);
  const Result<VolumeFile> file = read_volume_file(folder_.path() / "tet.msh");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().mesh.tet10s, (std::vector<Tet10>{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}));
}

TEST_F(Cli, ConvertLosesNothingUnasked) {
  test::write_text(
      folder_.path() / "rubber.veg",
      "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n"
      "*MATERIAL m\nENU, 900, 2e6, 0.4\n*REGION\nallElements, m\n");
  before_ = test::listing(folder_.path());
  expect_refused({"convert", "rubber.veg", "-o", "a.msh"});
  expect_refused({"convert", "rubber.veg", "-o", "a.veg"});
  const Outcome refused = pliant({"convert", "rubber.veg", "-o", "a.msh"});
  ASSERT_EQ(refused.error_lines().size(), 1U);
  EXPECT_TRUE(refused.error_lines()[0].starts_with("error: rubber.veg: ")) << refused.err;
  EXPECT_NE(refused.err.find("--drop-extras"), std::string::npos);
  // the name of the region does not fit into .mesh: dropped as well, and told
  const Outcome dropped = pliant({"convert", "rubber.veg", "-o", "a.mesh", "--drop-extras"});
  EXPECT_EQ(dropped.exit_code, 0) << dropped.err;
  EXPECT_NE(dropped.err.find("note: rubber.veg: "), std::string::npos) << dropped.err;
  EXPECT_NE(dropped.err.find("note: a.mesh: "), std::string::npos) << dropped.err;
  EXPECT_TRUE(read_volume_file(folder_.path() / "a.mesh").ok());
}

TEST_F(Cli, TyposAreToldWhatMayHaveBeenMeant) {
  const auto line = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.error_lines().size() == 1 ? outcome.error_lines()[0] : outcome.err;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(line({"info", "box.msh", "--jsno"}).starts_with("error: --jsno: "));
  EXPECT_TRUE(has(line({"info", "box.msh", "--jsno"}), "did you mean --json?"));
  EXPECT_TRUE(has(line({"modes", "box.msh", "--yuong=1e6"}), "did you mean --young?"));
  EXPECT_TRUE(has(line({"run", "a.toml", "--chekpoint", "x"}), "did you mean --checkpoint?"));
  EXPECT_TRUE(has(line({"conver", "box.msh", "-o", "a.vtu"}), "did you mean convert?"));
  EXPECT_TRUE(has(line({"frobnicate"}), "known: info, convert"));
  EXPECT_TRUE(line({"info", "box.msh", "other.msh"}).starts_with("error: other.msh: "));
  EXPECT_TRUE(has(line({"run", "a.toml", "--model", "fulll"}), "did you mean full?"));
}

TEST_F(Cli, MeshFillsASurface) {
  for (const std::string element : {"tet", "hex", "tet10"}) {
    const Outcome outcome = pliant(
        {"mesh", "box.obj", "-o", element + ".vtu", "--resolution", "20", "--element", element, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json made = Json::parse(outcome.out);
    EXPECT_GT(made["elements"][element == "tet" ? "tet4" : element == "hex" ? "hex8" : "tet10"], 0);
    // the boundary is met to within a cell (0.05): the volume of the box cannot be off by more than such a
    // layer
    EXPECT_NEAR(made["volume"].get<double>(), 0.02, 0.02);
    EXPECT_TRUE(read_volume_file(folder_.path() / (element + ".vtu")).ok());
  }
}

TEST_F(Cli, ModesOfAMesh) {
  const std::vector<std::string> base{"modes",     "box.msh", "--young", "1e6", "--poisson", "0.3",
                                      "--density", "1000",    "--count", "4",   "--json"};
  const Outcome free = pliant(base);
  ASSERT_EQ(free.exit_code, 0) << free.err;
  const Json free_modes = Json::parse(free.out);
  EXPECT_EQ(free_modes["rigid"], 6);
  EXPECT_EQ(free_modes["frequencies_hz"].size(), 4U);
  EXPECT_GT(free_modes["frequencies_hz"][0].get<double>(), 0.1);
  EXPECT_EQ(free_modes["dofs"], 3 * 36);

  std::vector<std::string> held = base;
  held.insert(held.end(), {"--fix", "x < 1e-6", "-o", "shapes.vtu"});
  const Outcome fixed = pliant(held);
  ASSERT_EQ(fixed.exit_code, 0) << fixed.err;
  const Json fixed_modes = Json::parse(fixed.out);
  EXPECT_EQ(fixed_modes["rigid"], 0);
  double last = 0.0;
  for (const Json& hz : fixed_modes["frequencies_hz"]) {
    EXPECT_GE(hz.get<double>(), last);
    last = hz.get<double>();
  }
  EXPECT_TRUE(read_volume_file(folder_.path() / "shapes.vtu").ok());
}

TEST_F(Cli, ErrorsOfASceneAreLocatedAndCounted) {
  std::string bad =
      "[simulation]\ndt = 0.01\nduration = 1\n[[body]]\nmesh = \"box.msh\"\n"
      "material = { young = 0, poisson = 0.3, density = 1000 }\n";
  test::write_text(folder_.path() / "bad.toml", bad);
  const Outcome one = pliant({"run", "bad.toml", "--out", "results", "--json"});
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_EQ(one.out, "");
  ASSERT_EQ(one.error_lines().size(), 1U);
  EXPECT_TRUE(one.error_lines()[0].starts_with("error: bad.toml:6:22: body[0].material.young: ")) << one.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "results"));

  bad += "";
  for (int i = 0; i < 14; ++i) bad += "unknown_" + std::to_string(i) + " = 1\n";
  test::write_text(folder_.path() / "bad.toml", bad);
  const Outcome many = pliant({"run", "bad.toml"});
  EXPECT_EQ(many.exit_code, 2);
  ASSERT_EQ(many.error_lines().size(), 10U);  // nine, and how many more
  EXPECT_EQ(many.error_lines().back(), "error: and 6 more");
}

/// What docs/guide/meshes.md says of the five; the counts are those of the collection's own table.
TEST_F(Cli, NastyMeshesAreToldApart) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto nasty = [&](const char* name) { return (shared / "meshes/nasty" / name).string(); };
  const auto info = [&](const char* name) {
    const Outcome outcome = pliant({"info", nasty(name), "--json", "--quiet"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json probe = info("galileo_probe.stl");
  EXPECT_EQ(probe["triangles"], 17473);
  EXPECT_EQ(probe["components"], 382);
  EXPECT_EQ(probe["open_edges"], 4477);
  EXPECT_EQ(probe["nonmanifold_edges"], 13);
  EXPECT_EQ(probe["nonmanifold_vertices"], 14);
  EXPECT_EQ(probe["self_intersections"], 11422);
  EXPECT_EQ(probe["watertight"], false);
  EXPECT_EQ(probe["manifold"], false);
  const Json torus = info("quintupleTorus.obj");
  EXPECT_EQ(torus["watertight"], true);
  EXPECT_EQ(torus["manifold"], true);
  EXPECT_EQ(torus["self_intersections"], 8017);
  EXPECT_EQ(info("nonmanifold_edge.obj")["nonmanifold_edges"], 1);
  EXPECT_EQ(info("nonmanifold_vertex.obj")["nonmanifold_vertices"], 1);

  expect_refused({"mesh", nasty("nonmanifold_vertex.obj"), "-o", "new.vtu", "--resolution", "30", "--quiet"});
  expect_refused({"info", nasty("hybrid_block.msh")});
  const Outcome hybrid = pliant({"info", nasty("hybrid_block.msh")});
  EXPECT_EQ(hybrid.error_lines().size(), 2U);  // wedges and pyramids, each once

  const Outcome filled =
      pliant({"mesh", nasty("galileo_probe.stl"), "-o", "probe.vtu", "--resolution", "12", "--json"});
  EXPECT_EQ(filled.exit_code, 0) << filled.err;
}

TEST_F(Cli, SchemaPrintsTheReference) {
  const Outcome outcome = pliant({"schema", "--markdown"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("## [simulation]"), std::string::npos);
}

}  // namespace
}  // namespace pliant
