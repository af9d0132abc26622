// subspace/reconstruct.hpp — from reduced coordinates to points, for drawing, probes and contact.
//
//     x = p + Q (X + U q)         X: rest place from the body's origin, U: rows of the basis at the point
//
// The points are vertices of the volume, all or some, or those of an embedded surface, to which U is
// interpolated once. A call reads every number of U once and uses it once, so memory limits its speed. U is
// stored in panels of a few points. Within a panel the columns follow each other, and the sums of the panel
// stay in registers while the columns stream by.
#pragma once

#include "pliant/mesh/core/embedding.hpp"
#include "pliant/subspace/reduced_body.hpp"

#include <span>

namespace pliant {

/// Points of a reduced body. `Scalar` is the type in which U is stored and multiplied, and that of the
/// results: double, or float for half of the memory traffic. Calls do not allocate and give the same bits for
/// any number of threads. Only one thread at a time.
template <class Scalar>
class Reconstruction {
 public:
  /// `rest`: X of the points, 3m, from the body's origin; `shapes`: rows of U, 3m × r.
  Reconstruction(ConstVectorRef rest, ConstMatrixRef shapes);

  [[nodiscard]] Index size() const { return coordinates_.size(); }
  [[nodiscard]] Index point_count() const { return count_; }
  /// Bytes of X and U that a call reads.
  [[nodiscard]] Index bytes() const;

  /// out (3m) = U q.
  void displacements(ConstVectorRef q, std::span<Scalar> out);
  /// out (3m) = p + Q (X + U q).
  void positions(ConstVectorRef q, const Vector3& p, const Matrix3& Q, std::span<Scalar> out);

 private:
  using Column = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  template <class Finish>
  void stream(ConstVectorRef q, bool rest, std::span<Scalar> out, const Finish& finish);

  Index count_;
  Column coordinates_;  // q as Scalar, r
  Column panels_;       // per panel: X, then the columns of U; within each all x, then all y, then all z
};

extern template class Reconstruction<double>;
extern template class Reconstruction<float>;

/// All vertices of the volume.
template <class Scalar>
[[nodiscard]] Reconstruction<Scalar> reconstruct_volume(const ReducedBody& body, const VolumeMesh& mesh);

/// The listed vertices, in that order.
template <class Scalar>
[[nodiscard]] Reconstruction<Scalar> reconstruct_vertices(const ReducedBody& body, const VolumeMesh& mesh,
                                                          std::span<const VertexId> vertices);

/// Points embedded in the volume, usually the vertices of a surface; `points` are those that were embedded.
template <class Scalar>
[[nodiscard]] Reconstruction<Scalar> reconstruct_embedded(const ReducedBody& body, const Embedding& embedding,
                                                          std::span<const Vector3> points);

}  // namespace pliant
