// Bodies of coupled domains in scenes: keys, mistakes, cache, events, what the run is like beside `full`.
#include "pliant/scene/build.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant {
namespace {

const std::string kBeam = test::beam_scene(
    "dt = 0.01\n"
    "duration = 0.05\n"
    "gravity = [0, 0, -3]\n",
    "cells = [12, 2, 2], element = \"hex\"");  // what a test adds begins in line 10

constexpr const char* kTwo = R"(model = { type = "coupled", modes = 12 }
[[body.domain]]
name = "stem"
where = "x < 0.5"
[[body.domain]]
name = "tip"
where = "true"
modes = 10
)";

Result<SceneDescription> read(const std::string& more) { return read_scene(kBeam + more, "beam.toml"); }

std::unique_ptr<BuiltScene> build(const std::string& toml, const BuildOptions& options = {}) {
  const Result<SceneDescription> scene = read_scene(toml, "beam.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return nullptr;
  }
  auto built = build_scene(scene.value(), no_progress(), options);
  if (built) return std::move(built).value();
  ADD_FAILURE() << to_string(built.error());
  return nullptr;
}

Diagnostics problems_of(const std::string& more) {
  const Result<SceneDescription> scene = read(more);
  if (!scene) return scene.errors();
  const auto built = build_scene(scene.value(), no_progress());
  return built ? Diagnostics{} : built.errors();
}

Vector3 tip_after(BuiltScene& scene, int steps) {
  World& world = *scene.world;
  EXPECT_TRUE(world.start());
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(world.advance()) << world.record().failure_reason;
  const Model& model = *world.bodies()[0].model;
  const auto tip = std::max_element(model.mesh().vertices.begin(), model.mesh().vertices.end(),
                                    [](const Vector3& a, const Vector3& b) { return a.x() < b.x(); });
  return model.displacement(static_cast<VertexId>(tip - model.mesh().vertices.begin()));
}

TEST(CoupledScene, MistakesAreShownWhereTheyWereTyped) {
  using E = ErrorCode;
  struct Mistake {
    std::string text;
    E code;
    Index line;
    std::string key;
  };
  const std::string coupled = "model = { type = \"coupled\", ";
  const std::string first = "[[body.domain]]\nname = \"a\"\nwhere = \"x < 0.3\"\n";
  const std::vector<Mistake> mistakes{
      {coupled + "rings = 0 }", E::kOutOfRange, 10, "body[0].model.rings"},
      {coupled + "basis = \"modes\", rings = 2 }", E::kInconsistent, 10, "body[0].model.rings"},
      {coupled + "basis = \"trained\" }", E::kUnsupported, 10, "body[0].model.basis"},
      {"model = { type = \"modal\", basis = \"patch\" }", E::kUnsupported, 10, "body[0].model.basis"},
      {coupled + "scheme = \"three-step\" }", E::kOutOfRange, 10, "body[0].model.scheme"},
      {coupled + "springs = 0 }", E::kOutOfRange, 10, "body[0].model.springs"},
      {coupled + "cubature = { weights = 3 } }", E::kUnknownKey, 10, "body[0].model.cubature.weights"},
      {coupled + "cubature = { poses = \"full\" } }", E::kUnsupported, 10, "body[0].model.cubature"},
      {coupled + "springs = 10, cubature = { interface = \"uniform\" } }", E::kInconsistent, 10,
       "body[0].model.cubature"},
      {coupled + "springs = 10, invertible_coupling = true }", E::kInconsistent, 10,
       "body[0].model.invertible_coupling"},
      {coupled + "domains = { } }", E::kInconsistent, 10, "body[0].model.domains"},
      {coupled + "domains = { auto = 2 } }\n" + first, E::kInconsistent, 13, "body[0].domain[0].where"},
      {coupled + "domains = { auto = 2 } }\n[[body.domain]]\nname = \"c\"", E::kNotFound, 12,
       "body[0].domain[0].name"},
      {coupled + "modes = 4 }\n" + first + "modes = 3\nfull = true", E::kInconsistent, 14,
       "body[0].domain[0].modes"},
      {"model = { type = \"tree\" }\n" + first +
           "full = true\n[[body.domain]]\nname = \"b\"\nwhere = \"true\"",
       E::kUnsupported, 14, "body[0].domain[0].full"},
      {coupled + "modes = 4 }\n[[body.domain]]\nname = \"ends\"\nwhere = \"x < 0.2 || x > 0.8\"\n" +
           "[[body.domain]]\nname = \"b\"\nwhere = \"true\"",
       E::kInconsistent, 13, "body[0].domain[0].where"},
  };
  for (const Mistake& mistake : mistakes) {
    const Diagnostics problems = problems_of(mistake.text);
    ASSERT_FALSE(problems.empty()) << mistake.text;
    EXPECT_EQ(problems[0].code, mistake.code) << mistake.text << "\n" << to_string(problems[0]);
    EXPECT_EQ(problems[0].where.line, mistake.line) << mistake.text << "\n" << to_string(problems[0]);
    EXPECT_EQ(problems[0].where.key, mistake.key) << mistake.text;
  }
}

