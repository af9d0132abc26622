// subspace/quartic_form.hpp — a polynomial of degree 2 to 4 in r coordinates, each coefficient stored once.
//
//     E(q) = ½ Σ A_ij q_i q_j + ⅙ Σ B_ijk q_i q_j q_k + 1/24 Σ C_ijkl q_i q_j q_k q_l                (Eq. R3)
//
// with symmetric A, B, C. The StVK energy in a subspace has this form. Force and stiffness are its gradient
// and Hessian, so one set of numbers serves all three. Forms of the same size can be added and scaled, and
// restricted to their first coordinates.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// Number of sorted tuples i ≤ j (i ≤ j ≤ k, i ≤ j ≤ k ≤ l) of indices below r.
[[nodiscard]] constexpr Index pair_count(Index r) { return r * (r + 1) / 2; }
/// See pair_count().
[[nodiscard]] constexpr Index triple_count(Index r) { return r * (r + 1) * (r + 2) / 6; }
/// See pair_count().
[[nodiscard]] constexpr Index quadruple_count(Index r) { return r * (r + 1) * (r + 2) * (r + 3) / 24; }

/// Position of the sorted tuple i ≤ j ≤ k ≤ l in colexicographic order, in which the last index varies
/// slowest. So the tuples of the first coordinates come first, and the heads of the arrays are the form in
/// these.
[[nodiscard]] constexpr Index pair_place(Index i, Index j) { return pair_count(j) + i; }
/// See pair_place().
[[nodiscard]] constexpr Index triple_place(Index i, Index j, Index k) {
  return triple_count(k) + pair_place(i, j);
}
/// See pair_place().
[[nodiscard]] constexpr Index quadruple_place(Index i, Index j, Index k, Index l) {
  return quadruple_count(l) + triple_place(i, j, k);
}

struct QuarticForm {
  Index r = 0;
  VectorX second;  // A_ij at pair_place, i ≤ j
  VectorX third;   // B_ijk at triple_place
  VectorX fourth;  // C_ijkl at quadruple_place

  /// All coefficients zero.
  [[nodiscard]] static QuarticForm zero(Index r);
  /// this += factor · other; same r.
  void add(double factor, const QuarticForm& other);
  /// The form in the first `size` coordinates, with the others at zero.
  [[nodiscard]] QuarticForm head(Index size) const;
  /// Plain sums over all indices: slow, the reference for tests.
  [[nodiscard]] double energy(ConstVectorRef q) const;
};

}  // namespace pliant
