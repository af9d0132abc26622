// tests/model/tree/beside_full.hpp — the same body as a tree of domains and in full.
#pragma once

#include "pliant/model/full/full_model.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/reduce/reduce_tree.hpp"

#include <gtest/gtest.h>

namespace pliant::test {

inline const Material kRubber{Law::kStvk, 1e6, 0.3, 1000.0};

struct Both {
  std::unique_ptr<Model> full, tree;
};

/// The plan's body as a tree with all attachment shapes, and in full; `motion` is that of what is held.
inline Both make_both(const TreePlan& plan, TreeInertia inertia, double gravity,
                      const std::vector<DomainTuning>& tuning = {},
                      const std::optional<Motion>& motion = std::nullopt, const StepSettings& settings = {}) {
  Result<TreeBody> body = reduce_tree(plan, {AttachmentSettings::Kind::kAll}, no_progress());
  EXPECT_TRUE(body.ok());
  std::vector<Support> supports;
  if (!plan.classes[0].held.empty()) {
    supports.push_back({"root", {}, motion});
    for (const VertexId v : plan.classes[0].held)
      supports[0].vertices.push_back(plan.domains[0].vertices[to_size(v)]);
  }
  const Loads loads{{0.0, 0.0, -gravity}, {}};
  Result<std::unique_ptr<Model>> tree = make_tree_model(
      {std::make_shared<const TreeBody>(std::move(body).value()), supports, loads, inertia, tuning},
      settings);
  Result<std::unique_ptr<Model>> full = make_full_model(
      {std::make_shared<const ElasticBody>(plan.mesh, MaterialMap{{kRubber}, {}}), supports, loads},
      settings);
  EXPECT_TRUE(tree.ok() && full.ok());
  return {std::move(full).value(), std::move(tree).value()};
}

}  // namespace pliant::test
