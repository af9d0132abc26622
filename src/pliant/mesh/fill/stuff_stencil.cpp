#include "pliant/mesh/fill/stuff_stencil.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/math/types.hpp"

#include <algorithm>

namespace pliant {
namespace {

using Coordinates = std::array<std::array<Index, 3>, 4>;

/// Edges 03 and 12 are long.
bool is_long(int i, int j) { return i + j == 3; }
StencilCorner lattice(int i) { return {static_cast<signed char>(i), static_cast<signed char>(i)}; }
StencilCorner cut(int i, int j) {
  return {static_cast<signed char>(std::min(i, j)), static_cast<signed char>(std::max(i, j))};
}

/// Adds a tet, with two corners exchanged if it is inverted. Its orientation follows from barycentric
/// coordinates with cut points halfway along their edges.
void add(Stencil& stencil, std::array<StencilCorner, 4> tet) {
  Eigen::Matrix4d barycentric = Eigen::Matrix4d::Zero();
  for (int c = 0; c < 4; ++c) {
    barycentric(c, tet[c].i) += 0.5;
    barycentric(c, tet[c].j) += 0.5;
  }
  if (barycentric.determinant() < 0) std::swap(tet[2], tet[3]);
  stencil.tets[stencil.count++] = tet;
}

/// Quadrilateral p, q (inside), cut(q,m), cut(p,m): true if its diagonal starts at p, false if at q.
bool diagonal_at_first(int p, int q, int m, const Coordinates& x) {
  if (is_long(p, m)) return false;
  if (is_long(q, m)) return true;
  int greater = 0;
  for (int d = 0; d < 3; ++d) greater += x[p][d] > x[m][d] ? 1 : 0;
  return greater % 2 == 0;
}

/// The prism x0 x1 x2 – y0 y1 y2 with the diagonals x_a–y_b, x_a–y_c and x_b–y_c, (a, b, c) = order.
void add_prism(Stencil& stencil, const std::array<StencilCorner, 3>& x, const std::array<StencilCorner, 3>& y,
               const std::array<int, 3>& order) {
  const auto [a, b, c] = order;
  add(stencil, {x[a], x[b], x[c], y[c]});
  add(stencil, {x[a], x[b], y[b], y[c]});
  add(stencil, {x[a], y[a], y[b], y[c]});
}

/// Three corners inside, m outside: a prism between the inside corners and their cut points.
void fill_three(Stencil& stencil, const std::array<int, 3>& p, int m, const Coordinates& x) {
  std::array<int, 3> order{0, 1, 2};
  // Number of diagonals that start at each inside corner; a permutation of 0, 1, 2.
  std::array<int, 3> diagonals{};
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) ++diagonals[diagonal_at_first(p[i], p[j], m, x) ? i : j];
  std::sort(order.begin(), order.end(), [&](int i, int j) { return diagonals[i] > diagonals[j]; });
  PLIANT_ASSERT(diagonals[order[0]] == 2 && diagonals[order[1]] == 1);
  add_prism(stencil, {lattice(p[0]), lattice(p[1]), lattice(p[2])},
            {cut(p[0], m), cut(p[1], m), cut(p[2], m)}, order);
}

/// p, q inside, m, n outside: a prism.
void fill_two(Stencil& stencil, int p, int q, int m, int n, const Coordinates& x) {
  const bool first = diagonal_at_first(p, q, m, x);
  PLIANT_ASSERT(first != diagonal_at_first(p, q, n, x));
  // The third diagonal, on the border, is the one that does not close a cycle.
  add_prism(stencil, {lattice(p), cut(p, m), cut(p, n)}, {lattice(q), cut(q, m), cut(q, n)},
            first ? std::array{2, 0, 1} : std::array{1, 0, 2});
}

/// p, q inside, m outside, z on the border: a pyramid with its tip at z.
void fill_pyramid(Stencil& stencil, int p, int q, int m, int z, const Coordinates& x) {
  if (!diagonal_at_first(p, q, m, x)) std::swap(p, q);
  add(stencil, {lattice(z), lattice(p), lattice(q), cut(q, m)});
  add(stencil, {lattice(z), lattice(p), cut(q, m), cut(p, m)});
}

}  // namespace

Stencil stuffing_stencil(const std::array<Side, 4>& sides, const Coordinates& coordinates) {
  Stencil stencil;
  std::array<int, 4> in{};
  std::array<int, 4> out{};
  std::array<int, 4> on{};
  int ins = 0;
  int outs = 0;
  int ons = 0;
  for (int i = 0; i < 4; ++i) {
    if (sides[i] == Side::kInside) in[ins++] = i;
    if (sides[i] == Side::kOutside) out[outs++] = i;
    if (sides[i] == Side::kBorder) on[ons++] = i;
  }
  if (ins == 0) return stencil;
  if (outs == 0) {
    add(stencil, {lattice(0), lattice(1), lattice(2), lattice(3)});
  } else if (ins == 1) {
    std::array<StencilCorner, 4> tet;
    for (int i = 0; i < 4; ++i) tet[i] = sides[i] == Side::kOutside ? cut(in[0], i) : lattice(i);
    add(stencil, tet);
  } else if (ins == 3) {
    fill_three(stencil, {in[0], in[1], in[2]}, out[0], coordinates);
  } else if (outs == 2) {
    fill_two(stencil, in[0], in[1], out[0], out[1], coordinates);
  } else {
    fill_pyramid(stencil, in[0], in[1], out[0], on[0], coordinates);
  }
  return stencil;
}

}  // namespace pliant
