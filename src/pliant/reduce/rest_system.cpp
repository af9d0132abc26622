#include "pliant/reduce/rest_system.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/fem/constrained_system.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/reduce/mass_space.hpp"
#include "pliant/reduce/rigid_motion.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace pliant {
namespace {

constexpr Index kColumns = 32;  // solved together

/// Eigenvalues below this count as zero: far below any elastic one of the body, or within the rounding of K.
double zero_eigenvalue(const ElasticBody& body, const SparseMatrix& K) {
  const VectorX mass = body.mass().diagonal();
  double highest = 0.0;
  for (Index i = 0; i < K.cols(); ++i)
    // The diagonal comes first in each column.
    highest = std::max(highest, K.valuePtr()[K.outerIndexPtr()[i]] / mass[i / 3]);
  return std::max(1e-8 * wave_scale(body), 1e3 * std::numeric_limits<double>::epsilon() * highest);
}

/// Three vertices far apart: the farthest from the centre, from that one, and from the line of the two.
std::array<Index, 3> spread_vertices(const VectorX& rest) {
  const Eigen::Map<const Eigen::Matrix3Xd> x(rest.data(), 3, rest.size() / 3);
  std::array<Index, 3> chosen{};
  // First the vertex farthest from the centre.
  (x.colwise() - x.rowwise().mean()).colwise().squaredNorm().maxCoeff(&chosen[0]);
  const Vector3 a = x.col(chosen[0]);
  (x.colwise() - a).colwise().squaredNorm().maxCoeff(&chosen[1]);
  const Vector3 along = (x.col(chosen[1]) - a).normalized();
  double most = -1.0;
  for (Index v = 0; v < x.cols(); ++v) {
    const double off = along.cross(x.col(v) - a).squaredNorm();
    if (off <= most) continue;
    most = off;
    chosen[2] = v;
  }
  return chosen;
}

/// Six of the nine coordinates of these vertices: those that hold rigid motions best, by pivoted QR.
std::array<Index, 6> choose_pins(const ElasticBody& body, const MatrixX& rigid) {
  const std::array<Index, 3> vertices = spread_vertices(body.rest_positions());
  MatrixX rows(6, 9);
  for (Index i = 0; i < 9; ++i) rows.col(i) = rigid.row(3 * vertices[to_size(i / 3)] + i % 3).transpose();
  const Eigen::VectorXi order = independent_columns(rows);
  std::array<Index, 6> pins{};
  for (std::size_t k = 0; k < 6; ++k) {
    const Index i = order[static_cast<Index>(k)];
    pins[k] = 3 * vertices[to_size(i / 3)] + i % 3;
  }
  return pins;
}

/// Parts of the mesh that nothing holds.
std::vector<MeshParts::Part> loose_parts(const MeshParts& parts, const std::vector<char>& free) {
  std::vector<char> held(parts.parts.size(), 0);
  for (std::size_t i = 0; i < free.size(); ++i)
    if (const Index part = parts.of_vertex[i / 3]; part >= 0 && free[i] == 0) held[to_size(part)] = 1;
  std::vector<MeshParts::Part> loose;
  for (std::size_t p = 0; p < held.size(); ++p)
    if (held[p] == 0) loose.push_back(parts.parts[p]);
  return loose;
}

Diagnostic singular(const ElasticBody& body, const std::vector<char>& free, bool floating) {
  const MeshParts parts = find_parts(body.mesh());
  const std::vector<MeshParts::Part> loose = loose_parts(parts, free);
  const std::string remedy =
      "join them (mesh the surface more finely), keep only the largest part "
      "(pliant mesh --largest, or mesher.keep = \"largest\"), or make a body of each";
  if (floating && parts.parts.size() > 1)
    return {
        ErrorCode::kInconsistent,
        {},
        "the mesh is in " + text(std::ssize(parts.parts)) + " separate parts: " + describe_parts(parts.parts),
        remedy};
  if (floating)
    return {ErrorCode::kInconsistent,
            {},
            "the body hinges on a vertex or an edge",
            "make a body of each piece, or hold them"};
  if (!loose.empty())
    return {ErrorCode::kInconsistent,
            {},
            "of the " + text(std::ssize(parts.parts)) + " separate parts of the mesh " +
                text(std::ssize(loose)) + (loose.size() == 1 ? " is not held: " : " are not held: ") +
                describe_parts(loose),
            "hold them, too; or " + remedy};
  return {ErrorCode::kInconsistent,
          {},
          "the body can move without deforming although a part of it is held",
          "hold at least three vertices that are not in line, or none"};
}

}  // namespace

