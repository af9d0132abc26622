#include "pliant/subspace/replace_domain.hpp"

#include "pliant/math/dense.hpp"

#include <algorithm>

namespace pliant {
namespace {

// Of the class's size: farther outside, a vertex would move by mere extrapolation.
constexpr double kReach = 0.5;

Diagnostic problem(ErrorCode code, std::string_view class_name, std::string what, std::string remedy) {
  return {code, {{}, 0, 0, "class \"" + std::string(class_name) + "\""}, std::move(what), std::move(remedy)};
}

/// The shapes of a class at embedded points.
MatrixX interpolated(const Embedding& embedding, const MatrixX& U) {
  MatrixX result(3 * embedding.point_count(), U.cols());
  for (Index l = 0; l < U.cols(); ++l) interpolate(embedding, U.col(l), result.col(l));
  return result;
}

}  // namespace

Result<ReplacedDomain> replace_domain(const TreeBody& body, Index domain, std::string_view class_name) {
  const auto found = std::find_if(body.classes.begin(), body.classes.end(),
                                  [&](const DomainClass& kind) { return kind.name == class_name; });
  if (found == body.classes.end())
    return problem(ErrorCode::kNotFound, class_name, "the body has no such class",
                   "name one of its [[body.class]] (or of its domains)");
  const DomainClass& old = body.class_of(body.domains[to_size(domain)]);
  Result<Embedding> embedding = embed(found->rest->mesh(), old.rest->mesh().vertices);
  if (!embedding) return embedding.errors();
  Vector3 low = old.rest->mesh().vertices.front(), high = low;
  for (const Vector3& X : old.rest->mesh().vertices) {
    low = low.cwiseMin(X);
    high = high.cwiseMax(X);
  }
  if (embedding.value().largest_distance() > kReach * (high - low).norm())
    return problem(ErrorCode::kInconsistent, class_name,
                   "it lies elsewhere than the domain that it would replace",
                   "give both classes the same coordinates, their bases at the same place");

  auto seen = std::make_shared<ReducedBody>(*found->reduced);
  seen->basis.shapes = interpolated(embedding.value(), found->reduced->basis.shapes);
  const VectorX& mass = old.rest->lumped_mass();
  VectorX weights(3 * mass.size());
  for (Index v = 0; v < mass.size(); ++v) weights.segment<3>(3 * v).setConstant(mass[v]);
  const MatrixX weighted = weights.asDiagonal() * seen->basis.shapes;
  // Normal equations (U'ᵀM U') q' = U'ᵀM U q with the lumped mass; U' may have dependent columns, hence the
  // least-squares solver.
  const MatrixX gram = weighted.transpose() * seen->basis.shapes;

  ReplacedDomain result{body, MatrixX(seen->size(), old.reduced->size())};
  if (seen->size() > 0) result.fit = least_squares(gram, weighted.transpose() * old.reduced->basis.shapes);
  result.body.classes.push_back({found->name, old.rest, std::move(seen), found->attachment, old.loops});
  result.body.domains[to_size(domain)].class_index = std::ssize(result.body.classes) - 1;
  return result;
}

}  // namespace pliant
