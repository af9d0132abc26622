#include "pliant/reduce/attachment_modes.hpp"

#include "pliant/base/text.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/reduce/mass_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

// Part of a column's norm outside the span of others, below which it adds nothing.
constexpr double kDependent = 1e-7;

Diagnostic problem(const Patch& patch, ErrorCode code, std::string what, std::string remedy) {
  return {code, {{}, 0, 0, "patch '" + patch.name + "'"}, std::move(what), std::move(remedy)};
}

/// The points of a patch as combinations of vertices.
WeightRows places_of(const Patch& patch) {
  if (patch.points.row_count() > 0) return patch.points;
  WeightRows rows;
  rows.columns = patch.vertices;
  rows.weights.assign(patch.vertices.size(), 1.0);
  for (std::size_t i = 1; i <= patch.vertices.size(); ++i) rows.starts.push_back(static_cast<Index>(i));
  return rows;
}

/// Weights that sum to 1, or what is wrong with the patch.
Result<std::vector<double>> shares(const ElasticBody& body, const Patch& patch, const WeightRows& places) {
  const Index count = places.row_count();
  if (count == 0)
    return problem(patch, ErrorCode::kMissing, "has no vertices", "select a part of the surface");
  for (const VertexId v : places.columns)
    if (v < 0 || v >= body.mesh().vertex_count())
      return problem(patch, ErrorCode::kOutOfRange, "vertex " + text(Index{v}) + " does not exist",
                     "vertices are 0 to " + text(body.mesh().vertex_count() - 1));
  std::vector<double> weights = patch.weights;
  if (weights.empty()) weights.assign(to_size(count), 1.0);
  if (std::ssize(weights) != count)
    return problem(patch, ErrorCode::kInconsistent,
                   "has " + text(std::ssize(weights)) + " weights for " + text(count) + " vertices",
                   "give one per vertex");
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const bool negative = std::any_of(weights.begin(), weights.end(), [](double w) { return !(w >= 0.0); });
  if (negative || !(sum > 0.0) || !std::isfinite(sum))
    return problem(patch, ErrorCode::kOutOfRange, "weights must be >= 0 with a positive sum", "");
  for (double& w : weights) w /= sum;
  return weights;
}

/// Calls visit(point, vertex, share of the vertex in the point).
template <class Visit>
void each_entry(const WeightRows& rows, const Visit& visit) {
  for (Index i = 0; i < rows.row_count(); ++i)
    for (Index k = rows.starts[to_size(i)]; k < rows.starts[to_size(i) + 1]; ++k)
      visit(i, Index{rows.columns[to_size(k)]}, rows.weights[to_size(k)]);
}

/// The points of a patch with the data that its loads need.
struct Spread {
  WeightRows places;
  Eigen::Matrix3Xd arms;        // of the points from their centre
  std::vector<double> weights;  // sum 1
  double radius = 0.0;          // √Σw|Y|²
};

/// Positions of the points relative to their weighted centre, and the radius √Σw|Y|².
Result<Spread> spread_of(const ElasticBody& body, const Patch& patch) {
  Spread spread;
  spread.places = places_of(patch);
  Result<std::vector<double>> weights = shares(body, patch, spread.places);
  if (!weights) return weights.errors();
  spread.weights = std::move(weights).value();
  spread.arms.setZero(3, spread.places.row_count());
  each_entry(spread.places, [&](Index point, Index vertex, double share) {
    spread.arms.col(point) += share * body.rest_positions().segment<3>(3 * vertex);
  });
  const Eigen::Map<const VectorX> w(spread.weights.data(), spread.arms.cols());
  const Vector3 center = spread.arms * w;
  spread.arms.colwise() -= center;
  spread.radius = std::sqrt(spread.arms.colwise().squaredNorm().dot(w));
  return spread;
}

MatrixX loads_of(const ElasticBody& body, const Spread& spread) {
  const double per_radius = spread.radius > 0.0 ? 1.0 / spread.radius : 0.0;
  MatrixX loads = MatrixX::Zero(body.dof_count(), 6);
  each_entry(spread.places, [&](Index point, Index vertex, double share) {
    const double w = share * spread.weights[to_size(point)];
    const Vector3 arm = per_radius * spread.arms.col(point);
    for (Index k = 0; k < 3; ++k) {
      loads.col(k).segment<3>(3 * vertex) += w * Vector3::Unit(k);
      loads.col(3 + k).segment<3>(3 * vertex) += w * Vector3::Unit(k).cross(arm);
    }
  });
  // If the points lie on a line, the moment about it is only rounding.
  for (Index k = 3; k < 6; ++k)
    if (loads.col(k).norm() < 1e-9 * loads.col(0).norm()) loads.col(k).setZero();
  return loads;
}

