#include "pliant/material/principal.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/math/polar.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pliant {
namespace {

// stvk and neohookean have one common form (Eq. M12): ψ = Σ f(σ_i) + λ Σ_{i<j} g(σ_i) g(σ_j). The quotients
// flip and twist of Eq. M10 then follow from divided differences and sums of f' and g', which each law
// provides in closed form: no 0/0 at equal stretches.

/// f, g and their derivatives at one stretch.
struct AxisValue {
  double f, df, ddf, g, dg, ddg;
};

/// Divided differences (h(a) − h(b))/(a − b) of f', g' and g.
struct AxisSlope {
  double df, dg, g;
};

/// (f'_a + f'_b)/(a + b), (g'_a + g'_b)/(a + b) and (g'_a g_b + g'_b g_a)/(a + b).
struct AxisSum {
  double df, dg, mixed;
};

/// g = (σ² − 1)/2, f = (λ/2 + μ) g².
struct StvkAxis {
  double lambda, mu;

  [[nodiscard]] AxisValue at(double s) const {
    const double M = lambda + 2.0 * mu;  // P-wave modulus
    const double g = 0.5 * (s - 1.0) * (s + 1.0);
    return {0.5 * M * g * g, M * g * s, M * (g + s * s), g, s, 1.0};
  }
  /// f' = M (σ³ − σ)/2, g' = σ.
  [[nodiscard]] AxisSlope slope(double a, double b) const {
    return {0.5 * (lambda + 2.0 * mu) * (a * a + a * b + b * b - 1.0), 1.0, 0.5 * (a + b)};
  }
  /// The common factor a + b cancels in every entry.
  [[nodiscard]] AxisSum sum(double a, double b) const {
    return {0.5 * (lambda + 2.0 * mu) * (a * a - a * b + b * b - 1.0), 1.0, 0.5 * (a * b - 1.0)};
  }
};

/// g = ln σ, f = μ/2 (σ² − 1) − μ ln σ + λ/2 ln²σ.
struct NeoHookeanAxis {
  double lambda, mu;

  [[nodiscard]] AxisValue at(double s) const {
    const double g = std::log(s);
    const double r = 1.0 / s;
    return {mu * (0.5 * (s - 1.0) * (s + 1.0) - g) + 0.5 * lambda * g * g,
            mu * (s - r) + lambda * g * r,
            mu * (1.0 + r * r) + lambda * (1.0 - g) * r * r,
            g,
            r,
            -r * r};
  }
  [[nodiscard]] AxisSlope slope(double a, double b) const {
    // (ln a − ln b)/(a − b) = ln(1 + x)/(x b) with x = (a − b)/b: log1p keeps it accurate when a ≈ b.
    const double x = (a - b) / b;
    const double log_slope = (x == 0.0 ? 1.0 : std::log1p(x) / x) / b;
    // f' = μ(σ − 1/σ) + λ ln σ/σ, and (1/a − 1/b)/(a − b) = −1/(ab).
    const double r = 1.0 / (a * b);
    return {mu * (1.0 + r) + lambda * (log_slope / a - std::log(b) * r), -r, log_slope};
  }
  [[nodiscard]] AxisSum sum(double a, double b) const {
    const AxisValue u = at(a);
    const AxisValue v = at(b);
    const double r = 1.0 / (a + b);
    return {(u.df + v.df) * r, (u.dg + v.dg) * r, (u.dg * v.g + v.dg * u.g) * r};
  }
};

/// A law of that form, continued below `threshold` by tangent lines plus k/2 (σ − threshold)² (Eq. M13). The
/// continued f and g are C¹, so ψ, its stress and its tangent come from one energy also in inverted elements.
template <class Axis>
struct Separable {
  Axis axis;
  double threshold, stiffness;

  [[nodiscard]] bool below(double s) const { return s < threshold; }

  [[nodiscard]] AxisValue at(double s) const {
    if (!below(s)) return axis.at(s);
    const AxisValue base = axis.at(threshold);
    const double d = s - threshold;
    return {base.f + d * (base.df + 0.5 * stiffness * d),
            base.df + stiffness * d,
            stiffness,
            base.g + base.dg * d,
            base.dg,
            0.0};
  }

  [[nodiscard]] AxisSlope slope(double a, double b) const {
    if (b > a) std::swap(a, b);
    if (!below(b)) return axis.slope(a, b);
    const AxisSlope line{stiffness, 0.0, axis.at(threshold).dg};
    if (below(a)) return line;
    // One stretch on either side: the divided difference is the mean of both slopes, weighted by their shares
    // of the interval.
    const AxisSlope upper = axis.slope(a, threshold);
    const double w = (a - threshold) / (a - b);
    return {w * upper.df + (1.0 - w) * line.df, w * upper.dg + (1.0 - w) * line.dg,
            w * upper.g + (1.0 - w) * line.g};
  }

