// material/mean_stress.hpp — the stress between two deformations that does exactly the work Ψ₁ − Ψ₀.
//
// With F = (F₀ + F₁)/2, D = F₁ − F₀ and ΔE = E₁ − E₀ = sym(Fᵀ D), every P = F S with a symmetric S does the
// work P:D = S:ΔE and has no moment about the mean positions. The S of this file does S:ΔE = Ψ₁ − Ψ₀ (Eq. M19
// to M22): StVK with S = C:(E₀ + E₁)/2 [SimoTarnow1992], the other laws with Gonzalez' correction
// [Gonzalez2000]. The linear law, which is not objective, has the plain mean P.
//
// Layouts as in kernels.hpp; H is the displacement gradient of the mean, F = 1 + H. Differences of energies
// are computed from D, never as Ψ₁ − Ψ₀, so nothing cancels in small steps.
#pragma once

#include "pliant/material/kernels.hpp"
#include "pliant/math/types.hpp"

#include <cmath>

namespace pliant {

/// What mean stresses are computed from.
template <class T>
struct MeanStrain {
  T H[9], D[9];              // of the mean and the change
  T F[9];                    // 1 + H
  T E[6], strain_change[6];  // (E₀ + E₁)/2 and E₁ − E₀, packed as green_strain() does

  MeanStrain(const T H0[9], const T H1[9]) {
    for (int i = 0; i < 9; ++i) {
      H[i] = 0.5 * (H0[i] + H1[i]);
      D[i] = H1[i] - H0[i];
    }
    kernel::deformation_gradient(H, F);
    const auto product = [](const T a[9], const T b[9], int i, int j) {
      return a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
    };
    kernel::green_strain(H, E);
    constexpr int kPairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int e = 0; e < 6; ++e) {
      const int i = kPairs[e][0];
      const int j = kPairs[e][1];
      E[e] += 0.125 * product(D, D, i, j);  // the mean of both products FᵀF is that of the mean and DᵀD/4
      strain_change[e] = 0.5 * (product(F, D, i, j) + product(D, F, i, j));
    }
  }
};

namespace kernel {

/// a:b of packed symmetric matrices.
template <class T>
[[nodiscard]] inline T contract_symmetric(const T a[6], const T b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2.0 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

template <class T>
[[nodiscard]] inline T contract(const T a[9], const T b[9]) {
  T sum = a[0] * b[0];
  for (int i = 1; i < 9; ++i) sum += a[i] * b[i];
  return sum;
}

/// artanh x − x lane by lane, of full relative accuracy.
template <class T>
[[nodiscard]] inline T artanh_excess(const T& x) {
  return each_lane(x, [](double v) {
    const double s = v * v;
    if (s > 0.0025) return std::atanh(v) - v;
    return v * s * (1.0 / 3 + s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9 + s / 11))));
  });
}

/// Packed cof X of a packed symmetric X.
template <class T>
inline void cofactor_symmetric(const T X[6], T C[6]) {
  C[0] = X[1] * X[2] - X[5] * X[5];
  C[1] = X[0] * X[2] - X[4] * X[4];
  C[2] = X[0] * X[1] - X[3] * X[3];
  C[3] = X[4] * X[5] - X[3] * X[2];
  C[4] = X[3] * X[5] - X[4] * X[1];
  C[5] = X[3] * X[4] - X[5] * X[0];
}

/// Volumes of a MeanStrain: J₁ − J₀, (J₀ + J₁)/2 − 1, and tr ΔE − (J₁ − J₀), in which the first orders
/// cancel.
template <class T>
struct MeanVolume {
  T change, mean, shear;

  explicit MeanVolume(const MeanStrain<T>& m) {
    T C[9];
    T N[9];
    cofactor(m.H, C);
    cofactor(m.D, N);
    const T det = (m.D[0] * N[0] + m.D[1] * N[1] + m.D[2] * N[2]) * 0.25;
    // J = det F + cof(D):F/4 in the mean, cof(F):D + det(D)/4 as the change.
    mean = volume_change(m.H, C) + 0.25 * contract(N, m.F);
    const T trace = m.H[0] + m.H[4] + m.H[8];
    shear = -det;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        T difference = m.H[i + 3 * j] + m.H[j + 3 * i] - C[i + 3 * j];  // F − cof F
        if (i == j) difference -= trace;
        shear += difference * m.D[i + 3 * j];
      }
    change = contract(m.F, m.D) - shear;
  }
};

