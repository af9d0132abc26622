#include "pliant/reduce/modal_derivatives.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/reduce/mass_space.hpp"
#include "pliant/subspace/quartic_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

constexpr Index kBlock = 32;              // right-hand sides solved together
constexpr int kMostIterations = 400;      // of conjugate gradients
constexpr double kTolerance = 1e-11;      // energy norm of the residual over that of the load
constexpr double kEqualFrequency = 1e-6;  // relative difference of λ below which modes are one family

Diagnostic cancelled() { return {ErrorCode::kCancelled, {}, "interrupted", ""}; }

std::vector<std::array<Index, 2>> all_pairs(Index count) {
  std::vector<std::array<Index, 2>> pairs;
  pairs.reserve(to_size(pair_count(count)));
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i <= j; ++i) pairs.push_back({i, j});
  return pairs;
}

/// The vectors that are M-orthogonal to some mass-orthonormal columns V.
struct Complement {
  MatrixX known, mass_known;
  /// X −= V VᵀM X.
  void project(MatrixX& X) const { subtract_combination(X, known, inner_products(mass_known, X)); }
  /// The transpose, for loads: B −= M V Vᵀ B.
  void project_loads(MatrixX& B) const { subtract_combination(B, mass_known, inner_products(known, B)); }
};

VectorX column_products(const MatrixX& A, const MatrixX& B) {
  VectorX products(A.cols());
  parallel_tasks(A.cols(), [&](Index j) { products[j] = A.col(j).dot(B.col(j)); });
  return products;
}

/// Solves (K − λM) X = B on the complement, where the matrix is positive definite, by conjugate gradients
/// with the preconditioner K⁻¹; all columns at once. B is overwritten by the residual.
Status solve_shifted(const RestSystem& system, const Complement& complement, double lambda, MatrixX& B,
                     MatrixX& X, const Progress& progress) {
  complement.project_loads(B);
  X = MatrixX::Zero(B.rows(), B.cols());
  MatrixX Z = B;
  MatrixX P(B.rows(), B.cols());
  VectorX product = VectorX::Zero(B.cols());
  VectorX first;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    // Preconditioned residual, kept within the complement against rounding.
    Z = B;
    system.solve(Z);
    complement.project(Z);
    const VectorX next = column_products(B, Z);  // residual·preconditioned residual of each column
    if (iteration == 0) first = next;            // the preconditioned norm of the load, for the stopping rule
    if ((next.array() <= kTolerance * kTolerance * first.array()).all()) return Done{};
    for (Index j = 0; j < B.cols(); ++j) {
      // Conjugate direction: z + β p, β = ρ_new / ρ_old.
      const double beta = product[j] > 0.0 ? next[j] / product[j] : 0.0;
      P.col(j) = iteration == 0 ? Z.col(j) : (Z.col(j) + beta * P.col(j)).eval();
    }
    product = next;
    // (K − λM) p, and its curvature pᵀ(K − λM) p > 0 on the complement.
    const MatrixX Q = system.stiffness_times(P) - lambda * mass_times(system.body(), P);
    const VectorX curvature = column_products(P, Q);
    for (Index j = 0; j < B.cols(); ++j) {
      // A column that has converged stays as it is.
      if (!(curvature[j] > 0.0) || product[j] <= kTolerance * kTolerance * first[j]) continue;
      const double alpha = product[j] / curvature[j];
      X.col(j) += alpha * P.col(j);
      B.col(j) -= alpha * Q.col(j);
    }
    complement.project_loads(B);
    if (progress.cancelled()) return cancelled();
  }
  return Diagnostic{ErrorCode::kNumerical,
                    {},
                    "the modal derivatives did not converge",
                    "take static derivatives, or another number of linear modes"};
}

/// Components of the derivatives of mode i along the known modes: −ψ_lᵀ f''(ψ_i, ψ_j)/(λ_l − λ_i). Zero
/// within a family of equal frequencies, in which eigenvectors are arbitrary.
MatrixX along_known(const NaturalModes& modes, Index i, const MatrixX& loads) {
  MatrixX c = inner_products(modes.shapes, loads);
  for (Index l = 0; l < c.rows(); ++l) {
    const double gap = modes.squared[l] - modes.squared[i];
    c.row(l) *= std::abs(gap) > kEqualFrequency * modes.squared[i] ? -1.0 / gap : 0.0;
  }
  return c;
}

}  // namespace

/// Eq. R1, one solve for each pair.
Result<MatrixX> static_derivatives(const RestSystem& system, ConstMatrixRef shapes, Progress& progress) {
  const auto pairs = all_pairs(shapes.cols());
  const auto total = std::ssize(pairs);
  MatrixX derivatives(shapes.rows(), total);
  progress.begin("modal derivatives", total);
  for (Index begin = 0; begin < total; begin += kBlock) {
    const Index width = std::min(kBlock, total - begin);
    for (Index p = begin; p < begin + width; ++p) {
      if (progress.cancelled()) return cancelled();
      const auto [i, j] = pairs[to_size(p)];
      system.body().force_second_derivative_at_rest(shapes.col(i), shapes.col(j), derivatives.col(p));
      progress.update(p);
    }
    derivatives.middleCols(begin, width) *= -1.0;
    system.solve(derivatives.middleCols(begin, width));
  }
  progress.update(total);
  progress.end();
  return derivatives;
}

Result<MatrixX> eigenvector_derivatives(const RestSystem& system, const NaturalModes& modes, Index count,
                                        Progress& progress) {
  PLIANT_ASSERT(count <= modes.shapes.cols());
  const ElasticBody& body = system.body();
  Complement complement;
  complement.known.resize(body.dof_count(), system.rigid().cols() + modes.shapes.cols());
  complement.known << system.rigid(), modes.shapes;
  complement.mass_known = mass_times(body, complement.known);
  MatrixX derivatives(body.dof_count(), count * count);
  MatrixX rest;
  progress.begin("modal derivatives", count);
  for (Index i = 0; i < count; ++i) {
    progress.update(i);
    if (progress.cancelled()) return cancelled();
    MatrixX loads(body.dof_count(), count);
    for (Index j = 0; j < count; ++j)
      body.force_second_derivative_at_rest(modes.shapes.col(i), modes.shapes.col(j), loads.col(j));
    // Forces on held degrees of freedom are taken up by the supports.
    for (std::size_t dof = 0; dof < system.free().size(); ++dof)
      if (system.free()[dof] == 0) loads.row(static_cast<Index>(dof)).setZero();
    // [BarbicJames2005] Eq. 29 in two parts: along the known modes in closed form, outside of them by
    // iteration.
    const MatrixX along = along_known(modes, i, loads);
    loads *= -1.0;
    const Status solved = solve_shifted(system, complement, modes.squared[i], loads, rest, progress);
    if (!solved) return solved.errors();
    derivatives.middleCols(i * count, count) = rest + combine(modes.shapes, along);
  }
  progress.update(count);
  progress.end();
  return derivatives;
}

MatrixX symmetric_derivatives(ConstMatrixRef all, Index count) {
  MatrixX symmetric(all.rows(), pair_count(count));
  for (const auto& [i, j] : all_pairs(count))
    symmetric.col(pair_place(i, j)) = 0.5 * (all.col(i * count + j) + all.col(j * count + i));
  return symmetric;
}

}  // namespace pliant
