// math/nonnegative_fit.hpp — least squares with weights that are not negative, one column at a time.
#pragma once

#include "pliant/math/types.hpp"

#include <span>
#include <vector>

namespace pliant {

/// min ‖A w − b‖ with w ≥ 0 by the active set method of [LawsonHanson1974], ch. 23. After each improve(), w
/// is the best fit by the columns chosen so far. The Cholesky factor of their products is updated, so that a
/// column which enters or leaves costs the square of their number.
class NonnegativeFit {
 public:
  /// A and b must outlive this. At most `most` columns are chosen.
  NonnegativeFit(ConstMatrixRef A, ConstVectorRef b, Index most);

  /// Lets the column of steepest descent enter, or the `columns` steepest ones at once, and drops those whose
  /// weights reach zero. False when nothing has changed: w is optimal up to rounding, or `most` columns are
  /// chosen.
  bool improve(Index columns = 1);
  /// Goes on from columns that an earlier fit has chosen: w becomes their best fit.
  void begin_with(std::span<const Index> columns);

  [[nodiscard]] const VectorX& weights() const { return weights_; }
  [[nodiscard]] const std::vector<Index>& chosen() const { return chosen_; }
  /// b − A w.
  [[nodiscard]] const VectorX& residual() const { return residual_; }

 private:
  [[nodiscard]] Index steepest() const;
  bool enter(Index column);
  void leave(Index place);
  void approach_best();
  void update_residual();
  void update_gain();
  [[nodiscard]] Index size() const { return std::ssize(chosen_); }

  ConstMatrixRef A_;
  ConstVectorRef b_;
  VectorX lengths_;  // of the columns
  std::vector<Index> chosen_;
  MatrixX factor_;  // its leading lower triangle is L, with L Lᵀ the products of the chosen columns
  VectorX weights_, residual_;
  VectorX gain_;  // Aᵀ residual
};

}  // namespace pliant
