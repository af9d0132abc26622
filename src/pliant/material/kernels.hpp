// material/kernels.hpp — the laws that need no SVD, for one point (T = double) or four at once (T = Pack4).
//
// The formulas of linear, stvk, neohookean and stable-neohookean stand only here; point.hpp calls them with T
// = double. No branches, no allocation, no virtual calls.
//
// Layout  H, P: 9 values, column-major (H_ij at i + 3j), H = F − 1 the displacement gradient. A: 81 values,
// A(i+3j, k+3l) = ∂P_ij/∂F_kl at
//         (i+3j) + 9(k+3l); symmetric, all entries are filled.
// Units   λ, μ, energy, P and A in Pa.
// Why H and not F: near rest, Green's strain and J − 1 computed from H keep their relative accuracy. F = 1 +
// H has lost what lies below 1e-16, and stiff bodies that hardly deform could not be solved to 1e-9.
//
// neohookean yields NaN or infinity for J ≤ 0; it does not trap.
#pragma once

#include "pliant/base/assert.hpp"
#include "pliant/material/material.hpp"
#include "pliant/math/pack.hpp"

namespace pliant {

namespace kernel {

/// F = 1 + H.
template <class T>
inline void deformation_gradient(const T H[9], T F[9]) {
  for (int i = 0; i < 9; ++i) F[i] = H[i];
  F[0] += 1.0;
  F[4] += 1.0;
  F[8] += 1.0;
}

/// C = cof F, so that det F = F:C / 3 and ∂det/∂F = C.
template <class T>
inline void cofactor(const T F[9], T C[9]) {
  C[0] = F[4] * F[8] - F[7] * F[5];
  C[1] = F[6] * F[5] - F[3] * F[8];
  C[2] = F[3] * F[7] - F[6] * F[4];
  C[3] = F[7] * F[2] - F[1] * F[8];
  C[4] = F[0] * F[8] - F[6] * F[2];
  C[5] = F[6] * F[1] - F[0] * F[7];
  C[6] = F[1] * F[5] - F[4] * F[2];
  C[7] = F[3] * F[2] - F[0] * F[5];
  C[8] = F[0] * F[4] - F[3] * F[1];
}

/// Upper triangle of Green's strain E = ½(H + Hᵀ + HᵀH) as [E00, E11, E22, E01, E02, E12].
template <class T>
inline void green_strain(const T H[9], T E[6]) {
  const auto dot = [&](int a, int b) {
    return H[3 * a] * H[3 * b] + H[3 * a + 1] * H[3 * b + 1] + H[3 * a + 2] * H[3 * b + 2];
  };
  E[0] = H[0] + 0.5 * dot(0, 0);
  E[1] = H[4] + 0.5 * dot(1, 1);
  E[2] = H[8] + 0.5 * dot(2, 2);
  E[3] = 0.5 * (H[3] + H[1] + dot(0, 1));
  E[4] = 0.5 * (H[6] + H[2] + dot(0, 2));
  E[5] = 0.5 * (H[7] + H[5] + dot(1, 2));
}

/// J − 1 = tr H + tr cof H + det H, given C = cof H.
template <class T>
[[nodiscard]] inline T volume_change(const T H[9], const T C[9]) {
  const T det = H[0] * C[0] + H[1] * C[1] + H[2] * C[2];
  return (H[0] + H[4] + H[8]) + (C[0] + C[4] + C[8]) + det;
}

/// P = M S with S symmetric, stored as green_strain stores E.
template <class T>
inline void times_symmetric(const T M[9], const T S[6], T P[9]) {
  for (int i = 0; i < 3; ++i) {
    P[i] = M[i] * S[0] + M[i + 3] * S[3] + M[i + 6] * S[4];
    P[i + 3] = M[i] * S[3] + M[i + 3] * S[1] + M[i + 6] * S[5];
    P[i + 6] = M[i] * S[4] + M[i + 3] * S[5] + M[i + 6] * S[2];
  }
}

/// A(ij,kl) = a M_ij M_kl + b M_il M_kj.
template <class T>
inline void outer_products(const T& a, const T& b, const T M[9], T A[81]) {
  for (int l = 0; l < 3; ++l)
    for (int k = 0; k < 3; ++k) {
      T* column = A + 9 * (k + 3 * l);
      const T scaled = a * M[k + 3 * l];
      for (int j = 0; j < 3; ++j) {
        const T crossed = b * M[k + 3 * j];
        for (int i = 0; i < 3; ++i) column[i + 3 * j] = scaled * M[i + 3 * j] + crossed * M[i + 3 * l];
      }
    }
}

/// A(ij,ij) += d.
template <class T>
inline void add_to_diagonal(const T& d, T A[81]) {
  for (int i = 0; i < 9; ++i) A[10 * i] += d;
}

/// A += s ∂cof F/∂F, the Hessian of the determinant: ∂C_ij/∂F_kl = ε_ikm ε_jln F_mn.
template <class T>
inline void add_determinant_hessian(const T& s, const T F[9], T A[81]) {
  for (int l = 0; l < 3; ++l)
    for (int j = 0; j < 3; ++j) {
      if (j == l) continue;
      const int n = 3 - j - l;
      const bool forward = l == (j + 1) % 3;  // ε_jln = +1
      for (int i = 0; i < 3; ++i) {
        const int k = (i + 1) % 3;  // ε_ikm = +1 with m = i + 2
        const T term = forward ? s * F[(i + 2) % 3 + 3 * n] : -s * F[(i + 2) % 3 + 3 * n];
        // ε changes its sign when i and k are exchanged.
        A[(i + 3 * j) + 9 * (k + 3 * l)] += term;
        A[(k + 3 * j) + 9 * (i + 3 * l)] -= term;
      }
    }
}

}  // namespace kernel

/// Hooke's law of the small strain ε = sym F − 1 (Eq. M2).
template <class T>
struct LinearKernel {
  T lambda, mu;

