// model/modal/modal_model.hpp — `modal`: one subspace for the whole body [BarbicJames2005].
//
//     M q̈ + D q̇ + f(q) = Uᵀ f_ext           held bodies
//
// in a frame that stands still, is driven by the motion of its supports, or flies freely with all couplings
// between its motion and the body's shape (docs/theory/modal.md).
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/model/reduced/reduced_forces.hpp"

#include <memory>

namespace pliant {

struct ModalDefinition {
  std::shared_ptr<const ReducedBody> reduced;
  std::shared_ptr<const ElasticBody> elastic;  // the same body in full
  std::vector<Support> supports;
  Loads loads;
  Storage storage = Storage::kDouble;
  bool exact = false;  // element loop even where there is a polynomial
};

/// Fails when supports move otherwise than together, or a free body is asked for its equilibrium.
Result<std::unique_ptr<Model>> make_modal_model(ModalDefinition definition, const StepSettings& settings);

}  // namespace pliant
