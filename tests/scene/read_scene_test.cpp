// What a scene file may say, and where each mistake is reported.
#include "pliant/scene/description.hpp"
#include "pliant/scene/schema.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace pliant {
namespace {

/// The whole of the contract's example but for the model, which this version cannot build.
constexpr const char* kFullScene = R"(
[simulation]
dt = 0.0041666667
duration = 2.0
gravity = [0, 0, -9.81]
integrator = "backward-euler"
newton = { iterations = 7, tolerance = 1e-8 }
damping = { mass = 0.1, stiffness = 0.02, stiffness_at = "rest" }

[[body]]
name = "beam"
mesh = "beam.msh"
surface = "beam.obj"
transform = { translate = [1, 2, 3], rotate = [0, 0, 90], scale = 2 }
material = { law = "neohookean", young = 1e6, poisson = 0.3, density = 1000, invertible = true }
fixed = ["x < 1e-6", { vertices = [4, 5] }]
model = { type = "full" }
initial = { velocity = [1, 0, 0], angular_velocity = [0, 2, 0], stretch = [1, 1, 1.1] }

[[body.motion]]
where = "x > 1 - 1e-6"
rotate = { axis = [1, 0, 0], center = [1, 0.1, 0.05], t = [0, 1], degrees = [0, 180] }
translate = { t = [0, 1], by = [[0, 0, 0], [0, 0, 1]] }
oscillate = { amplitude = [0, 0, 0.1], frequency = 2 }

[[body.load]]
where = "x > 0.99"
force = [0, 0, -1]
table = { t = [0, 1], scale = [0, 1] }

[[body.load]]
where = "face_label == 2"
pressure = 100

[[body.load]]
wind = { velocity = [5, 0, 0], gust = 0.3, seed = 4 }

[[body.region]]
where = "label == 2"
material = { young = 2e6, poisson = 0.2, density = 900 }

[[event]]
t = 0.5
body = "beam"
gravity = [0, 0, 0]

[[probe]]
name = "tip"
near = [1, 0.2, 0.1]
every = 2
)";

TEST(ReadScene, EveryPartArrives) {
  const Result<SceneDescription> read = read_scene(kFullScene, "folder/scene.toml");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  const SceneDescription& scene = read.value();
  EXPECT_EQ(scene.step.integrator, Integrator::kBackwardEuler);
  EXPECT_EQ(scene.step.newton_iterations, 7);
  EXPECT_EQ(scene.step.newton_tolerance, 1e-8);
  EXPECT_EQ(scene.step.stiffness_damping, 0.02);
  EXPECT_EQ(scene.step.damping_stiffness, DampingStiffness::kRest);
  EXPECT_EQ(scene.dt, 0.0041666667);
  EXPECT_EQ(scene.gravity, Vector3(0, 0, -9.81));
  EXPECT_EQ(scene.resolve("beam.msh"), std::filesystem::path("folder/beam.msh"));

  ASSERT_EQ(scene.bodies.size(), 1U);
  const BodyText& body = scene.bodies[0];
  EXPECT_EQ(body.material.law, Law::kNeoHookean);
  EXPECT_TRUE(body.material.invertible);
  ASSERT_EQ(body.fixed.size(), 2U);
  EXPECT_EQ(body.fixed[0].expression, "x < 1e-6");
  EXPECT_EQ(body.fixed[1].numbers, (std::vector<Index>{4, 5}));
  EXPECT_EQ(body.initial.stretch, Vector3(1, 1, 1.1));
  ASSERT_EQ(body.motions.size(), 1U);
  EXPECT_DOUBLE_EQ(body.motions[0].motion.rotation->radians[1], 3.14159265358979323846);
  EXPECT_EQ(body.motions[0].motion.translation->by[1], Vector3(0, 0, 1));
  EXPECT_EQ(body.motions[0].motion.oscillation->frequency, 2.0);
  ASSERT_EQ(body.loads.size(), 3U);
  EXPECT_EQ(std::get<ForceText>(body.loads[0].what).force, Vector3(0, 0, -1));
  EXPECT_EQ(body.loads[0].table.scale, (std::vector<double>{0, 1}));
  EXPECT_EQ(std::get<PressureText>(body.loads[1].what).pascal, 100.0);
  EXPECT_EQ(std::get<Wind>(body.loads[2].what).gust, 0.3);
  EXPECT_EQ(std::get<Wind>(body.loads[2].what).air_density, 1.225);
  ASSERT_EQ(body.regions.size(), 1U);
  EXPECT_EQ(body.regions[0].material.law, Law::kStvk);
  EXPECT_EQ(scene.events[0].gravity, Vector3::Zero());
  EXPECT_EQ(scene.probes[0].every, 2);
}

