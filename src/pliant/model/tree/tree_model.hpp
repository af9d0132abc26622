// model/tree/tree_model.hpp — `tree`: domains with large rotations between them [BarbicZhao2011].
//
// Every domain has its own subspace in its own frame. The frame follows the shape of the parent at their
// joint, so it is not an unknown. The unknowns are the coordinates q of all domains and, if the root flies,
// its frame. With the exact inertia of the subtrees (L3) the tree moves as the whole body in `full` would, as
// far as its bases allow (docs/theory/tree.md).
#pragma once

#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/tree/tree_nodes.hpp"
#include "pliant/subspace/domain_surfaces.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <memory>

namespace pliant {

/// What make_tree_model() needs of a body.
struct TreeDefinition {
  std::shared_ptr<const TreeBody> body;
  std::vector<Support> supports;  // vertices of the whole body, all of the root
  Loads loads;
  TreeInertia inertia = TreeInertia::kL3;
  std::vector<DomainTuning> tuning;                         // per domain; empty: none
  std::shared_ptr<const CarriedSurface> surface = nullptr;  // the surface to draw, if any
  SurfaceBlend blend = SurfaceBlend::kC0;                   // how it is smoothed where domains meet
};

/// Fails when supports have different motions or hold another domain than the root, when the points of a
/// joint lie on a line, for statics of a tree that nothing holds, for explicit integration, and when a class
/// needs element loops that are not available.
Result<std::unique_ptr<Model>> make_tree_model(TreeDefinition definition, const StepSettings& settings);

}  // namespace pliant
