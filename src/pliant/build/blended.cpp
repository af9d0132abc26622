#include "pliant/build/blended.hpp"

#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/build/blended_cubature.hpp"
#include "pliant/reduce/make_inertia.hpp"
#include "pliant/store/weights_cache.hpp"

#include <algorithm>

namespace pliant {
namespace {

std::vector<VertexId> held_by(const std::vector<Support>& supports) {
  std::vector<VertexId> held;
  for (const Support& support : supports)
    held.insert(held.end(), support.vertices.begin(), support.vertices.end());
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  return held;
}

/// Everything but mesh, materials and held vertices that decides the weights.
std::string recipe_of(const BlendedSpec& spec, const OverlappingDomains& domains) {
  std::string recipe = "weights 1; kind " + std::string(weight_name(spec.weights)) + "; seeds";
  for (const VertexId seed : domains.seeds) recipe += " " + text(Index{seed});
  if (spec.direction)
    recipe += "; along " + text(spec.direction->x()) + " " + text(spec.direction->y()) + " " +
              text(spec.direction->z());
  return recipe;
}

/// The same for the columns and the points.
std::string points_recipe(const BlendedSpec& spec, const OverlappingDomains& domains) {
  std::string recipe = recipe_of(spec, domains) + "; gradients " + text(static_cast<Index>(spec.gradients));
  for (const DomainCoordinates each : spec.coordinates) recipe += " " + text(static_cast<Index>(each));
  if (spec.modes > 0) recipe += "; modes " + text(spec.modes);
  if (spec.poses.poses.empty()) return recipe;
  Hasher poses;
  for (const VectorX& pose : spec.poses.poses) poses.add({pose.data(), to_size(pose.size())});
  return recipe + "; poses " + text(static_cast<Index>(spec.poses.as)) + " " + poses.hex();
}

void append(const Diagnostics& more, Diagnostics& notes) {
  notes.insert(notes.end(), more.begin(), more.end());
}

/// The reduced body behind a blended one. It has no polynomials: its forces come from its points.
std::shared_ptr<const ReducedBody> reduced_of(const ElasticBody& elastic, const BlendedBody& blended) {
  ReducedBody reduced;
  reduced.basis.shapes = BlendedBody::vector_shapes(blended.scalars, blended.transform);
  reduced.basis.strength = VectorX::Ones(reduced.basis.shapes.cols());
  reduced.origin = rest_center_of_mass(elastic);
  reduced.inertia = make_inertia(elastic, reduced.basis.shapes, reduced.origin);
  return std::make_shared<const ReducedBody>(std::move(reduced));
}

/// The body in these columns, with all points.
void take_columns(const ElasticBody& elastic, const BlendWeights& weights, const BlendedColumns& columns,
                  BlendedGradients gradients, BlendedBody& body) {
  body.points = {};
  body.points = blended_points(elastic, weights, columns, gradients);
  body.scalars = columns.scalars;
  body.transform = columns.transform;
  body.starts = columns.starts;
  body.coupled = columns.coupled;
  body.reduced = reduced_of(elastic, body);
}

void keep_chosen(const BlendedChoice& choice, BlendedBody& body) {
  BlendedPoints few = points_of(body.points, choice.points);
  body.restorative = points_of(body.points, choice.restorative);
  body.points = std::move(few);
  body.few = true;
}

Result<std::vector<DomainCoordinates>> coordinates_of(const BlendedSpec& spec, Index count) {
  if (spec.coordinates.size() <= 1)
    return std::vector<DomainCoordinates>(
        to_size(count), spec.coordinates.empty() ? DomainCoordinates::kQuadratic : spec.coordinates.front());
  if (std::ssize(spec.coordinates) != count)
    return Diagnostic{ErrorCode::kInconsistent,
                      {{}, 0, 0, "model"},
                      "has coordinates for " + text(std::ssize(spec.coordinates)) + " domains and " +
                          text(count) + " domains",
                      "give one for each seed, or one for all"};
  return spec.coordinates;
}

}  // namespace

Result<BlendedWeights> make_blended_weights(const BlendedSpec& spec, const ElasticBody& elastic,
                                            const std::string& name, const std::vector<Support>& supports,
                                            const BuildOptions& options, Progress& progress) {
  const std::vector<VertexId> held = held_by(supports);
  progress.begin("divide " + name + " into domains", 0);
  Result<OverlappingDomains> domains =
      spec.seeds.empty() ? automatic_overlapping_domains(elastic.mesh(), spec.automatic, held)
                         : domains_about(elastic.mesh(), spec.seeds, held);
  progress.end();
  if (!domains) return domains.errors();
  BlendedWeights made;
  made.domains = std::move(domains).value();
  append(made.domains.notes, made.notes);
  const std::string key = reduced_body_key(elastic, held, recipe_of(spec, made.domains));
  if (options.cache) {
    const WeightsCache cache(*options.cache);
    made.file = cache.file(key);
    if (std::optional<CachedWeights> kept =
            cache.load(key, elastic.mesh().vertex_count(), made.domains.count(), made.notes)) {
      made.weights.kind = static_cast<WeightKind>(kept->kind);
      made.weights.raw = std::move(kept->raw);
      made.weights.raw_anchor = std::move(kept->raw_anchor);
      made.weights.domains = std::move(kept->domains);
      made.weights.anchor = std::move(kept->anchor);
      made.from_cache = true;
      return made;
    }
  }
  Result<BlendWeights> weights =
      blend_weights(elastic, made.domains, held, spec.weights, progress, spec.direction);
  if (!weights) return weights.errors();
  made.weights = std::move(weights).value();
  append(made.weights.notes, made.notes);
  if (!options.cache) return made;
  const BlendWeights& w = made.weights;
  const Status saved = WeightsCache(*options.cache)
                           .save(key, {static_cast<Index>(w.kind), w.raw, w.raw_anchor, w.domains, w.anchor});
  if (!saved) {  // the run can go on without it
    made.file.clear();
    append(saved.errors(), made.notes);
  }
  return made;
}

Result<BlendedOutcome> make_blended_body(const BlendedSpec& spec,
                                         const std::shared_ptr<const ElasticBody>& elastic,
                                         const std::string& name, const std::vector<Support>& supports,
                                         const BuildOptions& options, Progress& progress) {
  Result<BlendedWeights> made = make_blended_weights(spec, *elastic, name, supports, options, progress);
  if (!made) return made.errors();
  const Result<std::vector<DomainCoordinates>> coordinates =
      coordinates_of(spec, made.value().domains.count());
  if (!coordinates) return coordinates.errors();
  progress.begin("blend the domains of " + name, 0);
  const BlendWeights& weights = made.value().weights;
  GivenPoses poses = spec.poses;
  if (spec.modes > 0) {
    Result<std::vector<VectorX>> own = own_shapes(*elastic, held_by(supports), spec.modes, progress);
    if (!own) return own.errors();
    poses.own = std::move(own).value();
  }
  const BlendedColumns columns =
      blended_columns(*elastic, made.value().domains, weights, coordinates.value(), spec.gradients, poses);
  const std::optional<BlendedColumns> local =
      spec.local ? local_columns(*elastic, made.value().domains, columns) : std::nullopt;
  auto body = std::make_shared<BlendedBody>();
  body->rest = elastic;
  body->domains = columns.domains;
  body->weights = weights.domains;
  body->anchor = weights.anchor;
  // Points are chosen in columns that are orthonormal: there, small coordinates are small motions.
  take_columns(*elastic, weights, local && !spec.cubature ? *local : columns, spec.gradients, *body);
  progress.end();
  if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  std::optional<CubatureReport> cubature;
  if (spec.cubature) {
    const BlendedPointsRequest request{name,
                                       points_recipe(spec, made.value().domains),
                                       elastic,
                                       held_by(supports),
                                       &made.value().domains,
                                       spec.gradients};
    const Result<std::optional<BlendedChoice>> chosen =
        choose_blended_points(request, *spec.cubature, options, progress, *body, made.value().notes);
    if (!chosen) return chosen.errors();
    if (local) take_columns(*elastic, weights, *local, spec.gradients, *body);
    if (chosen.value()) {
      keep_chosen(*chosen.value(), *body);
      cubature = chosen.value()->report;
    }
  }
  return BlendedOutcome{std::move(body),     made.value().from_cache,       made.value().file,
                        std::move(cubature), std::move(made.value().notes), columns.residuals};
}

}  // namespace pliant
