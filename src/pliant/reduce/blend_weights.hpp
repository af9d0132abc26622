// reduce/blend_weights.hpp — how much each overlapping domain moves each vertex [LuoEtAl2018] §5.
//
// The weight of a domain is 1 at its own seed and 0 at the other seeds, at held vertices and where the domain
// does not reach. Kinds differ in what lies between (docs/theory/blended.md):
//
//   principal   how far the seed's motion along the most deformable direction carries: the material counts
//   biharmonic  smoothest function, weighted by Young's modulus; needs no support
//   harmonic, radial, mean value, pinned, bounded biharmonic: for comparison
//
// Weights are then divided by their sum, in which an anchor weight of the same kind stands for what is held.
// So they are a partition of unity, and however many domains there are, a rigid motion costs nothing.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/mesh/domains/overlapping_domains.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pliant {

enum class WeightKind {
  kAuto,  // principal for held bodies, biharmonic for others
  kPrincipal,
  kBiharmonic,
  kHarmonic,
  kRadial,
  kMeanValue,
  kPinned,
  kBoundedBiharmonic,
};

/// As scene files spell it: auto, principal, biharmonic, harmonic, rbf, mean-value, pinned,
/// bounded-biharmonic.
[[nodiscard]] std::string_view weight_name(WeightKind kind);
/// The kind of a name; kAuto if there is none.
[[nodiscard]] WeightKind weight_kind(std::string_view name);

struct BlendWeights {
  WeightKind kind = WeightKind::kAuto;  // what was taken
  MatrixX raw;                          // n × d, before the division
  VectorX raw_anchor;                   // n; zero where nothing is held
  MatrixX domains;                      // n × d; with `anchor` they sum to 1 at every vertex of an element
  VectorX anchor;                       // n; 1 at held vertices
  std::vector<Vector3> directions;      // of principal and pinned weights, unit vectors
  Diagnostics notes;
};

/// Fails when cancelled, when a factorisation fails, and for kinds that the mesh does not allow. `direction`:
/// of all principal weights, instead of the most deformable one of each domain.
Result<BlendWeights> blend_weights(const ElasticBody& body, const OverlappingDomains& domains,
                                   std::span<const VertexId> held, WeightKind kind, Progress& progress,
                                   const std::optional<Vector3>& direction = std::nullopt);

/// Kinds that come from statics of the body: `principal` and `pinned`. Fills raw, raw_anchor, directions;
/// principal weights keep directions that are given.
Status elastic_weights(const ElasticBody& body, const OverlappingDomains& domains,
                       std::span<const VertexId> held, Progress& progress, BlendWeights& weights);
/// The other kinds, each vertex by itself. Fills raw and raw_anchor.
Status scalar_weights(const ElasticBody& body, const OverlappingDomains& domains,
                      std::span<const VertexId> held, Progress& progress, BlendWeights& weights);

}  // namespace pliant