/// The published schemes integrate by backward Euler, also when nothing is said; springs give way where
/// elements do not.
/// Found by tools/sweep.py: the energy of rounding was taken for one that blows up.
TEST(CoupledScene, RestsWhereNothingActs) {
  const auto scene = read_scene(
      "[simulation]\ndt = 0.06\nduration = 6\nnewton = { iterations = 1 }\n[[body]]\nname = \"bar\"\n"
      "generate = { shape = \"box\", size = [20, 1, 1], cells = [6, 2, 2], element = \"hex\" }\n"
      "material = { young = 1e5, poisson = 0.45, density = 67 }\n"
      "model = { type = \"coupled\", modes = 7, domains = { auto = 3 }, basis = \"attachment\" }\n",
      "bar.toml");
  ASSERT_TRUE(scene) << to_string(scene.error());
  const auto built = build_scene(scene.value(), no_progress());
  ASSERT_TRUE(built) << to_string(built.error());
  World& world = *built.value()->world;
  ASSERT_TRUE(world.start());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(world.advance()) << world.record().failure_reason;
  const Energies energies = world.bodies()[0].model->energies();
  EXPECT_LT(energies.kinetic + energies.strain, 1e-24 * 1e5 * 20);  // of strains of 1e-12
}

TEST(CoupledScene, PublishedSchemesAndSpringsAreForComparison) {
  const auto with = [](const std::string& more) {
    std::string scene = kBeam + kTwo;
    scene.replace(scene.find("modes = 12"), 10, "modes = 12" + more);
    return scene;
  };
  const Vector3 newton = tip_after(*build(with("")), 20);
  const Vector3 one = tip_after(*build(with(", scheme = \"one-step\"")), 20);
  const Vector3 two = tip_after(*build(with(", scheme = \"two-step\"")), 20);
  const Vector3 soft = tip_after(*build(with(", springs = 10")), 20);
  EXPECT_GT((one - newton).norm(), 1e-3 * newton.norm());
  EXPECT_LT((one - newton).norm(), 0.3 * newton.norm());
  EXPECT_GT((two - one).norm(), 1e-3 * newton.norm());
  EXPECT_GT((soft - newton).norm(), 0.1 * newton.norm());
  std::string other = with(", scheme = \"one-step\"");
  other.replace(0, 13, "[simulation]\nintegrator = \"newmark\"\n");
  EXPECT_FALSE(build_scene(read_scene(other, "beam.toml").value(), no_progress()).ok());
}

