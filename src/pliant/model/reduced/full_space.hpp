// model/reduced/full_space.hpp — the body at rest beside a reduced one: places, masses, projections.
//
// None of it runs in a step: it serves starts, supports and fields.
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/subspace/element_loops.hpp"
#include "pliant/subspace/rest_body.hpp"

#include <memory>
#include <vector>

namespace pliant {

class FullSpace {
 public:
  /// `loops` may be null.
  FullSpace(std::shared_ptr<const RestBody> rest, std::shared_ptr<const ReducedBody> body,
            std::shared_ptr<const ElementLoops> loops);

  [[nodiscard]] const VolumeMesh& mesh() const { return rest_->mesh(); }
  [[nodiscard]] const std::vector<Material>& materials() const { return rest_->materials().materials; }
  /// Rest positions, 3n.
  [[nodiscard]] const VectorX& rest_positions() const { return rest_->rest_positions(); }
  /// UᵀM field: the coordinates nearest to a field in the mass norm.
  [[nodiscard]] VectorX project(ConstVectorRef field) const;
  /// y = M field.
  void apply_mass(ConstVectorRef field, VectorRef y) const { rest_->apply_mass(field, y); }
  /// Not a number without element loops.
  [[nodiscard]] VectorX von_mises(ConstVectorRef u) const;
  /// Null when fewer than two supports hold something, and without element loops.
  [[nodiscard]] std::unique_ptr<SupportForces> support_forces(const std::vector<Support>& supports) const;
  void set_materials(const std::vector<Material>& materials);

 private:
  std::shared_ptr<const RestBody> rest_;
  std::shared_ptr<const ReducedBody> body_;
  std::shared_ptr<const ElementLoops> loops_;
};

}  // namespace pliant
