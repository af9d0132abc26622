#include "pliant/reduce/attachment_modes.hpp"

#include "pliant/base/text.hpp"
#include "pliant/reduce/mass_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr double kDependent = 1e-7;

Diagnostic problem(const Patch& patch, ErrorCode code, std::string what, std::string remedy) {
  return {code, {{}, 0, 0, "patch '" + patch.name + "'"}, std::move(what), std::move(remedy)};
}

/// Shares that sum to 1, or what is wrong with the patch.
Result<std::vector<double>> shares(const ElasticBody& body, const Patch& patch) {
  if (patch.vertices.empty())
    return problem(patch, ErrorCode::kMissing, "has no vertices", "select a part of the surface");
  for (const VertexId v : patch.vertices)
    if (v < 0 || v >= body.mesh().vertex_count())
      return problem(patch, ErrorCode::kOutOfRange, "vertex " + text(Index{v}) + " does not exist",
                     "vertices are 0 to " + text(body.mesh().vertex_count() - 1));
  std::vector<double> weights = patch.weights;
  if (weights.empty()) weights.assign(patch.vertices.size(), 1.0);
  if (weights.size() != patch.vertices.size())
    return problem(patch, ErrorCode::kInconsistent,
                   "has " + text(static_cast<Index>(weights.size())) + " weights for " +
                       text(static_cast<Index>(patch.vertices.size())) + " vertices",
                   "give one per vertex");
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const bool negative = std::any_of(weights.begin(), weights.end(), [](double w) { return !(w >= 0.0); });
  if (negative || !(sum > 0.0) || !std::isfinite(sum))
    return problem(patch, ErrorCode::kOutOfRange, "weights must be >= 0 with a positive sum", "");
  for (double& w : weights) w /= sum;
  return weights;
}

}  // namespace

Result<MatrixX> patch_loads(const ElasticBody& body, const Patch& patch) {
  const Result<std::vector<double>> weights = shares(body, patch);
  if (!weights) return weights.errors();
  const auto place = [&](std::size_t i) -> Vector3 {
    return body.rest_positions().segment<3>(3 * static_cast<Index>(patch.vertices[i]));
  };
  Vector3 center = Vector3::Zero();
  for (std::size_t i = 0; i < patch.vertices.size(); ++i) center += weights.value()[i] * place(i);
  double squared = 0.0;
  for (std::size_t i = 0; i < patch.vertices.size(); ++i)
    squared += weights.value()[i] * (place(i) - center).squaredNorm();
  const double per_radius = squared > 0.0 ? 1.0 / std::sqrt(squared) : 0.0;
  MatrixX loads = MatrixX::Zero(body.dof_count(), 6);
  for (std::size_t i = 0; i < patch.vertices.size(); ++i) {
    const Index dof = 3 * static_cast<Index>(patch.vertices[i]);
    const double w = weights.value()[i];
    for (Index k = 0; k < 3; ++k) {
      loads.col(k).segment<3>(dof) += w * Vector3::Unit(k);
      loads.col(3 + k).segment<3>(dof) += w * per_radius * Vector3::Unit(k).cross(place(i) - center);
    }
  }
  // a moment about the line that a patch lies on is rounding
  for (Index k = 3; k < 6; ++k)
    if (loads.col(k).norm() < 1e-9 * loads.col(0).norm()) loads.col(k).setZero();
  return loads;
}

Result<MatrixX> attachment_modes(const RestSystem& system, const std::vector<Patch>& patches,
                                 Progress& progress) {
  const auto count = static_cast<Index>(patches.size());
  MatrixX modes(system.body().dof_count(), 6 * count);
  Diagnostics errors;
  for (Index p = 0; p < count; ++p) {
    const Patch& patch = patches[static_cast<std::size_t>(p)];
    Result<MatrixX> loads = patch_loads(system.body(), patch);
    if (!loads) {
      errors.insert(errors.end(), loads.errors().begin(), loads.errors().end());
      continue;
    }
    const bool movable = std::any_of(patch.vertices.begin(), patch.vertices.end(), [&](VertexId v) {
      const auto dof = 3 * static_cast<std::size_t>(v);
      return system.free()[dof] != 0 || system.free()[dof + 1] != 0 || system.free()[dof + 2] != 0;
    });
    if (!movable)
      errors.push_back(problem(patch, ErrorCode::kInconsistent, "all of its vertices are held",
                               "select vertices that can move"));
    modes.middleCols(6 * p, 6) = loads.value();
  }
  if (!errors.empty()) return errors;
  progress.begin("attachment modes", count);
  system.solve(modes);
  progress.update(count);
  progress.end();
  return modes;
}

RitzPairs ritz_pairs(const RestSystem& system, ConstMatrixRef columns) {
  const MatrixX Q = mass_orthonormalize(system.body(), columns, system.rigid(), kDependent).vectors;
  const MatrixX K = inner_products(Q, system.stiffness_times(Q));
  const Eigen::SelfAdjointEigenSolver<MatrixX> solver(0.5 * (K + K.transpose()));
  RitzPairs pairs{solver.eigenvalues(), combine(Q, solver.eigenvectors())};
  fix_signs(pairs.vectors);
  return pairs;
}

}  // namespace pliant
