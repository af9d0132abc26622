// model/reduced/exact_projection.hpp — what a reduced model needs of the full finite elements: forces of laws
// that have no polynomial, the projection of a start, stresses, the share of each support.
//
// The only file of the reduced models that knows fem. None of it runs in a step of a polynomial model.
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/model/reduced/reduced_forces.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace pliant {

/// Uᵀf(Uq) and UᵀK(Uq)U by a loop over all elements: any law.
[[nodiscard]] std::unique_ptr<ReducedForces> exact_forces(std::shared_ptr<const ElasticBody> elastic,
                                                          std::shared_ptr<const ReducedBody> body);

/// The full body beside a reduced one.
class FullSpace {
 public:
  FullSpace(std::shared_ptr<const ElasticBody> elastic, std::shared_ptr<const ReducedBody> body);

  [[nodiscard]] const ElasticBody& elastic() const { return *elastic_; }
  [[nodiscard]] const VolumeMesh& mesh() const;
  [[nodiscard]] const std::vector<Material>& materials() const;
  /// Rest positions, 3n.
  [[nodiscard]] const VectorX& rest_positions() const;
  /// UᵀM field: the coordinates nearest to a field in the mass norm.
  [[nodiscard]] VectorX project(ConstVectorRef field) const;
  /// y = M field.
  void apply_mass(ConstVectorRef field, VectorRef y) const;
  [[nodiscard]] VectorX von_mises(ConstVectorRef u) const;
  void set_materials(const std::vector<Material>& materials);

 private:
  std::shared_ptr<const ElasticBody> elastic_;
  std::shared_ptr<const ReducedBody> body_;
};

/// What flows through each of several supports, by the elements that touch them.
class SupportForces {
 public:
  SupportForces(const FullSpace& full, const ReducedBody& body, const std::vector<Support>& supports);
  ~SupportForces();

  /// Per support: force and moment about `origin` (frame axes) of internal force + inertia − load over its
  /// vertices; `acceleration` is that of a vertex, gravity's subtracted, `load` the load on it, both in frame
  /// axes.
  [[nodiscard]] std::vector<Vector6> wrenches(ConstVectorRef q, const Vector3& origin,
                                              const std::function<Vector3(VertexId)>& acceleration,
                                              const std::function<Vector3(VertexId)>& load) const;

 private:
  struct Patch;
  std::unique_ptr<Patch> patch_;
};

}  // namespace pliant
