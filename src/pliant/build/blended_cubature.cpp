#include "pliant/build/blended_cubature.hpp"

#include "pliant/base/text.hpp"
#include "pliant/build/cubature.hpp"
#include "pliant/model/blended/blended_forces.hpp"
#include "pliant/store/points_cache.hpp"
#include "pliant/subspace/element_points.hpp"

#include <fmt/format.h>

#include <chrono>

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

/// Segment of each integration point.
std::vector<Index> segments_of_points(const BlendedPointsRequest& request) {
  const VolumeMesh& mesh = request.elastic->mesh();
  const std::vector<Index> segments = segments_of_elements(mesh, request.domains->segment_of);
  const TetPoints tets = request.gradients == BlendedGradients::kSmooth ? TetPoints::kFour : TetPoints::kOne;
  std::vector<Index> result;
  for (Index e = 0; e < mesh.element_count(); ++e)
    result.insert(result.end(), to_size(element_point_count(mesh, e, request.elastic->material(e), tets)),
                  segments[to_size(e)]);
  return result;
}

BlendedCubatureSettings settings_of(const CubatureSpec& spec) {
  BlendedCubatureSettings settings;
  if (spec.points > 0) settings.points = spec.points;
  settings.error = spec.error;
  settings.seed = spec.seed;
  return settings;
}

BlendedCubature from_cache(CachedPoints kept) {
  BlendedCubature cubature;
  cubature.points = {std::move(kept.points), std::move(kept.factors)};
  cubature.restorative = {std::move(kept.restorative), std::move(kept.restorative_factors)};
  cubature.error = kept.error;
  cubature.curve = std::move(kept.curve);
  return cubature;
}

Result<BlendedCubature> choose(const BlendedPointsRequest& request, const BlendedCubatureSettings& settings,
                               const BlendedBody& body, Progress& progress) {
  // Not owned: it outlives the choice.
  const std::shared_ptr<const BlendedBody> all(std::shared_ptr<void>(), &body);
  const std::vector<Material> materials = request.elastic->materials().materials;
  const MakeBlendedForces forces = [&](std::shared_ptr<const BlendedBody> of) {
    return blended_forces(std::move(of), materials);
  };
  return make_blended_cubature(*request.elastic, all, segments_of_points(request), forces, settings,
                               progress);
}

}  // namespace

Result<std::optional<BlendedChoice>> choose_blended_points(const BlendedPointsRequest& request,
                                                           const CubatureSpec& spec,
                                                           const BuildOptions& options, Progress& progress,
                                                           const BlendedBody& body, Diagnostics& notes) {
  const BlendedCubatureSettings settings = settings_of(spec);
  if (body.points.count() <= settings.points * request.domains->count())
    return std::optional<BlendedChoice>{};
  const std::string key =
      reduced_body_key(*request.elastic, request.held,
                       request.recipe + fmt::format("; points 1; {} per segment; error {}; seed {}",
                                                    settings.points, settings.error, settings.seed));
  BlendedChoice result;
  CubatureReport& report = result.report;
  std::optional<BlendedCubature> made;
  if (options.cache) {
    const PointsCache cache(*options.cache);
    report.file = cache.file(key);
    if (std::optional<CachedPoints> kept = cache.load(key, body.points.count(), notes)) {
      made = from_cache(std::move(*kept));
      report.from_cache = true;
    }
  }
  if (!made) {
    const auto begin = Clock::now();
    Result<BlendedCubature> chosen = choose(request, settings, body, progress);
    if (!chosen) return chosen.errors();
    made = std::move(chosen).value();
    report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (options.cache) {
      const Status saved =
          PointsCache(*options.cache)
              .save(key, {made->points.points, made->restorative.points, made->points.factors,
                          made->restorative.factors, made->error, made->curve});
      if (!saved) {  // the run can go on without it
        report.file.clear();
        notes.insert(notes.end(), saved.errors().begin(), saved.errors().end());
      }
    }
  }
  report.kept = true;
  report.points = std::ssize(made->points.points);
  report.error = made->error;
  report.curve = made->curve;
  result.points = std::move(made->points);
  result.restorative = std::move(made->restorative);
  return std::optional<BlendedChoice>(std::move(result));
}

}  // namespace pliant
