// material/principal.hpp — isotropic laws as functions of the three principal stretches.
//
// With F = U diag(σ) Vᵀ (Eq. M7) an isotropic law is ψ(σ), its stress is U diag(∂ψ/∂σ) Vᵀ (Eq. M8), and its
// tangent splits into small blocks in the basis of the dyads u_i v_jᵀ (Eq. M9, M10) [Teran2005,
// SmithDeGoesKim2019]:
//
//   stretch   3×3 Hessian ∂²ψ/∂σ²                    changes of the stretches
//   flip      (ψ_i − ψ_j)/(σ_i − σ_j), one per pair   symmetric off-diagonal changes
//   twist     (ψ_i + ψ_j)/(σ_i + σ_j), one per pair   antisymmetric ones
//
// Setting the negative eigenvalues of these blocks to zero is the exact projection of the 9×9 tangent. Each
// law evaluates the quotients in closed form, so that equal stretches cause no 0/0.
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/math/svd3.hpp"

namespace pliant {

/// ψ and its derivatives at one point. Entry c of flip and twist belongs to the pair of the other two axes.
struct PrincipalResponse {
  double energy = 0.0;                 // Pa
  Vector3 gradient = Vector3::Zero();  // principal first Piola–Kirchhoff stresses
  Matrix3 stretch = Matrix3::Zero();   // Hessian
  Vector3 flip = Vector3::Zero();
  Vector3 twist = Vector3::Zero();
};

/// ψ at signed stretches in the order of Svd3, for every law except `linear`, which is not isotropic in F.
[[nodiscard]] PrincipalResponse principal_response(const Material& material, const Vector3& sigma);

/// Stiffness k of the quadratic term that the invertible variant adds below its threshold (Eq. M13), Pa.
[[nodiscard]] double inversion_stiffness(const Material& material);

/// U diag(gradient) Vᵀ.
[[nodiscard]] Matrix3 principal_stress(const Svd3& svd, const PrincipalResponse& response);

/// The 9×9 tangent from its blocks (Eq. M9, M10).
[[nodiscard]] Matrix9 principal_tangent(const Svd3& svd, const PrincipalResponse& response);

/// The same blocks with their negative eigenvalues set to zero.
[[nodiscard]] PrincipalResponse clamp_negative(const PrincipalResponse& response);

}  // namespace pliant
