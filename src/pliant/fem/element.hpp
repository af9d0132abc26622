// fem/element.hpp — force and tangent of a batch of four elements. Header-only, so that it is inlined into
// the assembly loops.
//
// With ∇N_a the shape gradients and w the weight of a point (Eq. F2–F4 of docs/theory/finite_elements.md):
//
//   F = 1 + Σ_a u_a ⊗ ∇N_a        f_a = Σ w P ∇N_a        K_ab = Σ w ∇N_aᵀ (∂P/∂F) ∇N_b
//
// Since Σ_a ∇N_a = 0, the sums leave out vertex 0, whose share follows from the others (Eq. F5).
#pragma once

#include "pliant/fem/batch.hpp"
#include "pliant/material/kernels.hpp"
#include "pliant/material/mean_stress.hpp"
#include "pliant/material/point.hpp"

namespace pliant {

/// u_a − u_0 of the vertices a = 1 … N−1, lane by lane.
template <int N>
inline void gather_differences(const ElementBatch<N>& batch, const double* u, Pack4 d[N - 1][3]) {
  for (int lane = 0; lane < kBatchLanes; ++lane) {
    const auto& vertices = batch.vertices[to_size(lane)];
    const double* origin = u + 3 * static_cast<Index>(vertices[0]);
    for (std::size_t a = 1; a < N; ++a) {
      const double* at = u + 3 * static_cast<Index>(vertices[a]);
      for (int k = 0; k < 3; ++k) d[a - 1][k][lane] = at[k] - origin[k];
    }
  }
}

/// H = Σ_a d_a ⊗ ∇N_a, column-major (Eq. F5); F = 1 + H.
template <int N>
inline void displacement_gradient(const Pack4 d[N - 1][3], const Pack4 g[N][3], Pack4 H[9]) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      Pack4 sum = d[0][i] * g[1][j];
      for (int a = 2; a < N; ++a) sum += d[a - 1][i] * g[a][j];
      H[i + 3 * j] = sum;
    }
}

template <int N>
inline void deformation_gradient(const Pack4 d[N - 1][3], const Pack4 g[N][3], Pack4 F[9]) {
  displacement_gradient<N>(d, g, F);
  for (int i = 0; i < 9; i += 4) F[i] += 1.0;
}

[[nodiscard]] inline Matrix3 lane_matrix(const Pack4 F[9], int lane) {
  Matrix3 m;
  for (int i = 0; i < 9; ++i) m.data()[i] = F[i][lane];
  return m;
}

/// f_a += w P ∇N_a for a ≥ 1 (Eq. F3).
template <int N>
inline void add_force(const Pack4 P[9], const Pack4 g[N][3], const Pack4& w, Pack4 f[N][3]) {
  for (int a = 1; a < N; ++a)
    for (int i = 0; i < 3; ++i) f[a][i] += w * (P[i] * g[a][0] + P[i + 3] * g[a][1] + P[i + 6] * g[a][2]);
}

/// f_0 = −Σ_{a≥1} f_a (Eq. F5).
template <int N>
inline void close_force(Pack4 f[N][3]) {
  for (int i = 0; i < 3; ++i) {
    Pack4 sum = f[1][i];
    for (int a = 2; a < N; ++a) sum += f[a][i];
    f[0][i] = -sum;
  }
}

/// K_ab += w ∇N_aᵀ A ∇N_b for a ≥ b ≥ 1 (Eq. F4); a block is stored as [row + 3 column].
template <int N>
inline void add_tangent(const Pack4 A[81], const Pack4 g[N][3], const Pack4& w, Pack4 K[][9]) {
  for (int b = 1; b < N; ++b) {
    Pack4 T[3][9];  // T[k][i+3j] = w Σ_l A(ij, kl) ∂N_b/∂X_l
    const Pack4 wg[3] = {w * g[b][0], w * g[b][1], w * g[b][2]};
    for (int k = 0; k < 3; ++k)
      for (int ij = 0; ij < 9; ++ij)
        T[k][ij] = A[ij + 9 * k] * wg[0] + A[ij + 9 * (k + 3)] * wg[1] + A[ij + 9 * (k + 6)] * wg[2];
    for (int a = b; a < N; ++a) {
      Pack4* block = K[pair_index(a, b)];
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
          block[i + 3 * k] += g[a][0] * T[k][i] + g[a][1] * T[k][i + 3] + g[a][2] * T[k][i + 6];
    }
  }
}

