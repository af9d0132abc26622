// A body from arrays is the body that a scene of the same numbers makes, and bad numbers are told.
#include "pliant/build/build_body.hpp"

#include "pliant/mesh/generate/generate.hpp"
#include "pliant/scene/build.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace pliant {
namespace {

BodySpec beam() {
  BodySpec spec;
  spec.mesh = generate_box({1.0, 0.2, 0.2}, {10, 2, 2}, ElementKind::kTet);
  Support wall{"wall", {}, {}};
  for (std::size_t v = 0; v < spec.mesh.vertices.size(); ++v)
    if (spec.mesh.vertices[v].x() < 1e-6) wall.vertices.push_back(static_cast<VertexId>(v));
  spec.supports = {wall};
  spec.materials.materials = {Material{}};
  spec.loads.gravity = {0, 0, -9.81};
  return spec;
}

std::string hash_after(std::vector<Body> bodies) {
  RunSettings run;
  run.dt = 0.005;
  World world(std::move(bodies), {}, run);
  EXPECT_TRUE(world.start());
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(world.advance());
  return world.state_hash();
}

std::string hash_of(BodySpec spec) {
  Result<BuiltBody> built = build_body(std::move(spec));
  if (!built) return to_string(built.error());
  std::vector<Body> bodies;
  bodies.push_back(std::move(built.value().body));
  return hash_after(std::move(bodies));
}

std::string hash_of_scene(const std::string& model) {
  const auto scene = read_scene(
      "[simulation]\ndt = 0.005\nduration = 0.1\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"beam\"\n"
      "generate = { shape = \"box\", size = [1, 0.2, 0.2], cells = [10, 2, 2], element = \"tet\" }\n"
      "material = { law = \"stvk\", young = 1e6, poisson = 0.3, density = 1000 }\n"
      "fixed = [\"x < 1e-6\"]\nmodel = " +
          model,
      "beam.toml");
  if (!scene) return to_string(scene.error());
  const auto built = build_scene(scene.value(), no_progress());
  if (!built) return to_string(built.error());
  EXPECT_TRUE(built.value()->world->start());
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(built.value()->world->step());
  return built.value()->world->state_hash();
}

TEST(BuildBody, IsTheBodyOfASceneOfTheSameNumbers) {
  BodySpec full = beam(), modal = beam(), tree = beam();
  const std::string full_hash = hash_of(full);
  EXPECT_EQ(full_hash, hash_of_scene("{ type = \"full\" }"));
  ModalSpec basis;
  basis.basis.linear_modes = 4;
  basis.basis.modes = 8;
  modal.model = basis;
  EXPECT_EQ(hash_of(modal), hash_of_scene("{ type = \"modal\", linear_modes = 4, modes = 8 }"));
  TreeSpec domains;
  domains.automatic = 3;
  domains.modes = 8;
  tree.model = domains;
  EXPECT_EQ(hash_of(tree), hash_of_scene("{ type = \"tree\", modes = 8, domains = { auto = 3 } }"));
  EXPECT_NE(hash_of(modal), full_hash);  // control
}

TEST(BuildBody, DomainsComeFromAnArray) {
  BodySpec spec = beam();
  DomainMap map{{"near", "far"}, {}};
  for (const Tet& tet : spec.mesh.tets) {
    double x = 0.0;
    for (const VertexId v : tet) x += 0.25 * spec.mesh.vertices[to_size(v)].x();
    map.of_element.push_back(x < 0.5 ? 0 : 1);
  }
  TreeSpec tree;
  tree.domains = std::make_shared<const DomainMap>(map);
  tree.settings = {{"far", 0, {}}};  // rigid
  spec.model = tree;
  const Result<BuiltBody> built = build_body(spec);
  ASSERT_TRUE(built.ok()) << to_string(built.error());
  ASSERT_EQ(built.value().body.domains.size(), 2U);
  EXPECT_EQ(built.value().body.domains[1].name, "far");
  EXPECT_EQ(built.value().body.domains[1].modes, 0);

  tree.settings = {{"fra", 0, {}}};
  spec.model = tree;
  const Result<BuiltBody> wrong = build_body(spec);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().where.key, "domain fra");
  EXPECT_EQ(wrong.error().remedy, "did you mean \"far\"?");
}

