// fem/constrained_system.hpp — the free part of a symmetric system, extracted and solved.
//
// Boundary conditions are imposed by elimination: rows and columns of constrained degrees of freedom are
// left out, and the caller puts what prescribed values contribute on the right-hand side.
#pragma once

#include "pliant/solve/cholesky.hpp"

#include <vector>

namespace pliant {

/// Which degrees of freedom are unknown, and where their entries stand in the full lower triangle.
class ConstrainedSystem {
 public:
  /// `free` has one flag per degree of freedom; `pattern` is the full lower triangle. `like`: a factor of a
  /// matrix with the pattern of the free part, whose ordering is taken over; it must live until the first
  /// factorize().
  ConstrainedSystem(const std::vector<char>& free, const SparseMatrix& pattern,
                    const SparseCholesky* like = nullptr);

  [[nodiscard]] Index free_count() const { return std::ssize(free_dofs_); }
  [[nodiscard]] const std::vector<Index>& free_dofs() const { return free_dofs_; }

  /// The free part of a full matrix with the constructor's pattern; the reference stays valid until the next
  /// call.
  const SparseMatrix& extract(const SparseMatrix& full);
  /// Extracts and factorises; false when not positive definite.
  [[nodiscard]] bool factorize(const SparseMatrix& full);
  /// x_f = A_ff⁻¹ b_f for full-size b and x; constrained entries of x become zero.
  void solve(ConstVectorRef b, VectorRef x);
  /// ‖v‖ over the free degrees of freedom.
  [[nodiscard]] double norm(ConstVectorRef v) const;
  /// a·b over the free degrees of freedom.
  [[nodiscard]] double dot(ConstVectorRef a, ConstVectorRef b) const;

 private:
  std::vector<Index> free_dofs_;
  SparseMatrix reduced_;
  std::vector<int> source_;  // per entry of reduced_: its place among the full matrix's values
  VectorX right_;            // scratch, free size
  SparseCholesky factor_;
  const SparseCholesky* like_;
  bool analyzed_ = false;
};

}  // namespace pliant
