// fem/elastic_body.hpp — a mesh with materials as a system of forces: the ground truth for reduced models.
//
//   energy Ψ(u) ──∂/∂u──► internal_force f(u) ──∂/∂u──► tangent K(u)
//
// u holds 3n displacements, vertex by vertex. Equations F1…F9: docs/theory/finite_elements.md.
//
// Assembly runs in parallel over parts of the vertices. A part computes every element that touches it and
// adds only to its own rows and columns, always in element order, so the sums do not depend on the number of
// parts or threads.
#pragma once

#include "pliant/subspace/rest_body.hpp"

#include <memory>
#include <span>

namespace pliant {

/// Projected: negative eigenvalues of ∂P/∂F are set to zero at each point, so K is positive semi-definite
/// (Eq. M10).
enum class TangentKind { kExact, kProjected };

class ElasticBody : public RestBody {
 public:
  /// The mesh must be valid (every element has positive volume); the materials must pass check().
  ElasticBody(VolumeMesh mesh, MaterialMap materials);
  ~ElasticBody();
  ElasticBody(const ElasticBody&) = delete;
  ElasticBody& operator=(const ElasticBody&) = delete;

  /// The same body with other constants for its material groups.
  [[nodiscard]] std::shared_ptr<const ElasticBody> with_materials(std::span<const Material> materials) const;

  /// False when an element's energy would be infinite (neohookean, J ≤ 0).
  [[nodiscard]] bool admissible(ConstVectorRef u) const;
  [[nodiscard]] double energy(ConstVectorRef u) const;
  void internal_force(ConstVectorRef u, VectorRef f) const;

  /// Lower triangle of a 3n × 3n matrix in the pattern that stiffness and mass share; all values are zero.
  [[nodiscard]] SparseMatrix make_matrix() const;
  /// f (Eq. F3) and K (Eq. F4) in one pass; K must come from make_matrix().
  void force_and_tangent(ConstVectorRef u, TangentKind kind, VectorRef f, SparseMatrix& K) const;
  /// The force between two shapes that does exactly the work f · (u1 − u0) = Ψ(u1) − Ψ(u0), without resultant
  /// and (all laws but `linear`) without moment about the mean positions (Eq. F10). A point that turns inside
  /// out, or back, between the shapes keeps the work and may have a moment.
  void mean_force(ConstVectorRef u0, ConstVectorRef u1, VectorRef f) const;
  /// The same, and a symmetric approximation of 2 ∂f/∂u1.
  void mean_force_and_tangent(ConstVectorRef u0, ConstVectorRef u1, TangentKind kind, VectorRef f,
                              SparseMatrix& K) const;
  /// K alone.
  void tangent(ConstVectorRef u, TangentKind kind, SparseMatrix& K) const;
  /// y = K(u) v without a matrix: the directional derivative of the force.
  void apply_tangent(ConstVectorRef u, ConstVectorRef v, VectorRef y) const;

  /// Second derivative of the force at rest in the directions a and b (Eq. F9), symmetric in both. It is the
  /// right-hand side of [BarbicJames2005] Eq. 14.
  void force_second_derivative_at_rest(ConstVectorRef a, ConstVectorRef b, VectorRef y) const;

  /// The consistent mass as a 3n × 3n lower triangle in the pattern of make_matrix().
  [[nodiscard]] SparseMatrix mass_matrix() const;

  /// Von Mises stress per element, Pa (mean over its integration points, weighted by volume).
  [[nodiscard]] VectorX von_mises(ConstVectorRef u) const;

 private:
  struct Parts;
  void add_elements(ConstVectorRef u, TangentKind kind, double* f, SparseMatrix& K) const;

  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