/// Nothing changes while no element is crushed; events that change the material keep what was chosen.
TEST(CoupledScene, InvertibleCouplingIsForCrushedElementsOnly) {
  std::string scene = kBeam + kTwo;
  const Vector3 plain = tip_after(*build(scene), 20);
  scene.replace(scene.find("modes = 12"), 10, "modes = 12, invertible_coupling = true");
  EXPECT_LT((tip_after(*build(scene), 20) - plain).norm(), 1e-7 * plain.norm());
  scene += "[[event]]\nt = 0.02\nset = { young = 2e5 }\n";
  EXPECT_GT((tip_after(*build(scene), 20) - plain).norm(), 1e-3 * plain.norm());
}

TEST(CoupledScene, VerticesOfNoDomainAreCounted) {
  const Diagnostics problems =
      problems_of("model = { type = \"coupled\" }\n[[body.domain]]\nname = \"a\"\nwhere = \"x < 0.3\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0].code, ErrorCode::kMissing);
  EXPECT_NE(problems[0].what.find("81"), std::string::npos) << to_string(problems[0]);  // 9 planes of 9
}

TEST(CoupledScene, SettingsThatItCannotHaveAreRefused) {
  std::string explicit_steps = kBeam + kTwo;
  explicit_steps.replace(0, 13, "[simulation]\nintegrator = \"central-differences\"\n");
  const auto built = build_scene(read_scene(explicit_steps, "beam.toml").value(), no_progress());
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(built.error().where.file, "beam.toml");
}

TEST(CoupledScene, DomainsHaveTheirShapesAndNames) {
  const auto built = build(kBeam + kTwo);
  ASSERT_TRUE(built);
  const Body& body = built->world->bodies()[0];
  EXPECT_EQ(body.model->type(), "coupled");
  ASSERT_EQ(body.domains.size(), 2U);
  EXPECT_EQ(body.domains[0].name, "stem");
  EXPECT_EQ(body.domains[0].modes, 12);
  EXPECT_EQ(body.domains[1].modes, 10);
  EXPECT_EQ(body.model->dof_count(), 12 + 10 + 6);  // only the tip has a frame
  EXPECT_EQ(built->subspaces[0]->bases.size(), 2U);
  EXPECT_EQ(built->subspaces[0]->domains[1].parent, -1);
}

/// By default energy-momentum, and so without loss. The same motion as `full`: measured 0.2 % apart.
TEST(CoupledScene, SwingsAsTheFullModelDoes) {
  std::string coupled = kBeam + kTwo;
  const auto built = build(coupled);
  const auto full = build(kBeam);
  ASSERT_TRUE(built && full);
  const Vector3 u = tip_after(*built, 25), v = tip_after(*full, 25);
  EXPECT_GT(v.norm(), 0.05);
  EXPECT_LT((u - v).norm(), 0.02 * v.norm());
  const Energies e = built->world->bodies()[0].model->energies();
  EXPECT_NEAR(e.kinetic + e.strain + e.potential, 0.0, 1e-3 * (e.kinetic + e.strain));
}

TEST(CoupledScene, OverrideTakesTheSettingsOfItsType) {
  const std::string toml = kBeam +
                           "model = { type = \"tree\", inertia = \"L1\" }\n[body.models.coupled]\ndomains = "
                           "{ auto = 3 }\nmodes = 7\n";
  const auto scene = read_scene(toml, "beam.toml", {"coupled", std::nullopt, true});
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  EXPECT_EQ(scene.value().bodies[0].coupled.automatic, 3);
  EXPECT_EQ(scene.value().bodies[0].coupled.modes, 7);
  const auto built = build_scene(scene.value(), no_progress());
  ASSERT_TRUE(built.ok()) << to_string(built.error());
  EXPECT_EQ(built.value()->world->bodies()[0].domains.size(), 3U);
}

TEST(CoupledScene, CacheHoldsEveryClassAndGivesTheSameMotion) {
  const test::TemporaryFolder folder;
  const BuildOptions options{folder.path() / "cache"};
  const auto first = build(kBeam + kTwo, options);
  const auto second = build(kBeam + kTwo, options);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->reports[0].from_cache, 0);
  EXPECT_EQ(second->reports[0].from_cache, 2);
  EXPECT_EQ(tip_after(*first, 5), tip_after(*second, 5));
  std::string other = kBeam + kTwo;
  other.replace(other.find("modes = 10"), 10, "modes = 11");
  EXPECT_EQ(build(other, options)->reports[0].from_cache, 1);
  other.replace(other.find("type = \"coupled\""), 16, "type = \"coupled\", rings = 1");
  EXPECT_EQ(build(other, options)->reports[0].from_cache, 0);
}

