#include "pliant/material/mean_stress.hpp"

#include "pliant/material/point.hpp"
#include "pliant/material/principal.hpp"
#include "pliant/math/polar.hpp"

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

Matrix3 symmetric_matrix(const double E[6]) {
  Matrix3 m;
  m << E[0], E[3], E[4], E[3], E[1], E[5], E[4], E[5], E[2];
  return m;
}

/// The mean strain as a stretch: F* = R U with U = √(1 + 2E), R the rotation of the mean F, and the sign of
/// its determinant.
Svd3 mean_stretch(const MeanStrain<double>& m) {
  const Matrix3 F = Eigen::Map<const Matrix3>(m.F);
  Svd3 svd = svd_rotations(Matrix3::Identity() + 2.0 * symmetric_matrix(m.E));
  svd.sigma = svd.sigma.cwiseMax(0.0).cwiseSqrt();
  if (F.determinant() < 0.0) svd.sigma[2] = -svd.sigma[2];
  svd.U = polar_rotation(F) * svd.V;
  return svd;
}

/// S = V diag(ψ_i/σ_i) Vᵀ. Where a stretch is nearly zero so is F along it, and P = F S stays bounded.
Matrix3 second_piola(const Svd3& svd, const Vector3& gradient) {
  const double floor = 1e-8 * svd.sigma[0] + 1e-300;
  Vector3 s;
  for (Index i = 0; i < 3; ++i) {
    const double divisor = std::max(std::abs(svd.sigma[i]), floor);
    s[i] = gradient[i] / (svd.sigma[i] < 0.0 ? -divisor : divisor);
  }
  return svd.V * s.asDiagonal() * svd.V.transpose();
}

/// A(ij,kl) += δ_ik S_jl.
void add_geometric(const Matrix3& S, Matrix9& A) {
  for (Index l = 0; l < 3; ++l)
    for (Index j = 0; j < 3; ++j)
      for (Index i = 0; i < 3; ++i) A(i + 3 * j, i + 3 * l) += S(j, l);
}

/// Laws that need an SVD: Gonzalez' correction of the stress at the mean strain (Eq. M20).
void principal_mean(const Material& material, const MeanStrain<double>& m, const Svd3& svd,
                    const PrincipalResponse& response, Matrix3& P, Matrix3& correction) {
  const Matrix3 F = Eigen::Map<const Matrix3>(m.F);
  const Matrix3 D = Eigen::Map<const Matrix3>(m.D);
  const Matrix3 strain_change = symmetric_matrix(m.strain_change);
  const Matrix3 F0 = F - 0.5 * D;
  const Matrix3 F1 = F + 0.5 * D;
  const double before = energy_density(material, F0);
  const double after = energy_density(material, F1);
  const Matrix3 S = second_piola(svd, response.gradient);
  P = F * S;
  correction.setZero();
  const double missing = after - before - S.cwiseProduct(strain_change).sum();
  // Energies round like stress × the 1 in F; below that, the correction would be nothing else.
  const double rounding = 16.0 * std::numeric_limits<double>::epsilon() *
                          (std::abs(before) + std::abs(after) + response.gradient.norm());
  if (std::abs(missing) <= rounding) return;
  if (F0.determinant() * F1.determinant() > 0.0) {
    correction = kernel::gonzalez_factor(missing, strain_change.squaredNorm()) * strain_change;
    P += F * correction;
  } else {
    P += kernel::gonzalez_factor(missing, D.squaredNorm()) * D;  // turns inside out, or back
  }
}

}  // namespace

void mean_stress(const Material& material, const Matrix3& H0, const Matrix3& H1, bool projected, Matrix3& P,
                 Matrix9* A) {
  const MeanStrain<double> m(H0.data(), H1.data());
  const bool smooth = has_kernel(material);
  const bool clamp = projected && material.law != Law::kLinear;
  if (smooth) {
    double* exact = A != nullptr && !clamp ? A->data() : nullptr;
    with_mean_kernel<double>(material.law, material.lambda(), material.mu(),
                             [&](const auto& mean) { mean(m, P.data(), exact); });
    if (A == nullptr || exact != nullptr) return;
  }
  const Svd3 svd = mean_stretch(m);
  const PrincipalResponse response = principal_response(material, svd.sigma);
  Matrix3 correction;
  if (!smooth) principal_mean(material, m, svd, response, P, correction);
  if (A == nullptr) return;
  *A = principal_tangent(svd, clamp ? clamp_negative(response) : response);
  if (!clamp) add_geometric(correction, *A);
}

}  // namespace pliant
