// fem/elastic_body.hpp — a mesh with materials as a system of forces: the ground truth of every reduced
// model.
//
//   energy Ψ(u) ──∂/∂u──► internal_force f(u) ──∂/∂u──► tangent K(u)        u: 3n displacements, vertex by
//   vertex
//
// Assembly runs in parallel over parts of the vertices. A part computes every element that touches it and
// adds only to its own rows and columns, always in element order, so the sums do not depend on the number of
// parts or threads.
#pragma once

#include "pliant/subspace/rest_body.hpp"

#include <memory>

namespace pliant {

enum class TangentKind { kExact, kProjected };  // projected: element tangents made positive semi-definite

class ElasticBody : public RestBody {
 public:
  /// The mesh must be valid (positive elements); materials must pass check().
  ElasticBody(VolumeMesh mesh, MaterialMap materials);
  ~ElasticBody();
  ElasticBody(const ElasticBody&) = delete;
  ElasticBody& operator=(const ElasticBody&) = delete;

  /// False when an element's energy would be infinite (neohookean, J ≤ 0).
  [[nodiscard]] bool admissible(ConstVectorRef u) const;
  [[nodiscard]] double energy(ConstVectorRef u) const;
  void internal_force(ConstVectorRef u, VectorRef f) const;

  /// Lower triangle of a 3n × 3n matrix with the pattern that force_and_tangent() and mass share; values
  /// zero.
  [[nodiscard]] SparseMatrix make_matrix() const;
  /// f and K in one pass; K comes from make_matrix().
  void force_and_tangent(ConstVectorRef u, TangentKind kind, VectorRef f, SparseMatrix& K) const;
  /// y = K(u) v without a matrix: the directional derivative of the force.
  void apply_tangent(ConstVectorRef u, ConstVectorRef v, VectorRef y) const;

  /// The symmetric second derivative of the force at rest, ∂²f/∂u² : (a, b). [BarbicJames2005] Eq. 14's
  /// right-hand side.
  void force_second_derivative_at_rest(ConstVectorRef a, ConstVectorRef b, VectorRef y) const;

  /// Consistent mass as a lower triangle in the pattern of make_matrix().
  [[nodiscard]] SparseMatrix mass_matrix() const;

  /// Von Mises stress per element, Pa (hexes: mean over Gauss points).
  [[nodiscard]] VectorX von_mises(ConstVectorRef u) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
