#include "pliant/reduce/blend_weights.hpp"

#include "pliant/base/text.hpp"

#include <array>
#include <utility>

namespace pliant {
namespace {

constexpr std::array<std::pair<WeightKind, std::string_view>, 8> kNames{
    {{WeightKind::kAuto, "auto"},
     {WeightKind::kPrincipal, "principal"},
     {WeightKind::kBiharmonic, "biharmonic"},
     {WeightKind::kHarmonic, "harmonic"},
     {WeightKind::kRadial, "rbf"},
     {WeightKind::kMeanValue, "mean-value"},
     {WeightKind::kPinned, "pinned"},
     {WeightKind::kBoundedBiharmonic, "bounded-biharmonic"}}};

constexpr double kLeastSum = 0.1;  // below it a division would blow the weights up

/// w_j / (Σ w_k + w_A). The least sum that was divided by.
double normalise(const ElasticBody& body, BlendWeights& weights) {
  const Index n = weights.raw.rows();
  weights.domains = weights.raw;
  weights.anchor = weights.raw_anchor;
  double least = 1.0;
  for (Index v = 0; v < n; ++v) {
    if (!(body.lumped_mass()[v] > 0.0)) continue;  // of no element
    const double sum = weights.raw.row(v).sum() + weights.raw_anchor[v];
    least = std::min(least, sum);
    weights.domains.row(v) /= sum;
    weights.anchor[v] /= sum;
  }
  return least;
}

Status raw_weights(const ElasticBody& body, const OverlappingDomains& domains, std::span<const VertexId> held,
                   Progress& progress, const std::optional<Vector3>& direction, BlendWeights& weights) {
  weights.raw = MatrixX::Zero(body.mesh().vertex_count(), domains.count());
  weights.raw_anchor = VectorX::Zero(body.mesh().vertex_count());
  weights.directions.clear();
  if (direction && weights.kind == WeightKind::kPrincipal)
    weights.directions.assign(to_size(domains.count()), direction->normalized());
  const bool elastic = weights.kind == WeightKind::kPrincipal || weights.kind == WeightKind::kPinned;
  Status made = elastic ? elastic_weights(body, domains, held, progress, weights)
                        : scalar_weights(body, domains, held, progress, weights);
  if (made && !(weights.raw.allFinite() && weights.raw_anchor.allFinite()))
    return Diagnostic{ErrorCode::kNumerical,
                      {{}, 0, 0, "weights"},
                      "the " + std::string(weight_name(weights.kind)) + " weights are not finite",
                      "take weights = \"biharmonic\""};
  return made;
}

}  // namespace

std::string_view weight_name(WeightKind kind) {
  for (const auto& [known, name] : kNames)
    if (known == kind) return name;
  return "auto";
}

WeightKind weight_kind(std::string_view name) {
  for (const auto& [kind, known] : kNames)
    if (known == name) return kind;
  return WeightKind::kAuto;
}

Result<BlendWeights> blend_weights(const ElasticBody& body, const OverlappingDomains& domains,
                                   std::span<const VertexId> held, WeightKind kind, Progress& progress,
                                   const std::optional<Vector3>& direction) {
  BlendWeights weights;
  weights.kind = kind;
  if (kind == WeightKind::kAuto)
    weights.kind = held.empty() ? WeightKind::kBiharmonic : WeightKind::kPrincipal;
  for (;;) {
    if (const Status made = raw_weights(body, domains, held, progress, direction, weights); !made)
      return made.errors();
    const double least = normalise(body, weights);
    if (least > kLeastSum || weights.kind == WeightKind::kHarmonic) return weights;
    weights.notes.push_back({ErrorCode::kNumerical,
                             {{}, 0, 0, "weights"},
                             "the " + std::string(weight_name(weights.kind)) + " weights sum to " +
                                 short_text(least) + " at a vertex, too little to be divided by it",
                             "harmonic weights are taken instead; spread the seeds more evenly"});
    weights.kind = WeightKind::kHarmonic;
  }
}

}  // namespace pliant