constexpr const char* kMinimal = R"([simulation]
dt = 0.01
duration = 1
[[body]]
generate = { shape = "box", size = [1, 1, 1], cells = [1, 1, 1] }
material = { young = 1e6, poisson = 0.3, density = 1000 }
)";

TEST(ReadScene, DefaultsAreTheDocumentedOnes) {
  const Result<SceneDescription> read = read_scene(kMinimal, "a.toml");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  const SceneDescription& scene = read.value();
  const StepSettings plain;
  EXPECT_EQ(scene.step.integrator, Integrator::kNewmark);
  EXPECT_EQ(scene.step.newton_iterations, plain.newton_iterations);
  EXPECT_EQ(scene.step.newton_tolerance, plain.newton_tolerance);
  EXPECT_EQ(scene.step.mass_damping, 0.0);
  EXPECT_EQ(scene.step.damping_stiffness, DampingStiffness::kTangent);
  EXPECT_EQ(scene.gravity, Vector3::Zero());
  EXPECT_EQ(scene.output.fps, 30.0);
  const BodyText& body = scene.bodies[0];
  EXPECT_EQ(body.name, "body");
  EXPECT_EQ(body.model_type, "full");
  EXPECT_EQ(body.material.law, Law::kStvk);
  EXPECT_EQ(body.transform.scale, 1.0);
  EXPECT_EQ(body.initial.stretch, Vector3::Ones());
  EXPECT_TRUE(body.fixed.empty());
}

/// One mistake: `line` replaces (or, when 0, follows) a line of kMinimal; the error must stand exactly there.
struct Mistake {
  int line;
  std::string text;
  ErrorCode code;
  Index at_line, at_column;
  std::string key;
};

std::string with_mistake(const Mistake& mistake) {
  if (mistake.line == 0) return kMinimal + mistake.text + "\n";
  std::istringstream in(kMinimal);
  std::string line, all;
  for (int i = 1; std::getline(in, line); ++i) all += (i == mistake.line ? mistake.text : line) + "\n";
  return all;
}

