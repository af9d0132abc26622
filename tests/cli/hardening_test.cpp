// What a hostile or careless user tries: outputs over inputs, pipes, numbers at the ends of double, bodies of
// any scale.
#include "program.hpp"
#include "support/support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pliant {
namespace {

using test::Outcome;
using test::run_program;

/// A beam of 1 × 0.25 × 0.2 times `length`, held at one end.
std::string scaled_beam(const std::string& model, double length, double young, double density) {
  const auto number = [](double x) {
    std::string text(32, '\0');
    text.resize(to_size(std::snprintf(text.data(), text.size(), "%.17g", x)));
    return text;
  };
  return "[simulation]\n[[body]]\nname = \"beam\"\ngenerate = { shape = \"box\", size = [" + number(length) +
         ", " + number(0.25 * length) + ", " + number(0.2 * length) +
         "], cells = [10, 3, 2] }\nmaterial = { law = \"stvk\", young = " + number(young) +
         ", poisson = 0.3, density = " + number(density) + " }\nfixed = [\"x < " + number(1e-4 * length) +
         "\"]\nmodel = " + model + "\n";
}

class Hardening : public testing::Test {
 protected:
  void SetUp() override {
    test::write_text(
        at("scene.toml"),
        "[simulation]\ndt = 0.01\nduration = 0.02\n[[body]]\nname = \"beam\"\nmesh = \"beam.msh\"\n"
        "material = { law = \"stvk\", young = 1e6, poisson = 0.3, density = 1000 }\nfixed = [\"x < "
        "1e-6\"]\n");
    test::write_text(at("made.toml"), scaled_beam("{ type = \"full\" }", 1.0, 1e6, 1e3));
    ASSERT_EQ(pliant({"run", "made.toml", "--duration", "0", "--out", "made"}).exit_code,
              2);  // dt is missing
  }
  Outcome pliant(const std::vector<std::string>& arguments) { return run_program(arguments, folder_.path()); }
  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_.path() / name; }
  /// First frequencies, in Hz.
  std::vector<double> frequencies(const std::string& scene) {
    test::write_text(at("scaled.toml"), scene);
    const Outcome outcome = pliant({"modes", "scaled.toml", "--count", "4", "--no-cache", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err << scene;
    if (outcome.exit_code != 0) return {};
    return nlohmann::json::parse(outcome.out)["bodies"]["beam"]["frequencies_hz"].get<std::vector<double>>();
  }

  test::TemporaryFolder folder_;
};

TEST_F(Hardening, NoOutputReplacesAnInput) {
  // a surface and a mesh of it to play with
  test::write_text(at("tet.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  ASSERT_EQ(pliant({"mesh", "tet.obj", "-o", "beam.msh", "--resolution", "6"}).exit_code, 0);
  test::write_text(at("script.toml"), "rate = 10\n");
  std::filesystem::create_symlink("scene.toml", at("link.toml"));
  std::filesystem::create_hard_link(at("beam.msh"), at("same.msh"));
  const std::string scene = test::read_text(at("scene.toml")), mesh = test::read_text(at("beam.msh"));
  const std::vector<std::vector<std::string>> attempts = {
      {"run", "scene.toml", "--checkpoint", "scene.toml"},
      {"run", "scene.toml", "--final", "./scene.toml"},
      {"run", "scene.toml", "--final", "link.toml"},
      {"run", "scene.toml", "--checkpoint", "beam.msh"},
      {"run", "scene.toml", "--final", "same.msh"},
      {"convert", "beam.msh", "-o", "beam.msh"},
      {"convert", "beam.msh", "-o", "same.msh"},
      {"decompose", "beam.msh", "--auto", "2", "-o", "beam.msh"},
      {"decompose", "scene.toml", "--auto", "2", "--svg", "scene.toml"},
      {"sketch", "scene.toml", "script.toml", "-o", "same.msh"},
      {"sketch", "scene.toml", "script.toml", "-o", "script.toml"},
      {"view", "scene.toml", "--pulls", "beam.msh"},
      {"view", "scene.toml", "--write", "beam.msh"},
  };
  for (const auto& arguments : attempts) {
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments[0] << " " << arguments.back();
    ASSERT_EQ(outcome.error_lines().size(), 1U) << outcome.err;
    EXPECT_NE(outcome.error_lines()[0].find(arguments[arguments.size() - 2]), std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(test::read_text(at("scene.toml")), scene);
  EXPECT_EQ(test::read_text(at("beam.msh")), mesh);
  EXPECT_EQ(pliant({"run", "scene.toml", "--checkpoint", "state.bin", "--final", "final.txt"}).exit_code, 0);
  // a checkpoint may be taken up and written again
  EXPECT_EQ(pliant({"run", "scene.toml", "--resume", "state.bin", "--checkpoint", "state.bin"}).exit_code, 0);
}

/// What a run writes into its folders may be what it reads: a frame as the mesh, shapes as the basis.
TEST_F(Hardening, FoldersOfResultsKeepTheInputsInThem) {
  std::string scene = scaled_beam("{ type = \"full\" }", 1.0, 1e6, 1e3);
  scene.insert(scene.find("\n") + 1, "dt = 0.01\nduration = 0.03\ngravity = [0, 0, -9.81]\n");
  test::write_text(at("first.toml"), scene);
  const std::vector<std::string> first{"run",      "first.toml", "--out",       "results",
                                       "--frames", "volume",     "--snapshots", "shapes"};
  ASSERT_EQ(pliant(first).exit_code, 0);
  ASSERT_EQ(pliant(first).exit_code, 0);  // results may be replaced
  const std::size_t generate = scene.find("generate"), model = scene.find("model");
  test::write_text(at("second.toml"),
                   scene.substr(0, generate) + "mesh = \"results/beam_0001.vtu\"\n" +
                       scene.substr(scene.find("material"), model - scene.find("material")) +
                       "model = { type = \"modal\", modes = 2, shapes = [\"shapes\"] }\n");
  const std::string mesh = test::read_text(at("results/beam_0001.vtu"));
  const std::string shape = test::read_text(at("shapes/shape_000002.txt"));
  for (const auto& [option, folder] : {std::pair("--out", "results"), std::pair("--snapshots", "shapes")}) {
    const Outcome outcome = pliant({"run", "second.toml", "--no-cache", option, folder});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find(option), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(test::read_text(at("results/beam_0001.vtu")), mesh);
  EXPECT_EQ(test::read_text(at("shapes/shape_000002.txt")), shape);
  // beside them there is room
  std::filesystem::copy(at("results/beam_0001.vtu"), at("results/mesh.vtu"));
  std::string third = test::read_text(at("second.toml"));
  third.replace(third.find("beam_0001"), 9, "mesh");
  test::write_text(at("third.toml"), third);
  EXPECT_EQ(pliant({"run", "third.toml", "--no-cache", "--out", "results"}).exit_code, 0);
  EXPECT_EQ(test::read_text(at("results/mesh.vtu")), mesh);
}

TEST_F(Hardening, PipesAndDevicesAreRefused) {
  ASSERT_EQ(::mkfifo(at("pipe.msh").c_str(), 0600), 0);
  for (const std::string& file : {std::string("pipe.msh"), std::string("/dev/zero")}) {
    const Outcome outcome = pliant({"info", file});
    EXPECT_EQ(outcome.exit_code, 2) << file;
    EXPECT_EQ(outcome.error_lines().size(), 1U) << outcome.err;
  }
}

TEST_F(Hardening, ModesNeedNoTimeStep) {
  EXPECT_EQ(frequencies(scaled_beam("{ type = \"full\" }", 1.0, 1e6, 1e3)).size(), 4U);
  EXPECT_EQ(pliant({"decompose", "made.toml", "--auto", "2"}).exit_code, 0);
}

TEST_F(Hardening, FrequenciesScaleWithTheBody) {
  const std::vector<std::string> models = {
      "{ type = \"full\" }", "{ type = \"modal\", linear_modes = 4, modes = 8 }",
      "{ type = \"tree\", linear_modes = 4, modes = 8, domains = { auto = 2 } }"};
  for (const std::string& model : models) {
    const std::vector<double> reference = frequencies(scaled_beam(model, 1.0, 1e6, 1e3));
    ASSERT_EQ(reference.size(), 4U);
    // length, Young's modulus, density
    const std::vector<std::array<double, 3>> scales = {
        {1e-6, 1, 1}, {1e6, 1, 1},      {1, 1e-9, 1},       {1, 1e12, 1},    {1, 1, 1e-6},
        {1, 1, 1e6},  {1e-3, 2e5, 7.8}, {1e-6, 1e12, 1e-6}, {1e6, 1e-9, 1e6}};
    for (const auto& [length, young, density] : scales) {
      const std::vector<double> scaled = frequencies(scaled_beam(model, length, 1e6 * young, 1e3 * density));
      ASSERT_EQ(scaled.size(), 4U) << model;
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(scaled[i] * length * std::sqrt(density / young) / reference[i], 1.0, 1e-8)
            << model << " mode " << i + 1 << ", scales " << length << " " << young << " " << density;
    }
  }
}

TEST_F(Hardening, NumbersAtTheEndsOfDoubleAreBadRequests) {
  for (const std::string& model :
       {std::string("{ type = \"full\" }"), std::string("{ type = \"modal\", linear_modes = 2, modes = 4 }"),
        std::string("{ type = \"tree\", linear_modes = 2, modes = 4, domains = { auto = 2 } }")})
    for (const auto& [young, density] : {std::pair(1e200, 1e3), std::pair(1e-200, 1e3), std::pair(1e160, 1e3),
                                         std::pair(1e6, 1e308), std::pair(1e6, 1e-300)}) {
      test::write_text(at("extreme.toml"), scaled_beam(model, 1.0, young, density));
      const Outcome outcome = pliant({"modes", "extreme.toml", "--count", "2", "--no-cache"});
      EXPECT_EQ(outcome.exit_code, 2) << model << " " << young << " " << density << outcome.err;
    }
}

TEST_F(Hardening, AMeshBeyondTheMachinesMemoryIsRefusedWithItsSize) {
  // 1e6 cells of six tets take 19 GB
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const auto cells = static_cast<long>(memory / 19e3);
  std::string scene = scaled_beam("{ type = \"full\" }", 1.0, 1e6, 1e3);
  const std::string given = "cells = [10, 3, 2]";
  scene.replace(scene.find(given), given.size(),
                "cells = [" + std::to_string(std::min(cells, 1000000L)) + ", " +
                    std::to_string(1 + cells / 1000000) + ", 1]");
  test::write_text(at("huge.toml"), scene);
  const Outcome outcome = pliant({"modes", "huge.toml", "--count", "1"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("GB"), std::string::npos) << outcome.err;
}

TEST_F(Hardening, NearlyIncompressibleMaterialIsNamedAsTheCause) {
  std::string scene = scaled_beam("{ type = \"modal\", linear_modes = 2, modes = 4 }", 1.0, 1e6, 1e3);
  const std::string given = "poisson = 0.3";
  scene.replace(scene.find(given), given.size(), "poisson = 0.4999999999");
  test::write_text(at("hard.toml"), scene);
  const Outcome outcome = pliant({"modes", "hard.toml", "--count", "1", "--no-cache"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("poisson"), std::string::npos) << outcome.err;
  scene.replace(scene.find("0.4999999999"), 12, "0.499999");
  EXPECT_EQ(frequencies(scene).size(), 4U);
}

TEST_F(Hardening, ACacheThatCannotBeWrittenFailsTheBuild) {
  test::write_text(at("modal.toml"),
                   "[simulation]\ndt = 0.01\nduration = 1\n" +
                       scaled_beam("{ type = \"modal\", linear_modes = 2, modes = 4 }", 1.0, 1e6, 1e3)
                           .substr(std::string("[simulation]\n").size()));
  test::write_text(at("occupied"), "not a folder");
  const Outcome failed = pliant({"build", "modal.toml", "--cache", "occupied/x", "--quiet"});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.error_lines().size(), 1U) << failed.err;
  EXPECT_EQ(pliant({"build", "modal.toml", "--no-cache"}).exit_code, 0);
  EXPECT_EQ(pliant({"build", "modal.toml", "--cache", "fine"}).exit_code, 0);
}

TEST_F(Hardening, GrowingEnergyIsReported) {
  const auto ball = [&](const std::string& dt, const std::string& duration) {
    test::write_text(at("ball.toml"),
                     "[simulation]\ndt = " + dt + "\nduration = " + duration +
                         "\nnewton = { iterations = 40 }\n[[body]]\nname = \"ball\"\n"
                         "generate = { shape = \"sphere\", radius = 0.5, across = 4, element = \"hex\" }\n"
                         "material = { law = \"stvk\", young = 5.67e6, poisson = 0.49, density = 10.8 }\n"
                         "initial = { stretch = [1.1, 1, 1] }\nmodel = { type = \"modal\" }\n");
    return pliant({"run", "ball.toml", "--no-cache", "--json"});
  };
  const Outcome coarse = ball("0.0333333", "1.0");
  EXPECT_EQ(coarse.exit_code, 1);
  const auto report = nlohmann::json::parse(coarse.out);
  EXPECT_FALSE(report["healthy"].get<bool>());
  EXPECT_NE(report["failure"]["reason"].get<std::string>().find("times the energy that it can have"),
            std::string::npos);
  EXPECT_GE(report["energy"]["t"].size(), 2U);    // what was computed is there
  EXPECT_EQ(ball("1e-5", "0.002").exit_code, 0);  // control
}

TEST_F(Hardening, InfoAndMeshAgreeOnOpenEdges) {
  // a tetrahedron whose triangles share no vertex
  std::string obj;
  const std::array<std::array<int, 3>, 4> corners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const std::array<std::array<std::size_t, 3>, 4> faces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
  for (const auto& face : faces)
    for (const std::size_t c : face)
      obj += "v " + std::to_string(corners[c][0]) + " " + std::to_string(corners[c][1]) + " " +
             std::to_string(corners[c][2]) + "\n";
  for (int f = 0; f < 4; ++f)
    obj += "f " + std::to_string(3 * f + 1) + " " + std::to_string(3 * f + 2) + " " +
           std::to_string(3 * f + 3) + "\n";
  test::write_text(at("loose.obj"), obj);
  const Outcome outcome = pliant({"info", "loose.obj", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto info = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(info["open_edges"], 12);
  EXPECT_EQ(info["open_edges_joined"], 0);
  EXPECT_NE(pliant({"info", "loose.obj"}).out.find("joined"), std::string::npos);
}

/// A cube of the given side from (x, 0, 0) on.
std::string cube(double x, double side, int first) {
  std::string obj;
  for (int i = 0; i < 8; ++i)
    obj += fmt::format("v {} {} {}\n", x + side * (i & 1), side * (i >> 1 & 1), side * (i >> 2 & 1));
  for (const auto& face : std::array<std::array<int, 4>, 6>{
           {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}}})
    obj += fmt::format("f {} {} {} {}\n", face[0] + first, face[1] + first, face[2] + first, face[3] + first);
  return obj;
}

TEST_F(Hardening, SeparatePartsAreNamed) {
  test::write_text(at("two.obj"), cube(0.0, 1.0, 0) + cube(3.0, 0.5, 8));
  const Outcome both = pliant({"mesh", "two.obj", "-o", "two.vtu", "--resolution", "14", "--json"});
  ASSERT_EQ(both.exit_code, 0) << both.err;
  EXPECT_EQ(nlohmann::json::parse(both.out)["components"], 2);
  EXPECT_NE(both.err.find("2 separate parts: "), std::string::npos) << both.err;
  EXPECT_NE(both.err.find("--largest"), std::string::npos);
  const Outcome one =
      pliant({"mesh", "two.obj", "-o", "one.vtu", "--resolution", "14", "--largest", "--json"});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(nlohmann::json::parse(one.out)["components"], 1);
  EXPECT_NEAR(nlohmann::json::parse(one.out)["volume"].get<double>(), 1.0, 0.05);
  const auto scene = [&](const std::string& mesher, const std::string& support) {
    test::write_text(at("two.toml"),
                     "[simulation]\ndt = 0.01\nduration = 0.02\n[[body]]\nname = \"b\"\n"
                     "mesh = \"two.obj\"\nmesher = { resolution = 14" +
                         mesher +
                         " }\nmaterial = { young = 1e6, poisson = 0.3, density = 1000 }\n"
                         "model = { type = \"modal\", linear_modes = 3, modes = 4 }\n" +
                         support);
    return pliant({"run", "two.toml", "--no-cache"});
  };
  const std::string held = "fixed = \"x < 0.01\"\n";
  const Outcome refused = scene("", held);
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_NE(refused.err.find("1 is not held: "), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("about (3.2"), std::string::npos) << refused.err;
  EXPECT_NE(scene("", "").err.find("the mesh is in 2 separate parts: "), std::string::npos);
  EXPECT_EQ(scene(", keep = \"largest\"", held).exit_code, 0);
}

/// Files of this process and its children may not be larger, while this lives.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
};

TEST_F(Hardening, AFullDiskFailsEveryCommandInTheSameWay) {
  test::write_text(at("cube.obj"), cube(0.0, 1.0, 0));
  test::write_text(at("run.toml"), "[simulation]\ndt = 0.01\nduration = 0.05\n" +
                                       scaled_beam("{ type = \"full\" }", 1.0, 1e6, 1e3).substr(13));
  const SmallDisk disk(4096);
  const Outcome mesh = pliant({"mesh", "cube.obj", "-o", "cube.vtu", "--resolution", "10"});
  EXPECT_EQ(mesh.exit_code, 1) << mesh.err;
  EXPECT_NE(mesh.err.find("cube.vtu"), std::string::npos);
  const Outcome run = pliant({"run", "run.toml", "--out", "frames", "--frames", "volume"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(run.err.find(".vtu"), std::string::npos) << run.err;
  const SmallDisk smaller(64);
  EXPECT_EQ(pliant({"run", "run.toml", "--final", "end.txt"}).exit_code, 1);
  EXPECT_EQ(pliant({"mesh", "cube.obj", "-o", "no/folder.vtu", "--resolution", "10"}).exit_code, 2);
}

TEST_F(Hardening, AutomaticDomainsAreFewerWhereSomeCouldNotMove) {
  for (const std::string shape : {"shape = \"sphere\", across = 4, element = \"hex\"",
                                  "shape = \"torus\", major = 0.095, minor = 0.041, around = 10, across = 3",
                                  "shape = \"box\", size = [1, 1, 1], cells = [1, 1, 1]",
                                  "shape = \"box\", size = [2, 1, 1], cells = [2, 1, 1]"}) {
    for (const std::string fixed : {"", "fixed = \"z < -0.02\"\n"}) {
      if (shape.find("box") != std::string::npos && !fixed.empty()) continue;
      test::write_text(at("few.toml"),
                       "[simulation]\ndt = 0.001\nduration = 0.002\n[[body]]\nname = \"b\"\n"
                       "generate = { " +
                           shape + " }\nmaterial = { young = 1e6, poisson = 0.3, density = 1000 }\n" + fixed +
                           "model = { type = \"tree\", linear_modes = 2, modes = 2, "
                           "domains = { auto = 3 } }\n");
      const Outcome outcome = pliant({"run", "few.toml", "--no-cache"});
      EXPECT_EQ(outcome.exit_code, 0) << shape << "\n" << outcome.err;
    }
  }
}

TEST_F(Hardening, BodiesAtRestStayThereWhateverTheirStiffness) {
  const auto run_scene = [&](const std::string& gravity, const std::string& material,
                             const std::string& rest) {
    test::write_text(at("rest.toml"), "[simulation]\ndt = 0.01\nduration = 0.1\ngravity = [0, 0, " + gravity +
                                          "]\n[[body]]\nname = \"b\"\ngenerate = { shape = \"box\", size = "
                                          "[1, 0.1, 0.1], cells = [8, 2, 2] }\nmaterial = { " +
                                          material + ", poisson = 0.3, density = 1000 }\n" + rest);
    return pliant({"run", "rest.toml", "--no-cache"});
  };
  for (const std::string law : {"law = \"stvk\", invertible = true", "law = \"corotational\""})
    for (const std::string young : {"1e4", "1e8", "1e12"})
      for (const std::string model : {"full", "modal\", forces = \"exact", "tree"})
        for (const std::string fixed : {"", "fixed = [\"x < 1e-6\"]\n"})
          for (const std::string gravity : {"0", "-1e-3"}) {
            std::string given = "model = { type = \"" + model + "\" }\n" + fixed;
            const Outcome outcome = run_scene(gravity, law + ", young = " + young, given);
            EXPECT_EQ(outcome.exit_code, 0) << law << young << given << gravity << outcome.err;
          }
}

TEST_F(Hardening, WideJointsAreNamed) {
  const auto decomposed = [&](const std::string& size, const std::string& cells) {
    test::write_text(at("joints.toml"),
                     "[simulation]\ndt = 0.001\nduration = 0.002\n[[body]]\nname = \"b\"\n"
                     "generate = { shape = \"box\", size = " +
                         size + ", cells = " + cells +
                         " }\nmaterial = { young = 1e6, poisson = 0.3, density = 1000 }\n"
                         "fixed = \"x < 1e-6\"\n"
                         "model = { type = \"tree\", domains = { auto = 4 } }\n");
    return pliant({"decompose", "joints.toml"});
  };
  const Outcome stubby = decomposed("[1.0, 0.4, 0.4]", "[16, 6, 6]");
  EXPECT_EQ(stubby.exit_code, 0) << stubby.err;
  EXPECT_NE(stubby.err.find("joints are wide"), std::string::npos) << stubby.err;
  const Outcome slender = decomposed("[10.0, 0.4, 0.4]", "[80, 2, 2]");
  EXPECT_EQ(slender.exit_code, 0) << slender.err;
  EXPECT_EQ(slender.err.find("joints are wide"), std::string::npos) << slender.err;
}

TEST_F(Hardening, StaticRunsEnd) {
  const auto approach = [&](const std::string& rest) {
    test::write_text(at("still.toml"), "[simulation]\nintegrator = \"static\"\n" + rest);
    return pliant({"run", "still.toml", "--no-cache", "--json", "--final", "end.txt"});
  };
  const auto windy = [](const std::string& speed) {
    return "[[body]]\nname = \"b\"\ngenerate = { shape = \"tube\", radius = 0.147, length = 1.028, bend = "
           "90, "
           "across = 3, along = 9, element = \"hex\" }\nmaterial = { law = \"stvk\", young = 53124, "
           "poisson = 0.3, density = 1 }\nmodel = { type = \"modal\", linear_modes = 4, modes = 4 }\n"
           "fixed = [\"x < 0.0972\"]\nload = [{ where = \"x > 0.324\", wind = { velocity = [" +
           speed + ", 0, 0] } }]\n";
  };
  const auto soft = [](const std::string& gravity, const std::string& model) {
    return "gravity = [0, 0, -" + gravity +
           "]\n[[body]]\nname = \"b\"\ngenerate = { shape = \"box\", size = [1, 0.1, 0.1], cells = [6, 1, "
           "1], "
           "element = \"hex\" }\nmaterial = { law = \"neohookean\", young = 200, poisson = 0.45, "
           "density = 460, invertible = true }\nfixed = [\"x < 1e-6\"]\nmodel = { type = \"" +
           model + " }\n";
  };
  const std::string tree = "tree\", linear_modes = 3, modes = 6, domains = { auto = 3 }";
  const std::string modal = "modal\", linear_modes = 3, modes = 6, forces = \"exact\"";
  for (const std::string& scene :
       {windy("300"), soft("1e3", tree), soft("1e6", tree), soft("1e6", modal), soft("1e6", "full\"")}) {
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome = approach(scene);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(taken.count(), 30.0) << scene;
    ASSERT_LE(outcome.exit_code, 1) << outcome.err;
    const auto report = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(report["healthy"].get<bool>(), outcome.exit_code == 0);
    EXPECT_TRUE(std::filesystem::exists(at("end.txt")));  // the last good state
    if (outcome.exit_code == 0) continue;
    const auto reason = report["failure"]["reason"].get<std::string>();
    for (const std::string part : {"body \"b\"", "load factor", "residual", "lower the load"})
      EXPECT_NE(reason.find(part), std::string::npos) << reason;
  }
  EXPECT_EQ(approach(windy("60")).exit_code, 0);  // control
  EXPECT_EQ(approach(soft("0.01", tree)).exit_code, 0);
}

TEST_F(Hardening, RigidDomainsUnderAbsurdLoadsFailClearly) {
  test::write_text(at("rigid.toml"),
                   "[simulation]\ndt = 0.066\nduration = 0.6\nintegrator = \"backward-euler\"\n[[body]]\n"
                   "name = \"b\"\ngenerate = { shape = \"box\", size = [1, 0.06, 0.8], cells = [9, 3, 5] }\n"
                   "material = { law = \"corotational\", young = 160, poisson = 0.45, density = 1900 }\n"
                   "model = { type = \"tree\", linear_modes = 3, modes = 0, domains = { auto = 7 } }\n"
                   "load = [{ wind = { velocity = [-1e300, 0, 0] } }]\n");
  const Outcome outcome = pliant({"run", "rigid.toml", "--no-cache"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_EQ(outcome.error_lines().size(), 1U) << outcome.err;
}

TEST_F(Hardening, WindOnManyFacesOfOneDirectionIsFittedQuickly) {
  // In voxels most faces have the same few normals, so their forces depend on each other up to rounding.
  // These very numbers made nearly every face that entered the fit push others out.
  test::write_text(
      at("windy.toml"),
      "[simulation]\ndt = 0.00175\nduration = 0.0035\n[[body]]\nname = \"b\"\n"
      "generate = { shape = \"bridge\", length = 10.0, width = 2.0, height = 2.4, thickness = 0.6, rise = "
      "0.5, "
      "panels = 2, resolution = 36, element = \"hex\" }\ntransform = { scale = 0.03286025226932292 }\n"
      "material = { law = \"linear\", young = 1408470083.0125208, poisson = 0.08690832426455947, "
      "density = 6795.135444120831 }\n"
      "model = { type = \"tree\", linear_modes = 2, modes = 6, domains = { auto = 4 } }\n"
      "load = [{ wind = { velocity = [157, 58, 150] } }]\n");
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = pliant({"run", "windy.toml", "--no-cache"});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_LT(taken.count(), 20.0);  // was 50 s, is 1 s
}

TEST_F(Hardening, SummaryTellsStepsAndTheWholeRun) {
  test::write_text(at("run.toml"), "[simulation]\ndt = 0.01\nduration = 0.05\n" +
                                       scaled_beam("{ type = \"full\" }", 1.0, 1e6, 1e3).substr(13));
  const Outcome outcome = pliant({"run", "run.toml", "--out", "frames"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("  steps        5 in "), std::string::npos);
  EXPECT_NE(outcome.out.find("  whole run    "), std::string::npos);
}

// Found by tools/sweep.py: Lanczos left 1e-8 of elastic motion in a rigid mode of a domain, which was taken
// for a wrong mode.
TEST_F(Hardening, RigidModesOfSmallDomainsAreExact) {
  test::write_text(
      at("domains.toml"),
      "[simulation]\ndt = 0.01\nduration = 0.01\n[[body]]\nname = \"beam\"\n"
      "generate = { shape = \"box\", size = [1, 0.16336622593580674, 0.4105911347125883], cells = [9, 2, 4] "
      "}\n"
      "transform = { scale = 79.2536755551302 }\nmaterial = { law = \"linear\", young = 27719.68266263804, "
      "poisson = -0.41296459874841507, density = 18730.32118106309 }\nregion = [{ where = \"x > "
      "47.55220533307812\", material = { law = \"stvk\", young = 9963.049868167564, poisson = "
      "-0.4488004213738525, density = 22983.755299728226 } }]\nfixed = [\"x < 11.88805133126953\"]\n"
      "model = { type = \"coupled\", modes = 13, domains = { auto = 5 }, basis = \"modes\" }\n");
  const Outcome run = pliant({"run", "domains.toml", "--no-cache", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

}  // namespace
}  // namespace pliant
