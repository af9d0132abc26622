// Domains of a scene: keys, mistakes, and the plan of the tree that comes of them.
#include "pliant/build/tree_plan.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/scene/domain_report.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

const std::string kBeam = test::beam_scene(
    "dt = 0.01\n"
    "duration = 0.05\n"
    "gravity = [0, 0, -3]\n",
    "cells = [8, 2, 2], element = \"hex\"");  // what a test adds begins in line 10

constexpr const char* kThree = R"(model = { type = "tree", linear_modes = 2, modes = 5 }
[[body.domain]]
name = "tip"
where = "x > 0.75"
modes = 3
frequency_scale = 2
damping = { mass = 0.5 }
[[body.domain]]
name = "stem"
where = "x < 0.375"
[[body.domain]]
name = "middle"
where = "true"
modes = 0
)";

Result<SceneDescription> read(const std::string& more) { return read_scene(kBeam + more, "beam.toml"); }

Diagnostics build_problems(const std::string& more) {
  const Result<SceneDescription> scene = read(more);
  if (!scene) return scene.errors();
  const auto built = build_scene(scene.value(), no_progress());
  return built ? Diagnostics{} : built.errors();
}

TEST(TreeScene, MistakesAreShownWhereTheyWereTyped) {
  using E = ErrorCode;
  struct TreeMistake {
    std::string text;
    E code;
    Index line;
    std::string key;
  };
  const std::string tree = "model = { type = \"tree\", ";
  const std::string first = "[[body.domain]]\nname = \"a\"\nwhere = \"x < 0.3\"\n";
  const std::vector<TreeMistake> mistakes{
      {tree + "modes = 5, modes_total = 30 }", E::kInconsistent, 10, "body[0].model.modes_total"},
      {tree + "distribution = \"log\" }", E::kInconsistent, 10, "body[0].model.distribution"},
      {tree + "domains = { } }", E::kInconsistent, 10, "body[0].model.domains"},
      {tree + "domains = { auto = 2, from = \"labels\" } }", E::kInconsistent, 10, "body[0].model.domains"},
      {tree + "domains = { auto = 0 } }", E::kOutOfRange, 10, "body[0].model.domains.auto"},
      {tree + "inertia = \"L4\" }", E::kOutOfRange, 10, "body[0].model.inertia"},
      {tree + "domains = { auto = 2 }, root = \"stem\" }", E::kNotFound, 10, "body[0].model.root"},
      {tree + "domains = { auto = 2 } }\n" + first, E::kInconsistent, 13, "body[0].domain[0].where"},
      {tree + "domains = { auto = 2 } }\n[[body.domain]]\nname = \"c\"", E::kNotFound, 12,
       "body[0].domain[0].name"},
      {tree + "modes = 4 }\n" + first, E::kMissing, 10, "body[0].model.domains: element 2"},
      {tree + "modes = 4 }\n" + first + "[[body.domain]]\nname = \"a\"\nwhere = \"true\"", E::kInconsistent,
       15, "body[0].domain[1].name"},
      {tree + "modes = 4 }\n" + first + "[[body.domain]]\nname = \"b\"", E::kMissing, 14,
       "body[0].domain[1].where"},
      {tree + "modes = 4 }\n" + first + "[[body.domain]]\nname = \"b\"\nwhere = \"x <\"", E::kSyntax, 16,
       "body[0].domain[1].where"},
      {tree + "modes = 4 }\n" + first +
           "frequency_scale = 0\n[[body.domain]]\nname = \"b\"\nwhere = \"true\"",
       E::kOutOfRange, 14, "body[0].domain[0].frequency_scale"},
      {tree + "modes = 4 }\n[[body.domain]]\nname = \"ends\"\nwhere = \"x < 0.2 || x > 0.8\"\n" +
           "[[body.domain]]\nname = \"b\"\nwhere = \"true\"",
       E::kInconsistent, 13, "body[0].domain[0].where"},
  };
  for (const TreeMistake& mistake : mistakes) {
    const Diagnostics problems = build_problems(mistake.text);
    ASSERT_FALSE(problems.empty()) << mistake.text;
    EXPECT_EQ(problems[0].code, mistake.code) << mistake.text << "\n" << to_string(problems[0]);
    EXPECT_EQ(problems[0].where.line, mistake.line) << mistake.text << "\n" << to_string(problems[0]);
    EXPECT_EQ(problems[0].where.key, mistake.key) << mistake.text;
  }
}

