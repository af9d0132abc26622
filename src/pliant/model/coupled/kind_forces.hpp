// model/coupled/kind_forces.hpp — coupling elements with a weight for each kind of force
// [WuMukherjeeWang2015] §5, for comparison.
//
// What an element does to the coordinates of each domain, to the motion and to the turn of frames takes
// different factors. These forces have no energy, their stiffness is not symmetric, and the torques do not
// belong to the forces, so the angular momentum is not kept (docs/theory/cubature.md).
#pragma once

#include "pliant/model/coupled/coupled_shape.hpp"
#include "pliant/model/coupled/site_rows.hpp"

#include <span>
#include <vector>

namespace pliant {

class KindForces {
 public:
  /// `body`: with coupling_kinds, whose elements share no vertices.
  KindForces(const CoupledBody& body, const CoupledLayout& layout);

  /// As SiteRows::collect(), with the factors.
  void collect(ConstVectorRef x, ConstVectorRef f, std::span<const Vector3> centers,
               std::span<const Matrix3> turns, SiteForces& sum) const;
  /// A (all unknowns) += Σ ((W_a − 1) (R B)_aᵀ) K_ab (R B)_b with W the factors: what a system that has the
  /// elements without factors lacks.
  void add_difference(const CoupledShape& shape, ConstVectorRef x, const SparseMatrix& K, MatrixX& A);

 private:
  struct Site {
    Index domain;
    MatrixX shapes;  // 3 × r
    double force, torque, coordinates;
  };
  void turn_rows(const CoupledShape& shape, ConstVectorRef x);
  void add_block(const Site& to, const MatrixX& left, const Matrix3& K, std::size_t from, MatrixX& A) const;

  const CoupledLayout* layout_;
  std::vector<Site> sites_;
  std::vector<MatrixX> rows_;      // of each site: R B, 3 × m
  std::vector<MatrixX> weighted_;  // its transpose, times W − 1
};

}  // namespace pliant
