// subspace/quartic_step.hpp — energy, force and stiffness of a quartic form in one pass over its
// coefficients.
//
// The core of every step of a reduced model: each coefficient is read once, in the order in which it is
// stored. With c_ijkl (i ≤ j ≤ k ≤ l) the factors of the monomials, the form is a sum over (k, l) of
//
//     q_k q_l s(q),   s = Σ c_ij q_i q_j,   g = ∂s/∂q
//
// with the second derivative q_k q_l ∂²s/∂q² + sym[(q_l e_k + q_k e_l) gᵀ + s e_k e_lᵀ]: three multiply-adds
// per coefficient. The lanes of a SIMD register hold neighbouring l, so nothing is summed across lanes until
// the end. The cubic part is treated as one more l with q_l = 1. Force and energy follow from Euler's
// theorem.
#pragma once

#include "pliant/subspace/quartic_form.hpp"

namespace pliant {

/// Evaluates a form. `Scalar` is the type in which coefficients are stored and multiplied: double, or float
/// for half of the memory traffic. Results are double.
template <class Scalar>
class QuarticStep {
 public:
  using Array = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  /// Memory for intermediate results of an evaluation.
  struct Scratch {
    Array q;           // as factors for i, j, k
    Array places;      // q again, in the lanes of l; 1 in the place of the cubic part
    Array gradient;    // g of one k and a few blocks of l, packs for each i
    Array pairs;       // half the stiffness of i ≤ j, a pack of partial sums each
    Array columns;     // half the stiffness of i ≤ l, lanes over l, block by block
    VectorX cubic;     // force of the cubic part
    VectorX linear;    // A q
    MatrixX unwanted;  // receives the stiffness if the caller does not want it
  };

  /// Reserves memory for r coordinates; all coefficients are zero.
  explicit QuarticStep(Index r);

  /// Takes the coefficients of a form of the same size. Does not allocate.
  void assign(const QuarticForm& form);

  [[nodiscard]] Index size() const { return r_; }
  /// Bytes of coefficients that evaluate() reads.
  [[nodiscard]] Index bytes() const;

  /// E(q); f = ∂E/∂q; K = ∂²E/∂q², both triangles. Does not allocate. Only one thread at a time.
  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) { return evaluate(q, f, K, own_); }
  /// E(q) and f only (explicit integration, line searches).
  double evaluate(ConstVectorRef q, VectorRef f) { return evaluate(q, f, own_.unwanted, own_); }

  /// For threads that share the coefficients; each has scratch memory of its own.
  [[nodiscard]] Scratch make_scratch() const;
  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K, Scratch& scratch) const;

 private:
  void accumulate(ConstVectorRef q, Scratch& scratch) const;
  template <int Blocks>
  const Scalar* take_blocks(Index k, Index block, const Scalar* c, Scratch& scratch) const;
  double finish(ConstVectorRef q, VectorRef f, MatrixRef K, Scratch& scratch) const;

  Index r_;
  Index blocks_;        // blocks of neighbouring l = 0 … r (r: the cubic part); the last block is full
  Index shift_;         // l stands at l + shift_ among the lanes of all blocks
  Array coefficients_;  // in the order of reading; zeros where l < k
  MatrixX second_;      // A, full
  Scratch own_;
};

extern template class QuarticStep<double>;
extern template class QuarticStep<float>;

}  // namespace pliant
