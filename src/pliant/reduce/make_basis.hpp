// reduce/make_basis.hpp — the basis of a body: automatically from its modes, or from shapes that it has
// taken.
//
//   natural modes ψ ─┬──────────────────────► (λ₁/λ_j) ψ_j ────────┐
//                    └► modal derivatives Φ ► a (λ₁²/λ_iλ_j) Φ_ij ─┴► mass-PCA ──► U      [BarbicJames2005]
//
//   with patches: modes and attachment modes ─► Ritz vectors, all kept ─► their derivatives ─► mass-PCA of
//   what is orthogonal to them fills up.
//
// The weights put the soft modes and their derivatives first ([BarbicJames2005] Eq. 16; our Eq. R2). The
// paper has no factor a. But ψ is per √kg and Φ per kg·m, so without it the mixture depends on the units. We
// give the largest weighted derivative a quarter of the first mode's norm. Measured: held beams want a
// seventh to a half, a beam in flight a quarter (with three times as much, r = 20 misses its first frequency
// by 2.8 % instead of 0.14 %). It does not help to remove the modes from the derivatives first: where a
// derivative lies in the span of a stiff mode (bending shortens a beam as its axial mode does), that
// direction would only have the small weight of the mode and be lost.
//
// One basis serves all sizes: its first columns are the smaller basis (with patches: as long as all Ritz
// vectors are among them).
#pragma once

#include "pliant/reduce/attachment_modes.hpp"
#include "pliant/reduce/mass_pca.hpp"
#include "pliant/reduce/modal_derivatives.hpp"
#include "pliant/subspace/basis.hpp"

namespace pliant {

struct BasisSettings {
  Index linear_modes = 10;       // k: natural modes to start from; fewer when the body has fewer
  Index modes = 20;              // r: shapes kept at most; 0: no bound. Attachment modes come on top of it
  std::optional<double> energy;  // in (0, 1]: keep the fewest shapes that hold this share of Σσ²
  bool derivatives = true;       // off: natural (and attachment) modes only
  DerivativeKind kind = DerivativeKind::kStatic;  // eigenvector derivatives are symmetrised; not with patches
  std::vector<Patch> patches;                     // six attachment modes each
  Index attachment_max = 0;  // keep only so many of all attachment modes, the strongest; 0: all
  MatrixX shapes;  // 3n × m, zero where held: they fill up in the place of derivatives; or no columns
};

/// Everything that is wrong with the settings.
[[nodiscard]] Diagnostics check(const BasisSettings& settings);

/// `free` has one flag per degree of freedom. If none is held, the basis is free of rigid motion
/// (Basis::free); if some are, they must exclude rigid motion. Any law is allowed; the derivatives of the
/// linear law are zero and drop out. Fails when cancelled.
///
/// With shapes, the best of what they add to the modes in the energy metric takes the place of derivatives.
/// With patches or shapes, the Ritz vectors of modes (at most r) and attachment modes come first, by
/// frequency, with strength 1, and all of them are kept; Basis::attachment is their number beyond the modes.
/// Then `captured` describes what fills up only.
Result<Basis> make_basis(const ElasticBody& body, const std::vector<char>& free,
                         const BasisSettings& settings, Progress& progress);

/// The best basis for given shapes (3n × m displacements from rest, each weighted by its own size); of the
/// settings only `modes` and `energy` are used. Held degrees of freedom must be at rest in every shape, up to
/// 1e-6 of the largest displacement (then they are set to zero). From shapes of a body that nothing holds,
/// the finite rigid motion is removed first. Zero shapes are ignored; it is an error if all are zero.
Result<Basis> basis_from_shapes(const ElasticBody& body, const std::vector<char>& free, ConstMatrixRef shapes,
                                const BasisSettings& settings, Progress& progress);

}  // namespace pliant
