#include "pliant/base/rng.hpp"
#include "pliant/build/cubature.hpp"
#include "pliant/build/training_cases.hpp"
#include "pliant/reduce/exact_projection.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr Index kCases = 26;                       // two poses each
constexpr Index kPlaces = 4;                       // pressed in each
constexpr double kWidth = 0.2;                     // of a place, over the size of the body
constexpr double kSmallest = 0.2, kLargest = 1.2;  // ‖F − 1‖ of the linear response, anywhere
constexpr double kTolerance = 1e-5;                // shapes need not be more exact
constexpr int kMostEvaluations = 150;

/// Random forces around a few vertices, three per vertex.
VectorX random_force(const ElasticBody& elastic, Rng& rng) {
  const std::vector<Vector3>& places = elastic.mesh().vertices;
  Vector3 low = places.front(), high = places.front();
  for (const Vector3& x : places) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const double width = kWidth * (high - low).norm();
  VectorX force = VectorX::Zero(elastic.dof_count());
  for (Index k = 0; k < kPlaces; ++k) {
    const Vector3& center = places[rng.below(places.size())];
    const Vector3 along(rng.normal(), rng.normal(), rng.normal());
    for (std::size_t v = 0; v < places.size(); ++v)
      force.segment<3>(3 * static_cast<Index>(v)) +=
          elastic.lumped_mass()[static_cast<Index>(v)] *
          std::exp(-(places[v] - center).squaredNorm() / (width * width)) * along;
  }
  return force;
}

std::shared_ptr<const ElasticBody> invertible(const ElasticBody& elastic) {
  std::vector<Material> materials = elastic.materials().materials;
  for (Material& material : materials)
    material.invertible = material.law == Law::kStvk || material.law == Law::kNeoHookean;
  return elastic.with_materials(materials);
}

}  // namespace

Result<MatrixX> full_poses(const BodyDefinition& definition, const ReducedBody& reduced, std::uint64_t seed,
                           Progress& progress) {
  const ElasticBody& elastic = *definition.elastic;
  const auto shared = std::make_shared<const ReducedBody>(reduced);
  const LinearResponse rest(elastic, reduced, *make_element_loops(definition.elastic)->forces(shared));
  Rng rng(seed);
  std::vector<StaticCase> cases;
  for (Index c = 0; c < kCases; ++c) {
    VectorX force = random_force(elastic, rng);
    const double linear = rest.gradient(reduced.basis.shapes.transpose() * force);
    const double size = std::exp(rng.uniform(std::log(kSmallest), std::log(kLargest)));
    if (!(linear > 0.0)) continue;
    force *= size / linear;
    cases.push_back({"random force", nodal_loads(force), {0.4, 1.0}});
  }
  const Result<std::vector<StaticPath>> paths = static_paths(
      invertible(elastic), resting(definition.supports), cases, {kTolerance, kMostEvaluations}, progress);
  if (!paths) return paths.errors();
  std::vector<VectorX> found;
  for (const StaticPath& path : paths.value())
    found.insert(found.end(), path.shapes.begin(), path.shapes.end());
  MatrixX q(reduced.size(), std::ssize(found));
  VectorX Mu(elastic.dof_count());
  for (std::size_t t = 0; t < found.size(); ++t) {
    elastic.apply_mass(found[t], Mu);
    q.col(static_cast<Index>(t)) = reduced.basis.shapes.transpose() * Mu;  // the basis is orthonormal in M
  }
  if (found.empty())
    return Diagnostic{ErrorCode::kNumerical,
                      {{}, 0, 0, "cubature.poses"},
                      "the full model has no equilibrium under random forces",
                      "leave it out, and the poses are those of the reduced model"};
  return q;
}

}  // namespace pliant
