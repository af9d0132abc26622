// model/coupled/coupled_model.hpp — `coupled`: domains of vertices, each with a frame and a subspace of its
// own, joined by the finite elements between them [WuMukherjeeWang2015].
//
// Domains may meet in rings and over wide faces. Rigid motion and deformation of all of them are found in one
// step (docs/theory/coupled.md).
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/subspace/coupled_body.hpp"

#include <memory>
#include <vector>

namespace pliant {

/// What make_coupled_model() needs of a body.
struct CoupledDefinition {
  std::shared_ptr<const CoupledBody> body;
  std::vector<Support> supports;
  Loads loads;
  std::vector<DomainTuning> tuning = {};  // per domain; empty: none has any
  CoupledScheme scheme = CoupledScheme::kNewton;
};

/// The published schemes integrate by backward Euler, and their supports stand still.
/// Fails for integrators that it does not have, when supports have different motions, for statics of a body
/// that nothing holds, and when forces need element loops that are not at hand.
Result<std::unique_ptr<Model>> make_coupled_model(CoupledDefinition definition, const StepSettings& settings);

}  // namespace pliant
