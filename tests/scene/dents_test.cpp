// Dents that the subspace of a body lacks: the compliance itself, and indenters against all degrees of
// freedom.
#include "pliant/base/parallel.hpp"
#include "pliant/build/flexibility.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/mesh/core/carry_faces.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/sim/contacts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

/// A block of 0.4 × 0.4 × 0.2 m that is held from below, or free, and a ball over its middle.
struct Indented {
  std::string model = "{ type = \"modal\", linear_modes = 8, modes = 20 }";
  bool flexible = true, held = true;
  double depth = 0.003, friction = 0.0;
  double duration = 0.6;
  Vector3 turn = Vector3::Zero();
  int cells = 6;
  std::string more;

  [[nodiscard]] std::string text() const {
    return fmt::format(
               "[simulation]\ndt = 0.01\nduration = {}\ngravity = [0, 0, 0]\ndamping = {{ stiffness = 0.01, "
               "mass = "
               "2.0 }}\n[contact]\nfriction = {}\nflexibility = {}\n",
               duration, friction, flexible) +
           more +
           fmt::format(
               "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.06\nposition = [0.2, 0.2, "
               "0.2605]\n"
               "[[obstacle.motion]]\ntranslate = {{ t = [0, 0.2], by = [[0, 0, 0], [0, 0, {}]] }}\n",
               -depth - 0.0005) +
           fmt::format(
               "[[body]]\nname = \"block\"\ngenerate = {{ shape = \"box\", size = [0.4, 0.4, 0.2], cells "
               "= [{0}, {0}, {1}] }}\nmaterial = {{ law = \"stvk\", young = 1e5, poisson = 0.3, density = "
               "1000 }}\nmodel = {2}\n{3}",
               cells, cells / 2, model, held ? "fixed = [\"z < 0.001\"]\n" : "");
  }
};

std::unique_ptr<BuiltScene> build(const std::string& text) {
  Result<SceneDescription> scene = read_scene(text, "dents.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error()) << text;
    return nullptr;
  }
  Result<std::unique_ptr<BuiltScene>> built = build_scene(scene.value(), no_progress());
  if (!built) {
    ADD_FAILURE() << to_string(built.error());
    return nullptr;
  }
  return std::move(built).value();
}

std::unique_ptr<BuiltScene> run(const std::string& text) {
  auto built = build(text);
  if (!built) return built;
  Progress progress;
  EXPECT_TRUE(built->world->start());
  built->world->run(progress);
  EXPECT_TRUE(built->world->healthy()) << built->world->record().failure_reason;
  return built;
}

double force(const Indented& scene) {
  const auto built = run(scene.text());
  return built ? -built->world->record().contacts.back().force[0][2] : 0.0;
}

/// What a subspace has and what it lacks make up the compliance of all degrees of freedom. All vertices of
/// this block are on its surface.
TEST(Flexibility, IsWhatTheSubspaceLacks) {
  Indented scene;
  scene.cells = 2;
  const auto built = build(scene.text());
  ASSERT_TRUE(built);
  const Model& model = *built->world->bodies()[0].model;
  const ElasticBody& elastic = *built->elastic[0];
  const auto surface = std::make_shared<const CarriedSurface>(carried_boundary(elastic.mesh()));
  const Index n = surface->rest.vertex_count();
  ASSERT_EQ(n, elastic.mesh().vertex_count());
  const std::shared_ptr<Flexibility> flexibility = make_flexibility(built->elastic[0], model, surface);
  ASSERT_TRUE(flexibility);
  const std::optional<PartTables> tables = model.part_tables(*surface, {});
  ASSERT_TRUE(tables);
  SparseMatrix lower = elastic.make_matrix();
  elastic.tangent(VectorX::Zero(lower.rows()), TangentKind::kExact, lower);
  MatrixX K = lower;
  K = MatrixX(K.selfadjointView<Eigen::Lower>());
  std::vector<Index> free;  // coordinates of points of the surface
  std::vector<Index> mesh;  // the same of the mesh
  for (Index i = 0; i < n; ++i) {
    if (surface->rest.vertices[to_size(i)][2] < 0.001) continue;
    const Index vertex =
        surface->embedding.points.columns[to_size(surface->embedding.points.starts[to_size(i)])];
    for (Index c = 0; c < 3; ++c) {
      free.push_back(3 * i + c);
      mesh.push_back(3 * vertex + c);
    }
  }
  const Index r = tables->tables[0].size, m = std::ssize(free);
  MatrixX stiffness(m, m), U(m, r);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) stiffness(i, j) = K(mesh[to_size(i)], mesh[to_size(j)]);
    for (Index k = 0; k < r; ++k) U(i, k) = tables->tables[0].shapes[to_size(free[to_size(i)] * r + k)];
  }
  const MatrixX all = PositiveFactor(stiffness).solve_all(MatrixX::Identity(m, m));
  const MatrixX reduced = U * PositiveFactor(U.transpose() * stiffness * U).solve_all(U.transpose());
  std::vector<Index> points;
  for (Index i = 0; i < m; i += 3) points.push_back(free[to_size(i)] / 3);
  std::vector<Matrix3> moves(points.size());
  for (std::size_t on = 0; on < points.size(); ++on) {
    flexibility->respond(points[on], points, moves);
    for (std::size_t at = 0; at < points.size(); ++at) {
      const Matrix3 expected =
          (all - reduced).block<3, 3>(3 * static_cast<Index>(at), 3 * static_cast<Index>(on));
      EXPECT_LT((moves[at] - expected).norm(), 1e-5 * all.diagonal().maxCoeff());
    }
  }
}

