// Trees whose root is driven: against `full`, and after a sudden start.
#include "model/tree/beside_full.hpp"
#include "pliant/model/tree/tree_dynamics.hpp"
#include "support/support.hpp"
#include "support/tree_plans.hpp"

namespace pliant {
namespace {

constexpr double kStep = 1.0 / 240.0;

TreePlan beam() { return test::cut_beam({24, 4, 3}, {1.0, 0.2, 0.1}, 4, test::kRubber, 4, 20, true); }

TEST(TreeDriven, ShakesWithFull) {
  const TreePlan plan = beam();
  Motion motion;
  motion.oscillation = Oscillation{{0.0, 0.0, 0.02}, 2.0};
  StepSettings settings;
  settings.stiffness_damping = 2e-3;  // it starts at full speed: waves that the shapes cannot hold die out
  const test::Both both = test::make_both(plan, TreeInertia::kL3, 0.0, {}, motion, settings);
  const VectorX zero = VectorX::Zero(3 * plan.mesh.vertex_count());
  ASSERT_TRUE(both.full->start(0.0, zero, zero).healthy());
  ASSERT_TRUE(both.tree->start(0.0, zero, zero).healthy());
  const auto tip = static_cast<VertexId>(plan.mesh.vertex_count() - 1);
  const int steps = test::kSanitized ? 24 : 240;
  double error = 0.0, peak = 0.0;
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(both.full->step(i * kStep, kStep).healthy());
    ASSERT_TRUE(both.tree->step(i * kStep, kStep).healthy());
    error = std::max(error, (both.tree->displacement(tip) - both.full->displacement(tip)).norm());
    peak = std::max(peak, both.full->displacement(tip).norm());
  }
  RecordProperty("error", std::to_string(error / peak));
  if (test::kSanitized) return;  // the tip has hardly begun to move
  EXPECT_GT(peak, 0.02);
  EXPECT_LT(error, 0.02 * peak);
}

/// A sudden start leaves velocities in stiff shapes, which damping stops within a step. Trapezoids would
/// carry them on with alternating signs: the accelerations would not fall (0.89 instead of 0.35 of the kick),
/// and passes would have a hard time with them (12 instead of 8 at most).
TEST(TreeDriven, ComesToRestAfterASuddenStart) {
  const Result<TreeBody> body = reduce_tree(beam(), {AttachmentSettings::Kind::kAll}, no_progress());
  ASSERT_TRUE(body.ok());
  StepSettings settings;
  settings.stiffness_damping = 0.05;
  Motion motion;
  motion.translation = TranslationKeys{{0.0, 0.05, 1.05}, {{0, 0, 0}, {0, 0, 0}, {0.0, 0.0, 1.0}}};
  TreeDynamics dynamics(std::make_shared<const TreeBody>(body.value()), TreeInertia::kL3, {}, Vector3::Zero(),
                        motion, true, settings);
  const auto nothing = [](TreeSweeps& sweeps) {
    for (TreeNode& node : sweeps.layout().nodes) {
      node.force.setZero();
      node.force_rigid.setZero();
    }
  };
  ASSERT_TRUE(dynamics.start(0.0, {dynamics.frame_at(0.0)}, nothing, nothing).healthy());
  double kicked = 0.0, after = 0.0;
  for (int i = 0; i < 60; ++i) {
    const StepReport report = dynamics.step(i * kStep, kStep);
    ASSERT_TRUE(report.healthy());
    EXPECT_LE(report.iterations, 8);
    const double acceleration = dynamics.state().qdd.norm();
    if (i < 16) kicked = std::max(kicked, acceleration);
    if (i >= 30) after = std::max(after, acceleration);
  }
  RecordProperty("ratio", std::to_string(after / kicked));
  EXPECT_GT(kicked, 0.0);
  EXPECT_LT(after, 0.5 * kicked);
}

}  // namespace
}  // namespace pliant
