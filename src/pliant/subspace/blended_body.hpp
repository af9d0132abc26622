// subspace/blended_body.hpp — a body whose displacement is a blend of polynomials of overlapping domains
// [LuoEtAl2018]:
//
//     u(X) = Σ_j w_j(X) p_j(X − S_j),   p_j of degree 2 (30 coordinates), 1 (12) or a rigid motion (6)
//
// The same scalar columns w · {1, x, y, z, xx, yy, zz, xy, yz, xz} serve x, y and z. So a point of the body
// knows one gradient per scalar column, and the basis U of the reduced body is their Kronecker product with
// 1: coordinate i · m + c is column c along axis i.
//
// Rigid motion lies in the basis. A body that nothing holds needs no frame that follows it.
#pragma once

#include "pliant/subspace/reduced_body.hpp"
#include "pliant/subspace/rest_body.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace pliant {

/// Of a domain: how many coordinates it has.
enum class DomainCoordinates { kQuadratic, kAffine, kRigid };

struct BlendedDomain {
  std::string name;
  VertexId seed = 0;
  Vector3 center = Vector3::Zero();  // S_j, m
  double size = 1.0;                 // m, by which its polynomials are scaled
  DomainCoordinates coordinates = DomainCoordinates::kQuadratic;
};

/// 30, 12 or 6.
[[nodiscard]] Index coordinate_count(const BlendedDomain& domain);

/// Where the elastic energy is integrated.
struct BlendedPoints {
  VectorX weights;              // m³, one per point
  std::vector<Index> material;  // group of each
  MatrixX gradients;            // m × 3P: columns 3p … 3p + 2 are the gradients of all scalar columns

  [[nodiscard]] Index count() const { return weights.size(); }
};

struct BlendedBody {
  std::shared_ptr<const RestBody> rest;
  std::shared_ptr<const ReducedBody> reduced;  // its basis holds nothing that flies in a frame of its own
  MatrixX scalars;                             // n × m; orthonormal in the scalar mass unless they are local
  MatrixX transform;  // 3m × r: coordinates to those of the scalars; empty: they are the same
  MatrixX weights;    // n × d, a partition of unity with the anchor's
  VectorX anchor;     // n
  std::vector<BlendedDomain> domains;
  std::vector<Index>
      starts;  // of the scalar columns of each domain, and their end; empty: columns are global
  BlendedPoints points;
  bool few = false;           // the points stand for others that are left out
  BlendedPoints restorative;  // where crushed elements push back, beside `points` (Eq. 18); often none

  /// Pairs of domains that move a common element, where columns are local.
  std::vector<std::array<Index, 2>> coupled;

  /// The displacement of all vertices, 3n × r.
  [[nodiscard]] static MatrixX vector_shapes(const MatrixX& scalars, const MatrixX& transform);
};

/// The ten monomials of degree 2 and less, or the first four of them, at x relative to its domain.
void blended_monomials(const Vector3& x, Index count, double* values);
/// Their gradients.
void blended_monomial_gradients(const Vector3& x, Index count, Vector3* gradients);

}  // namespace pliant