TEST(TreeScene, HeldDomainsMustBeTheRoot) {
  const Diagnostics problems = build_problems(
      "model = { type = \"tree\", root = \"tip\" }\n[[body.domain]]\nname = \"tip\"\nwhere = \"x > "
      "0.5\"\n[[body.domain]]\nname = \"stem\"\nwhere = \"true\"");
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0].code, ErrorCode::kInconsistent);
  EXPECT_EQ(problems[0].where.key, "body[0].domain[1].where");
}

TEST(TreeScene, DomainsOfOneElementWorkOrAreRefused) {
  const auto scene = [](const std::string& cells, const std::string& kind, const std::string& where) {
    std::string all = kBeam + "model = { type = \"tree\" }\n[[body.domain]]\nname = \"one\"\nwhere = \"" +
                      where + "\"\n[[body.domain]]\nname = \"rest\"\nwhere = \"true\"\n";
    all.replace(all.find("8, 2, 2"), 7, cells);
    all.replace(all.find("\"hex\""), 5, kind);
    return read_scene(all, "one.toml").value();
  };
  EXPECT_TRUE(build_scene(scene("4, 1, 1", "\"hex\"", "x > 0.75"), no_progress()).ok());
  // all four vertices of this tet belong to others, too: nothing of it could move on its own
  const auto held =
      build_scene(scene("2, 1, 1", "\"tet\"", "x > 0.6 && x < 0.64 && z > 0.065"), no_progress());
  ASSERT_FALSE(held.ok());
  EXPECT_EQ(held.error().where.key.substr(0, 23), "body[0].domain[0].where");
}

TEST(TreeScene, PlanIsTheBodyInParts) {
  const SceneDescription scene = read(kThree).value();
  const BodyText& body = scene.bodies[0];
  const auto built = build_scene(scene, no_progress()).value();
  const ElasticBody& elastic = *built->elastic[0];
  const auto held = select_vertices(parse_selection("x < 1e-6").value(), elastic.mesh());
  const Decomposition cut = decompose(elastic.mesh(), body, held).value();
  const TreePlan plan = make_tree_plan(cut, tree_settings(body), elastic, held);

  ASSERT_EQ(plan.domains.size(), 3U);
  EXPECT_EQ(plan.domains[0].name, "stem");
  EXPECT_EQ(plan.domains[1].name, "middle");
  EXPECT_EQ(plan.domains[2].name, "tip");
  EXPECT_EQ(plan.classes[0].held.size(), held.size());
  EXPECT_TRUE(plan.classes[0].weights.empty());
  EXPECT_EQ(plan.classes[1].modes, 0);
  EXPECT_EQ(plan.classes[2].modes, 3);
  double mass = 0.0;
  for (std::size_t d = 0; d < plan.domains.size(); ++d) {
    const TreeDomain& domain = plan.domains[d];
    const ClassPlan& own = plan.classes[to_size(domain.class_index)];
    mass += own.elastic->total_mass();
    for (std::size_t v = 0; v < domain.vertices.size(); ++v)
      EXPECT_EQ(own.elastic->mesh().vertices[v], plan.mesh.vertices[to_size(domain.vertices[v])]);
    EXPECT_EQ(domain.parent, static_cast<Index>(d) - 1);
    if (d == 0) continue;
    // base vertex i and joint point i are one vertex of the whole body
    const TreeDomain& parent = plan.domains[to_size(domain.parent)];
    ASSERT_EQ(domain.joint.point_count(), std::ssize(own.held));
    EXPECT_EQ(domain.joint.points.columns.size(), own.held.size());
    for (std::size_t i = 0; i < own.held.size(); ++i)
      EXPECT_EQ(domain.vertices[to_size(own.held[i])],
                parent.vertices[to_size(domain.joint.points.columns[i])]);
    EXPECT_EQ(domain.joint.weights, own.weights);
    EXPECT_NEAR(std::accumulate(own.weights.begin(), own.weights.end(), 0.0), 1.0, 1e-14);
  }
  EXPECT_NEAR(mass, elastic.total_mass(), 1e-12 * mass);

  const std::vector<DomainTuning>& tuning = built->world->bodies()[0].settings.tuning;
  ASSERT_EQ(tuning.size(), 3U);
  EXPECT_EQ(tuning[2].frequency_scale, 2.0);
  EXPECT_EQ(tuning[2].mass_damping, 0.5);
  EXPECT_FALSE(tuning[2].stiffness_damping.has_value());
  EXPECT_EQ(tuning[0].frequency_scale, 1.0);
  const std::vector<DomainSummary>& domains = built->world->bodies()[0].domains;
  ASSERT_EQ(domains.size(), 3U);
  EXPECT_EQ(domains[0].modes, 5);
  EXPECT_EQ(domains[0].attachment, 6);
  EXPECT_EQ(domains[1].modes + domains[1].attachment, 0);
  EXPECT_EQ(built->world->bodies()[0].model->dof_count(), 14);
}

