// `tree` against `full`: frequencies and swings of beams cut into domains, and of a T.
#include "pliant/model/full/full_model.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/reduce/reduce_tree.hpp"
#include "support/support.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace pliant {
namespace {

const Material kRubber{Law::kStvk, 1e6, 0.3, 1000.0};

struct Both {
  std::unique_ptr<Model> full, tree;
};

Both make_both(const TreePlan& plan, const AttachmentSettings& attachment, TreeInertia inertia,
               double gravity, const StepSettings& settings = {}) {
  Result<TreeBody> body = reduce_tree(plan, attachment, no_progress());
  EXPECT_TRUE(body.ok());
  std::vector<Support> supports;
  if (!plan.classes[0].held.empty()) {
    std::vector<VertexId> held;
    for (const VertexId v : plan.classes[0].held)
      held.push_back(plan.domains[0].vertices[static_cast<std::size_t>(v)]);
    supports.push_back({"root", held, std::nullopt});
  }
  const Loads loads{{0.0, 0.0, -gravity}, {}};
  Both both;
  Result<std::unique_ptr<Model>> tree = make_tree_model(
      {std::make_shared<const TreeBody>(std::move(body).value()), supports, loads, inertia, {}}, settings);
  EXPECT_TRUE(tree.ok());
  both.tree = std::move(tree).value();
  Result<std::unique_ptr<Model>> full = make_full_model(
      {std::make_shared<const ElasticBody>(plan.mesh, MaterialMap{{kRubber}, {}}), supports, loads},
      settings);
  EXPECT_TRUE(full.ok());
  both.full = std::move(full).value();
  return both;
}

std::vector<double> frequency_ratios(const Both& both, Index count) {
  const auto full = both.full->natural_frequencies(count);
  const auto tree = both.tree->natural_frequencies(count);
  EXPECT_TRUE(full.ok() && tree.ok());
  std::vector<double> ratios;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    ratios.push_back(tree.value().hz[i] / full.value().hz[i]);
  return ratios;
}

TEST(TreeBeam, Frequencies) {
  for (const auto& [domains, modes] : {std::pair<Index, Index>{2, 20}, {4, 20}, {8, 12}}) {
    const TreePlan plan = test::cut_beam({24, 4, 3}, {1.0, 0.2, 0.1}, domains, kRubber, 4, modes, true);
    for (const TreeInertia inertia : {TreeInertia::kL1, TreeInertia::kL2, TreeInertia::kL3}) {
      const Both both = make_both(plan, {AttachmentSettings::Kind::kAll}, inertia, 0.0);
      const std::vector<double> r = frequency_ratios(both, 6);
      std::printf("%d domains, dofs %d, L%d:", int(domains), int(both.tree->dof_count()), 1 + int(inertia));
      for (double x : r) std::printf(" %.4f", x);
      std::printf("\n");
    }
  }
}

struct Swing {
  double rms, max, drift;
};

Swing swing(const TreePlan& plan, double gravity, double seconds, VertexId tip,
            const StepSettings& settings = {}) {
  const Both both = make_both(plan, {AttachmentSettings::Kind::kAll}, TreeInertia::kL3, gravity, settings);
  const VectorX zero = VectorX::Zero(3 * plan.mesh.vertex_count());
  EXPECT_TRUE(both.full->start(0.0, zero, zero).healthy());
  EXPECT_TRUE(both.tree->start(0.0, zero, zero).healthy());
  const double dt = 1.0 / 240.0;
  const int steps = static_cast<int>(seconds / dt);
  double squares = 0.0, worst = 0.0, peak = 0.0, drift = 0.0, kinetic = 0.0;
  int passes = 0;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(both.full->step(i * dt, dt).healthy());
    const StepReport report = both.tree->step(i * dt, dt);
    passes += report.iterations;
    if (!report.healthy()) {
      ADD_FAILURE() << "step " << i << " " << describe(report.trouble) << " residual " << report.residual;
      break;
    }
    const double error = (both.tree->displacement(tip) - both.full->displacement(tip)).norm();
    squares += error * error;
    worst = std::max(worst, error);
    peak = std::max(peak, both.full->displacement(tip).norm());
    const Energies e = both.tree->energies();
    drift = std::max(drift, std::abs(e.kinetic + e.strain + e.potential));
    kinetic = std::max(kinetic, e.kinetic);
  }
  std::printf("passes per step %.2f\n", double(passes) / steps);
  return {std::sqrt(squares / steps) / peak, worst / peak, drift / kinetic};
}

TEST(TreeBeam, SwingsWithFull) {
  for (const auto& [domains, modes] : {std::pair<Index, Index>{4, 20}}) {
    const TreePlan plan = test::cut_beam({24, 4, 3}, {1.0, 0.2, 0.1}, domains, kRubber, 4, modes, true);
    const auto tip = static_cast<VertexId>(plan.mesh.vertex_count() - 1);
    for (const double g : {3.0, 9.81}) {
      const Swing s = swing(plan, g, 2.0, tip);
      std::printf("%d domains g %.2f: rms %.4f max %.4f drift %.2e\n", int(domains), g, s.rms, s.max,
                  s.drift);
    }
  }
}

}  // namespace
}  // namespace pliant
