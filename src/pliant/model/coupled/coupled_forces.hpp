// model/coupled/coupled_forces.hpp — what acts on coupled domains: elastic forces, loads, laws on points.
#pragma once

#include "pliant/model/coupled/coupled_trial.hpp"
#include "pliant/model/coupled/inner_forces.hpp"
#include "pliant/model/coupled/kind_forces.hpp"
#include "pliant/model/coupled/site_points.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace pliant {

class CoupledForces {
 public:
  CoupledForces(std::shared_ptr<const CoupledBody> body, const CoupledLayout& layout,
                std::vector<Load> loads);

  void set_materials(const std::vector<Material>& materials, std::shared_ptr<const ElementForces> coupling,
                     const std::vector<double>& stiffness_factors);
  void set_points(const std::vector<CarriedPoint>& points);
  [[nodiscard]] const SitePoints& points() const { return points_; }
  [[nodiscard]] SitePoints& points() { return points_; }
  [[nodiscard]] bool loads_follow() const { return loads_.follow(); }

  /// Prepares mean(): forces and places at the beginning of a step.
  void begin(const CoupledShape& before);
  /// Adds the elastic forces at the trial's stage, torques about the frames' origins. False where a law is
  /// not defined.
  [[nodiscard]] bool add_elastic(const CoupledTrial& trial, SiteForces& sum);
  /// Adds the forces that do exactly the work E₁ − E₀ of the step and keep both momenta (Eq. C11, C12),
  /// torques about the middle of the way of the frames' origins.
  [[nodiscard]] bool add_mean_elastic(const CoupledTrial& trial, SiteForces& sum);
  /// Adds loads at the trial's stage, then `pulls` on the points.
  void add_external(double time, LoadForces::Clock clock, const CoupledTrial& trial,
                    std::span<const Vector3> pulls, SiteForces& sum);

  /// S += `coupling` times the stiffness of the coupling elements, and inner[d] times that of the inner
  /// elements of domain d as they were last evaluated. `projected`: without negative eigenvalues at the
  /// points of coupling elements. False where a law is not defined.
  [[nodiscard]] bool add_stiffness(const CoupledShape& shape, bool projected, double coupling,
                                   std::span<const double> inner, BlockCholesky& S);
  /// S += how the resultants of the last coupling forces change as frames turn.
  void add_geometric(const CoupledShape& shape, BlockCholesky& S);
  /// The coupling forces have a weight for each kind: no energy, and a stiffness that is not symmetric.
  [[nodiscard]] bool has_kinds() const { return kinds_ != nullptr; }
  /// A, all unknowns, += what S lacks since it is symmetric; after add_stiffness().
  void add_unsymmetric(const CoupledShape& shape, MatrixX& A) { kinds_->add_difference(shape, x_, K_, A); }
  /// S −= the tangent of the loads.
  void add_load_tangent(double time, LoadForces::Clock clock, double velocity_factor,
                        const CoupledTrial& trial, BlockCholesky& S);

  /// Elastic energy of inner and coupling elements.
  [[nodiscard]] double elastic_energy(const CoupledShape& shape);
  /// Work of the loads whose forces do not depend on the shape, from rest.
  [[nodiscard]] double dead_work(double time, LoadForces::Clock clock, const CoupledShape& shape);
  /// Displacements of the vertices of the coupling elements.
  [[nodiscard]] VectorX coupling_displacements(const CoupledShape& shape);
  [[nodiscard]] const ElementForces* coupling() const { return coupling_.get(); }

  /// How the last stiffness rounds (Eq. C16): √Σ (|K_aa| |B_a|)² over the coupling sites, N/(m √kg).
  [[nodiscard]] double coupling_gain() const { return coupling_gain_; }
  /// Relative rounding of inner forces, and what cancels in them at rest.
  [[nodiscard]] const InnerForces& inner() const { return inner_; }
  /// Largest distance of coupling sites from the origin of the world, plus that of their displacements, m.
  [[nodiscard]] double reach() const;

 private:
  std::shared_ptr<const CoupledBody> body_;
  const CoupledLayout* layout_;
  InnerForces inner_;
  std::shared_ptr<const ElementForces> coupling_;  // null: no coupling elements
  SiteRows sites_;                                 // of the coupling elements
  std::unique_ptr<KindForces> kinds_;              // null: one weight for all that an element does
  std::vector<Load> load_list_;                    // numbered as load_sites_
  LoadForces loads_;
  SiteRows load_sites_;
  SitePoints points_;
  std::vector<double> gains_;  // |B_a| of coupling sites in the mass metric
  double coupling_gain_ = 0.0;

  void collect_coupling(SiteForces& sum);

  // Scratch
  VectorX before_u_, end_u_, x_, u_, f_;  // coupling sites
  VectorX inner_now_;                     // coordinates
  bool mean_ = false;                     // the last elastic forces were means over a step
  SparseMatrix K_, load_K_;
  VectorX load_x_, load_v_, load_f_;
  std::vector<Vector3> centers_;
  std::vector<Matrix3> turns_;
};

}  // namespace pliant
