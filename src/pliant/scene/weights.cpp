#include "pliant/scene/weights.hpp"

#include "pliant/base/text.hpp"
#include "pliant/build/blended.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/decompose.hpp"
#include "pliant/scene/load_mesh.hpp"
#include "pliant/scene/read_blended.hpp"
#include "pliant/store/plot_svg.hpp"

#include <limits>

namespace pliant {
namespace {

constexpr Index kSlices = 60;

Result<DomainWeights> weights_of(const SceneDescription& scene, const BodyText& text,
                                 const BuildOptions& options, Progress& progress, Diagnostics& notes) {
  Result<BodyShape> shape = load_shape(scene, text, progress);
  if (!shape) return shape.errors();
  Diagnostics problems;
  VolumeMesh& mesh = shape.value().mesh;
  MaterialMap materials = make_materials(text, mesh, problems);
  const std::vector<Support> supports = make_supports(text, mesh, problems, notes);
  if (!problems.empty()) return problems;
  const ElasticBody elastic(std::move(mesh), std::move(materials));
  const Result<BlendedSpec> spec = blended_spec(scene, text, elastic.mesh().vertex_count());
  if (!spec) return spec.errors();
  Result<BlendedWeights> made =
      make_blended_weights(spec.value(), elastic, text.name, supports, options, progress);
  if (!made) return placed(made.errors(), text);
  for (Diagnostic& note : placed(std::move(made.value().notes), text)) notes.push_back(std::move(note));
  BlendWeights& weights = made.value().weights;
  return DomainWeights{text.name,
                       elastic.mesh(),
                       std::string(weight_name(weights.kind)),
                       made.value().from_cache,
                       std::move(made.value().domains.seeds),
                       std::move(made.value().domains.segment_of),
                       std::move(weights.domains),
                       std::move(weights.anchor)};
}

std::vector<double> numbers(const VectorX& x) { return {x.data(), x.data() + x.size()}; }

}  // namespace

Result<std::vector<DomainWeights>> domain_weights(const SceneDescription& scene, const std::string& body,
                                                  const BuildOptions& options, Progress& progress,
                                                  Diagnostics& notes) {
  std::vector<DomainWeights> all;
  Diagnostics problems;
  for (const BodyText& text : scene.bodies) {
    if (text.model_type != "blended" || (!body.empty() && text.name != body)) continue;
    Result<DomainWeights> one = weights_of(scene, text, options, progress, notes);
    if (one)
      all.push_back(std::move(one).value());
    else
      problems.insert(problems.end(), one.errors().begin(), one.errors().end());
  }
  if (!problems.empty()) return problems;
  if (all.empty())
    return Diagnostic{ErrorCode::kNotFound,
                      {scene.file.string(), 0, 0, body.empty() ? "" : "--body"},
                      body.empty() ? "no body has model = { type = \"blended\", ... }"
                                   : "there is no body \"" + body + "\" of overlapping domains",
                      "weights are those of `blended`"};
  return all;
}

std::string weights_vtu(const DomainWeights& weights) {
  VtuData data;
  for (Index d = 0; d < weights.weights.cols(); ++d)
    data.point.push_back({"weight of part " + text(d), 1, numbers(weights.weights.col(d))});
  data.point.push_back({"anchor", 1, numbers(weights.anchor)});
  data.point.push_back({"segment", 1, {weights.segment.begin(), weights.segment.end()}});
  return write_vtu(weights.mesh, std::move(data), {false, true});
}

std::string weights_svg(const DomainWeights& weights) {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (std::size_t v = 0; v < weights.segment.size(); ++v) {
    if (weights.segment[v] < 0) continue;
    low = low.cwiseMin(weights.mesh.vertices[v]);
    high = high.cwiseMax(weights.mesh.vertices[v]);
  }
  Index axis = 0;
  (high - low).maxCoeff(&axis);
  const double width = (high - low)[axis] / static_cast<double>(kSlices);
  Plot plot{"weights of \"" + weights.body + "\": " + weights.kind,
            std::string("along ") + "xyz"[axis] + " / m",
            "weight, mean of a slice",
            {}};
  const auto curve = [&](const std::string& name, const auto& values) {
    VectorX sum = VectorX::Zero(kSlices), count = VectorX::Zero(kSlices);
    for (std::size_t v = 0; v < weights.segment.size(); ++v) {
      if (weights.segment[v] < 0) continue;
      const auto slice = static_cast<Index>((weights.mesh.vertices[v][axis] - low[axis]) / width);
      sum[std::min(slice, kSlices - 1)] += values[static_cast<Index>(v)];
      count[std::min(slice, kSlices - 1)] += 1.0;
    }
    Curve made{name, {}, {}};
    for (Index s = 0; s < kSlices; ++s) {
      if (count[s] == 0.0) continue;
      made.x.push_back(low[axis] + (static_cast<double>(s) + 0.5) * width);
      made.y.push_back(sum[s] / count[s]);
    }
    plot.curves.push_back(std::move(made));
  };
  for (Index d = 0; d < weights.weights.cols(); ++d) curve("part " + text(d), weights.weights.col(d));
  if (weights.anchor.maxCoeff() > 0.0) curve("anchor", weights.anchor);
  return plot_svg(std::span(&plot, 1));
}

}  // namespace pliant
