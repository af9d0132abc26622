// model/tree/tree_model.hpp — `tree`: domains with large rotations between them [BarbicZhao2011].
//
// Every domain has a subspace of its own in a frame of its own, which follows the shape of its parent. The
// frames are no unknowns: only the coordinates q of all domains are, and the frame of the root if it flies.
// With the exact inertia of the subtrees (L3) the tree moves as the whole body in full would, as far as its
// shapes allow (docs/theory/tree.md).
#pragma once

#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/tree/tree_nodes.hpp"
#include "pliant/subspace/domain_surfaces.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <memory>

namespace pliant {

struct TreeDefinition {
  std::shared_ptr<const TreeBody> body;
  std::vector<Support> supports;  // vertices of the whole body, all of the root
  Loads loads;
  TreeInertia inertia = TreeInertia::kL3;
  std::vector<DomainTuning> tuning;                         // per domain; empty: none
  std::shared_ptr<const CarriedSurface> surface = nullptr;  // that is drawn, if any
  SurfaceBlend blend = SurfaceBlend::kC0;                   // of it, where domains meet
};

/// Fails when supports move otherwise than together or hold another domain than the root, when a joint's
/// points lie on a line, when a free tree is asked for its equilibrium, and for explicit integration.
Result<std::unique_ptr<Model>> make_tree_model(TreeDefinition definition, const StepSettings& settings);

}  // namespace pliant