/// C = 1 + 2E of the mean strain: C⁻¹, 1 − C⁻¹ and det C − 1.
template <class T>
struct MeanMetric {
  T inverse[6], rest[6];
  T determinant;  // less 1

  explicit MeanMetric(const MeanStrain<T>& m) {
    T X[6];
    T N[6];
    for (int i = 0; i < 6; ++i) X[i] = 2.0 * m.E[i];
    cofactor_symmetric(X, N);
    const T third = X[0] * N[0] + X[3] * N[3] + X[4] * N[4] + N[0] + N[1] + N[2];  // det X + tr cof X
    determinant = X[0] + X[1] + X[2] + third;
    const T scale = 1.0 / (1.0 + determinant);
    for (int i = 0; i < 6; ++i) {
      rest[i] = scale * (X[i] - N[i]);
      inverse[i] = -rest[i];
    }
    for (int i = 0; i < 3; ++i) {
      rest[i] += scale * third;
      inverse[i] = 1.0 - rest[i];
    }
  }
};

/// The factor κ of Gonzalez' correction κ ΔE, Eq. M20; 0 where the strain does not change. `missing` is the
/// work that S lacks.
template <class T>
[[nodiscard]] inline T gonzalez_factor(const T& missing, const T& square) {
  const auto tiny = square < 1e-200;
  return lane_select(tiny, T{}, T(missing / lane_select(tiny, broadcast<T>(1.0), square)));
}

/// A(ij,kl) += δ_ik S_jl.
template <class T>
inline void add_geometric(const T S[6], T A[81]) {
  const int packed[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};  // place of S_jl in its packed form
  for (int l = 0; l < 3; ++l)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) A[(i + 3 * j) + 9 * (i + 3 * l)] += S[packed[j + 3 * l]];
}

/// A(ij,kl) += b (G Fᵀ)_ik N_jl for a packed N.
template <class T>
inline void add_crossed(const T& b, const T G[9], const T F[9], const T N[6], T A[81]) {
  const int packed[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) {
      const T c = b * (G[i] * F[k] + G[i + 3] * F[k + 3] + G[i + 6] * F[k + 6]);
      for (int l = 0; l < 3; ++l)
        for (int j = 0; j < 3; ++j) A[(i + 3 * j) + 9 * (k + 3 * l)] += c * N[packed[j + 3 * l]];
    }
}

}  // namespace kernel

/// P and, if A is not null, an approximation of 2 ∂P/∂F₁ that is symmetric: F C Fᵀ with the C and the S of
/// the mean strain (Eq. M23).
template <class T>
struct MeanLinear {
  T lambda, mu;

  void operator()(const MeanStrain<T>& m, T P[9], T* A) const {
    const LinearKernel<T> law{lambda, mu};
    if (A != nullptr) return law.stress_tangent(m.H, P, A);
    law.stress(m.H, P);
  }
};

/// Eq. M19.
template <class T>
struct MeanStvk {
  T lambda, mu;

  void operator()(const MeanStrain<T>& m, T P[9], T* A) const {
    T S[6];
    const T pressure = lambda * (m.E[0] + m.E[1] + m.E[2]);
    for (int i = 0; i < 6; ++i) S[i] = 2.0 * mu * m.E[i];
    for (int i = 0; i < 3; ++i) S[i] += pressure;
    kernel::times_symmetric(m.F, S, P);
    if (A == nullptr) return;
    const T one[6] = {broadcast<T>(1), broadcast<T>(1), broadcast<T>(1), T{}, T{}, T{}};
    kernel::outer_products(lambda, mu, m.F, A);
    kernel::add_crossed(mu, m.F, m.F, one, A);
    kernel::add_geometric(S, A);
  }
};

