// model/modal/modal_model.hpp — `modal`: one subspace for the whole body [BarbicJames2005].
//
//     M q̈ + D q̇ + f(q) = Uᵀ f_ext           held bodies
//
// The frame stands still, is driven by the motion of the supports, or flies freely. In the last two cases all
// couplings between the motion of the frame and the coordinates are included (docs/theory/modal.md).
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/solve/block/reduced_factor.hpp"
#include "pliant/subspace/element_loops.hpp"
#include "pliant/subspace/local_shapes.hpp"
#include "pliant/subspace/rest_body.hpp"

#include <memory>
#include <string_view>

namespace pliant {

/// What make_modal_model() needs of a body.
struct ModalDefinition {
  std::shared_ptr<const ReducedBody> reduced;
  std::shared_ptr<const RestBody> rest;       // the same body at rest
  std::shared_ptr<const ElementLoops> loops;  // its finite elements; null: no stresses, polynomials alone
  std::vector<Support> supports;
  Loads loads;
  Storage storage = Storage::kDouble;
  bool exact = false;  // forces by a loop over the elements even if the law has a polynomial
  // Of models that have the same equations but forces of their own (model/blended).
  std::unique_ptr<ReducedForces> forces = nullptr;  // instead of both
  std::string_view type = "modal";                  // static text
  bool seeks_minima = false;                        // ModalDynamics::seek_minima
  bool loose = false;  // nothing holds the body, and rigid motion is among the coordinates
  std::shared_ptr<const CoordinateBlocks> blocks = nullptr;  // that are coupled; null: all are
  // Shapes that the body may get while it runs
  std::shared_ptr<const LocalElements> local = nullptr;  // null: it takes none
  std::vector<VertexId> seeds = {};                      // vertices at which inserted domains are zero
};

/// Fails when supports have different motions, for statics of a body that nothing holds, and when the forces
/// need element loops that are not available.
Result<std::unique_ptr<Model>> make_modal_model(ModalDefinition definition, const StepSettings& settings);

}  // namespace pliant
