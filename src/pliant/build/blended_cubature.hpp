// build/blended_cubature.hpp — few points in place of all those of a blended body: from the cache, or chosen.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/mesh/domains/overlapping_domains.hpp"
#include "pliant/reduce/blended_cubature.hpp"
#include "pliant/subspace/blended_body.hpp"

#include <memory>
#include <string>

namespace pliant {

/// A blended body with all of its points, and what it was made of.
struct BlendedPointsRequest {
  std::string name;    // of the body, for notes
  std::string recipe;  // everything but mesh, materials and held vertices from which it was made
  std::shared_ptr<const ElasticBody> elastic;
  std::vector<VertexId> held;
  const OverlappingDomains* domains = nullptr;
  BlendedGradients gradients = BlendedGradients::kNodal;
};

/// What was chosen among the points of a body.
struct BlendedChoice {
  CubatureReport report;
  ChosenPoints points, restorative;
};

/// `body` has all points. Nothing is chosen of bodies that have hardly more points than are asked for.
Result<std::optional<BlendedChoice>> choose_blended_points(const BlendedPointsRequest& request,
                                                           const CubatureSpec& spec,
                                                           const BuildOptions& options, Progress& progress,
                                                           const BlendedBody& body, Diagnostics& notes);

}  // namespace pliant