std::vector<Mistake> mistakes() {
  using E = ErrorCode;
  return {
      // simulation
      {2, "dt = 0", E::kOutOfRange, 2, 6, "simulation.dt"},
      {2, "dt = -1.0", E::kOutOfRange, 2, 6, "simulation.dt"},
      {2, "dt = nan", E::kNonFinite, 2, 6, "simulation.dt"},
      {3, "duration = nan", E::kNonFinite, 3, 12, "simulation.duration"},
      {3, "duration = inf", E::kNonFinite, 3, 12, "simulation.duration"},
      {2, "dt = inf", E::kNonFinite, 2, 6, "simulation.dt"},
      {2, "dt = \"fast\"", E::kWrongType, 2, 6, "simulation.dt"},
      {2, "", E::kMissing, 1, 1, "simulation.dt"},
      {3, "", E::kMissing, 1, 1, "simulation.duration"},
      {3, "duration = -1", E::kOutOfRange, 3, 12, "simulation.duration"},
      {3, "duration = 1e12", E::kLimit, 3, 12, "simulation.duration"},
      {3, "duration = 1\ngravitiy = [0, 0, 1]", E::kUnknownKey, 4, 1, "simulation.gravitiy"},
      {3, "duration = 1\ngravity = [0, 0]", E::kWrongType, 4, 11, "simulation.gravity"},
      {3, "duration = 1\ngravity = [0, 0, nan]", E::kNonFinite, 4, 18, "simulation.gravity[2]"},
      {3, "duration = 1\ngravity = 9.81", E::kWrongType, 4, 11, "simulation.gravity"},
      {3, "duration = 1\nintegrator = \"newmrk\"", E::kOutOfRange, 4, 14, "simulation.integrator"},
      {3, "duration = 1\nintegrator = 4", E::kWrongType, 4, 14, "simulation.integrator"},
      {3, "duration = 1\nnewton = { iterations = 0 }", E::kOutOfRange, 4, 25, "simulation.newton.iterations"},
      {3, "duration = 1\nnewton = { iterations = 2.5 }", E::kWrongType, 4, 25,
       "simulation.newton.iterations"},
      {3, "duration = 1\nnewton = { tolerance = 0 }", E::kOutOfRange, 4, 24, "simulation.newton.tolerance"},
      {3, "duration = 1\nnewton = 4", E::kWrongType, 4, 10, "simulation.newton"},
      {3, "duration = 1\ndamping = { mass = -1 }", E::kOutOfRange, 4, 20, "simulation.damping.mass"},
      {3, "duration = 1\ndamping = { stiffness_at = \"x\" }", E::kOutOfRange, 4, 28,
       "simulation.damping.stiffness_at"},
      // body
      {4, "[body]", E::kWrongType, 4, 1, "body"},
      {5, "", E::kMissing, 4, 1, "body[0].mesh"},
      {5, "mesh = 4", E::kWrongType, 5, 8, "body[0].mesh"},
      {5, "generate = { shape = \"bax\" }", E::kOutOfRange, 5, 22, "body[0].generate.shape"},
      {5, "generate = { shape = \"box\", size = [1, 0, 1], cells = [1, 1, 1] }", E::kOutOfRange, 5, 40,
       "body[0].generate.size[1]"},
      {5, "generate = { shape = \"box\", size = [1, 1, 1], cells = [1, 0, 1] }", E::kOutOfRange, 5, 59,
       "body[0].generate.cells[1]"},
      {6, "", E::kMissing, 4, 1, "body[0].material"},
      {6, "material = { young = 0, poisson = 0.3, density = 1 }", E::kOutOfRange, 6, 22,
       "body[0].material.young"},
      {6, "material = { young = 1, poisson = 0.5, density = 1 }", E::kOutOfRange, 6, 35,
       "body[0].material.poisson"},
      {6, "material = { young = 1, poisson = nan, density = 1 }", E::kNonFinite, 6, 35,
       "body[0].material.poisson"},
      {6, "material = { young = 1, poisson = 0.3 }", E::kMissing, 6, 12, "body[0].material.density"},
      {6, "material = { young = 1, poisson = 0.3, density = 1, low = \"stvk\" }", E::kUnknownKey, 6, 53,
       "body[0].material.low"},
      {6, "material = { law = \"hooke\", young = 1, poisson = 0.3, density = 1 }", E::kOutOfRange, 6, 20,
       "body[0].material.law"},
      {6, "material = { law = \"linear\", young = 1, poisson = 0.3, density = 1, invertible = true }",
       E::kInconsistent, 6, 82, "body[0].material.invertible"},
      {0, "nmae = \"a\"", E::kUnknownKey, 7, 1, "body[0].nmae"},
      {0, "name = \"\"", E::kOutOfRange, 7, 8, "body[0].name"},
      {0, "mesh = \"a.msh\"", E::kInconsistent, 5, 12, "body[0].generate"},
      {0, "mesher = { resolution = 4 }", E::kInconsistent, 7, 10, "body[0].mesher"},
      {0, "transform = { scale = 0 }", E::kOutOfRange, 7, 23, "body[0].transform.scale"},
      {0, "transform = { scale = [1, 1, 1] }", E::kWrongType, 7, 23, "body[0].transform.scale"},
      {0, "fixed = 4", E::kWrongType, 7, 9, "body[0].fixed"},
      {0, "fixed = [4]", E::kWrongType, 7, 10, "body[0].fixed[0]"},
      {0, "fixed = [\"\"]", E::kSyntax, 7, 10, "body[0].fixed[0]"},
      {0, "fixed = [{ vertices = [-1] }]", E::kOutOfRange, 7, 24, "body[0].fixed[0].vertices[0]"},
      {0, "fixed = [{ verts = [1] , vertices = [1] }]", E::kUnknownKey, 7, 12, "body[0].fixed[0].verts"},
      {0, "model = { type = \"modal\", modes = 0 }", E::kOutOfRange, 7, 35, "body[0].model.modes"},
      {0, "model = { type = \"modal\", energy = 2 }", E::kOutOfRange, 7, 36, "body[0].model.energy"},
      {0, "model = { type = \"modal\", shapes = [] }", E::kMissing, 7, 36, "body[0].model.shapes"},
      {0, "model = { type = \"modal\", shapes = [1] }", E::kWrongType, 7, 37, "body[0].model.shapes"},
      {0, "model = { type = \"modal\", shapes = [\"a\"], sketch = \"b\" }", E::kInconsistent, 7, 52,
       "body[0].model.sketch"},
      {0, "model = { type = \"modal\", forces = \"exact\", storage = \"float\" }", E::kInconsistent, 7, 55,
       "body[0].model.storage"},
      {0, "model = { type = \"modul\" }", E::kOutOfRange, 7, 18, "body[0].model.type"},
      {0, "[body.models.mode]\nmodes = 4", E::kUnknownKey, 7, 14, "body[0].models.mode"},
      {0, "initial = { mode = 1 }", E::kMissing, 7, 11, "body[0].initial.speed"},
      {0, "initial = { speed = 1 }", E::kMissing, 7, 11, "body[0].initial.mode"},
      {0, "initial = { mode = 0, speed = 1 }", E::kOutOfRange, 7, 20, "body[0].initial.mode"},
      {0, "initial = { file = \"a\", velocity = [0, 0, 1] }", E::kInconsistent, 7, 11, "body[0].initial"},
      {0, "initial = { stretch = [1, 0, 1] }", E::kOutOfRange, 7, 27, "body[0].initial.stretch[1]"},
      // regions, motions, loads
      {0, "[[body.region]]\nwhere = \"x > 0\"", E::kMissing, 7, 1, "body[0].region[0].material"},
      {0, "[[body.region]]\nmaterial = { young = 1, poisson = 0, density = 1 }", E::kMissing, 7, 1,
       "body[0].region[0].where"},
      {0, "[[body.motion]]\nwhere = \"x > 0\"", E::kMissing, 7, 1, "body[0].motion[0]"},
      {0, "[[body.motion]]\nwhere = \"x > 0\"\nrotate = { axis = [0, 0, 0], t = [0], degrees = [0] }",
       E::kOutOfRange, 9, 19, "body[0].motion[0].rotate.axis"},
      {0, "[[body.motion]]\nwhere = \"x > 0\"\nrotate = { axis = [1, 0, 0], t = [0, 1], degrees = [0] }",
       E::kInconsistent, 9, 52, "body[0].motion[0].rotate.degrees"},
      {0, "[[body.motion]]\nwhere = \"x > 0\"\ntranslate = { t = [1, 1], by = [[0, 0, 0], [0, 0, 1]] }",
       E::kOutOfRange, 9, 23, "body[0].motion[0].translate.t[1]"},
      {0, "[[body.motion]]\nwhere = \"x > 0\"\noscillate = { amplitude = [1, 0, 0], frequency = 0 }",
       E::kOutOfRange, 9, 50, "body[0].motion[0].oscillate.frequency"},
      {0, "[[body.load]]\nwhere = \"x > 0\"", E::kMissing, 7, 1, "body[0].load[0]"},
      {0, "[[body.load]]\nforce = [0, 0, 1]", E::kMissing, 7, 1, "body[0].load[0].where"},
      {0, "[[body.load]]\nwhere = \"x > 0\"\nforce = [0, 0, 1]\npressure = 1", E::kInconsistent, 7, 1,
       "body[0].load[0]"},
      {0, "[[body.load]]\nwhere = \"x > 0\"\npressure = 1\nspread = \"area\"", E::kInconsistent, 10, 10,
       "body[0].load[0].spread"},
      {0, "[[body.load]]\nwhere = \"x > 0\"\nvertices = [1]\nforce = [0, 0, 1]", E::kInconsistent, 9, 12,
       "body[0].load[0].vertices"},
      {0, "[[body.load]]\nforce = [0, 0, 1]\npoints = []", E::kMissing, 9, 10, "body[0].load[0].points"},
      {0, "[[body.load]]\nwind = { gust = 1 }", E::kMissing, 8, 8, "body[0].load[0].wind.velocity"},
      {0, "[[body.load]]\nwhere = \"x > 0\"\npressure = 1\ntable = { t = [], scale = [] }", E::kMissing, 10,
       15, "body[0].load[0].table.t"},
      // events and probes
      {0, "[[event]]\nt = 1", E::kMissing, 7, 1, "event[0]"},
      {0, "[[event]]\nt = 1\nset = { }", E::kMissing, 9, 7, "event[0].set"},
      {0, "[[event]]\nt = 1\nset = { young = 2e6 }\nregion = 1", E::kOutOfRange, 10, 10, "event[0].region"},
      {0, "[[event]]\nt = 1\ngravity = [0, 0, 1]\nregion = 0", E::kInconsistent, 10, 10, "event[0].region"},
      {0, "[[event]]\nt = 1\ndomain = \"tip\"\nset = { young = 1 }", E::kInconsistent, 9, 10,
       "event[0].domain"},
      {0, "[[event]]\nt = 1\nset = { frequency_scale = 2 }", E::kMissing, 7, 1, "event[0].domain"},
      {0, "[[event]]\nt = 1\ndetach = \"a\"\nreplace = { domain = \"a\", class = \"b\" }", E::kInconsistent,
       10, 11, "event[0].replace"},
      {0, "[[event]]\ngravity = [0, 0, 1]", E::kMissing, 7, 1, "event[0].t"},
      {0, "[[event]]\nt = 1\nbody = \"bdy\"\ngravity = [0, 0, 1]", E::kNotFound, 9, 8, "event[0].body"},
      {0, "[[probe]]\nname = \"a\"", E::kMissing, 7, 1, "probe[0].vertex"},
      {0, "[[probe]]\nvertex = 1", E::kMissing, 7, 1, "probe[0].name"},
      {0, "[[probe]]\nname = \"a\"\nvertex = -1", E::kOutOfRange, 9, 10, "probe[0].vertex"},
      {0, "[[probe]]\nname = \"a\"\nvertex = 1\nnear = [0, 0, 0]", E::kInconsistent, 10, 8, "probe[0].near"},
      {0, "[[probe]]\nname = \"a\"\nvertex = 1\nevery = 0", E::kOutOfRange, 10, 9, "probe[0].every"},
      {0, "[[probe]]\nname = \"a\"\nvertex = 1\n[[probe]]\nname = \"a\"\nvertex = 2", E::kInconsistent, 11, 8,
       "probe[1].name"},
      {0, "[output]\nfps = 0", E::kOutOfRange, 8, 7, "output.fps"},
      {0, "[outputs]\nfps = 1", E::kUnknownKey, 7, 2, "outputs"},
      // not TOML
      {2, "dt = ", E::kSyntax, 2, 6, ""},
      {2, "dt = 1\ndt = 2", E::kSyntax, 3, 6, ""},
      {2, "dt = 1979-05-27", E::kWrongType, 2, 6, "simulation.dt"},
  };
}

