// subspace/element_forces.hpp — forces of finite elements at given displacements of their vertices.
//
// A reduced model whose step needs some elements as they are, such as those between the domains of `coupled`,
// sees them through this interface. reduce/element_forces.hpp has the loops. Displacements u and forces f
// hold three numbers per vertex, world axes.
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <memory>
#include <vector>

namespace pliant {

class ElementForces {
 public:
  ElementForces() = default;
  ElementForces(const ElementForces&) = delete;
  ElementForces& operator=(const ElementForces&) = delete;
  virtual ~ElementForces() = default;

  /// Three per vertex.
  [[nodiscard]] virtual Index dof_count() const = 0;
  /// Infinite where a law is not defined.
  [[nodiscard]] virtual double energy(ConstVectorRef u) const = 0;
  /// f = ∂E/∂u. False where a law is not defined.
  [[nodiscard]] virtual bool force(ConstVectorRef u, VectorRef f) const = 0;
  /// The force between two shapes that does exactly the work f · (u₁ − u₀) = E(u₁) − E(u₀), without
  /// resultant, and without moment about the means of both positions. False where a law is not defined.
  [[nodiscard]] virtual bool mean_force(ConstVectorRef u0, ConstVectorRef u1, VectorRef f) const = 0;

  /// A matrix for stiffness(): lower triangle in blocks of 3 × 3, all values zero.
  [[nodiscard]] virtual SparseMatrix make_matrix() const = 0;
  /// K = ∂f/∂u. `projected`: without the negative eigenvalues at each integration point. False where a law is
  /// not defined. Allocates nothing.
  [[nodiscard]] virtual bool stiffness(ConstVectorRef u, bool projected, SparseMatrix& K) const = 0;

  /// mean_force(), and a symmetric approximation of 2 ∂f/∂u₁: the stiffness of the middle.
  [[nodiscard]] virtual bool mean_force_and_stiffness(ConstVectorRef u0, ConstVectorRef u1, bool projected,
                                                      VectorRef f, SparseMatrix& K) const = 0;

  /// Von Mises stress per element, Pa.
  [[nodiscard]] virtual VectorX von_mises(ConstVectorRef u) const = 0;
  [[nodiscard]] virtual const std::vector<Material>& materials() const = 0;
  /// The same elements with other constants for their material groups. `factors`: on the stiffness of each
  /// element; empty: none.
  [[nodiscard]] virtual std::shared_ptr<const ElementForces> with_materials(
      const std::vector<Material>& materials, const std::vector<double>& factors) const = 0;
  /// Other elements, such as those after a cut, with the materials at present. Null where there are none.
  [[nodiscard]] virtual std::shared_ptr<const ElementForces> with_elements(
      const VolumeMesh& /*mesh*/, const std::vector<Index>& /*material_of*/) const {
    return nullptr;
  }
};

}  // namespace pliant
