// material/point.hpp — energy, stress and tangent of a material at one point.
//
// F is the deformation gradient, P = ∂Ψ/∂F the first Piola–Kirchhoff stress, A = ∂P/∂F the tangent with
// A(i+3j, k+3l) = ∂P_ij/∂F_kl (vec is column-major, Eigen's order). All in Pa = J/m³ of the body at rest.
// Each stress is the exact derivative of its energy and each tangent that of its stress, for every law and
// for the invertible variants; docs/theory/materials.md has the equations.
//
// Smooth laws are computed by kernels.hpp, corotational and the invertible variants from the SVD of F
// (principal.hpp). Loops over many points of a smooth law should call the kernels with Pack4 directly.
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/math/types.hpp"

namespace pliant {

/// False where the energy is infinite or undefined: neohookean with det F ≤ 0 unless invertible; any
/// non-finite F. The functions below then return non-finite values.
[[nodiscard]] bool admissible(const Material& material, const Matrix3& F);

/// Ψ(F) in J/m³; zero at rest, F = 1.
[[nodiscard]] double energy_density(const Material& material, const Matrix3& F);

/// P = ∂Ψ/∂F.
[[nodiscard]] Matrix3 stress(const Material& material, const Matrix3& F);

/// A = ∂P/∂F, symmetric; may be indefinite.
[[nodiscard]] Matrix9 tangent(const Material& material, const Matrix3& F);

/// The positive semi-definite matrix nearest to the tangent: negative eigenvalues set to zero, same vectors.
[[nodiscard]] Matrix9 tangent_projected(const Material& material, const Matrix3& F);

/// P and A (projected or exact) with one decomposition of F for both.
void stress_and_tangent(const Material& material, const Matrix3& F, bool projected, Matrix3& P, Matrix9& A);

/// D²P(1)[A, B], symmetric and bilinear: the second derivative of the stress at rest (Eq. M14…M18).
[[nodiscard]] Matrix3 stress_second_derivative_at_rest(const Material& material, const Matrix3& A,
                                                       const Matrix3& B);

/// Von Mises equivalent of the Cauchy stress P Fᵀ / det F (linear: of P itself), Pa; infinite at det F = 0.
[[nodiscard]] double von_mises(const Material& material, const Matrix3& F);

}  // namespace pliant