TEST(ReadScene, MistakesAreReportedWhereTheyWereTyped) {
  for (const Mistake& mistake : mistakes()) {
    SCOPED_TRACE(mistake.text);
    const Result<SceneDescription> read = read_scene(with_mistake(mistake), "bad.toml");
    ASSERT_FALSE(read.ok());
    const Diagnostic& error = read.error();
    EXPECT_EQ(error.code, mistake.code) << to_string(error);
    EXPECT_EQ(error.where.file, "bad.toml");
    EXPECT_EQ(error.where.line, mistake.at_line) << to_string(error);
    EXPECT_EQ(error.where.column, mistake.at_column) << to_string(error);
    EXPECT_EQ(error.where.key, mistake.key) << to_string(error);
    EXPECT_FALSE(error.remedy.empty()) << to_string(error);
    EXPECT_EQ(read.errors().size(), 1U) << to_string(read.errors().back());
  }
}

TEST(ReadScene, AllProblemsAreCollectedInFileOrder) {
  const Result<SceneDescription> read = read_scene(
      "[simulation]\ndt = -1\nduration = 1\ngravety = 3\n[[body]]\nmesh = 3\n"
      "material = { young = -1, poisson = 7, density = 0 }\n",
      "b.toml");
  ASSERT_FALSE(read.ok());
  std::vector<std::string> keys;
  for (const Diagnostic& error : read.errors()) keys.push_back(error.where.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"simulation.dt", "simulation.gravety", "body[0].mesh",
                                            "body[0].material.young", "body[0].material.poisson",
                                            "body[0].material.density"}));
  EXPECT_NE(read.errors()[1].remedy.find("gravity"), std::string::npos);
}

