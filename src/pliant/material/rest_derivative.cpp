#include "pliant/material/kernels.hpp"
#include "pliant/material/point.hpp"

namespace pliant {
namespace {

Matrix3 symmetric(const Matrix3& A) { return 0.5 * (A + A.transpose()); }
Matrix3 antisymmetric(const Matrix3& A) { return 0.5 * (A - A.transpose()); }
double contract(const Matrix3& A, const Matrix3& B) { return A.cwiseProduct(B).sum(); }

Matrix3 stvk(double lambda, double mu, const Matrix3& A, const Matrix3& B) {
  Matrix3 P;
  StvkKernel<double>{lambda, mu}.second_derivative_at_rest(A.data(), B.data(), P.data());
  return P;
}

/// Eq. M16, from P = μF + (λ ln J − μ) F⁻ᵀ.
Matrix3 neo_hookean(double lambda, double mu, const Matrix3& A, const Matrix3& B) {
  const Matrix3 AB = A * B;
  return -mu * (AB + B * A).transpose() -
         lambda * (AB.trace() * Matrix3::Identity() + A.trace() * B.transpose() + B.trace() * A.transpose());
}

/// Eq. M17, from P = a F + b cof F with a and b functions of the invariants.
Matrix3 stable_neo_hookean(double lambda, double mu, const Matrix3& A, const Matrix3& B) {
  const double shear = 4.0 / 3.0 * mu;
  const double bulk = lambda + 5.0 / 6.0 * mu;
  const double a = A.trace();
  const double b = B.trace();
  const Matrix3 AB = A * B;
  // Second derivatives of J and of cof F, and first ones of cof F, all at F = 1.
  const double dd_det = a * b - AB.trace();
  const Matrix3 one = Matrix3::Identity();
  const Matrix3 cof_a = a * one - A.transpose();
  const Matrix3 cof_b = b * one - B.transpose();
  const Matrix3 dd_cof = (AB + B * A - a * B - b * A).transpose() + dd_det * one;
  return (shear / 8.0 * (contract(A, B) - a * b) + bulk * dd_det) * one + shear / 8.0 * (a * B + b * A) +
         bulk * (a * cof_b + b * cof_a) - mu * dd_cof;
}

/// Eq. M18, from P = 2μ(F − R) + λ tr(S − 1) R; s and w are the symmetric and antisymmetric parts.
Matrix3 corotational(double lambda, double mu, const Matrix3& A, const Matrix3& B) {
  const Matrix3 sa = symmetric(A);
  const Matrix3 sb = symmetric(B);
  const Matrix3 wa = antisymmetric(A);
  const Matrix3 wb = antisymmetric(B);
  const Matrix3 dd_rotation = 0.5 * (wa * wb + wb * wa - wa * sb - sb * wa - wb * sa - sa * wb);
  return -2.0 * mu * dd_rotation +
         lambda * (contract(wa, wb) * Matrix3::Identity() + A.trace() * wb + B.trace() * wa);
}

}  // namespace

Matrix3 stress_second_derivative_at_rest(const Material& material, const Matrix3& A, const Matrix3& B) {
  const double lambda = material.lambda();
  const double mu = material.mu();
  switch (material.law) {
    case Law::kLinear:
      break;
    case Law::kCorotational:
      return corotational(lambda, mu, A, B);
    case Law::kStvk:
      return stvk(lambda, mu, A, B);
    case Law::kNeoHookean:
      return neo_hookean(lambda, mu, A, B);
    case Law::kStableNeoHookean:
      return stable_neo_hookean(lambda, mu, A, B);
  }
  return Matrix3::Zero();  // linear: P is linear in F
}

}  // namespace pliant