  /// Ψ = μ ε:ε + λ/2 tr²ε.
  [[nodiscard]] T energy(const T H[9]) const {
    const T trace = H[0] + H[4] + H[8];
    const T xy = H[1] + H[3];
    const T xz = H[2] + H[6];
    const T yz = H[5] + H[7];
    // ε:ε, in which each off-diagonal entry counts twice
    const T square = H[0] * H[0] + H[4] * H[4] + H[8] * H[8] + 0.5 * (xy * xy + xz * xz + yz * yz);
    return mu * square + 0.5 * lambda * trace * trace;
  }

  /// P = 2με + λ tr ε 1.
  void stress(const T H[9], T P[9]) const {
    const T pressure = lambda * (H[0] + H[4] + H[8]);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) P[i + 3 * j] = mu * (H[i + 3 * j] + H[j + 3 * i]);
    for (int i = 0; i < 9; i += 4) P[i] += pressure;
  }

  /// P and its constant tangent.
  void stress_tangent(const T H[9], T P[9], T A[81]) const {
    stress(H, P);
    // ∂P_ij/∂F_kl = λ δ_ij δ_kl + μ (δ_il δ_kj + δ_ik δ_jl).
    const T one[9] = {broadcast<T>(1), T{}, T{}, T{}, broadcast<T>(1), T{}, T{}, T{}, broadcast<T>(1)};
    kernel::outer_products(lambda, mu, one, A);
    kernel::add_to_diagonal(mu, A);
  }
};

/// St. Venant–Kirchhoff (Eq. M4): quadratic in Green's strain E.
template <class T>
struct StvkKernel {
  T lambda, mu;

  /// Ψ = λ/2 tr²E + μ E:E.
  [[nodiscard]] T energy(const T H[9]) const {
    T E[6];
    kernel::green_strain(H, E);
    const T trace = E[0] + E[1] + E[2];
    const T square =
        E[0] * E[0] + E[1] * E[1] + E[2] * E[2] + 2.0 * (E[3] * E[3] + E[4] * E[4] + E[5] * E[5]);
    return 0.5 * lambda * trace * trace + mu * square;
  }

  /// P = F S, S = λ tr E 1 + 2μE.
  void stress(const T H[9], T P[9]) const {
    T F[9];
    T S[6];
    kernel::deformation_gradient(H, F);
    second_piola(H, S);
    kernel::times_symmetric(F, S, P);
  }

