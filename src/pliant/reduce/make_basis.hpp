// reduce/make_basis.hpp — the basis of a body: automatically from its modes, or from shapes it has taken.
//
//   natural modes ψ ─┬──────────────────────► (λ₁/λ_j) ψ_j ────────┐
//                    └► modal derivatives Φ ► a (λ₁²/λ_iλ_j) Φ_ij ─┴► mass-PCA ──► U      [BarbicJames2005]
//
//   with patches: modes and attachment modes ─► Ritz vectors, all kept ─► their derivatives ─► mass-PCA of
//   what is orthogonal to them fills up.
//
// The weights put the soft modes and their derivatives first (Eq. 16). The paper has no factor a; but ψ is
// per √kg and Φ per kg·m, so its mixture depends on units. We give the largest weighted derivative a quarter
// of the first mode's norm. Measured: held beams want from a seventh to a half, a beam in flight a quarter
// (with three times as much, r = 20 misses its first vibration by 2.8 % instead of 0.14 %). To take the modes
// out of the derivatives first is no remedy: where a derivative lies in the span of a stiff mode (bending
// shortens a beam as its axial mode does), that direction would enter with the mode's small weight and be
// lost.
//
// A basis is one for all sizes: its first columns are the smaller basis (with patches: as long as the Ritz
// vectors are in).
#pragma once

#include "pliant/reduce/attachment_modes.hpp"
#include "pliant/reduce/mass_pca.hpp"
#include "pliant/reduce/modal_derivatives.hpp"
#include "pliant/subspace/basis.hpp"

namespace pliant {

struct BasisSettings {
  Index linear_modes = 10;       // k: natural modes to start from; fewer when the body has fewer
  Index modes = 20;              // r: shapes kept at most; 0: no bound. Attachment modes come on top of it
  std::optional<double> energy;  // in (0, 1]: the fewest shapes that hold this share of Σσ²
  bool derivatives = true;       // off: natural (and attachment) modes alone
  DerivativeKind kind = DerivativeKind::kStatic;  // eigenvector derivatives are symmetrised; not with patches
  std::vector<Patch> patches;                     // six attachment modes each
  Index attachment_max = 0;  // of all attachment modes only so many, the strongest; 0: all
};

/// All problems of the settings.
[[nodiscard]] Diagnostics check(const BasisSettings& settings);

/// `free` has one flag per degree of freedom. When none is held the basis is free of rigid motion
/// (Basis::free); when some are, rigid motion must be excluded. Any law: the derivatives of the linear law
/// are zero and drop out. Fails when cancelled.
///
/// With patches the Ritz vectors of modes (no more than r) and attachments come first, by frequency, with
/// strength 1, and all of them are kept; Basis::attachment tells how many there are more than modes. Then
/// `captured` speaks of the derivatives alone.
Result<Basis> make_basis(const ElasticBody& body, const std::vector<char>& free,
                         const BasisSettings& settings, Progress& progress);

/// The best basis for given shapes (3n × m displacements from rest, each counting by its size); of the
/// settings only `modes` and `energy` matter. Held degrees of freedom must be at rest in every shape, up to
/// 1e-6 of the largest displacement (then they are set to zero). Shapes of an unheld body are first freed of
/// their finite rigid motion. Zero shapes tell nothing and are no error, unless all are.
Result<Basis> basis_from_shapes(const ElasticBody& body, const std::vector<char>& free, ConstMatrixRef shapes,
                                const BasisSettings& settings, Progress& progress);

}  // namespace pliant
