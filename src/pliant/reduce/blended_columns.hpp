// reduce/blended_columns.hpp — the scalar columns of blended domains: weight times monomial, orthonormal.
//
// Raw columns are the blended constant and linear functions of the whole body, then those of each domain
// about its own seed, scaled by its size. The first four are kept whatever happens; of the others, what
// depends on them, or on one another, is left out. So rigid motion and every affine one stay exact.
//
// Many domains that reach a few segments each get local columns instead: those of a domain are orthonormal
// among themselves, and zero beyond its reach. They span the same space if nothing had to be left out.
#pragma once

#include "pliant/reduce/blend_weights.hpp"
#include "pliant/subspace/blended_body.hpp"

#include <array>
#include <optional>
#include <vector>

namespace pliant {

/// How gradients are integrated: of the finite elements between the vertices, so that the model is a subspace
/// of `full`; or of the functions themselves, which do not lock like linear tets.
enum class BlendedGradients { kNodal, kSmooth };

/// What given poses become: shapes of the body, one coordinate each; or weights of the quadratic functions
/// under which these come nearest to the poses (Eq. 13 to 16, reduce/enveloping.hpp).
enum class PosesAs { kVectors, kEnvelopes };

/// Displacements of all vertices that the body should be able to take.
struct GivenPoses {
  std::vector<VectorX> poses;  // 3n each
  PosesAs as = PosesAs::kVectors;
  std::vector<VectorX> own;  // shapes of the body itself, vectors in any case
};

struct BlendedColumns {
  std::vector<BlendedDomain> domains;
  Vector3 center = Vector3::Zero();  // of the first four columns
  double size = 1.0;
  MatrixX raw;                    // n × m₀
  MatrixX combine;                // m₀ × m: the orthonormal columns are raw · combine
  MatrixX scalars;                // n × m, orthonormal in the mass of the body unless they are local
  MatrixX transform;              // as in BlendedBody
  Index pose_columns = 0;         // the last ones of raw: components of poses, three each
  std::vector<double> residuals;  // of poses, before and after each pass of enveloping
  // Of local columns
  std::vector<Index> starts;                  // the first one of each domain, and their number
  std::vector<std::array<Index, 2>> coupled;  // pairs of domains that move a common element
};

/// `coordinates`: of each domain. Names are "part 0", "part 1", ...
[[nodiscard]] BlendedColumns blended_columns(const ElasticBody& body, const OverlappingDomains& domains,
                                             const BlendWeights& weights,
                                             const std::vector<DomainCoordinates>& coordinates,
                                             BlendedGradients gradients, const GivenPoses& poses = {});

/// The same space in local columns; none if every domain reaches all others, or if the columns are not those
/// of the domains alone.
[[nodiscard]] std::optional<BlendedColumns> local_columns(const ElasticBody& body,
                                                          const OverlappingDomains& domains,
                                                          const BlendedColumns& columns);

/// Shapes that polynomials over few domains do not contain, such as limbs that swing one by one: the `count`
/// lowest natural modes, and, if something is held, the three answers to the body's own weight along x, y and
/// z. Fails when the stiffness at rest cannot be factorised, and when cancelled.
[[nodiscard]] Result<std::vector<VectorX>> own_shapes(const ElasticBody& body, std::span<const VertexId> held,
                                                      Index count, const Progress& progress);

/// The points of all elements.
[[nodiscard]] BlendedPoints blended_points(const ElasticBody& body, const BlendWeights& weights,
                                           const BlendedColumns& columns, BlendedGradients gradients);

}  // namespace pliant
