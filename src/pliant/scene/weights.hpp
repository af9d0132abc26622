// scene/weights.hpp — the weights of the overlapping domains of a scene's bodies, to be looked at.
#pragma once

#include "pliant/build/build_options.hpp"
#include "pliant/scene/description.hpp"

#include <string>
#include <vector>

namespace pliant {

struct DomainWeights {
  std::string body;
  VolumeMesh mesh;
  std::string kind;  // as scene files spell it
  bool from_cache = false;
  std::vector<VertexId> seeds;
  std::vector<Index> segment;  // per vertex; −1: of no element
  MatrixX weights;             // n × d; with the anchor's they sum to 1
  VectorX anchor;              // n
};

/// Of every body whose model is `blended`, or of the named one. Fails when there is none.
Result<std::vector<DomainWeights>> domain_weights(const SceneDescription& scene, const std::string& body,
                                                  const BuildOptions& options, Progress& progress,
                                                  Diagnostics& notes);

/// For ParaView: an array "weight of part i" per domain, "anchor", "segment".
[[nodiscard]] std::string weights_vtu(const DomainWeights& weights);
/// Means over slices across the longest side of the body, a curve per domain.
[[nodiscard]] std::string weights_svg(const DomainWeights& weights);

}  // namespace pliant