/// Eq. M21.
template <class T>
struct MeanNeoHookean {
  T lambda, mu;

  void operator()(const MeanStrain<T>& m, T P[9], T* A) const {
    const kernel::MeanVolume<T> volume(m);
    const kernel::MeanMetric<T> metric(m);
    const T log_j = 0.5 * lane_log1p(metric.determinant);
    T S[6];
    for (int i = 0; i < 6; ++i) S[i] = mu * metric.rest[i] + lambda * log_j * metric.inverse[i];
    const T mean = 1.0 + volume.mean;
    const T half = volume.change / (2.0 * mean);  // Δ ln J = 2 artanh of this
    const T excess = kernel::artanh_excess(half);
    const T half_change = 0.5 * volume.change;
    const T mean_log =
        0.5 * (lane_log1p(T(volume.mean - half_change)) + lane_log1p(T(volume.mean + half_change)));
    const T work = mu * (volume.shear + volume.change * volume.mean / mean - 2.0 * excess) +
                   2.0 * lambda * mean_log * (half + excess);
    const T kappa = kernel::gonzalez_factor(T(work - kernel::contract_symmetric(S, m.strain_change)),
                                            kernel::contract_symmetric(m.strain_change, m.strain_change));
    for (int i = 0; i < 6; ++i) S[i] += kappa * m.strain_change[i];
    kernel::times_symmetric(m.F, S, P);
    if (A == nullptr) return;
    T G[9];
    kernel::times_symmetric(m.F, metric.inverse, G);
    const T b = mu - lambda * log_j;
    kernel::outer_products(lambda, b, G, A);
    kernel::add_crossed(b, G, m.F, metric.inverse, A);
    kernel::add_geometric(S, A);
  }
};

/// Eq. M22.
template <class T>
struct MeanStableNeoHookean {
  T lambda, mu;

  void operator()(const MeanStrain<T>& m, T P[9], T* A) const {
    const Shape at(m);
    T S[6];
    stress_of_mean(at, S);
    const T missing = work(at) - kernel::contract_symmetric(S, m.strain_change);
    const T before = 1.0 + at.volume.mean - 0.5 * at.volume.change;
    const auto crossing = before * (before + at.volume.change) <= 0.0;  // J₀ and J₁ have different signs
    const T kappa =
        kernel::gonzalez_factor(missing, T(kernel::contract_symmetric(m.strain_change, m.strain_change)));
    const T straight = kernel::gonzalez_factor(missing, T(kernel::contract(m.D, m.D)));
    for (int i = 0; i < 6; ++i) S[i] += lane_select(crossing, T{}, kappa) * m.strain_change[i];
    kernel::times_symmetric(m.F, S, P);
    for (int i = 0; i < 9; ++i) P[i] += lane_select(crossing, straight, T{}) * m.D[i];
    if (A != nullptr) tangent(at, m, S, A);
  }

 private:
  static constexpr double kFlat = 1e-8;  // smallest |J|
  static constexpr double kThin = 0.1;   // the same for the tangent

  /// Invariants of the mean strain.
  struct Shape {
    kernel::MeanVolume<T> volume;
    T q;            // I_C − 3
    T t;            // tr ΔE
    T determinant;  // det C − 1
    T root;         // √det C, at least kFlat
    T cofactor[6];  // cof C − 1

    explicit Shape(const MeanStrain<T>& m) : volume(m) {
      q = 2.0 * (m.E[0] + m.E[1] + m.E[2]);
      t = m.strain_change[0] + m.strain_change[1] + m.strain_change[2];
      T X[6];
      for (int i = 0; i < 6; ++i) X[i] = 2.0 * m.E[i];
      kernel::cofactor_symmetric(X, cofactor);
      determinant = q + cofactor[0] + cofactor[1] + cofactor[2] + X[0] * cofactor[0] + X[3] * cofactor[3] +
                    X[4] * cofactor[4];
      for (int i = 0; i < 6; ++i) cofactor[i] -= X[i];
      for (int i = 0; i < 3; ++i) cofactor[i] += q;
      root = lane_sqrt(lane_select(upright(), T(1.0 + determinant), broadcast<T>(kFlat * kFlat)));
    }
    /// det C has lost the sign of J. It is that of the mean J.
    [[nodiscard]] T with_sign(const T& size) const { return lane_select(volume.mean < -1.0, T(-size), size); }
    [[nodiscard]] auto upright() const { return determinant > kFlat * kFlat - 1.0; }
    /// J − 1.
    [[nodiscard]] T change() const {
      return lane_select(volume.mean < -1.0, T(-root - 1.0),
                         lane_select(upright(), T(determinant / (1.0 + root)), T(root - 1.0)));
    }
  };

