// build/tree_plan.hpp — a decomposed body as the plan of a tree: one class per domain, in place.
#pragma once

#include "pliant/build/decompose.hpp"
#include "pliant/reduce/tree_plan.hpp"

#include <span>

namespace pliant {

/// Domains in the order of the tree. Each class is the part of the mesh in world coordinates, with the
/// materials of the whole body, held at the interface with its parent (the root: at `held`), whose vertices
/// it shares.
[[nodiscard]] TreePlan make_tree_plan(const Decomposition& cut, const TreeSpec& spec,
                                      const ElasticBody& elastic, std::span<const VertexId> held);

}  // namespace pliant
