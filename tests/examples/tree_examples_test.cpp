// The scenes of examples/ whose bodies are trees of domains, cut short.
#include "examples/run_example.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/store/run_report.hpp"
#include "support/point_laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace pliant {
namespace {

using test::energy_sum;
using test::example;
using test::run;

std::unique_ptr<BuiltScene> run_short(const std::string& name, double duration) {
  SceneDescription scene = example(name);
  scene.duration = duration;
  return run(scene);
}

const Body& body_of(const BuiltScene& built) { return built.world->bodies()[0]; }

Index shapes(const BuiltScene& built) {
  const std::vector<DomainSummary>& all = body_of(built).domains;
  return std::accumulate(all.begin(), all.end(), Index{0},
                         [](Index sum, const DomainSummary& domain) { return sum + domain.modes; });
}

TEST(TreeExamples, FlowerBendsFar) {
  const auto built = run_short("flower", 0.5);
  ASSERT_TRUE(built);
  EXPECT_EQ(body_of(*built).domains.size(), 12U);
  EXPECT_EQ(shapes(*built), 240);
  EXPECT_EQ(body_of(*built).model->dof_count(), 240);
  const RunRecord& record = built->world->record();
  double lean = 0;  // of the line from the foot to the bloom
  for (const Vector3& u : record.probe_u[0]) {
    const Vector3 bloom = Vector3(0.03, 0, 0.35) + u;
    lean = std::max(lean, std::atan2(bloom.head<2>().norm(), bloom.z()));
  }
  EXPECT_NEAR(lean * 180 / std::numbers::pi, 45, 2);
  // the damping takes exp(−0.2 t), on average over a swing; nothing else gives or takes
  const std::vector<Energies> energies = total_energy(record);
  const double first = energy_sum(energies.front());
  for (const Energies& now : energies) EXPECT_LT(energy_sum(now), 1.01 * first);
  EXPECT_NEAR(energy_sum(energies.back()) / first, std::exp(-0.2 * 0.5), 0.03);
}

/// Springs on the last vertex of 12 and of 1435 domains, after some steps.
TEST(TreeExamples, SpringsAreSolvedWithTheStep) {
  for (const std::string name : {"flower", "oak"}) {
    SceneDescription scene = example(name);
    scene.duration = 0.1;
    scene.step.newton_iterations = 60;
    scene.step.newton_tolerance = 1e-12;
    const auto built = run(scene);
    ASSERT_TRUE(built);
    Model& model = *body_of(*built).model;
    const MeshReport mesh = measure(model.mesh());
    const double dt = scene.dt.value(), size = (mesh.high - mesh.low).norm();
    const auto tip = static_cast<VertexId>(model.mesh().vertex_count() - 1);
    EXPECT_LT(test::response_error(model, tip, 0.1, dt, size), 2e-2) << name;
    test::hold(model, tip);
    const double own = 1.0 / test::response(model, 0.1, dt).norm();
    const Vector3 pull = size * Vector3(1e-3, 2e-3, -1e-3);
    for (const double factor : {1e-2, 1.0, 1e2, 1e4, 1e6})
      EXPECT_LT(test::spring_error(model, tip, 0.1, dt, factor * own, pull),
                1e-8 + 10.0 * factor * size / pull.norm() * std::numeric_limits<double>::epsilon())
          << name << ", stiffness " << factor;
  }
}

TEST(TreeExamples, LettersKeepTheirMomentum) {
  const auto built = run_short("letters", 0.25);
  ASSERT_TRUE(built);
  const Body& word = body_of(*built);
  ASSERT_EQ(word.domains.size(), 15U);
  EXPECT_EQ(std::count_if(word.domains.begin(), word.domains.end(),
                          [](const DomainSummary& domain) { return domain.modes == 0; }),
            7);
  const std::vector<Momenta>& momenta = built->world->record().bodies[0].momentum;
  const Momenta& first = momenta.front();
  for (const Momenta& now : momenta) {
    EXPECT_LT((now.linear - first.linear).norm(), 1e-6 * first.linear.norm());
    EXPECT_LT((now.angular - first.angular).norm(), 1e-3 * first.angular.norm());
  }
}

TEST(TreeExamples, DragonFollowsItsChest) {
  const auto built = run_short("dragon", 0.1);
  ASSERT_TRUE(built);
  EXPECT_EQ(body_of(*built).domains.size(), 40U);
  EXPECT_EQ(body_of(*built).domains[0].name, "torso");
}

TEST(TreeExamples, StationTakesUpTheThrust) {
  const auto built = run_short("station", 0.2);
  ASSERT_TRUE(built);
  EXPECT_EQ(body_of(*built).domains.size(), 48U);
  // 2500 N for 0.2 s, whatever the panels do
  const Vector3 linear = built->world->record().bodies[0].momentum.back().linear;
  EXPECT_NEAR(linear.z(), 500.0, 1e-3 * 500);
}

TEST(TreeExamples, OakHasAsManyUnknownsAsItPromises) {
  SceneDescription scene = example("oak");
  scene.duration = 2.5 / 120;
  scene.bodies[0]
      .loads.clear();  // wind on a hundred thousand faces takes long, and the counts do not need it
  const auto built = run(scene);
  ASSERT_TRUE(built);
  EXPECT_EQ(body_of(*built).domains.size(), 1435U);
  EXPECT_EQ(body_of(*built).model->dof_count(), 11972);
  EXPECT_EQ(shapes(*built), 11972);  // no attachment shapes
}

TEST(TreeExamples, BreakingTreeFallsInPieces) {
  const auto built = run_short("breaking_tree", 0.75);
  ASSERT_TRUE(built);
  const Model& model = *body_of(*built).model;
  EXPECT_EQ(count_components(model.mesh()), 3);
  // no element spans a break: none is longer than half as much again
  const VectorX& u = model.displacements();
  for (const Tet& tet : model.mesh().tets)
    for (std::size_t a = 0; a < 4; ++a) {
      const VertexId v = tet[a], w = tet[(a + 1) % 4];
      const Vector3 rest = model.mesh().vertices[to_size(v)] - model.mesh().vertices[to_size(w)];
      const Vector3 now = rest + u.segment<3>(3 * Index{v}) - u.segment<3>(3 * Index{w});
      ASSERT_LT(now.norm(), 1.5 * rest.norm());
    }
  // 0.35 s of free fall are 0.6 m; the twig was on its way down before, and turns
  EXPECT_LT(built->world->record().probe_u[0].back().z(), -0.6);
}

TEST(TreeExamples, PlantIsDragged) {
  const auto built = run_short("plant", 0.3);
  ASSERT_TRUE(built);
  EXPECT_EQ(body_of(*built).domains.size(), 34U);
  EXPECT_EQ(body_of(*built).domains[0].modes, 0);
  // The pot has gone 0.5 (10 s³ − 15 s⁴ + 6 s⁵) m by s = 0.3, straight between the places given.
  const VectorX& u = body_of(*built).model->displacements();
  EXPECT_NEAR(u[0], 0.0815, 1e-3);
}

}  // namespace
}  // namespace pliant
