#include "pliant/material/point.hpp"

#include "pliant/material/kernels.hpp"
#include "pliant/material/principal.hpp"

#include <cmath>
#include <utility>

namespace pliant {
namespace {

/// Calls visit(kernel) with the kernel of one point, T = double.
template <class Visitor>
decltype(auto) with_kernel_of(const Material& material, Visitor&& visit) {
  return with_kernel<double>(material.law, material.lambda(), material.mu(), std::forward<Visitor>(visit));
}

}  // namespace

bool admissible(const Material& material, const Matrix3& F) {
  if (!F.allFinite()) return false;
  return material.law != Law::kNeoHookean || material.invertible || F.determinant() > 0.0;
}

double energy_density(const Material& material, const Matrix3& F) {
  if (!has_kernel(material)) return principal_response(material, svd_rotations(F).sigma).energy;
  const Matrix3 H = F - Matrix3::Identity();  // kernels take H to keep accuracy near rest
  return with_kernel_of(material, [&](const auto& kernel) { return kernel.energy(H.data()); });
}

Matrix3 stress(const Material& material, const Matrix3& F) {
  if (!has_kernel(material)) {
    const Svd3 svd = svd_rotations(F);
    return principal_stress(svd, principal_response(material, svd.sigma));
  }
  const Matrix3 H = F - Matrix3::Identity();
  Matrix3 P;
  with_kernel_of(material, [&](const auto& kernel) { kernel.stress(H.data(), P.data()); });
  return P;
}

Matrix9 tangent(const Material& material, const Matrix3& F) {
  Matrix3 P;
  Matrix9 A;
  stress_and_tangent(material, F, false, P, A);
  return A;
}

Matrix9 tangent_projected(const Material& material, const Matrix3& F) {
  Matrix3 P;
  Matrix9 A;
  stress_and_tangent(material, F, true, P, A);
  return A;
}

void stress_and_tangent(const Material& material, const Matrix3& F, bool projected, Matrix3& P, Matrix9& A) {
  // The tangent of the linear law is constant and positive semi-definite for every allowed Poisson's ratio.
  const bool needs_svd = !has_kernel(material) || (projected && material.law != Law::kLinear);
  if (!needs_svd) {
    const Matrix3 H = F - Matrix3::Identity();
    with_kernel_of(material,
                   [&](const auto& kernel) { kernel.stress_tangent(H.data(), P.data(), A.data()); });
    return;
  }
  const Svd3 svd = svd_rotations(F);
  // Eq. M8…M10: work on the principal stretches, then rotate back by U and V.
  const PrincipalResponse response = principal_response(material, svd.sigma);
  P = principal_stress(svd, response);
  A = principal_tangent(svd, projected ? clamp_negative(response) : response);
}

double von_mises(const Material& material, const Matrix3& F) {
  const Matrix3 P = stress(material, F);
  return von_mises(material.law, F.data(), P.data());
}

}  // namespace pliant