/// A ball pressed into a block by 1.5 % of its height. Without flexibility, subspaces resist several times
/// too hard.
TEST(Flexibility, PointIndentersPressAsHardAsOnAllDegreesOfFreedom) {
  Indented scene;
  scene.model = "{ type = \"full\" }";
  const double expected = force(scene);
  ASSERT_GT(expected, 1.0);
  for (const char* model : {"{ type = \"modal\", linear_modes = 8, modes = 20 }",
                            "{ type = \"tree\", linear_modes = 4, modes = 10, domains = { auto = 2 } }",
                            "{ type = \"coupled\", modes = 10, domains = { auto = 2 } }",
                            "{ type = \"blended\", seeds = [[0.1, 0.2, 0.1], [0.3, 0.2, 0.1]] }"}) {
    scene.model = model;
    scene.flexible = true;
    EXPECT_NEAR(force(scene), expected, 0.15 * expected) << model;
    scene.flexible = false;
    EXPECT_GT(force(scene), 2.0 * expected) << model;
  }
}

/// The ball sticks to the block and is dragged aside. The block alone is several times too hard for that,
/// too.
TEST(Flexibility, BallsThatStickAreDraggedAsHardAsOnAllDegreesOfFreedom) {
  const auto drag = [](const char* model) {
    Indented scene;
    scene.model = model;
    scene.friction = 2.0;
    std::string text = scene.text();
    const std::string keys = "t = [0, 0.2], by = [[0, 0, 0], [0, 0, -0.0035]]";
    const std::size_t at = text.find(keys);
    EXPECT_NE(at, std::string::npos);
    if (at == std::string::npos) return Vector3(Vector3::Zero());
    text.replace(at, keys.size(),
                 "t = [0, 0.2, 0.3], by = [[0, 0, 0], [0, 0, -0.0035], [0.001, 0, -0.0035]]");
    const auto built = run(text);
    return built ? built->world->record().contacts.back().force[0] : Vector3(Vector3::Zero());
  };
  const Vector3 expected = drag("{ type = \"full\" }");
  ASSERT_LT(expected[2], -1.0);
  ASSERT_GT(expected[0], 0.3);  // the obstacle takes the block along
  for (const char* model : {"{ type = \"modal\", linear_modes = 8, modes = 20 }",
                            "{ type = \"coupled\", modes = 10, domains = { auto = 2 } }"}) {
    const Vector3 found = drag(model);
    EXPECT_NEAR(found[0], expected[0], 0.15 * expected[0]) << model;
    EXPECT_NEAR(found[2], expected[2], -0.15 * expected[2]) << model;
  }
}

/// Dents turn with the body: a block that has turned by 90° is as hard as one that was made so.
TEST(Flexibility, TurnsWithTheBody) {
  const auto press = [](bool runs) {
    const std::string start = runs ? "[0, 0, 0]" : "[0, 90, 0]";
    const std::string text =
        "[simulation]\ndt = 0.01\nduration = 1.0\ngravity = [0, 0, 0]\ndamping = { stiffness = 0.01, mass = "
        "2.0 }\n"
        "[contact]\nfriction = 0\nflexibility = true\n[[obstacle]]\nname = \"ball\"\nshape = "
        "\"sphere\"\nradius = "
        "0.06\nposition = [0.6605, 0.12, -0.2]\n[[obstacle.motion]]\ntranslate = { t = [0.45, 0.6, 0.8], by "
        "= [[0, 0, "
        "0], [-0.4, 0, 0], [-0.4035, 0, 0]] }\n[[body]]\nname = \"block\"\ngenerate = { shape = \"box\", "
        "size = [0.4, 0.3, 0.2], cells "
        "= [6, 5, 3] }\ntransform = { rotate = " +
        start +
        " }\nmaterial = { law = \"stvk\", young = 1e5, poisson = 0.3, density = 1000 }\nmodel = { type = "
        "\"modal\", "
        "linear_modes = 8, modes = 16 }\n" +
        (runs ? "[[body.motion]]\nwhere = \"z < 0.001\"\nrotate = { axis = [0, 1, 0], center = [0, 0, 0], t "
                "= [0, 0.4], degrees = [0, 90] }\n"
              : "fixed = [\"x < 0.001\"]\n");
    const auto built = run(text);
    return built ? built->world->record().contacts.back().force[0] : Vector3(Vector3::Zero());
  };
  const Vector3 made = press(false), ran = press(true);
  ASSERT_LT(made[0], -1.0);
  EXPECT_LT((made - ran).norm(), 1e-3 * made.norm());
}

TEST(Flexibility, ARunThatIsResumedEndsWithTheSameBits) {
  Indented scene;
  scene.cells = 4;
  scene.friction = 0.5;
  scene.duration = 0.3;
  const std::string whole = run(scene.text())->world->state_hash();
  const auto first = build(scene.text());
  ASSERT_TRUE(first->world->start());
  for (int i = 0; i < 15; ++i) ASSERT_TRUE(first->world->step());
  ASSERT_LT(first->world->record().contacts.back().force[0][2], -1.0);
  const auto second = build(scene.text());
  ASSERT_TRUE(second->world->resume(first->world->snapshot()).ok());
  Progress progress;
  second->world->run(progress);
  EXPECT_EQ(second->world->state_hash(), whole);
  const ThreadScope two(2);
  EXPECT_EQ(run(scene.text())->world->state_hash(), whole);
}

}  // namespace
}  // namespace pliant
