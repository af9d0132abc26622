// model/blended/blended_model.hpp — `blended`: overlapping domains, each a quadratic polynomial, blended by
// weights that know the material [LuoEtAl2018].
//
// Its coordinates are linear, so its equations are those of `modal` in another basis and with forces of their
// own. Rigid motion lies in the basis: a free body has no frame, and nothing can go wrong with one when the
// body is crushed to a point (docs/theory/blended.md).
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/subspace/blended_body.hpp"
#include "pliant/subspace/element_loops.hpp"
#include "pliant/subspace/local_shapes.hpp"

#include <memory>

namespace pliant {

/// What make_blended_model() needs of a body.
struct BlendedDefinition {
  std::shared_ptr<const BlendedBody> body;
  std::shared_ptr<const ElementLoops> loops;  // null: no stresses, no forces of each of several supports
  std::vector<Support> supports;
  Loads loads;
  std::shared_ptr<const LocalElements> local = nullptr;  // null: it gets no domains while it runs
};

/// Fails when supports have different motions, and for statics of a body that nothing holds.
Result<std::unique_ptr<Model>> make_blended_model(BlendedDefinition definition, const StepSettings& settings);

}  // namespace pliant
