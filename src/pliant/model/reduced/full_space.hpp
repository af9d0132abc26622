// model/reduced/full_space.hpp — the full-space data behind a reduced body: rest positions, mass,
// projections.
//
// No step uses it. It serves the start, reactions of supports and fields over the mesh.
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/subspace/element_loops.hpp"
#include "pliant/subspace/rest_body.hpp"

#include <memory>
#include <vector>

namespace pliant {

/// Rest body, reduced body and, if available, the element loops of one reduced body or class.
class FullSpace {
 public:
  /// `loops` may be null: then there are no stresses and no forces per support.
  FullSpace(std::shared_ptr<const RestBody> rest, std::shared_ptr<const ReducedBody> body,
            std::shared_ptr<const ElementLoops> loops);

  [[nodiscard]] const VolumeMesh& mesh() const { return rest_->mesh(); }
  [[nodiscard]] const std::vector<Material>& materials() const { return rest_->materials().materials; }
  /// Rest positions, 3n.
  [[nodiscard]] const VectorX& rest_positions() const { return rest_->rest_positions(); }
  /// UᵀM field. With a mass-orthonormal basis: the coordinates of the nearest field in the mass norm.
  [[nodiscard]] VectorX project(ConstVectorRef field) const;
  /// y = M field.
  void apply_mass(ConstVectorRef field, VectorRef y) const { rest_->apply_mass(field, y); }
  /// Von Mises stress per element, Pa; NaN without element loops.
  [[nodiscard]] VectorX von_mises(ConstVectorRef u) const;
  /// What shares the total reaction among several supports. Null when fewer than two hold vertices, and
  /// without element loops.
  [[nodiscard]] std::unique_ptr<SupportForces> support_forces(const std::vector<Support>& supports) const;
  void set_materials(const std::vector<Material>& materials);
  /// Another basis of the same body.
  void set_body(std::shared_ptr<const ReducedBody> body) { body_ = std::move(body); }

 private:
  std::shared_ptr<const RestBody> rest_;
  std::shared_ptr<const ReducedBody> body_;
  std::shared_ptr<const ElementLoops> loops_;
};

}  // namespace pliant