/// The expected sizes of the six loads of a patch: `force`, and `force` × `lever` about each axis, in units
/// of the columns of loads_of().
Vector6 expected(const Patch& patch, const Spread& spread) {
  Vector6 sizes = Vector6::Constant(patch.force);
  const Eigen::Map<const VectorX> w(spread.weights.data(), spread.arms.cols());
  const double lever = patch.lever > 0.0 ? patch.lever : spread.radius;
  const Vector3 squares = spread.arms.cwiseAbs2() * w;
  for (Index k = 0; k < 3; ++k) {
    // Moment of the column about axis k: Σ w (|Y|² − Y_k²) / radius.
    const double moment = (squares.sum() - squares[k]) / spread.radius;
    sizes[3 + k] = moment > 1e-9 * spread.radius ? patch.force * lever / moment : 0.0;
  }
  return sizes;
}

bool can_move(const RestSystem& system, const WeightRows& places) {
  return std::any_of(places.columns.begin(), places.columns.end(), [&](VertexId v) {
    const auto dof = 3 * to_size(v);
    return system.free()[dof] != 0 || system.free()[dof + 1] != 0 || system.free()[dof + 2] != 0;
  });
}

/// Loads of all patches, six columns each, and their expected sizes.
struct AllLoads {
  MatrixX loads;
  VectorX sizes;
};

Result<AllLoads> all_loads(const RestSystem& system, const std::vector<Patch>& patches) {
  const auto count = std::ssize(patches);
  AllLoads all{MatrixX(system.body().dof_count(), 6 * count), VectorX(6 * count)};
  Diagnostics errors;
  for (Index p = 0; p < count; ++p) {
    const Patch& patch = patches[to_size(p)];
    const Result<Spread> spread = spread_of(system.body(), patch);
    if (!spread) {
      errors.insert(errors.end(), spread.errors().begin(), spread.errors().end());
      continue;
    }
    if (!can_move(system, spread.value().places))
      errors.push_back(problem(patch, ErrorCode::kInconsistent, "all of its vertices are held",
                               "select vertices that can move"));
    all.loads.middleCols(6 * p, 6) = loads_of(system.body(), spread.value());
    all.sizes.segment<6>(6 * p) = expected(patch, spread.value());
  }
  if (!errors.empty()) return errors;
  return all;
}

MatrixX responses(const RestSystem& system, MatrixX loads, Progress& progress) {
  const Index count = loads.cols() / 6;
  progress.begin("attachment modes", count);
  system.solve(loads);
  progress.update(count);
  progress.end();
  return loads;
}

}  // namespace

Result<MatrixX> patch_loads(const ElasticBody& body, const Patch& patch) {
  const Result<Spread> spread = spread_of(body, patch);
  if (!spread) return spread.errors();
  return loads_of(body, spread.value());
}

Result<MatrixX> attachment_modes(const RestSystem& system, const std::vector<Patch>& patches,
                                 Progress& progress) {
  Result<AllLoads> all = all_loads(system, patches);
  if (!all) return all.errors();
  return responses(system, std::move(all.value().loads), progress);
}

Result<MatrixX> strongest_responses(const RestSystem& system, const std::vector<Patch>& patches,
                                    ConstMatrixRef modes, ConstVectorRef squared, Index count,
                                    Progress& progress) {
  const Result<AllLoads> all = all_loads(system, patches);
  if (!all) return all.errors();
  MatrixX X = responses(system, all.value().loads, progress);
  if (X.cols() <= count) return X;
  const MatrixX F = all.value().loads * all.value().sizes.asDiagonal();
  X = X * all.value().sizes.asDiagonal();
  const MatrixX seen = inner_products(modes, F);  // ΨᵀF
  MatrixX C = inner_products(F, X);
  // C = FᵀK⁻¹F − (ΨᵀF)ᵀ Λ⁻¹ (ΨᵀF): the compliance that the modes miss.
  C.noalias() -= seen.transpose() * squared.cwiseInverse().asDiagonal() * seen;
  const SymmetricEigen solver(0.5 * (C + C.transpose()));
  return combine(X, solver.vectors().rightCols(count).rowwise().reverse());  // largest eigenvalue first
}

/// Rayleigh–Ritz: eigenpairs of QᵀKQ, Q a mass-orthonormal basis of the span.
RitzPairs ritz_pairs(const RestSystem& system, ConstMatrixRef columns) {
  // Rigid motion is projected out along with dependent columns.
  const MatrixX Q = mass_orthonormalize(system.body(), columns, system.rigid(), kDependent).vectors;
  const MatrixX K = inner_products(Q, system.stiffness_times(Q));
  const SymmetricEigen solver(0.5 * (K + K.transpose()));
  RitzPairs pairs{solver.values(), combine(Q, solver.vectors())};
  fix_signs(pairs.vectors);
  return pairs;
}

}  // namespace pliant
