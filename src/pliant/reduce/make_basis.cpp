#include "pliant/reduce/make_basis.hpp"

#include "pliant/base/text.hpp"
#include "pliant/reduce/basis_from_modes.hpp"
#include "pliant/reduce/energy_pca.hpp"
#include "pliant/reduce/mass_space.hpp"
#include "pliant/reduce/rigid_motion.hpp"
#include "pliant/subspace/quartic_form.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kDependentShapes = 1e-9;  // part of a shape outside the others below which it adds nothing
constexpr double kHeldMoves = 1e-6;        // of the largest displacement: held vertices count as at rest
/// Mass norm of the largest weighted derivative over that of the first mode (s of Eq. R2). [BarbicJames2005]
/// Eq. 16 leaves it to the units of the amplitude, since a derivative goes with its square. A quarter
/// corresponds to a beam bent by a fifth of its length (docs/theory/reduction.md has the figures).
constexpr double kDerivativeShare = 0.25;

Diagnostic cancelled() { return {ErrorCode::kCancelled, {}, "interrupted", ""}; }

Diagnostic wrong(ErrorCode code, std::string key, std::string what, std::string remedy = {}) {
  return {code, {{}, 0, 0, std::move(key)}, std::move(what), std::move(remedy)};
}

Truncation truncation(const BasisSettings& settings) { return {settings.modes, settings.energy}; }

bool nothing_held(const std::vector<char>& free) {
  return std::find(free.begin(), free.end(), char{0}) == free.end();
}

/// Natural modes. Eigenvector derivatives get more modes than were asked for, which speeds up their
/// iteration.
Result<NaturalModes> modes_of(const RestSystem& system, const BasisSettings& settings, Progress& progress) {
  const Index k = settings.linear_modes;
  const bool guard = settings.derivatives && settings.kind == DerivativeKind::kEigenvector;
  progress.begin("natural modes", 0);
  // 4 + k/4 more than asked for: that improves the conditioning of K − λM on the complement of the modes.
  Result<NaturalModes> modes =
      natural_modes(system.body(), system.free(), guard ? k + 4 + k / 4 : k, progress, system.known());
  progress.end();
  if (!modes) return modes;
  if (modes.value().shapes.cols() == 0)
    return wrong(ErrorCode::kInconsistent, "linear_modes", "the body has no elastic mode");
  remove_rigid_modes(system.body(), system.rigid(), modes.value().shapes);
  return modes;
}

/// Weights λ₁²/(λ_i λ_j) of Eq. R2 for all pairs.
void scale_derivatives(const VectorX& lambda, MatrixX& derivatives) {
  for (Index j = 0; j < lambda.size(); ++j)
    for (Index i = 0; i <= j; ++i)
      derivatives.col(pair_place(i, j)) *= lambda[0] / lambda[i] * (lambda[0] / lambda[j]);
}

Result<MatrixX> derivatives_of(const RestSystem& system, const NaturalModes& modes, Index k,
                               DerivativeKind kind, Progress& progress) {
  if (kind == DerivativeKind::kStatic) return static_derivatives(system, modes.shapes.leftCols(k), progress);
  const Result<MatrixX> all = eigenvector_derivatives(system, modes, k, progress);
  if (!all) return all.errors();
  return symmetric_derivatives(all.value(), k);
}

/// The strength of a column is its singular value relative to the first.
Basis from_pca(MassPca pca, bool free) {
  Basis basis;
  basis.strength = pca.singular.head(pca.shapes.cols()) / pca.singular[0];
  basis.shapes = std::move(pca.shapes);
  basis.captured = pca.captured;
  basis.free = free;
  return basis;
}

/// Natural modes and their derivatives, weighted by Eq. R2, in one mass-PCA.
Result<Basis> automatic_basis(const RestSystem& system, const NaturalModes& modes,
                              const BasisSettings& settings, Progress& progress) {
  const Index k = std::min(settings.linear_modes, modes.shapes.cols());
  MatrixX X = modes.shapes.leftCols(k);
  for (Index j = 0; j < k; ++j) X.col(j) *= modes.squared[0] / modes.squared[j];
  if (settings.derivatives) {
    Result<MatrixX> derivatives = derivatives_of(system, modes, k, settings.kind, progress);
    if (!derivatives) return derivatives.errors();
    scale_derivatives(modes.squared.head(k), derivatives.value());
    const double largest = mass_norms(system.body(), derivatives.value()).maxCoeff();
    if (largest > 0.0) derivatives.value() *= kDerivativeShare / largest;
    X.conservativeResize(Eigen::NoChange, k + derivatives.value().cols());
    X.rightCols(derivatives.value().cols()) = derivatives.value();
  }
  progress.begin("principal components", 0);
  MassPca pca = mass_pca(system.body(), X, system.rigid(), truncation(settings));
  progress.end();
  return from_pca(std::move(pca), system.floating());
}