/// The blocks of vertex 0: K_a0 = −Σ_b K_ab, K_00 = −Σ_a K_a0 (Eq. F5).
template <int N>
inline void close_tangent(Pack4 K[][9]) {
  for (int a = 1; a < N; ++a)
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) {
        Pack4 sum = {};
        for (int b = 1; b < N; ++b)
          // Only a ≥ b is stored: K_ab = K_baᵀ for the other half.
          sum += b <= a ? K[pair_index(a, b)][i + 3 * k] : K[pair_index(b, a)][k + 3 * i];
        K[pair_index(a, 0)][i + 3 * k] = -sum;
      }
  for (int e = 0; e < 9; ++e) {
    Pack4 sum = {};
    for (int a = 1; a < N; ++a) sum += K[pair_index(a, 0)][e];
    K[0][e] = -sum;
  }
}

/// Stress and, if A is given, tangent of laws that need an SVD or are to be projected, lane by lane.
template <int N>
inline void pointwise_stress_tangent(const ElementBatch<N>& batch, const std::vector<Material>& materials,
                                     const std::vector<Index>& material_of, bool projected, const Pack4 H[9],
                                     Pack4 P[9], Pack4* A) {
  for (int lane = 0; lane < kBatchLanes; ++lane) {
    const Index element = batch.element[to_size(lane)];
    const Material& material = materials[to_size(material_of[to_size(element)])];
    const Matrix3 f = lane_matrix(H, lane) + Matrix3::Identity();
    Matrix3 p;
    if (A == nullptr) {
      p = stress(material, f);
    } else {
      Matrix9 a;
      stress_and_tangent(material, f, projected, p, a);
      for (int i = 0; i < 81; ++i) A[i][lane] = a.data()[i];
    }
    for (int i = 0; i < 9; ++i) P[i][lane] = p.data()[i];
  }
}

/// Mean stress between two displacement gradients and, if A is given, its tangent, lane by lane.
template <int N>
inline void pointwise_mean_stress(const ElementBatch<N>& batch, const std::vector<Material>& materials,
                                  const std::vector<Index>& material_of, bool projected, const Pack4 H0[9],
                                  const Pack4 H1[9], Pack4 P[9], Pack4* A) {
  for (int lane = 0; lane < kBatchLanes; ++lane) {
    const Index element = batch.element[to_size(lane)];
    Matrix3 p;
    Matrix9 a;
    mean_stress(materials[to_size(material_of[to_size(element)])], lane_matrix(H0, lane),
                lane_matrix(H1, lane), projected, p, A != nullptr ? &a : nullptr);
    for (int i = 0; i < 9; ++i) P[i][lane] = p.data()[i];
    if (A == nullptr) continue;
    for (int i = 0; i < 81; ++i) A[i][lane] = a.data()[i];
  }
}

/// Adds the lanes' forces to the vertices that this part owns.
template <int N>
inline void scatter_force(const ElementBatch<N>& batch, const Pack4 f[N][3], double* result) {
  for (int lane = 0; lane < batch.count; ++lane) {
    const auto l = to_size(lane);
    for (std::size_t a = 0; a < N; ++a) {
      if ((batch.owned[l] >> a & 1U) == 0) continue;
      double* at = result + 3 * static_cast<Index>(batch.vertices[l][a]);
      for (int i = 0; i < 3; ++i) at[i] += f[a][i][lane];
    }
  }
}

/// Adds the lanes' blocks to the columns that this part owns. The layout is that of fem/pattern.hpp.
template <int N>
inline void scatter_tangent(const ElementBatch<N>& batch, const Pack4 K[][9], const int* outer,
                            double* values) {
  for (int lane = 0; lane < batch.count; ++lane) {
    const auto l = to_size(lane);
    const auto& vertices = batch.vertices[l];
    const std::uint32_t owned = batch.owned[l];
    for (int a = 0; a < N; ++a) {
      const int* own_column = outer + 3 * static_cast<Index>(vertices[to_size(a)]);
      if ((owned >> a & 1U) != 0)
        // Of the diagonal block only the lower part is stored.
        for (int c = 0; c < 3; ++c)
          for (int r = c; r < 3; ++r) values[own_column[c] + r - c] += K[pair_index(a, a)][r + 3 * c][lane];
      for (int b = 0; b < a; ++b) {
        const int pair = pair_index(a, b);
        const bool flipped = (batch.flipped[l] >> (pair - a) & 1U) != 0;
        // The block stands in the column of the vertex with the smaller number.
        const int column_vertex = flipped ? a : b;
        if ((owned >> column_vertex & 1U) == 0) continue;
        const int* column = flipped ? own_column : outer + 3 * static_cast<Index>(vertices[to_size(b)]);
        const std::int32_t place = batch.place[l][to_size(pair)];
        for (int c = 0; c < 3; ++c) {
          double* at = values + column[c] + (3 - c) + place;
          for (int r = 0; r < 3; ++r) at[r] += K[pair][flipped ? c + 3 * r : r + 3 * c][lane];
        }
      }
    }
  }
}

}  // namespace pliant