  [[nodiscard]] AxisSum sum(const Vector3& sigma, Index i, Index j) const {
    if (!below(sigma[i]) && !below(sigma[j])) return axis.sum(sigma[i], sigma[j]);
    const AxisValue u = at(sigma[i]);
    const AxisValue v = at(sigma[j]);
    const double r = 1.0 / stretch_sum(sigma, i, j);
    return {(u.df + v.df) * r, (u.dg + v.dg) * r, (u.dg * v.g + v.dg * u.g) * r};
  }
};

/// Energy, gradient and Hessian blocks of Eq. M12 (or M13): ψ_c = f'_c + λ g'_c (g_i + g_j), and so on.
template <class Axis>
PrincipalResponse separable_response(const Separable<Axis>& law, const Vector3& sigma) {
  const double lambda = law.axis.lambda;
  const AxisValue v[3] = {law.at(sigma[0]), law.at(sigma[1]), law.at(sigma[2])};
  PrincipalResponse out;
  for (Index c = 0; c < 3; ++c) {
    const Index i = (c + 1) % 3;
    const Index j = (c + 2) % 3;
    const double others = v[i].g + v[j].g;
    out.energy += v[c].f + lambda * v[i].g * v[j].g;
    out.gradient[c] = v[c].df + lambda * v[c].dg * others;
    out.stretch(c, c) = v[c].ddf + lambda * v[c].ddg * others;
    out.stretch(i, j) = out.stretch(j, i) = lambda * v[i].dg * v[j].dg;

    // flip: (ψ_i − ψ_j)/(σ_i − σ_j), where g'_i g_j − g'_j g_i = ½(g_i + g_j) Δg' − ½(g'_i + g'_j) Δg.
    const AxisSlope slope = law.slope(sigma[i], sigma[j]);
    out.flip[c] =
        slope.df + lambda * ((v[c].g + 0.5 * others) * slope.dg - 0.5 * (v[i].dg + v[j].dg) * slope.g);
    // twist: (ψ_i + ψ_j)/(σ_i + σ_j).
    const AxisSum sum = law.sum(sigma, i, j);
    out.twist[c] = sum.df + lambda * (v[c].g * sum.dg + sum.mixed);
  }
  return out;
}

/// Eq. M3: ψ = μ Σ (σ_i − 1)² + λ/2 (Σ σ_i − 3)².
PrincipalResponse corotational_response(double lambda, double mu, const Vector3& sigma) {
  const Vector3 d = sigma.array() - 1.0;
  const double trace = d.sum();
  PrincipalResponse out;
  out.energy = mu * d.squaredNorm() + 0.5 * lambda * trace * trace;
  out.gradient = (2.0 * mu * d).array() + lambda * trace;
  out.stretch = Matrix3::Constant(lambda) + 2.0 * mu * Matrix3::Identity();
  out.flip.setConstant(2.0 * mu);
  for (Index c = 0; c < 3; ++c)
    out.twist[c] =
        2.0 * mu + 2.0 * (lambda * trace - 2.0 * mu) / stretch_sum(sigma, (c + 1) % 3, (c + 2) % 3);
  return out;
}

/// Eq. M6 in stretches: ψ_i = a σ_i + b ∂J/∂σ_i, a and b the factors of F and cof F. Only the projected
/// tangent uses this; otherwise the kernel does the work, which is more accurate near rest.
PrincipalResponse stable_neo_hookean_response(double lambda, double mu, const Vector3& sigma) {
  const double shear = 4.0 / 3.0 * mu;
  const double bulk = lambda + 5.0 / 6.0 * mu;
  const double inverse = 1.0 / (sigma.squaredNorm() + 1.0);
  const Vector3 area(sigma[1] * sigma[2], sigma[2] * sigma[0], sigma[0] * sigma[1]);  // ∂J/∂σ
  const double change = sigma.prod() - 1.0;
  const double a = shear * (1.0 - inverse);
  const double b = bulk * change - mu;
  PrincipalResponse out;
  out.energy = 0.5 * shear * (sigma.squaredNorm() - 3.0 + std::log(4.0 * inverse)) +
               change * (0.5 * bulk * change - mu);
  out.gradient = a * sigma + b * area;
  out.stretch = 2.0 * shear * inverse * inverse * sigma * sigma.transpose() + bulk * area * area.transpose();
  for (Index c = 0; c < 3; ++c) {
    const Index i = (c + 1) % 3;
    const Index j = (c + 2) % 3;
    out.stretch(c, c) += a;
    out.stretch(i, j) += b * sigma[c];
    out.stretch(j, i) += b * sigma[c];
    out.flip[c] = a - b * sigma[c];
    out.twist[c] = a + b * sigma[c];
  }
  return out;
}

/// By leading minors (Sylvester). Almost always true, and much cheaper than eigenvectors.
bool positive_definite(const Matrix3& H) {
  return H(0, 0) > 0.0 && H(0, 0) * H(1, 1) - H(0, 1) * H(1, 0) > 0.0 && H.determinant() > 0.0;
}

}  // namespace

