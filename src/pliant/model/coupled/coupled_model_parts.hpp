// model/coupled/coupled_model_parts.hpp — the class behind make_coupled_model(): the Model around
// CoupledDynamics. coupled_model.cpp has fields, reactions, saved states and tuning of domains,
// coupled_cutting.cpp the cuts.
#pragma once

#include "pliant/mesh/core/carry_faces.hpp"
#include "pliant/model/coupled/coupled_dynamics.hpp"
#include "pliant/model/coupled/coupled_model.hpp"
#include "pliant/model/coupled/coupled_surface.hpp"
#include "pliant/model/coupled/cut_body.hpp"
#include "pliant/model/cuttable.hpp"
#include "pliant/subspace/reconstruct.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// The Model around CoupledDynamics: fields over the vertices, reactions, saved states, tuning of domains.
class CoupledModel final : public Model, public Domains, public Cuttable {
 public:
  /// `cuts`: of the whole body of the definition.
  CoupledModel(std::shared_ptr<const CoupledDefinition> whole, const StepSettings& settings,
               std::optional<Motion> motion, Cuts cuts, const std::vector<Material>& materials);

  std::string_view type() const override { return "coupled"; }
  Index dof_count() const override { return dynamics_.layout().unknowns(); }
  const VolumeMesh& mesh() const override { return rest_->mesh(); }

  StepReport start(double time, ConstVectorRef displacements, ConstVectorRef velocities) override;
  StepReport step(double time, double dt, PointLaw* law) override {
    fields_known_ = false;
    return dynamics_.step(time, dt, law);
  }
  StepReport step_static(double /*from*/, double to) override {
    fields_known_ = false;
    return dynamics_.step_static(to);
  }
  void set_gravity(const Vector3& gravity) override {
    gravity_ = gravity;
    dynamics_.set_gravity(gravity);
  }
  Status set_materials(const std::vector<Material>& materials) override;
  Status set_points(const std::vector<CarriedPoint>& points) override;
  std::size_t point_count() const override { return dynamics_.point_count(); }
  bool respond(double time, double dt, std::span<const Vector3> forces, std::span<Vector3> moves) override {
    return dynamics_.respond(time, dt, forces, moves);
  }
  bool takes_impulses() const override { return true; }
  bool begin_impulses(double time, double dt) override { return dynamics_.begin_impulses(time, dt); }
  void respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes) override {
    dynamics_.respond_to_impulses(impulses, changes);
  }
  void strike(std::span<const Vector3> impulses) override {
    fields_known_ = false;
    dynamics_.strike(impulses);
  }
  void place_points(std::span<Vector3> places, std::span<Vector3> velocities) const override {
    dynamics_.place_points(places, velocities);
  }
  Status set_damping(double mass, double stiffness) override {
    settings_.mass_damping = mass;
    settings_.stiffness_damping = stiffness;
    dynamics_.set_damping(mass, stiffness);
    return Done{};
  }

  Domains* domains() override { return this; }
  const Domains* domains() const override { return this; }
  std::vector<std::string> names() const override;
  std::vector<Index> parents() const override { return std::vector<Index>(source_->domains.size(), -1); }
  std::vector<std::string> class_names() const override { return {}; }
  Status detach(std::string_view domain) override;
  Status replace(std::string_view domain, std::string_view class_name) override;
  Status tune(std::string_view domain, const DomainTuning& tuning) override;
  std::vector<JointState> joints() const override { return std::vector<JointState>(source_->domains.size()); }
  Pieces pieces(const std::vector<char>& cut) const override;
  Result<CarriedSurface> torn(const CarriedSurface& surface,
                              const std::vector<char>& /*cut*/) const override {
    return cuts_.empty() ? surface : carried_boundary(rest_->mesh());
  }

  Status may_be_cut() const override;
  Result<std::unique_ptr<Model>> cut(const CutSurface& cut, CutReport& report) const override;
  Result<std::unique_ptr<Model>> cut_as(const StateArrays& state) const override;
  std::vector<Index> cut_domains() const override;

  const VectorX& displacements() const override {
    reconstruct();
    return u_;
  }
  const VectorX& velocities() const override {
    reconstruct();
    return v_;
  }
  Vector3 displacement(VertexId vertex) const override;
  VectorX coordinates() const override { return dynamics_.state().shape.q; }
  std::vector<PartPose> parts() const override;
  std::optional<PartTables> part_tables(const CarriedSurface& surface,
                                        const std::vector<char>& /*cut*/) const override {
    return make_coupled_surface(*body_, surface);
  }

  Energies energies() const override { return dynamics_.energies(); }
  Momenta momenta() const override { return dynamics_.momenta(); }
  std::vector<Reaction> reactions() const override;
  VectorX von_mises() const override;
  Result<Frequencies> natural_frequencies(Index count, const Progress& progress) const override;

  StateArrays save() const override {
    StateArrays arrays = to_arrays(dynamics_.state());
    save_cuts(cuts_, arrays);
    return arrays;
  }
  Status restore(const StateArrays& arrays) override;

 private:
  [[nodiscard]] std::vector<char> cuttable() const;
  [[nodiscard]] std::unique_ptr<CoupledModel> with_cuts(Cuts cuts) const;
  [[nodiscard]] CoupledState state_of(const CoupledModel& before) const;
  [[nodiscard]] std::vector<double> coupling_factors(const std::vector<Index>& elements,
                                                     const std::vector<double>& factors) const;
  void apply_materials();
  void couple_held_vertices();
  void reconstruct() const;
  void add_fields(std::size_t domain) const;
  [[nodiscard]] VectorX part_of(std::size_t domain, ConstVectorRef field) const;
  [[nodiscard]] RigidFrame fitted_frame(std::size_t domain, ConstVectorRef weighted) const;
  void fit_rates(std::size_t domain, ConstVectorRef weighted, CoupledShape& shape) const;
  Result<std::size_t> find_domain(std::string_view name) const;
  [[nodiscard]] VectorX apply_mass(ConstVectorRef field) const;
  [[nodiscard]] Vector3 about(const Support& support) const;

  std::shared_ptr<const CoupledDefinition> whole_;  // before all cuts
  StepSettings settings_;
  Vector3 gravity_;
  Cuts cuts_;
  std::shared_ptr<const CoupledBody> source_;  // its domains are those that have names
  std::shared_ptr<const CoupledBody> body_;    // the same, full domains divided into cells
  std::shared_ptr<const RestBody> rest_;       // at the present densities
  mutable SparseMatrix mass_;                  // of rest_, Eq. C1; made when first needed
  std::vector<Support> supports_;
  std::optional<Motion> motion_;
  std::vector<DomainTuning> tuning_;
  CoupledDynamics dynamics_;
  std::vector<std::shared_ptr<const ElementLoops>> loops_;  // at the present materials
  std::shared_ptr<const ElementForces> all_coupling_;       // likewise, where few stand for all
  bool holds_ = false;                                      // a domain is anchored
  mutable std::vector<Reconstruction<double>> volumes_;     // made when fields are first requested
  mutable bool fields_known_ = false;
  mutable VectorX u_, v_, own_;
};

}  // namespace pliant
