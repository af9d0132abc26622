// subspace/quartic_batch.hpp — energy, force and stiffness of one quartic form at many points at once.
//
// All copies of a class in a tree of domains have the same polynomials; only q differs. So the lanes of a
// SIMD register hold copies, each coefficient is read once for eight of them, and nothing is ever summed
// across lanes. With A, B, C the coefficients of quartic_form.hpp and the pairs m_kl = q_k q_l (twice that
// for k < l, since each stands for both orders),
//
//     K_ij = A_ij + Σ_k B_ijk q_k + ½ Σ_{k ≤ l} C_ijkl m_kl
//
// is the product of a constant matrix, pairs × (1 + r + pairs), and the columns (1, q, m) of all points: r⁴/4
// multiply-adds instead of the r⁴/8 of quartic_step.hpp, but at the full speed of the machine. By Euler's
// theorem for each degree, with K' the sum without its last term,
//
//     f = (⅓ K + ⅙ K' + ½ A) q        E = qᵀ(K + K' + 4 A) q / 12
//
// For few points of many coordinates quartic_step is faster, and evaluate() uses it.
#pragma once

#include "pliant/subspace/quartic_step.hpp"

namespace pliant {

/// Evaluates a form at several points. Const calls may run in several threads, each with its own scratch.
class QuarticBatch {
 public:
  /// Memory for intermediate results of an evaluation.
  struct Scratch {
    VectorX lanes;
    QuarticStep<double>::Scratch one;
  };

  /// If at most this many points are left over from groups of eight, they are evaluated one by one. Measured:
  /// four lanes take as long as 0.8, 1.7, 2.5, 3.9 single points of 4, 8, 12, 20 coordinates. Beyond 32
  /// coordinates the matrix no longer fits the caches, and all points are evaluated one by one.
  [[nodiscard]] static constexpr Index alone(Index r) {
    if (r > kMost) return kGroup;
    return r < 5 ? 0 : (r < 12 ? 1 : r / 6);
  }

  /// Reserves memory for r coordinates; all coefficients are zero.
  explicit QuarticBatch(Index r);

  /// Takes the coefficients of a form of the same size. Does not allocate.
  void assign(const QuarticForm& form);

  [[nodiscard]] Index size() const { return r_; }
  /// Bytes of coefficients.
  [[nodiscard]] Index bytes() const;
  [[nodiscard]] Scratch make_scratch() const;

  /// At n points: q (r × n), energy (n), f (r × n), K (r·r × n, both triangles). Does not allocate.
  ///
  /// Points are taken eight at a time, in order; if at most alone(r) are left at the end, QuarticStep
  /// evaluates them. The result at a point depends only on its q and on which of the two ways it takes (that
  /// is, on n and the number of the point); the two agree up to rounding.
  void evaluate(const double* q, Index n, double* energy, double* f, double* K, Scratch& scratch) const;

 private:
  static constexpr Index kMost = 32;
  static constexpr Index kGroup = 8;

  template <int Packs>
  void evaluate_lanes(const double* q, Index n, double* energy, double* f, double* K, double* lanes) const;
  void evaluate_each(const double* q, Index n, double* energy, double* f, double* K, Scratch& scratch) const;

  Index r_;
  QuarticStep<double> one_;
  VectorX second_;  // A at pair_place
  VectorX rows_;    // A_ij | B_ijk | ½ C_ijkl in the order of reading; empty beyond kMost
};

}  // namespace pliant