TEST(BuildBody, SameNumbersGiveTheSameSubspace) {
  const auto built = [](const auto& model) {
    BodySpec spec = beam();
    spec.model = model;
    return build_body(std::move(spec)).value();
  };
  ModalSpec modal, fewer;
  modal.basis.linear_modes = 3;
  modal.basis.modes = 6;
  fewer = modal;
  fewer.modes_used = 5;
  TreeSpec tree, finer;
  tree.automatic = 2;
  tree.linear_modes = 2;
  tree.modes = 3;
  finer = tree;
  finer.automatic = 3;
  std::vector<BuiltBody> first, second;
  for (auto* list : {&first, &second}) {
    list->push_back(built(FullSpec{}));
    list->push_back(built(modal));
    list->push_back(built(fewer));
    list->push_back(built(tree));
    list->push_back(built(finer));
  }
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < second.size(); ++j)
      EXPECT_EQ(same_subspace(*first[i].subspace, *second[j].subspace), i == j) << i << ' ' << j;
  ASSERT_TRUE(first[2].report.basis);
  EXPECT_EQ(first[2].report.basis->size, 5);
  EXPECT_TRUE(first[2].report.basis->polynomial);
  EXPECT_FALSE(first[3].report.basis);  // one for each domain
}

TEST(BuildBody, LabelsMayBeLeftOutAndInvertedElementsAreMended) {
  BodySpec spec = beam();
  const std::string hash = hash_of(spec);
  spec.mesh.tet_labels.clear();
  EXPECT_EQ(hash_of(spec), hash);
  std::swap(spec.mesh.tets[3][0], spec.mesh.tets[3][1]);
  const Result<BuiltBody> built = build_body(spec);
  ASSERT_TRUE(built.ok());
  EXPECT_FALSE(built.value().notes.empty());
}

TEST(BuildBody, BadNumbersAreTold) {
  const auto problem = [](const auto& spoil) {
    BodySpec spec = beam();
    spoil(spec);
    const Result<BuiltBody> built = build_body(std::move(spec));
    return built ? std::string("built") : to_string(built.error());
  };
  EXPECT_EQ(problem([](BodySpec&) {}), "built");
  EXPECT_NE(problem([](BodySpec& s) { s.materials.materials.clear(); }).find("there is no material"),
            std::string::npos);
  EXPECT_NE(problem([](BodySpec& s) { s.materials.materials[0].young = -1.0; }).find("materials: young"),
            std::string::npos);
  EXPECT_NE(problem([](BodySpec& s) { s.materials.of_element = {0}; }).find("another length"),
            std::string::npos);
  EXPECT_NE(problem([](BodySpec& s) {
              s.materials.of_element.assign(s.mesh.tets.size(), 7);
            }).find("an element has material 7"),
            std::string::npos);
  EXPECT_NE(problem([](BodySpec& s) { s.supports[0].vertices.push_back(99999); }).find("no vertex 99999"),
            std::string::npos);
  EXPECT_NE(problem([](BodySpec& s) { s.start.displacements.setZero(3); }).find("start"), std::string::npos);
  EXPECT_NE(problem([](BodySpec& s) { s.mesh.tets[0][0] = -5; }), "built");
  EXPECT_NE(problem([](BodySpec& s) { s.mesh.vertices[0].x() = std::numeric_limits<double>::quiet_NaN(); }),
            "built");
  EXPECT_NE(problem([](BodySpec& s) { s.mesh = {}; }), "built");
}

}  // namespace
}  // namespace pliant
