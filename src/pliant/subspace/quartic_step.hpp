// subspace/quartic_step.hpp — energy, force and stiffness of a quartic form in one pass over its
// coefficients.
//
// The heart of every step of a reduced model: each coefficient is read once, in the order in which it is
// stored. With c_ijkl (i ≤ j ≤ k ≤ l) the factors of the monomials, the form is a sum over (k, l) of
//
//     q_k q_l s(q),   s = Σ c_ij q_i q_j,   g = ∂s/∂q
//
// whose second derivative is q_k q_l ∂²s/∂q² + sym[(q_l e_k + q_k e_l) gᵀ + s e_k e_lᵀ]: three multiply-adds
// per coefficient. Lanes of a SIMD register hold neighbouring l, so nothing is summed across lanes until the
// end. The cubic part rides along as one more l with q_l = 1; force and energy follow by Euler's theorem.
#pragma once

#include "pliant/subspace/quartic_form.hpp"

namespace pliant {

/// Evaluates a form; `Scalar` is the type in which the coefficients are stored and multiplied (double, or
/// float for half the memory traffic). Results are double.
template <class Scalar>
class QuarticStep {
 public:
  using Array = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  /// What an evaluation writes on its way.
  struct Scratch {
    Array q;  // once for i, j, k and once in the places of l
    Array places;
    Array gradient;    // g of one k and a few blocks of l, packs for each i
    Array pairs;       // half the stiffness of i ≤ j, a pack of partial sums each
    Array columns;     // half the stiffness of i ≤ l, lanes over l, block by block
    VectorX cubic;     // force of the cubic part
    VectorX linear;    // A q
    MatrixX unwanted;  // stiffness when the caller wants none
  };

  /// Reserves for r coordinates; all coefficients zero.
  explicit QuarticStep(Index r);

  /// Takes over the coefficients of a form of the same size. Allocates nothing.
  void assign(const QuarticForm& form);

  [[nodiscard]] Index size() const { return r_; }
  /// Bytes of coefficients that evaluate() reads.
  [[nodiscard]] Index bytes() const;

  /// E(q); f = ∂E/∂q; K = ∂²E/∂q², both triangles. Allocates nothing. Not for use by two threads at once.
  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) { return evaluate(q, f, K, own_); }
  /// E(q) and f only (explicit integration, line searches).
  double evaluate(ConstVectorRef q, VectorRef f) { return evaluate(q, f, own_.unwanted, own_); }

  /// For threads that share the coefficients and have scratch memory of their own.
  [[nodiscard]] Scratch make_scratch() const;
  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K, Scratch& scratch) const;

 private:
  void accumulate(ConstVectorRef q, Scratch& scratch) const;
  template <int Blocks>
  const Scalar* take_blocks(Index k, Index block, const Scalar* c, Scratch& scratch) const;
  double finish(ConstVectorRef q, VectorRef f, MatrixRef K, Scratch& scratch) const;

  Index r_;
  Index blocks_;        // of neighbouring l = 0 … r (r: the cubic part), the last one full
  Index shift_;         // place of l in the blocks: l + shift_
  Array coefficients_;  // in the order of reading; zeros where l < k
  MatrixX second_;      // A, full
  Scratch own_;
};

extern template class QuarticStep<double>;
extern template class QuarticStep<float>;

}  // namespace pliant
