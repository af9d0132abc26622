// The scenes of examples/ whose bodies are overlapping domains.
#include "examples/run_example.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant {
namespace {

using test::example;
using test::run;

TEST(BlendedExamples, BeamSwingsWithFull) {
  SceneDescription scene = example("blended_beam");
  scene.duration = 0.5;
  const auto built = run(scene);
  ASSERT_TRUE(built);
  EXPECT_EQ(built->world->bodies()[0].model->dof_count(), 90);
  SceneDescription truth = example("blended_beam");
  truth.duration = 0.5;
  truth.bodies[0].model_type = "full";
  const auto full = run(truth);
  ASSERT_TRUE(full);
  double most = 0.0, peak = 0.0;
  const auto& u = built->world->record().probe_u[0];
  const auto& v = full->world->record().probe_u[0];
  for (std::size_t i = 0; i < u.size(); ++i) {
    most = std::max(most, (u[i] - v[i]).norm());
    peak = std::max(peak, v[i].norm());
  }
  EXPECT_GT(peak, 0.3);
  EXPECT_LT(most, 0.1 * peak);
}

/// Few points beside all elements.
TEST(BlendedExamples, RabbitNodsByFewPoints) {
  SceneDescription scene = example("rabbit");
  scene.duration = 0.04;
  const auto built = run(scene);
  ASSERT_TRUE(built);
  ASSERT_EQ(built->reports[0].cubature.size(), 1U);
  EXPECT_LE(built->reports[0].cubature[0].second.points, 150);
  scene.bodies[0].blended.cubature.reset();
  const auto exact = run(scene);
  ASSERT_TRUE(exact);
  EXPECT_TRUE(exact->reports[0].cubature.empty());
  double most = 0.0, peak = 0.0;
  const auto& u = built->world->record().probe_u[0];
  const auto& v = exact->world->record().probe_u[0];
  for (std::size_t i = 0; i < u.size(); ++i) {
    most = std::max(most, (u[i] - v[i]).norm());
    peak = std::max(peak, v[i].norm());
  }
  EXPECT_GT(peak, 0.01);
  EXPECT_LT(most, 0.1 * peak);
}

TEST(BlendedExamples, CrushedBlockRecovers) {
  const auto built = run(example("crushed_block"));
  ASSERT_TRUE(built);
  EXPECT_TRUE(built->world->record().healthy);
  const Model& model = *built->world->bodies()[0].model;
  // Rigid motion apart: the diagonal and the edges have their lengths again.
  const auto& x = model.mesh().vertices;
  const auto place = [&](std::size_t v) -> Vector3 {
    return x[v] + model.displacement(static_cast<VertexId>(v));
  };
  const std::size_t corners[] = {0, 6, 42, 294, x.size() - 1};  // x fastest, 7 vertices per axis
  for (const std::size_t a : corners)
    for (const std::size_t b : corners)
      EXPECT_NEAR((place(a) - place(b)).norm(), (x[a] - x[b]).norm(), 0.01 * 0.2);
}

TEST(BlendedExamples, BrickIsDentedByAnInsertedDomain) {
  const auto depth = [](const BuiltScene& built) {
    double most = 0.0;
    for (const Vector3& u : built.world->record().probe_u[0]) most = std::max(most, -u.z());
    return most;
  };
  SceneDescription scene = example("dented_brick");
  const auto built = run(scene);
  ASSERT_TRUE(built);
  EXPECT_TRUE(built->world->record().healthy) << built->world->record().failure_reason;
  EXPECT_EQ(built->world->bodies()[0].model->dof_count(), 120);  // it has gone
  SceneDescription truth = example("dented_brick");
  truth.events.clear();
  truth.duration = 0.3;
  const auto without = run(truth);
  truth.bodies[0].model_type = "full";
  const auto full = run(truth);
  ASSERT_TRUE(full && without);
  EXPECT_GT(depth(*full), 0.015);
  EXPECT_LT(depth(*without), 0.7 * depth(*full));
  EXPECT_GT(depth(*built), 0.97 * depth(*full));
  EXPECT_LT(depth(*built), 1.02 * depth(*full));
  // No pop while the domain fades under the finger, from 0.3 s to 0.6 s: the dent becomes as shallow as
  // without it, evenly.
  const auto& u = built->world->record().probe_u[0];
  EXPECT_NEAR(-u[124].z(), depth(*without), 0.02 * depth(*without));
  double most = 0.0;
  for (std::size_t i = 61; i <= 124; ++i) most = std::max(most, (u[i] - u[i - 1]).norm());
  EXPECT_LT(most, 2.5 / 60.0 * (depth(*built) - depth(*without)));
}

TEST(BlendedExamples, CylinderFollowsItsMaterial) {
  const auto tip = [](const std::string& model, const std::string& weights) {
    SceneDescription scene = example("soft_cylinder");
    scene.bodies[0].model_type = model;
    scene.bodies[0].blended.weights = weights;
    const auto built = run(scene);
    return built ? Vector3(built->world->record().probe_u[0].back()) : Vector3::Zero();
  };
  const Vector3 truth = tip("full", "auto");
  EXPECT_GT(truth.norm(), 0.5);
  const double principal = (tip("blended", "principal") - truth).norm() / truth.norm();
  EXPECT_LT(principal, 0.05);
  EXPECT_GT((tip("blended", "harmonic") - truth).norm() / truth.norm(), 2.8 * principal);
}

/// Four domains and as many modes beside `full`.
TEST(BlendedExamples, CactusSwaysWithFull) {
  const auto moved = [](const std::string& model) {
    SceneDescription scene = example("cactus");
    scene.duration = 0.25;
    scene.bodies[0].model_type = model;
    const auto built = run(scene);
    return built ? built->world->record().probe_u : decltype(RunRecord::probe_u){};
  };
  const auto truth = moved("full"), ours = moved("blended");
  ASSERT_EQ(truth.size(), 3U);
  ASSERT_EQ(ours.size(), 3U);
  for (std::size_t p = 0; p < 3; ++p) {
    double most = 0.0, peak = 0.0;
    for (std::size_t i = 0; i < truth[p].size(); ++i) {
      most = std::max(most, (ours[p][i] - truth[p][i]).norm());
      peak = std::max(peak, truth[p][i].norm());
    }
    EXPECT_GT(peak, 0.01) << p;
    EXPECT_LT(most, 0.1 * peak) << p;
  }
}

/// Flat elements unfold under a pressure on the inner wall.
TEST(BlendedExamples, BalloonIsBlownUp) {
  SceneDescription scene = example("balloon");
  scene.duration = 1.5;
  const auto built = run(scene);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  EXPECT_TRUE(record.healthy) << record.failure_reason;
  // The top lay on the ground, and stands as high as it was made.
  EXPECT_LT(record.probe_u[0].front().z(), -0.4);
  EXPECT_GT(record.probe_u[0].back().z(), -0.1);
}

}  // namespace
}  // namespace pliant