/// The best `room` shapes, in the energy metric, of what X adds to the span of the Ritz vectors V: X − V Λ⁻¹
/// VᵀKX does no work with them. Mass-orthonormal, also to V.
MassPca added_by(const RestSystem& system, MatrixX X, const RitzPairs& ritz, Index room) {
  const MatrixX work = inner_products(ritz.vectors, system.stiffness_times(X));
  subtract_combination(X, ritz.vectors, ritz.values.cwiseInverse().asDiagonal() * work);
  const Basis best = energy_pca(system, std::move(X), room);
  MatrixX known(ritz.vectors.rows(), system.rigid().cols() + ritz.vectors.cols());
  known << system.rigid(), ritz.vectors;
  MassPca pca;
  pca.shapes = mass_orthonormalize(system.body(), best.shapes, known, kDependentShapes).vectors;
  pca.singular = best.strength;
  pca.captured = best.captured;
  return pca;
}

/// Appends shapes to the Ritz vectors.
void fill_up(Basis& basis, const MassPca& pca) {
  const Index kept = basis.shapes.cols(), added = pca.shapes.cols();
  basis.captured = pca.captured;
  basis.shapes.conservativeResize(Eigen::NoChange, kept + added);
  basis.shapes.rightCols(added) = pca.shapes;
  basis.strength.conservativeResize(kept + added);
  if (added > 0) basis.strength.tail(added) = pca.singular.head(added) / pca.singular[0];
}

/// Modes and attachment modes combined into Ritz vectors, then the derivatives of these ("attmd") or shapes.
Result<Basis> patched_basis(const RestSystem& system, const NaturalModes& modes,
                            const BasisSettings& settings, Progress& progress) {
  Index k = std::min(settings.linear_modes, modes.shapes.cols());
  // Without this, k modes alone could exceed the r that was asked for.
  if (settings.modes > 0) k = std::min(k, settings.modes);
  const Result<MatrixX> attachments =
      settings.attachment_max > 0
          ? strongest_responses(system, settings.patches, modes.shapes.leftCols(k), modes.squared.head(k),
                                settings.attachment_max, progress)
          : attachment_modes(system, settings.patches, progress);
  if (!attachments) return attachments.errors();
  MatrixX columns(modes.shapes.rows(), k + attachments.value().cols());
  columns << modes.shapes.leftCols(k), attachments.value();
  const RitzPairs ritz = ritz_pairs(system, columns);
  const Index kept = ritz.vectors.cols();

  Basis basis;
  basis.free = system.floating();
  basis.shapes = ritz.vectors;
  basis.strength = VectorX::Ones(kept);
  basis.attachment = kept - k;
  // Attachment modes come on top of r.
  const Index room = settings.modes > 0 ? settings.modes - k : kept * kept;
  if (room <= 0) return basis;
  if (settings.shapes.cols() > 0) {
    progress.begin("principal components", 0);
    fill_up(basis, added_by(system, settings.shapes, ritz, room));
    progress.end();
    return basis;
  }
  if (!settings.derivatives) return basis;

  Result<MatrixX> derivatives = static_derivatives(system, ritz.vectors, progress);
  if (!derivatives) return derivatives.errors();
  scale_derivatives(ritz.values, derivatives.value());
  progress.begin("principal components", 0);
  // Ritz vectors and rigid motion are excluded, so that the PCA only adds what is new.
  MatrixX known(columns.rows(), system.rigid().cols() + kept);
  known << system.rigid(), ritz.vectors;
  fill_up(basis, mass_pca(system.body(), derivatives.value(), known, {room, settings.energy}));
  progress.end();
  return basis;
}