TEST(CoupledScene, EventsChangeMaterialsAndDomains) {
  const auto plain = build(kBeam + kTwo);
  const auto stiff = build(kBeam + kTwo + "[[event]]\nt = 0.02\nset = { young = 4e6 }\n");
  const auto tuned =
      build(kBeam + kTwo +
            "[[event]]\nt = 0.02\nbody = \"beam\"\ndomain = \"stem\"\nset = { frequency_scale = 2 }\n");
  ASSERT_TRUE(plain && stiff && tuned);
  // after 0.8 s, when the plain beam is near its lowest place
  const double sag = -tip_after(*plain, 80).z();
  EXPECT_GT(sag, 0.1);
  EXPECT_LT(-tip_after(*stiff, 80).z(), 0.7 * sag);
  EXPECT_LT(-tip_after(*tuned, 80).z(), 0.95 * sag);
}

TEST(CoupledScene, DomainsDoNotComeOff) {
  const Diagnostics problems = problems_of(std::string(kTwo) + "[[event]]\nt = 0.02\ndetach = \"tip\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0].code, ErrorCode::kUnsupported);
  EXPECT_EQ(problems[0].where.key, "event[0].detach");
}

/// Loads over several domains, a driven anchor, a ring: three runs that must end in good health.
TEST(CoupledScene, LoadsAnchorsAndRingsWork) {
  const auto loaded = build(kBeam + kTwo +
                            "[[body.load]]\nwhere = \"x > 0.3\"\nforce = [0, 5, 0]\n"
                            "[[body.load]]\nwind = { velocity = [0, 10, 0] }\n"
                            "[[body.load]]\nwhere = \"z > 0.09\"\npressure = 100\n");
  ASSERT_TRUE(loaded);
  EXPECT_GT(tip_after(*loaded, 20).y(), 0.01);
  std::string driven = kBeam + kTwo;
  driven.erase(driven.find("fixed"), 21);
  driven +=
      "[[body.motion]]\nwhere = \"x < 1e-6\"\ntranslate = { t = [0, 1], by = [[0, 0, 0], [0, 1, 0]] }\n";
  const auto moved = build(driven);
  ASSERT_TRUE(moved);
  EXPECT_GT(tip_after(*moved, 40).y(), 0.1);
  const auto ring = build(
      "[simulation]\ndt = 0.01\nduration = 0.1\n[[body]]\n"
      "generate = { shape = \"torus\", major = 0.3, minor = 0.08, across = 3, around = 24, element = \"hex\" "
      "}\n"
      "material = { young = 1e5, poisson = 0.3, density = 1000 }\n"
      "initial = { velocity = [0, 0, 1], angular_velocity = [3, 0, 0] }\n"
      "model = { type = \"coupled\", modes = 8, domains = { auto = 6 } }\n");
  ASSERT_TRUE(ring);
  const Momenta before = ring->world->bodies()[0].model->momenta();
  (void)tip_after(*ring, 20);
  const Momenta after = ring->world->bodies()[0].model->momenta();
  EXPECT_NEAR(after.linear.z(), after.mass, 1e-9 * after.mass);
  EXPECT_GE(before.mass, 0.0);
}

}  // namespace
}  // namespace pliant
