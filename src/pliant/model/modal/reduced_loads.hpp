// model/modal/reduced_loads.hpp — loads of a reduced body: only the vertices that they touch are
// reconstructed.
#pragma once

#include "pliant/model/load_forces.hpp"
#include "pliant/model/modal/rigid_frame.hpp"
#include "pliant/model/model.hpp"
#include "pliant/reduce/reduced_body.hpp"

#include <vector>

namespace pliant {

class ReducedLoads {
 public:
  ReducedLoads(std::vector<Load> loads, const std::vector<Vector3>& vertices, const ReducedBody& body);

  [[nodiscard]] bool follow() const { return forces_.follow(); }

  /// Dead forces beside the loads, instead of those given before.
  void set_forces(const std::vector<PointForce>& forces, const std::vector<Vector3>& vertices,
                  const ReducedBody& body);

  /// force += Uᵀ Qᵀ f, wrench += its resultant about the frame's origin in frame axes. Allocates nothing.
  void add_forces(double time, LoadForces::Clock clock, const RigidFrame& frame, ConstVectorRef q,
                  ConstVectorRef qd, VectorRef force, Vector6& wrench);
  /// K −= ∂f/∂q + velocity_factor ∂f/∂q̇ at the place of the last add_forces() (symmetric part).
  void add_tangent(double time, LoadForces::Clock clock, const RigidFrame& frame, double velocity_factor,
                   MatrixRef K);
  /// The load on one vertex at the last add_forces(), frame axes.
  [[nodiscard]] Vector3 force_on(VertexId vertex) const;

 private:
  void add_held_forces(const RigidFrame& frame, ConstVectorRef q, VectorRef force, Vector6& wrench);

  std::vector<VertexId> vertices_;               // touched ones, ascending
  LoadForces forces_;                            // numbered within vertices_
  MatrixX shapes_;                               // 3t × r: the rows of U
  VectorX rest_;                                 // 3t, from the origin
  VectorX shape_, position_, velocity_, force_;  // 3t: y, x, ẋ, f
  SparseMatrix tangent_;                         // 3t × 3t, lower triangle
  std::vector<PointForce> held_;                 // dead forces beside the loads
  MatrixX held_shapes_;                          // 3h × r: the rows of U
  VectorX held_rest_, held_force_;               // 3h: from the origin; frame axes
  MatrixX turned_, product_;                     // 3t × r: Q U, tangent · Q U
};

}  // namespace pliant
