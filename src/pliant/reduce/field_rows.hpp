// reduce/field_rows.hpp — rows of a strain (stvk_rows.hpp) from vector fields of an element. Internal to the
// writers of rows.
#pragma once

#include "pliant/math/pack.hpp"
#include "pliant/math/types.hpp"
#include "pliant/subspace/quartic_form.hpp"

#include <span>

namespace pliant {

/// A product of two vector fields. Field n stands in columns 3n, 3n+1, 3n+2 of a matrix with one row per
/// mode; a term is the scalar product of fields a and b.
struct Term {
  Index a, b;
};

/// The fields of one element, and the rows that are computed from them.
struct FieldRows {
  const MatrixX& fields;  // r × 3·count
  Index columns;
  bool quadratic;
  double* strain;

  [[nodiscard]] Index r() const { return fields.rows(); }
  [[nodiscard]] double* row(Index number) const { return strain + number * columns; }

  /// Starts a row: no linear part.
  void clear(Index number) const { Eigen::Map<VectorX>(row(number), r()).setZero(); }
  /// Linear part += factor · one component of a field.
  void add(Index number, Index field, Index component, double factor) const {
    Eigen::Map<VectorX>(row(number), r()) += factor * fields.col(3 * field + component);
  }
  /// Quadratic part = factor · Σ a(l)·b(p) over the terms, for l ≤ p in the order of pair_place.
  void multiply(Index number, std::span<const Term> terms, double factor) const {
    if (!quadratic) return;
    if (terms.size() == 1) products<1>(terms, factor, row(number) + r());
    if (terms.size() == 2) products<2>(terms, factor, row(number) + r());
    if (terms.size() == 4) products<4>(terms, factor, row(number) + r());
  }

 private:
  /// The number of terms is a template parameter, so that the inner sum over 3·Terms products is unrolled.
  /// Four pairs at a time: what exceeds the pairs of j stands where those of j + 1 come to stand.
  template <int Terms>
  void products(std::span<const Term> terms, double factor, double* pairs) const {
    const double* a[3 * Terms];
    double b[3 * Terms];
    for (int t = 0; t < 3 * Terms; ++t) a[t] = fields.data() + r() * (3 * terms[to_size(t) / 3].a + t % 3);
    for (Index j = 0; j < r(); ++j) {
      for (int t = 0; t < 3 * Terms; ++t) b[t] = factor * fields(j, 3 * terms[to_size(t) / 3].b + t % 3);
      double* __restrict out = pairs + pair_count(j);
      Index i = 0;
      for (; i <= j && i + 4 <= r(); i += 4) {
        Pack4 sum = load_pack(a[0] + i) * b[0];
        for (int t = 1; t < 3 * Terms; ++t) sum += load_pack(a[t] + i) * b[t];
        store_pack(sum, out + i);
      }
      for (; i <= j; ++i) {
        double sum = a[0][i] * b[0];
        for (int t = 1; t < 3 * Terms; ++t) sum += a[t][i] * b[t];
        out[i] = sum;
      }
    }
  }
};

}  // namespace pliant