TEST(TreeScene, ClassesComeFromTheCache) {
  const test::TemporaryFolder folder;
  const SceneDescription scene = read(kThree).value();
  const auto first = build_scene(scene, no_progress(), {folder.path()}).value();
  const auto second = build_scene(scene, no_progress(), {folder.path()}).value();
  EXPECT_EQ(first->reports[0].from_cache, 0);
  EXPECT_EQ(second->reports[0].from_cache, 3);
  for (BuiltScene* built : {first.get(), second.get()}) {
    ASSERT_TRUE(built->world->start());
    built->world->run(no_progress());
    EXPECT_TRUE(built->world->record().healthy) << built->world->record().failure_reason;
  }
  EXPECT_EQ(first->world->state_hash(), second->world->state_hash());
}

TEST(TreeScene, EventsConcernDomainsThatAreThere) {
  using E = ErrorCode;
  const std::string event = "[[event]]\nt = 0.02\n";
  const auto first = [](const Diagnostics& problems) {
    return problems.empty() ? Diagnostic{} : problems[0];
  };
  const Diagnostic full = first(build_problems(event + "detach = \"tip\""));
  EXPECT_EQ(full.code, E::kUnsupported);
  EXPECT_EQ(full.where.key, "event[0].detach");
  const Diagnostic unknown = first(build_problems(kThree + event + "detach = \"top\""));
  EXPECT_EQ(unknown.code, E::kNotFound);
  EXPECT_EQ(unknown.where.key, "event[0].detach");
  const Diagnostic root =
      first(build_problems(kThree + ("[[event]]\nt = 0\n" + std::string("detach = \"stem\""))));
  EXPECT_EQ(root.code, E::kInconsistent);
  const Diagnostic twice =
      first(build_problems(kThree + event + "detach = \"tip\"\n" + event + "detach = \"tip\""));
  EXPECT_EQ(twice.code, E::kInconsistent);
  EXPECT_EQ(twice.where.key, "event[1].detach");
}

TEST(TreeScene, EventsDetachAndTune) {
  const auto tip_after = [](const std::string& more) {
    std::string scene = kBeam + kThree + more;
    scene.replace(scene.find("0.05"), 4, "1.00");  // the duration
    const auto built = build_scene(read_scene(scene, "beam.toml").value(), no_progress()).value();
    EXPECT_TRUE(built->world->start());
    built->world->run(no_progress());
    EXPECT_TRUE(built->world->record().healthy) << built->world->record().failure_reason;
    return built->world->bodies()[0].model->displacements().tail<1>()[0];
  };
  const double plain = tip_after("");
  EXPECT_LT(plain, -0.1);
  // it falls by g t²/2 = 1.5 m, less what it had been held back by its slow turn
  EXPECT_LT(tip_after("[[event]]\nt = 0.02\ndetach = \"tip\"\n"), -1.0);
  // a stem that is nine times as stiff yields a ninth as much, about
  EXPECT_GT(tip_after("[[event]]\nt = 0.02\ndomain = \"stem\"\nset = { frequency_scale = 3 }\n"),
            0.5 * plain);
}

