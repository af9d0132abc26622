// subspace/rest_body.hpp — a body at rest: its mesh, its materials, its mass. It knows no forces.
//
// Both the full and the reduced models stand on it. fem/elastic_body.hpp adds energy, force and stiffness.
#pragma once

#include "pliant/base/lazy.hpp"
#include "pliant/material/material_map.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <memory>
#include <vector>

namespace pliant {

class RestBody {
 public:
  /// The mesh must be valid (every element has positive volume); the materials must pass check().
  RestBody(VolumeMesh mesh, MaterialMap materials);
  RestBody(const RestBody&) = delete;
  RestBody& operator=(const RestBody&) = delete;

  [[nodiscard]] const VolumeMesh& mesh() const { return mesh_; }
  [[nodiscard]] const MaterialMap& materials() const { return materials_; }
  [[nodiscard]] const Material& material(Index element) const {
    return materials_.materials[to_size(materials_.of_element[to_size(element)])];
  }
  [[nodiscard]] Index dof_count() const { return rest_.size(); }         // 3 × vertices
  [[nodiscard]] const VectorX& rest_positions() const { return rest_; }  // 3n
  [[nodiscard]] double volume() const;
  [[nodiscard]] double total_mass() const { return lumped_mass().sum(); }

  /// Consistent mass: n × n (the same for x, y and z), full symmetric storage. Created on first use, like the
  /// vectors below.
  [[nodiscard]] const SparseMatrix& mass() const;
  /// Row sums of the consistent mass, one per vertex (Eq. F8): for gravity and centres of mass. Negative at
  /// corners of quadratic tets.
  [[nodiscard]] const VectorX& mass_row_sums() const;
  /// Positive at each vertex that an element uses (Eq. F8b), otherwise 0.
  [[nodiscard]] const VectorX& lumped_mass() const;
  /// y = M v for 3n vectors.
  void apply_mass(ConstVectorRef v, VectorRef y) const;

 private:
  VolumeMesh mesh_;
  MaterialMap materials_;
  VectorX rest_;
  Lazy<SparseMatrix> mass_;
  Lazy<VectorX> row_sums_;
  Lazy<VectorX> lumped_;
};

/// The same mesh with other constants for its material groups.
[[nodiscard]] std::shared_ptr<const RestBody> with_materials(const RestBody& body,
                                                             const std::vector<Material>& materials);

/// ∫ρX / ∫ρ of the rest shape.
[[nodiscard]] Vector3 rest_center_of_mass(const RestBody& body);

}  // namespace pliant