/// Everything that is wrong with the shapes: wrong size, not finite, all zero, or held vertices that move.
Diagnostics check_shapes(const std::vector<char>& free, ConstMatrixRef shapes) {
  Diagnostics errors;
  if (shapes.rows() != std::ssize(free))
    return {wrong(ErrorCode::kInconsistent, "shapes",
                  "have " + text(shapes.rows() / 3) + " vertices, the body has " + text(std::ssize(free) / 3),
                  "take shapes of the same mesh")};
  for (Index j = 0; j < shapes.cols(); ++j)
    if (!shapes.col(j).allFinite())
      errors.push_back(wrong(ErrorCode::kNonFinite, "shape " + text(j), "is not finite"));
  if (!errors.empty()) return errors;
  const double largest = shapes.size() > 0 ? shapes.cwiseAbs().maxCoeff() : 0.0;
  if (!(largest > 0.0))
    return {wrong(ErrorCode::kDegenerate, "shapes", "tell of no deformation",
                  "give shapes that differ from rest")};
  for (Index j = 0; j < shapes.cols(); ++j)
    for (Index i = 0; i < shapes.rows(); ++i) {
      if (free[to_size(i)] != 0 || std::abs(shapes(i, j)) <= kHeldMoves * largest) continue;
      errors.push_back(
          wrong(ErrorCode::kInconsistent, "shape " + text(j),
                "moves vertex " + text(i / 3) + ", which is held, by " + text(shapes(i, j)) + " m",
                "hold the same vertices as in the run that made the shapes, and do not drive them"));
      break;
    }
  return errors;
}

}  // namespace

Diagnostics check(const BasisSettings& settings) {
  Diagnostics errors;
  if (settings.linear_modes < 1)
    errors.push_back(wrong(ErrorCode::kOutOfRange, "linear_modes",
                           "must be at least 1, got " + text(settings.linear_modes)));
  if (settings.modes < 0)
    errors.push_back(
        wrong(ErrorCode::kOutOfRange, "modes", "must not be negative, got " + text(settings.modes)));
  if (settings.attachment_max < 0)
    errors.push_back(wrong(ErrorCode::kOutOfRange, "attachment_max",
                           "must not be negative, got " + text(settings.attachment_max)));
  if (settings.energy && !(*settings.energy > 0.0 && *settings.energy <= 1.0))
    errors.push_back(wrong(ErrorCode::kOutOfRange, "energy",
                           "must lie in (0, 1], got " + text(*settings.energy), "0.9999 is a good start"));
  if (!settings.patches.empty() && settings.derivatives && settings.kind == DerivativeKind::kEigenvector)
    errors.push_back(wrong(ErrorCode::kUnsupported, "kind", "Ritz vectors have no eigenvector derivatives",
                           "take static derivatives, or no patches"));
  return errors;
}

Result<Basis> make_basis(const ElasticBody& body, const std::vector<char>& free,
                         const BasisSettings& settings, Progress& progress) {
  Diagnostics errors = check(settings);
  if (!errors.empty()) return errors;
  const Result<RestSystem> system = RestSystem::make(body, free, progress);
  if (!system) return system.errors();
  if (progress.cancelled()) return cancelled();
  const Result<NaturalModes> modes = modes_of(system.value(), settings, progress);
  if (!modes) return modes.errors();
  return basis_from_modes(system.value(), modes.value(), settings, progress);
}

Result<Basis> basis_from_modes(const RestSystem& system, const NaturalModes& modes,
                               const BasisSettings& settings, Progress& progress) {
  const bool plain = settings.patches.empty() && settings.shapes.cols() == 0;
  return plain ? automatic_basis(system, modes, settings, progress)
               : patched_basis(system, modes, settings, progress);
}

Result<Basis> basis_from_shapes(const ElasticBody& body, const std::vector<char>& free, ConstMatrixRef shapes,
                                const BasisSettings& settings, Progress& progress) {
  Diagnostics errors = check(settings);
  const Diagnostics more = check_shapes(free, shapes);
  errors.insert(errors.end(), more.begin(), more.end());
  if (!errors.empty()) return errors;
  const bool unheld = nothing_held(free);
  MatrixX X = shapes;
  progress.begin("principal components", X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    if (progress.cancelled()) return cancelled();
    if (unheld) X.col(j) = remove_finite_motion(body, shapes.col(j));
    for (Index i = 0; i < X.rows(); ++i)
      if (free[to_size(i)] == 0) X(i, j) = 0.0;
    progress.update(j);
  }
  const MatrixX rigid = unheld ? rigid_modes(body) : MatrixX(body.dof_count(), 0);
  MassPca pca = mass_pca(body, X, rigid, truncation(settings));
  progress.end();
  if (pca.shapes.cols() == 0 || !(pca.singular[0] > 1e-12 * mass_norms(body, shapes).maxCoeff()))
    return wrong(ErrorCode::kDegenerate, "shapes", "are the rest shape, moved as a whole",
                 "give deformed ones");
  return from_pca(std::move(pca), unheld);
}

}  // namespace pliant
