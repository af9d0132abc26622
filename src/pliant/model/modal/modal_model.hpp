// model/modal/modal_model.hpp — `modal`: one subspace for the whole body [BarbicJames2005].
//
//     M q̈ + D q̇ + f(q) = Uᵀ f_ext           held bodies
//
// in a frame that stands still, is driven by the motion of its supports, or flies freely with all couplings
// between its motion and the body's shape (docs/theory/modal.md).
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/subspace/element_loops.hpp"
#include "pliant/subspace/rest_body.hpp"

#include <memory>

namespace pliant {

struct ModalDefinition {
  std::shared_ptr<const ReducedBody> reduced;
  std::shared_ptr<const RestBody> rest;       // the same body at rest
  std::shared_ptr<const ElementLoops> loops;  // its finite elements; null: no stresses, polynomials alone
  std::vector<Support> supports;
  Loads loads;
  Storage storage = Storage::kDouble;
  bool exact = false;  // element loop even where there is a polynomial
};

/// Fails when supports move otherwise than together, when a free body is asked for its equilibrium, and when
/// forces ask for element loops that are not there.
Result<std::unique_ptr<Model>> make_modal_model(ModalDefinition definition, const StepSettings& settings);

}  // namespace pliant
