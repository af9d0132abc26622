// model/full/full_model.hpp — `full`: all vertices are unknowns; the ground truth for all reduced models.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/model/model.hpp"

#include <memory>

namespace pliant {

/// A body as `full` simulates it: its finite elements, supports and loads.
struct BodyDefinition {
  std::shared_ptr<const ElasticBody> elastic;
  std::vector<Support> supports;
  Loads loads;
};

/// Fails when a vertex is out of range, when every vertex is held, and for explicit integration.
Result<std::unique_ptr<Model>> make_full_model(BodyDefinition definition, const StepSettings& settings);

}  // namespace pliant