  /// P and ∂P_ij/∂F_kl = δ_ik S_jl + λ F_ij F_kl + μ (F_il F_kj + (FFᵀ)_ik δ_jl).
  void stress_tangent(const T H[9], T P[9], T A[81]) const {
    T F[9];
    T S[6];
    kernel::deformation_gradient(H, F);
    second_piola(H, S);
    kernel::times_symmetric(F, S, P);
    kernel::outer_products(lambda, mu, F, A);
    const int packed[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};  // place of S_jl in its packed form
    for (int l = 0; l < 3; ++l)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) A[(i + 3 * j) + 9 * (i + 3 * l)] += S[packed[j + 3 * l]];  // δ_ik S_jl
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) {
        const T b = mu * (F[i] * F[k] + F[i + 3] * F[k + 3] + F[i + 6] * F[k + 6]);
        for (int j = 0; j < 3; ++j) A[(i + 3 * j) + 9 * (k + 3 * j)] += b;  // μ (FFᵀ)_ik δ_jl
      }
  }

  /// D²P(1)[A, B] (Eq. M15): P = F S, so at rest (S = 0) it is A dS[B] + B dS[A] + d²S[A, B].
  void second_derivative_at_rest(const T A[9], const T B[9], T P[9]) const {
    T AB[9];  // AᵀB
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        AB[i + 3 * j] = A[3 * i] * B[3 * j] + A[3 * i + 1] * B[3 * j + 1] + A[3 * i + 2] * B[3 * j + 2];
    T S[6], more[9];
    hooke(B, S);
    kernel::times_symmetric(A, S, P);
    hooke(A, S);
    kernel::times_symmetric(B, S, more);
    hooke(AB, S);
    const int packed[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    for (int i = 0; i < 9; ++i) P[i] += more[i] + S[packed[i]];
  }

 private:
  /// λ tr X 1 + 2μ sym X, packed as second_piola packs S.
  void hooke(const T X[9], T S[6]) const {
    const T pressure = lambda * (X[0] + X[4] + X[8]);
    for (int i = 0; i < 3; ++i) S[i] = 2.0 * mu * X[4 * i] + pressure;
    S[3] = mu * (X[1] + X[3]);
    S[4] = mu * (X[2] + X[6]);
    S[5] = mu * (X[5] + X[7]);
  }

  /// S = λ tr E 1 + 2μE, packed as E.
  void second_piola(const T H[9], T S[6]) const {
    T E[6];
    kernel::green_strain(H, E);
    const T pressure = lambda * (E[0] + E[1] + E[2]);
    for (int i = 0; i < 6; ++i) S[i] = 2.0 * mu * E[i];
    for (int i = 0; i < 3; ++i) S[i] += pressure;
  }
};

/// Compressible neo-Hookean (Eq. M5); NaN or infinite for J ≤ 0.
template <class T>
struct NeoHookeanKernel {
  T lambda, mu;

  /// Ψ = μ/2 (tr C − 3) − μ ln J + λ/2 ln²J.
  [[nodiscard]] T energy(const T H[9]) const {
    T C[9];
    T E[6];
    kernel::cofactor(H, C);
    kernel::green_strain(H, E);
    const T log_j = lane_log1p(kernel::volume_change(H, C));
    return mu * (E[0] + E[1] + E[2] - log_j) + 0.5 * lambda * log_j * log_j;
  }

  /// P = μ(F − F⁻ᵀ) + λ ln J F⁻ᵀ, written as F⁻ᵀ (2μE + λ ln J 1), in which nothing cancels near rest.
  void stress(const T H[9], T P[9]) const {
    T G[9];
    (void)evaluate(H, G, P);
  }

  /// P and ∂P_ij/∂F_kl = μ δ_ik δ_jl + λ G_ij G_kl + (μ − λ ln J) G_il G_kj, G = F⁻ᵀ.
  void stress_tangent(const T H[9], T P[9], T A[81]) const {
    T G[9];
    const T log_j = evaluate(H, G, P);
    kernel::outer_products(lambda, T(mu - lambda * log_j), G, A);
    kernel::add_to_diagonal(mu, A);
  }

 private:
  /// G = F⁻ᵀ and P; returns ln J.
  [[nodiscard]] T evaluate(const T H[9], T G[9], T P[9]) const {
    T C[9];
    T S[6];
    kernel::cofactor(H, C);
    const T change = kernel::volume_change(H, C);
    const T log_j = lane_log1p(change);
    const T inverse_j = 1.0 / (1.0 + change);
    T F[9];
    kernel::deformation_gradient(H, F);
    kernel::cofactor(F, G);
    for (int i = 0; i < 9; ++i) G[i] *= inverse_j;  // F⁻ᵀ = cof F / J
    kernel::green_strain(H, S);
    for (T& s : S) s *= 2.0 * mu;
    for (int i = 0; i < 3; ++i) S[i] += lambda * log_j;
    kernel::times_symmetric(G, S, P);
    return log_j;
  }
};

/// Stable neo-Hookean [SmithDeGoesKim2018] (Eq. M6): finite for every F.
///
/// With μ' = 4μ/3, λ' = λ + 5μ/6 the published energy μ'/2 (I_C − 3) + λ'/2 (J − α)² − μ'/2 ln(I_C + 1)
/// equals, up to a constant, the form below: it does not contain α and never divides by λ'.
template <class T>
struct StableNeoHookeanKernel {
  T lambda, mu;

  /// Ψ = μ'/2 (q − ln(1 + q/4)) + λ'/2 (J−1)² − ¾μ' (J−1), q = I_C − 3.
  [[nodiscard]] T energy(const T H[9]) const {
    T C[9];
    T E[6];
    kernel::cofactor(H, C);
    kernel::green_strain(H, E);
    const T q = 2.0 * (E[0] + E[1] + E[2]);
    const T change = kernel::volume_change(H, C);
    const T shear = 2.0 / 3.0 * mu * (q - lane_log1p(T(0.25 * q)));
    return shear + change * (0.5 * (lambda + 5.0 / 6.0 * mu) * change - mu);  // ¾μ' = μ
  }

