// build/blended_cubature.hpp — few points in place of all those of a blended body: from the cache, or chosen.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/mesh/domains/overlapping_domains.hpp"
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

/// Replaces body->points, and sets the restorative ones. Bodies that have hardly more points than are asked
/// for keep all; then there is no report.
Result<std::optional<CubatureReport>> choose_blended_points(const BlendedPointsRequest& request,
                                                            const CubatureSpec& spec,
                                                            const BuildOptions& options, Progress& progress,
                                                            BlendedBody& body, Diagnostics& notes);

}  // namespace pliant