double wave_scale(const ElasticBody& body) {
  double wave = std::numeric_limits<double>::infinity();
  for (const Material& m : body.materials().materials) wave = std::min(wave, m.young / m.density);
  const Eigen::Map<const Eigen::Matrix3Xd> x(body.rest_positions().data(), 3, body.mesh().vertex_count());
  return wave / (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).squaredNorm();
}

RestSystem::RestSystem(const ElasticBody& body, std::vector<char> free)
    : body_(&body), free_(std::move(free)), stiffness_(body.make_matrix()) {
  VectorX force(body.dof_count());
  body.force_and_tangent(VectorX::Zero(body.dof_count()), TangentKind::kExact, force, stiffness_);
  // Without any held degree of freedom the body floats: rigid motion is handled by inertia relief.
  const bool floating = std::find(free_.begin(), free_.end(), char{0}) == free_.end();
  rigid_ = floating ? rigid_modes(body) : MatrixX(body.dof_count(), 0);
  mass_rigid_ = mass_times(body, rigid_);
}

Result<RestSystem> RestSystem::make(const ElasticBody& body, const std::vector<char>& free,
                                    Progress& progress) {
  progress.begin("factorise the stiffness", 0);
  RestSystem system(body, free);
  std::vector<char> unknown = free;
  if (system.floating())
    for (const Index pin : choose_pins(body, system.rigid_)) unknown[to_size(pin)] = 0;
  ConstrainedSystem part(unknown, system.stiffness_);
  system.unknown_ = part.free_dofs();
  if (system.unknown_.empty())
    return Diagnostic{ErrorCode::kInconsistent, {}, "every vertex is held", "leave some free"};
  const SparseMatrix& pinned = part.extract(system.stiffness_);
  system.factor_.analyze(pinned);
  const bool definite = system.factor_.factorize(pinned);
  progress.end();
  // A singular matrix may pass Cholesky through rounding; then its lowest eigenvalue reveals it.
  if (!definite || !(system.lowest_eigenvalue_estimate() > zero_eigenvalue(body, system.stiffness_)))
    return singular(body, free, system.floating());
  return system;
}

/// Solves for the unknown degrees of freedom, a block of columns at a time; held and pinned ones become zero.
void RestSystem::solve_pinned(MatrixRef X) const {
  const auto count = std::ssize(unknown_);
  MatrixX part(count, std::min(kColumns, X.cols()));
  for (Index begin = 0; begin < X.cols(); begin += kColumns) {
    const Index width = std::min(kColumns, X.cols() - begin);
    const auto block = part.leftCols(width);
    for (Index j = 0; j < width; ++j)
      for (Index i = 0; i < count; ++i) part(i, j) = X(unknown_[to_size(i)], begin + j);
    factor_.solve(block, part.leftCols(width));
    X.middleCols(begin, width).setZero();
    for (Index j = 0; j < width; ++j)
      for (Index i = 0; i < count; ++i) X(unknown_[to_size(i)], begin + j) = part(i, j);
  }
}

void RestSystem::solve(MatrixRef X) const {
  // f −= M R Rᵀ f: the load minus the inertia of the rigid motion that it causes.
  if (floating()) subtract_combination(X, mass_rigid_, inner_products(rigid_, X));
  solve_pinned(X);
  // u −= R RᵀM u, twice against rounding.
  for (int pass = 0; pass < 2 && floating(); ++pass)
    subtract_combination(X, rigid_, inner_products(mass_rigid_, X));
}

MatrixX RestSystem::stiffness_times(ConstMatrixRef X) const {
  MatrixX KX(X.rows(), X.cols());
  parallel_tasks(X.cols(), [&](Index j) {
    KX.col(j).noalias() = stiffness_.selfadjointView<Eigen::Lower>() * X.col(j);
  });
  return KX;
}

/// One step of inverse iteration from the six rigid motions. If the body can move almost freely, that motion
/// dominates the result, and the lowest Ritz value is its eigenvalue.
double RestSystem::lowest_eigenvalue_estimate() const {
  MatrixX X = mass_times(*body_, rigid_modes(*body_));
  solve_pinned(X);
  if (!X.allFinite()) return 0.0;
  const MatrixX Q = mass_orthonormalize(*body_, X, MatrixX(X.rows(), 0), 1e-10).vectors;
  if (Q.cols() == 0) return 0.0;
  const VectorX ritz = symmetric_eigenvalues(inner_products(Q, stiffness_times(Q)));
  return ritz[0];
}

}  // namespace pliant