TEST(TreeScene, TotalsAreSharedOut) {
  const SceneDescription scene = read(
                                     "model = { type = \"tree\", modes_total = 40, domains = { auto = 4 } "
                                     "}\n[[body.domain]]\nname = \"part "
                                     "1\"\nmodes = 13\n")
                                     .value();
  const BodyText& body = scene.bodies[0];
  const auto built = build_scene(scene, no_progress()).value();
  const auto held = select_vertices(parse_selection("x < 1e-6").value(), built->elastic[0]->mesh());
  const Decomposition cut = decompose(built->elastic[0]->mesh(), body, held).value();
  EXPECT_EQ(modes_of_domains(cut, body), (std::vector<Index>{9, 13, 9, 9}));
}

TEST(TreeScene, MaterialsFollowTheirElements) {
  const SceneDescription scene =
      read(std::string(
               "[[body.region]]\nwhere = \"y > 0.1\"\nmaterial = { young = 2e6, poisson = 0.2, density = "
               "500 }\n[body.models.tree]\nlinear_modes = 2\nmodes = 3\n"))
          .value();
  const auto full = build_scene(scene, no_progress()).value();
  BodyText body = scene.bodies[0];
  body.tree.automatic = 3;
  const ElasticBody& elastic = *full->elastic[0];
  const auto held = select_vertices(parse_selection("x < 1e-6").value(), elastic.mesh());
  const Decomposition cut = decompose(elastic.mesh(), body, held).value();
  const TreePlan plan = make_tree_plan(cut, tree_settings(body), elastic, held);
  double mass = 0.0;
  for (const TreeDomain& domain : plan.domains) {
    const ElasticBody& own = *plan.classes[to_size(domain.class_index)].elastic;
    mass += own.total_mass();
    for (std::size_t e = 0; e < domain.elements.size(); ++e)
      EXPECT_EQ(own.material(static_cast<Index>(e)), elastic.material(domain.elements[e]));
  }
  EXPECT_NEAR(mass, elastic.total_mass(), 1e-12 * mass);
}

TEST(TreeScene, OverrideTakesDefaultDomains) {
  const Result<SceneDescription> scene = read_scene(kBeam, "beam.toml", {"tree", {}});
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  EXPECT_EQ(scene.value().bodies[0].tree.automatic, kDefaultDomains);
}

TEST(DomainReport, RowsAddUpAndThePictureNamesAll) {
  const SceneDescription scene = read(kThree).value();
  const auto built = build_scene(scene, no_progress()).value();
  const VolumeMesh& mesh = built->elastic[0]->mesh();
  const auto held = select_vertices(parse_selection("x < 1e-6").value(), mesh);
  const Decomposition cut = decompose(mesh, scene.bodies[0], held).value();
  std::vector<DomainRow> rows = domain_rows(mesh, cut, modes_of_domains(cut, scene.bodies[0]));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, "stem");
  EXPECT_EQ(rows[2].parent, 1);
  EXPECT_NEAR(rows[0].volume + rows[1].volume + rows[2].volume, 0.02, 1e-15);
  EXPECT_NEAR(rows[1].interface_area, 0.02, 1e-15);
  // 9 vertices in each of 9 sections, two sections are shared
  EXPECT_EQ(rows[0].vertices + rows[1].vertices + rows[2].vertices, 11 * 9);
  const VolumeMesh labelled = labelled_by_domain(mesh, cut);
  EXPECT_EQ(labelled.region_names.at(3), "tip");
  EXPECT_EQ(std::count(labelled.hex_labels.begin(), labelled.hex_labels.end(), 3), 8);
  rows[1].name = "a<b";
  const std::string svg = domain_tree_svg(rows, "beam");
  for (const char* name : {"stem", "a&lt;b", "tip", "rigid"}) EXPECT_NE(svg.find(name), std::string::npos);
  EXPECT_EQ(svg.find("a<b"), std::string::npos);
}

}  // namespace
}  // namespace pliant
