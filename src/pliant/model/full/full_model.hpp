// model/full/full_model.hpp — `full`: all vertices are unknowns; the ground truth for all reduced models.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/model/model.hpp"
#include "pliant/solve/cholesky.hpp"

#include <memory>

namespace pliant {

/// A body as `full` simulates it: its finite elements, supports and loads.
struct BodyDefinition {
  std::shared_ptr<const ElasticBody> elastic;
  std::vector<Support> supports;
  Loads loads;
};

/// For many models of one body.
struct FullOptions {
  /// A factor of the stiffness over the free degrees of freedom, whose ordering is taken over. It must live
  /// as long as the model.
  const SparseCholesky* like = nullptr;
  int load_step_iterations = 0;  // of a load step, at most; 0: as docs/decisions/0008 says
};

/// Fails when a vertex is out of range, when every vertex is held, and for explicit integration.
Result<std::unique_ptr<Model>> make_full_model(BodyDefinition definition, const StepSettings& settings,
                                               const FullOptions& options = {});

}  // namespace pliant
