// fem/batch.hpp — four elements at once: their data side by side, one element per SIMD lane.
#pragma once

#include "pliant/fem/pattern.hpp"
#include "pliant/material/material.hpp"
#include "pliant/math/pack.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"
#include "pliant/subspace/hex_points.hpp"
#include "pliant/subspace/tet10_points.hpp"

#include <array>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace pliant {

inline constexpr int kBatchLanes = 4;

/// Number of the pair (a, b), a ≥ b, in a lower triangle stored row by row.
constexpr int pair_index(int a, int b) { return a * (a + 1) / 2 + b; }

/// N = 4: tets with one integration point; N = 8: hexes with 3×3×3 Gauss points; N = 10: quadratic tets with
/// the points of one rule.
template <int N>
struct ElementBatch {
  static constexpr int kVertices = N;
  static constexpr int kPairs = N * (N + 1) / 2;
  using PairBits = std::conditional_t<(N > 8), std::uint64_t, std::uint32_t>;
  using VertexBits = std::conditional_t<(N > 8), std::uint16_t, std::uint8_t>;

  Pack4 rest[N][3];  // vertices of the rest shape (hex, quadratic tet), or ∇N_1…∇N_3 in rest[1…3] and the
                     // volume in rest[0][0] (tet)
  Pack4 lambda, mu;
  std::array<std::array<VertexId, N>, kBatchLanes> vertices;
  std::array<std::array<std::int32_t, kPairs>, kBatchLanes> place;  // BlockPattern::place of each pair a > b
  std::array<PairBits, kBatchLanes>
      flipped;  // bit per pair a > b: add the block transposed (vertex a < vertex b)
  std::array<VertexBits, kBatchLanes> owned;  // bit per vertex: this part adds to it; 0 in padding lanes
  std::array<Index, kBatchLanes> element;
  int count;                                // lanes in use; the others repeat the last element
  std::span<const Tet10Point> points;       // N = 10 only
  std::span<const Tet10Point> rest_points;  // the same, or fewer that integrate all of degree 3
};
using TetBatch = ElementBatch<4>;
using HexBatch = ElementBatch<8>;
using Tet10Batch = ElementBatch<10>;

/// Elements that are evaluated by the same code.
struct LawGroup {
  Law law;
  bool pointwise;  // the law needs an SVD, so it is evaluated one lane at a time
  std::vector<TetBatch> tets;
  std::vector<HexBatch> hexes;
  std::vector<Tet10Batch> tet10s;  // those with 4 points first, then straight ones
};

/// Groups in the order in which their laws first appear, elements ascending within each (and within each
/// kind of quadratic tet). All sums run in this order.
using LawGroups = std::vector<LawGroup>;

/// Batches of the elements with at least one vertex for which `owned` is true.
LawGroups make_batches(const VolumeMesh& mesh, const std::vector<Material>& materials,
                       const std::vector<Index>& material_of, const BlockPattern& pattern,
                       const std::vector<char>& owned);

/// Calls body(gradients, weight) at each integration point; gradients[a][k] = ∂N_a/∂X_k of the N vertices.
template <class Body>
inline void for_each_point(const TetBatch& batch, Body&& body) {
  Pack4 g[4][3];
  for (int k = 0; k < 3; ++k) {
    for (int a = 1; a < 4; ++a) g[a][k] = batch.rest[a][k];
    g[0][k] = -(g[1][k] + g[2][k] + g[3][k]);  // Σ_a ∇N_a = 0
  }
  body(g, batch.rest[0][0]);
}

/// Eq. F6 at each of `points`.
template <int N, class Points, class Body>
inline void for_each_isoparametric(const ElementBatch<N>& batch, const Points& points, Body&& body) {
  for (const auto& point : points) {
    Pack4 J[3][3] = {};  // G = ∂X/∂ξ
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) J[i][k] += batch.rest[a][i] * point.gradient[a][k];
    Pack4 C[3][3];  // cofactors: J⁻ᵀ = C / det J
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        const int i1 = (i + 1) % 3;
        const int i2 = (i + 2) % 3;
        const int k1 = (k + 1) % 3;
        const int k2 = (k + 2) % 3;
        C[i][k] = J[i1][k1] * J[i2][k2] - J[i1][k2] * J[i2][k1];
      }
    const Pack4 det = J[0][0] * C[0][0] + J[0][1] * C[0][1] + J[0][2] * C[0][2];
    const Pack4 inverse = 1.0 / det;
    Pack4 g[N][3];  // ∇N_a = J⁻ᵀ ∂N_a/∂ξ
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        g[a][i] = inverse * (C[i][0] * point.gradient[a][0] + C[i][1] * point.gradient[a][1] +
                             C[i][2] * point.gradient[a][2]);
    body(g, Pack4(det * point.weight));
  }
}

template <class Body>
inline void for_each_point(const HexBatch& batch, Body&& body) {
  for_each_isoparametric<8>(batch, hex_points(), std::forward<Body>(body));
}

template <class Body>
inline void for_each_point(const Tet10Batch& batch, Body&& body) {
  for_each_isoparametric<10>(batch, batch.points, std::forward<Body>(body));
}

/// The same at points that are enough for products of three gradients, as in second derivatives at rest.
template <int N, class Body>
inline void for_each_rest_point(const ElementBatch<N>& batch, Body&& body) {
  if constexpr (N == 10)
    for_each_isoparametric<10>(batch, batch.rest_points, std::forward<Body>(body));
  else
    for_each_point(batch, std::forward<Body>(body));
}

}  // namespace pliant
