// reduce/body_points.hpp — the integration points of a body one by one: those that the finite elements use.
#pragma once

#include "pliant/subspace/rest_body.hpp"

#include <span>
#include <vector>

namespace pliant {

/// A point, and how the displacement gradient follows from the vertices of its element: H = Σ_a u_a ⊗ ∇N_a.
struct BodyPoint {
  Index element = 0;
  std::span<const VertexId> vertices;
  Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 10, 3> gradients;  // ∇N_a by rows
  double weight = 0.0;                                           // m³

  /// ∂vec(H)/∂q of u = U q, 9 × r, H column by column.
  [[nodiscard]] MatrixX in_subspace(ConstMatrixRef shapes) const;
};

class BodyPoints {
 public:
  /// The body must outlive this.
  explicit BodyPoints(const RestBody& body);

  [[nodiscard]] Index count() const { return first_.back(); }
  /// Points are numbered element by element: the first one of an element.
  [[nodiscard]] Index first(Index element) const { return first_[to_size(element)]; }
  [[nodiscard]] BodyPoint at(Index point) const;

 private:
  const RestBody* body_;
  std::vector<Index> first_;  // of each element; then how many there are
};

}  // namespace pliant
