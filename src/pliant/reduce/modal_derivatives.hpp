// reduce/modal_derivatives.hpp — how the shapes of small vibrations change when the body deforms.
//
// To second order a body that moves along modes ψ_i with amplitudes p_i follows
// u = Σ p_i ψ_i + ½ Σ p_i p_j Φ_ij, and Φ_ij, the modal derivatives, are what linear modes lack at large
// deformations ([BarbicJames2005] §5.1). Two definitions:
//
//   static       K Φ_ij = −f''(ψ_i, ψ_j)                       Eq. 14; symmetric in i, j
//   eigenvector  (K − λ_i M) Φ_ij = (M ψ_i ψ_iᵀ − 1) f''(ψ_i, ψ_j),  ψ_iᵀMΦ_ij = 0       Eq. 29
//
// with f'' the second derivative of the internal force at rest. Eigenvector derivatives are exactly
// ∂ψ_i/∂p_j: differentiate K(u)ψ = λMψ along ψ_j. Static ones follow by neglecting inertia. Unheld bodies
// take static derivatives by inertia relief (reduce/rest_system.hpp); either kind is then free of rigid
// motion. As bases neither is ahead in all cases that were
// measured; static ones cost one solve per pair and are the default.
#pragma once

#include "pliant/fem/natural_modes.hpp"
#include "pliant/reduce/rest_system.hpp"

namespace pliant {

enum class DerivativeKind { kStatic, kEigenvector };

/// Static derivatives of any shapes (modes, Ritz vectors) for all pairs i ≤ j, at column pair_place(i, j):
/// those of the first shapes come first. Fails only when cancelled.
Result<MatrixX> static_derivatives(const RestSystem& system, ConstMatrixRef shapes, Progress& progress);

/// Eigenvector derivatives of the first `count` modes along each other, Φ_ij at column i · count + j; not
/// symmetric. `modes` must be all of the lowest ones; a few more than `count` make the solution quicker, as
/// K − λ_i M is definite on what is orthogonal to them (conjugate gradients there, preconditioned by K⁻¹).
/// Among modes of equal frequency the eigenvectors are arbitrary, and no component along each other is given.
Result<MatrixX> eigenvector_derivatives(const RestSystem& system, const NaturalModes& modes, Index count,
                                        Progress& progress);

/// ½(Φ_ij + Φ_ji) at column pair_place(i, j), from all count² of them.
[[nodiscard]] MatrixX symmetric_derivatives(ConstMatrixRef all, Index count);

}  // namespace pliant