double inversion_stiffness(const Material& material) {
  const double epsilon = material.threshold();
  const double modulus = std::max(material.lambda(), 0.0) + 2.0 * material.mu();
  return material.law == Law::kNeoHookean ? modulus / (epsilon * epsilon) : modulus;
}

PrincipalResponse principal_response(const Material& material, const Vector3& sigma) {
  const double lambda = material.lambda();
  const double mu = material.mu();
  // Minus infinity: no stretch is below the threshold.
  const double threshold =
      material.invertible ? material.threshold() : -std::numeric_limits<double>::infinity();
  const double stiffness = material.invertible ? inversion_stiffness(material) : 0.0;
  switch (material.law) {
    case Law::kCorotational:
      return corotational_response(lambda, mu, sigma);
    case Law::kStableNeoHookean:
      return stable_neo_hookean_response(lambda, mu, sigma);
    case Law::kNeoHookean:
      return separable_response(Separable<NeoHookeanAxis>{{lambda, mu}, threshold, stiffness}, sigma);
    case Law::kLinear:
    case Law::kStvk:
      break;
  }
  PLIANT_ASSERT(material.law == Law::kStvk);
  return separable_response(Separable<StvkAxis>{{lambda, mu}, threshold, stiffness}, sigma);
}

Matrix3 principal_stress(const Svd3& svd, const PrincipalResponse& response) {
  return svd.U * response.gradient.asDiagonal() * svd.V.transpose();
}

Matrix9 principal_tangent(const Svd3& svd, const PrincipalResponse& response) {
  const auto dyad = [&](Index i, Index j) {  // vec(u_i v_jᵀ)
    Vector9 d;
    for (Index c = 0; c < 3; ++c) d.segment<3>(3 * c) = svd.U.col(i) * svd.V(c, j);
    return d;
  };
  // A = Σ x_m y_mᵀ: the x_m are nine orthonormal dyads, y_m = A x_m their images (Eq. M9, M10).
  Matrix9 x;
  Matrix9 y;
  for (Index c = 0; c < 3; ++c) x.col(c) = dyad(c, c);
  y.leftCols<3>() = x.leftCols<3>().lazyProduct(response.stretch);
  for (Index c = 0; c < 3; ++c) {
    // flip acts on (D_ij + D_ji)/2, twist on (D_ij − D_ji)/2; in the basis of the two dyads that is the
    // symmetric 2×2 matrix [same, swapped; swapped, same].
    const double same = 0.5 * (response.flip[c] + response.twist[c]);
    const double swapped = 0.5 * (response.flip[c] - response.twist[c]);
    const Index m = 3 + 2 * c;
    x.col(m) = dyad((c + 1) % 3, (c + 2) % 3);
    x.col(m + 1) = dyad((c + 2) % 3, (c + 1) % 3);
    y.col(m) = same * x.col(m) + swapped * x.col(m + 1);
    y.col(m + 1) = swapped * x.col(m) + same * x.col(m + 1);
  }
  Matrix9 A;
  for (Index n = 0; n < 9; ++n) {
    Vector9 column = y(n, 0) * x.col(0);
    for (Index m = 1; m < 9; ++m) column += y(n, m) * x.col(m);
    A.col(n) = column;
  }
  return A;
}

PrincipalResponse clamp_negative(const PrincipalResponse& response) {
  PrincipalResponse out = response;
  if (!positive_definite(response.stretch)) {
    const SymmetricEigen3 eigen = symmetric_eigen(response.stretch);
    out.stretch = eigen.vectors * eigen.values.cwiseMax(0.0).asDiagonal() * eigen.vectors.transpose();
  }
  out.flip = response.flip.cwiseMax(0.0);
  out.twist = response.twist.cwiseMax(0.0);
  return out;
}

}  // namespace pliant