TEST(ReadScene, BodiesWithEqualNamesAreRefused) {
  const std::string two = std::string(kMinimal) + "[[body]]\ngenerate = { shape = \"box\" }\n" +
                          "material = { young = 1, poisson = 0, density = 1 }\n";
  const Result<SceneDescription> read = read_scene(two, "c.toml");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kInconsistent);
  EXPECT_EQ(read.error().where.key, "body[1].name");
}

TEST(ReadScene, ModelOverrideIgnoresTheScenesOwnSettings) {
  const std::string other = std::string(kMinimal) + "model = { type = \"blended\", modes = 20 }\n";
  const Result<SceneDescription> full = read_scene(other, "d.toml", {"full", {}});
  ASSERT_TRUE(full.ok()) << to_string(full.error());
  EXPECT_EQ(full.value().bodies[0].model_type, "full");
  EXPECT_EQ(full.value().bodies[0].model.find("modes"), nullptr);

  // not even mistakes in them count, but those in the settings of the chosen type do
  const std::string wrong = std::string(kMinimal) + "model = { type = \"modul\", modse = -4 }\n";
  EXPECT_TRUE(read_scene(wrong, "d.toml", {"full", {}}).ok());
  const Result<SceneDescription> chosen =
      read_scene(wrong + "[body.models.full]\nmodes = 3\n", "d.toml", {"full", {}});
  ASSERT_TRUE(chosen.ok()) << to_string(chosen.error());
  ASSERT_NE(chosen.value().bodies[0].model.find("modes"), nullptr);
  EXPECT_EQ(chosen.value().bodies[0].model.find("modes")->integer, 3);
  const Result<SceneDescription> own =
      read_scene(std::string(kMinimal) + "model = { type = \"full\", modse = 4 }\n", "d.toml", {"full", {}});
  ASSERT_FALSE(own.ok());
  EXPECT_EQ(own.error().where.key, "body[0].model.modse");

  const Result<SceneDescription> blended = read_scene(kMinimal, "d.toml", {"blended", {}});
  ASSERT_TRUE(blended.ok());
  EXPECT_EQ(blended.value().bodies[0].model_type, "blended");
}

