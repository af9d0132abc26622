// model/full/full_model.hpp — `full`: every vertex moves on its own; the ground truth for all reduced models.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/model/model.hpp"

#include <memory>

namespace pliant {

/// What a body is made of; shared by all models of it.
struct BodyDefinition {
  std::shared_ptr<const ElasticBody> elastic;
  std::vector<Support> supports;
  Loads loads;
};

/// Fails when a vertex is out of range or nothing is left to move.
Result<std::unique_ptr<Model>> make_full_model(BodyDefinition definition, const StepSettings& settings);

}  // namespace pliant
