// subspace/element_loops.hpp — what of a reduced body only a loop over its finite elements can tell.
//
// Reduced models ask it for stresses, for the forces of laws without a polynomial and for the share of each
// of several supports. They see this interface alone: reduce/exact_projection.hpp has the loops, and a
// program that only runs built models does without them.
#pragma once

#include "pliant/subspace/reduced_forces.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace pliant {

/// What flows through each of several supports, by the elements that touch them.
class SupportForces {
 public:
  SupportForces() = default;
  SupportForces(const SupportForces&) = delete;
  SupportForces& operator=(const SupportForces&) = delete;
  virtual ~SupportForces() = default;

  /// Per support: force and moment about `origin` (frame axes) of internal force + inertia − load over its
  /// vertices; `acceleration` is that of a vertex, gravity's subtracted, `load` the load on it, both in frame
  /// axes.
  [[nodiscard]] virtual std::vector<Vector6> wrenches(ConstVectorRef q, const Vector3& origin,
                                                      const std::function<Vector3(VertexId)>& acceleration,
                                                      const std::function<Vector3(VertexId)>& load) const = 0;
};

class ElementLoops {
 public:
  ElementLoops() = default;
  ElementLoops(const ElementLoops&) = delete;
  ElementLoops& operator=(const ElementLoops&) = delete;
  virtual ~ElementLoops() = default;

  /// Uᵀf(Uq) and UᵀK(Uq)U: any law.
  [[nodiscard]] virtual std::unique_ptr<ReducedForces> forces(
      std::shared_ptr<const ReducedBody> body) const = 0;
  /// Of the vertices that each support holds.
  [[nodiscard]] virtual std::unique_ptr<SupportForces> support_forces(
      const ReducedBody& body, const std::vector<std::vector<VertexId>>& supports) const = 0;
  /// Von Mises stress per element, Pa (mean over its integration points, weighted by volume).
  [[nodiscard]] virtual VectorX von_mises(ConstVectorRef u) const = 0;
  /// The same elements with other constants for their material groups.
  [[nodiscard]] virtual std::shared_ptr<const ElementLoops> with_materials(
      const std::vector<Material>& materials) const = 0;
};

}  // namespace pliant