TEST(ReadScene, StaticNeedsNoTime) {
  std::string scene(kMinimal);
  scene.replace(scene.find("dt = 0.01\nduration = 1"), 22, "integrator = \"static\"");
  EXPECT_TRUE(read_scene(scene, "e.toml").ok());
  EXPECT_EQ(read_scene(kMinimal, "e.toml", {{}, 0.25}).value().duration, 0.25);
}

TEST(ReadScene, HostileTextIsRefusedInGoodOrder) {
  std::string dots = "a";
  for (int i = 0; i < 200000; ++i) dots += ".a";
  std::string quoted = "\"a\"";
  for (int i = 0; i < 200000; ++i) quoted += ".\",\"";
  for (const std::string& text :
       {std::string(100000, '['), "a = " + std::string(100000, '['), "a = " + std::string(100000, '{'),
        dots + " = 1", "[" + dots + "]", "a = { " + dots + " = 1 }",
        "a = [\"\"\"\n\"\"\", {" + quoted + " = 1}]", std::string("\xff\xfe\0", 3)}) {
    const Result<SceneDescription> read = read_scene(text, "f.toml");
    ASSERT_FALSE(read.ok());
    EXPECT_GE(read.error().where.line, 1) << to_string(read.error()).substr(0, 200);
  }
  // a dot in the middle is no blank, no letter and no comment
  const Result<SceneDescription> middle = read_scene("[simulation]\na = 1 \xC2\xB7 b\n", "f.toml");
  ASSERT_FALSE(middle.ok());
  EXPECT_EQ(middle.error().code, ErrorCode::kSyntax);
  EXPECT_EQ(middle.error().where.line, 2);
  EXPECT_EQ(middle.error().where.column, 7);
  // what stands in comments and strings is harmless
  const std::string plain = "# \xC2\xB7 " + std::string(500, '.') + "\n" + kMinimal + "surface = \"\xC2\xB7" +
                            std::string(200, '.') + "\"\n";
  EXPECT_TRUE(read_scene(plain, "f.toml").ok());
}

