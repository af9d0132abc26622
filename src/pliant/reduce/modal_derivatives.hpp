// reduce/modal_derivatives.hpp — how mode shapes change when the body deforms.
//
// To second order, a body that moves along modes ψ_i with amplitudes p_i follows u = Σ p_i ψ_i + ½ Σ p_i p_j
// Φ_ij. The modal derivatives Φ_ij are what linear modes lack at large deformations ([BarbicJames2005] §5.1).
// There are two definitions:
//
//   static       K Φ_ij = −f''(ψ_i, ψ_j)                       Eq. 14 (our R1); symmetric in i, j
//   eigenvector  (K − λ_i M) Φ_ij = (M ψ_i ψ_iᵀ − 1) f''(ψ_i, ψ_j),  ψ_iᵀMΦ_ij = 0       Eq. 29
//
// with f'' the second derivative of the internal force at rest. Eigenvector derivatives are exactly
// ∂ψ_i/∂p_j: differentiate K(u)ψ = λMψ along ψ_j. Static ones neglect inertia. Bodies that nothing holds get
// static derivatives by inertia relief (reduce/rest_system.hpp); both kinds are then free of rigid motion. As
// a basis, neither is better in all cases measured; static ones cost one solve per pair and are the default.
#pragma once

#include "pliant/fem/natural_modes.hpp"
#include "pliant/reduce/rest_system.hpp"

namespace pliant {

enum class DerivativeKind { kStatic, kEigenvector };

/// Static derivatives of any shapes (modes, Ritz vectors) for all pairs i ≤ j, in column pair_place(i, j), so
/// that those of the first shapes come first. Fails only when cancelled.
Result<MatrixX> static_derivatives(const RestSystem& system, ConstMatrixRef shapes, Progress& progress);

/// Eigenvector derivatives of the first `count` modes along each other, Φ_ij in column i · count + j; not
/// symmetric. `modes` must be the lowest ones without a gap. A few more than `count` speed up the iteration:
/// K − λ_i M is definite on the complement of all of them, and better conditioned the more there are. Modes
/// of equal frequency are arbitrary within their family, and derivatives get no component along each other
/// there.
Result<MatrixX> eigenvector_derivatives(const RestSystem& system, const NaturalModes& modes, Index count,
                                        Progress& progress);

/// ½(Φ_ij + Φ_ji) at column pair_place(i, j), from all count² of them.
[[nodiscard]] MatrixX symmetric_derivatives(ConstMatrixRef all, Index count);

}  // namespace pliant
