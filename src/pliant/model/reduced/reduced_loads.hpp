// model/reduced/reduced_loads.hpp — loads of a reduced body. Only the vertices that a load touches are
// reconstructed; wind may be evaluated at samples of its faces.
//
// The rows of the basis that the loads need (LoadPlan) are the same for all copies of a class, which share
// them.
#pragma once

#include "pliant/model/load_forces.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/reduced/rigid_frame.hpp"
#include "pliant/model/reduced/wind_samples.hpp"
#include "pliant/subspace/reduced_body.hpp"

#include <memory>
#include <vector>

namespace pliant {

/// Loads prepared for a body and its basis; constant once made.
struct LoadPlan {
  /// Whether winds are evaluated at all faces or, where the tolerance allows it, at samples of them.
  enum class Faces { kAll, kSampled };
  LoadPlan(std::vector<Load> all, const std::vector<Vector3>& vertices, const ReducedBody& body, Faces faces);

  /// A wind that is evaluated at samples of its faces.
  struct SampledWind {
    Wind wind;  // without faces: those are in the samples
    TimeTable table;
    Gusts gusts;
    WindSamples samples;
  };

  std::vector<Load> loads;                  // as given
  std::vector<SampledWind> winds;           // those of them that are sampled
  std::vector<VertexId> touched;            // by the others, ascending
  LoadForces forces;                        // of the others, numbered within `touched`
  MatrixX shapes;                           // 3t × r: the rows of U
  VectorX rest;                             // 3t, from the origin
  SparseMatrix pattern;                     // 3t × 3t, lower triangle of the followers' tangent
  [[nodiscard]] std::size_t bytes() const;  // roughly
};

/// Finds plans that were made before: 1394 leaves in the same wind share one.
class LoadPlans {
 public:
  /// The plan of these loads on this body, with sampled winds. Makes it if there is none yet. Bodies are
  /// distinguished by their address.
  std::shared_ptr<const LoadPlan> plan(std::vector<Load> loads, const std::vector<Vector3>& vertices,
                                       const ReducedBody& body);

 private:
  struct Entry {
    const ReducedBody* body;
    std::shared_ptr<const LoadPlan> plan;
  };
  std::vector<Entry> entries_;
};

/// The loads of one reduced body, evaluated in its frame.
class ReducedLoads {
 public:
  /// Makes a plan of its own and room for the tangent.
  ReducedLoads(std::vector<Load> loads, const std::vector<Vector3>& vertices, const ReducedBody& body,
               LoadPlan::Faces faces = LoadPlan::Faces::kAll);
  /// Uses a shared plan, for forces alone: takes no memory of its own.
  explicit ReducedLoads(std::shared_ptr<const LoadPlan> plan) : plan_(std::move(plan)) {}

  /// True when forces depend on the shape or velocity.
  [[nodiscard]] bool follow() const { return plan_->forces.follow() || !plan_->winds.empty(); }
  [[nodiscard]] const LoadPlan& plan() const { return *plan_; }

  /// force += Uᵀ Qᵀ f, wrench += its resultant about the frame's origin in frame axes. Allocates nothing.
  void add_forces(double time, LoadForces::Clock clock, const RigidFrame& frame, ConstVectorRef q,
                  ConstVectorRef qd, VectorRef force, Vector6& wrench);
  /// K −= ∂f/∂q + velocity_factor ∂f/∂q̇ (symmetric part), at the state of the last add_forces().
  void add_tangent(double time, LoadForces::Clock clock, const RigidFrame& frame, double velocity_factor,
                   MatrixRef K);
  /// The load on one vertex at the last add_forces(), frame axes. Leaves out sampled winds; zero with a
  /// shared plan.
  [[nodiscard]] Vector3 force_on(VertexId vertex) const;

 private:
  /// 3t each: y, x, ẋ, f.
  struct Fields {
    VectorX shape, position, velocity, force;
    void resize(Index size);
  };
  void add_exact_forces(double time, LoadForces::Clock clock, const RigidFrame& frame, ConstVectorRef q,
                        ConstVectorRef qd, VectorRef force, Vector6& wrench, Fields& fields) const;

  std::shared_ptr<const LoadPlan> plan_;
  bool has_tangent_ = false;
  // Empty with a shared plan.
  Fields fields_;
  std::vector<VectorX> normals_;  // per sampled wind
  SparseMatrix tangent_;          // as plan_->pattern
  MatrixX turned_, product_;      // 3t × r: Q U, tangent · Q U
};

}  // namespace pliant