  [[nodiscard]] T bulk() const { return lambda + 5.0 / 6.0 * mu; }

  void stress_of_mean(const Shape& at, T S[6]) const {
    const T j = at.with_sign(at.root);
    const T change = at.change();
    const T stretch = mu * at.q / (3.0 * (4.0 + at.q));  // μ' (1 − 1/(I_C+1)) − ¾μ'
    const T factor = bulk() * change / j;
    for (int i = 0; i < 6; ++i) S[i] = (factor - mu / j) * at.cofactor[i];
    for (int i = 0; i < 3; ++i) S[i] += stretch + mu * change / j + factor;
  }

  /// Ψ₁ − Ψ₀.
  [[nodiscard]] T work(const Shape& at) const {
    const T excess = kernel::artanh_excess(T(at.t / (4.0 + at.q)));  // of ½ Δ ln(1 + (I_C − 3)/4)
    return mu * (at.volume.shear + at.t * at.q / (3.0 * (4.0 + at.q)) - 4.0 / 3.0 * excess) +
           bulk() * at.volume.change * at.volume.mean;
  }

  /// Nearly flat points get the tangent of somewhat thicker ones: in F ℂ Fᵀ large terms would not cancel.
  void tangent(const Shape& at, const MeanStrain<T>& m, const T S[6], T A[81]) const {
    const T thick = lane_select(at.root < kThin, broadcast<T>(kThin), at.root);
    const T j = at.with_sign(thick);
    T inverse[6];
    for (int i = 0; i < 6; ++i) inverse[i] = at.cofactor[i] / (thick * thick);
    for (int i = 0; i < 3; ++i) inverse[i] += 1.0 / (thick * thick);
    T G[9];
    kernel::times_symmetric(m.F, inverse, G);
    const T b = (bulk() * (j - 1.0) - mu) * j;
    kernel::outer_products(T(bulk() * thick * thick + b), T(-b), G, A);
    kernel::add_crossed(T(-b), G, m.F, inverse, A);
    const T stretch = 8.0 / 3.0 * mu / ((4.0 + at.q) * (4.0 + at.q));
    for (int c = 0; c < 9; ++c)
      for (int r = 0; r < 9; ++r) A[r + 9 * c] += stretch * m.F[c] * m.F[r];
    kernel::add_geometric(S, A);
  }
};

/// Calls visit(mean) with the MeanX of a law that has a kernel.
template <class T, class Visitor>
decltype(auto) with_mean_kernel(Law law, const T& lambda, const T& mu, Visitor&& visit) {
  PLIANT_ASSERT(law != Law::kCorotational);
  switch (law) {
    case Law::kLinear:
      return visit(MeanLinear<T>{lambda, mu});
    case Law::kNeoHookean:
      return visit(MeanNeoHookean<T>{lambda, mu});
    case Law::kStableNeoHookean:
      return visit(MeanStableNeoHookean<T>{lambda, mu});
    case Law::kCorotational:
    case Law::kStvk:
      break;
  }
  return visit(MeanStvk<T>{lambda, mu});
}

/// The same at one point, for every law: P between the displacement gradients H0 and H1 and, if A is not
/// null, its approximate tangent 2 ∂P/∂F₁; `projected`: without negative eigenvalues.
void mean_stress(const Material& material, const Matrix3& H0, const Matrix3& H1, bool projected, Matrix3& P,
                 Matrix9* A);

}  // namespace pliant
