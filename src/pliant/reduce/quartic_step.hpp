// reduce/quartic_step.hpp — energy, force and stiffness of a quartic form in one pass over its coefficients.
//
// The heart of every step of a reduced model: each coefficient is read once, in the order in which it is
// stored.
#pragma once

#include "pliant/reduce/quartic_form.hpp"

namespace pliant {

/// Evaluates a form; `Scalar` is the type in which the coefficients are stored and multiplied (double, or
/// float for half the memory traffic). Results are double.
template <class Scalar>
class QuarticStep {
 public:
  /// Reserves for r coordinates; all coefficients zero.
  explicit QuarticStep(Index r);

  /// Takes over the coefficients of a form of the same size. Allocates nothing.
  void assign(const QuarticForm& form);

  [[nodiscard]] Index size() const { return r_; }
  /// Bytes of coefficients that evaluate() reads.
  [[nodiscard]] Index bytes() const;

  /// E(q); f = ∂E/∂q; K = ∂²E/∂q², both triangles. Allocates nothing. Not for use by two threads at once.
  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K);
  /// E(q) and f only (explicit integration, line searches).
  double evaluate(ConstVectorRef q, VectorRef f);

 private:
  Index r_;
  // layout: see quartic_step.cpp
};

extern template class QuarticStep<double>;
extern template class QuarticStep<float>;

}  // namespace pliant