  /// P = μ' (1 − 1/(I_C+1)) F + (λ'(J−1) − ¾μ') cof F.
  void stress(const T H[9], T P[9]) const {
    T F[9];
    T C[9];
    (void)evaluate(H, F, C, P);
  }

  /// P and ∂P/∂F = μ'(1 − 1/(I_C+1)) 1 + 2μ'/(I_C+1)² F⊗F + λ' C⊗C + (λ'(J−1) − ¾μ') ∂C/∂F, C = cof F.
  void stress_tangent(const T H[9], T P[9], T A[81]) const {
    T F[9];
    T C[9];
    const Invariants at = evaluate(H, F, C, P);
    const T inverse = 1.0 / (4.0 + at.q);  // 1/(I_C + 1)
    const T stretch = 8.0 / 3.0 * mu * inverse * inverse;
    const T bulk = lambda + 5.0 / 6.0 * mu;
    for (int c = 0; c < 9; ++c) {
      const T f = stretch * F[c];
      const T g = bulk * C[c];
      for (int r = 0; r < 9; ++r) A[r + 9 * c] = f * F[r] + g * C[r];
    }
    kernel::add_to_diagonal(T(4.0 / 3.0 * mu * (1.0 - inverse)), A);
    kernel::add_determinant_hessian(T(bulk * at.change - mu), F, A);
  }

 private:
  struct Invariants {
    T q, change;  // I_C − 3 and J − 1
  };

  /// F, C = cof F and P. The difference F − cof F = H + Hᵀ − tr H 1 − cof H is computed from H, since F and
  /// cof F nearly cancel at small strain: P = μ(F − cof F) + (…) F + λ'(J − 1) cof F.
  [[nodiscard]] Invariants evaluate(const T H[9], T F[9], T C[9], T P[9]) const {
    kernel::deformation_gradient(H, F);
    T E[6];
    kernel::green_strain(H, E);
    kernel::cofactor(H, C);
    const Invariants at{T(2.0 * (E[0] + E[1] + E[2])), kernel::volume_change(H, C)};
    const T trace = H[0] + H[4] + H[8];
    const T stretch = mu * at.q / (3.0 * (4.0 + at.q));  // μ' (1 − 1/(I_C+1)) − ¾μ'
    const T bulk = (lambda + 5.0 / 6.0 * mu) * at.change;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const int e = i + 3 * j;
        T difference = H[e] + H[j + 3 * i] - C[e];  // F − cof F
        if (i == j) difference -= trace;
        C[e] = F[e] - difference;
        P[e] = mu * difference + stretch * F[e] + bulk * C[e];
      }
    return at;
  }
};

/// Von Mises stress at F with the first Piola–Kirchhoff stress P: √(3/2) times the norm of the deviator of
/// the Cauchy stress P Fᵀ / det F. With the linear law P takes its place: at small strain all stresses agree.
template <class T>
[[nodiscard]] inline T von_mises(Law law, const T F[9], const T P[9]) {
  T S[9];
  for (int i = 0; i < 9; ++i) S[i] = P[i];
  if (law != Law::kLinear) {
    T C[9];
    kernel::cofactor(F, C);
    const T J = F[0] * C[0] + F[1] * C[1] + F[2] * C[2];  // det F, by the first column
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        S[i + 3 * k] = (P[i] * F[k] + P[i + 3] * F[k + 3] + P[i + 6] * F[k + 6]) / J;
  }
  const T mean = (S[0] + S[4] + S[8]) / 3.0;
  T sum = T{};
  for (int i = 0; i < 9; ++i) {
    const T deviator = i % 4 == 0 ? S[i] - mean : S[i];
    sum += deviator * deviator;
  }
  return lane_sqrt(T(1.5 * sum));
}

/// Whether the law has a kernel, i.e. needs no SVD.
[[nodiscard]] inline bool has_kernel(const Material& material) {
  return material.law != Law::kCorotational && !material.invertible;
}

/// Calls visit(kernel) with the kernel of a law that has one; λ and μ may differ from lane to lane.
template <class T, class Visitor>
decltype(auto) with_kernel(Law law, const T& lambda, const T& mu, Visitor&& visit) {
  PLIANT_ASSERT(law != Law::kCorotational);
  switch (law) {
    case Law::kLinear:
      return visit(LinearKernel<T>{lambda, mu});
    case Law::kNeoHookean:
      return visit(NeoHookeanKernel<T>{lambda, mu});
    case Law::kStableNeoHookean:
      return visit(StableNeoHookeanKernel<T>{lambda, mu});
    case Law::kCorotational:
    case Law::kStvk:
      break;
  }
  return visit(StvkKernel<T>{lambda, mu});
}

}  // namespace pliant