/// The TOML blocks of a page of the guide.
std::vector<std::string> snippets(const std::string& page) {
  std::ifstream file(test::source_folder() / "docs/guide" / page);
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "```toml") {
      blocks.emplace_back();
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

TEST(Guide, ScenesInTheGuideAreGood) {
  const std::vector<std::string> first = snippets("getting_started.md");
  ASSERT_EQ(first.size(), 1U);
  const Result<SceneDescription> start = read_scene(first[0], "first.toml");
  EXPECT_TRUE(start.ok()) << to_string(start.error());

  // scenes.md builds one scene piece by piece; the three starts are alternatives
  const std::vector<std::string> parts = snippets("scenes.md");
  ASSERT_EQ(parts.size(), 7U);
  std::istringstream starts(parts[5]);
  for (std::string line; std::getline(starts, line);) {
    const std::string scene = parts[0] + parts[1] + line + "\n" + parts[2] + parts[3] + parts[4] + parts[6];
    const Result<SceneDescription> whole = read_scene(scene, "scenes.toml");
    EXPECT_TRUE(whole.ok()) << to_string(whole.error());
  }
}

TEST(Schema, ReferencePageIsFresh) {
  std::ifstream file(test::source_folder() / "docs/guide/scene_reference.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_TRUE(page.str() == schema_markdown()) << "run: pliant schema > docs/guide/scene_reference.md";
}

}  // namespace
}  // namespace pliant
