// model/coupled/coupled_dynamics.hpp — the equations of motion of coupled domains and their time steps
// [WuMukherjeeWang2015].
//
// The unknowns of a step are the move and turn of the frame of every free domain and the coordinates of all
// domains, at the stage of the step (its end, or its middle). The equations are balances of momentum over the
// step, for each domain (docs/theory/coupled.md, Eq. C10):
//
//     P₁ − P₀ = Δt f,   L₁ − L₀ + ½ (p₁ − p₀) × (P₀ + P₁) = Δt τ,   π₁ − π₀ = Δt (Q + ∂T/∂q)
//
// All of it is one system, sparse in blocks of domains (solve/block/block_cholesky.hpp). It is factorised
// once per step, and again only when Newton's method converges slowly.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/shares.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/math/general_factor.hpp"
#include "pliant/model/coupled/coupled_forces.hpp"
#include "pliant/model/coupled/coupled_state.hpp"
#include "pliant/model/coupled/full_domains.hpp"
#include "pliant/subspace/inertia.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace pliant {

class CoupledDynamics final : private StepSystem {
 public:
  /// `motion`: of all supports; none: they stand. `loads`: of the whole body, by its vertices.
  CoupledDynamics(std::shared_ptr<const CoupledBody> body, std::optional<Motion> motion,
                  const Vector3& gravity, std::vector<Load> loads, const StepSettings& settings,
                  CoupledScheme scheme = CoupledScheme::kNewton);

  /// Starts from this shape and these velocities; the frames of anchored domains are those of their motion.
  [[nodiscard]] StepReport start(double time, CoupledShape shape);
  [[nodiscard]] StepReport step(double time, double dt, PointLaw* law);
  [[nodiscard]] StepReport step_static(double to);
  [[nodiscard]] bool respond(double time, double dt, std::span<const Vector3> forces,
                             std::span<Vector3> moves);
  /// As in Model.
  void place_points(std::span<Vector3> places, std::span<Vector3> velocities) const {
    forces_.points().place(now_.shape, places, velocities);
  }
  [[nodiscard]] bool begin_impulses(double time, double dt);
  void respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes);
  void strike(std::span<const Vector3> impulses);

  void set_gravity(const Vector3& gravity) { gravity_ = gravity; }
  void set_damping(double mass, double stiffness);
  void set_points(const std::vector<CarriedPoint>& points);
  [[nodiscard]] std::size_t point_count() const { return forces_.points().size(); }
  /// The constants of all material groups, and a factor on the stiffness of the inner elements of each
  /// domain.
  void set_materials(const std::vector<Material>& materials, std::shared_ptr<const ElementForces> coupling,
                     std::shared_ptr<const ElementForces> full, const std::vector<double>& stiffness_factors);
  /// Damping of single domains; without a value: the body's.
  void set_tuning(const std::vector<DomainTuning>& tuning) { tuning_ = tuning; }
  /// UᵀM R_held of Eq. O10: the six rigid motions of a domain's held vertices alone (r × 6, about its
  /// origin).
  void set_held_coupling(std::size_t domain, const MatrixX& coupling) { held_coupling_[domain] = coupling; }
  [[nodiscard]] const MatrixX& held_coupling(std::size_t domain) const { return held_coupling_[domain]; }
  [[nodiscard]] Status restore(const StateArrays& arrays) { return from_arrays(arrays, now_); }

  [[nodiscard]] const CoupledState& state() const { return now_; }
  [[nodiscard]] const CoupledLayout& layout() const { return layout_; }
  /// Integrals of a domain's inertia at the present densities.
  [[nodiscard]] const InertiaIntegrals& integrals(std::size_t domain) const { return totals_[domain]; }
  /// The frame of an anchored domain at a time.
  [[nodiscard]] RigidFrame anchor_frame(std::size_t domain, double time) const;
  [[nodiscard]] CoupledForces& forces() const { return forces_; }
  [[nodiscard]] FullDomains& full() const { return full_; }
  /// Continues from this state, of a body that was cut: what depends on its parts is found anew.
  [[nodiscard]] bool take_up(CoupledState state);

  [[nodiscard]] Energies energies() const;
  [[nodiscard]] Momenta momenta() const;
  /// Pairs K ψ = ω² M ψ at rest, of all unknowns; the lowest `count`, ascending, rigid motion among them.
  [[nodiscard]] Result<DenseEigen> rest_modes(Index count, const Progress& progress) const;

 private:
  bool place(const StepTarget& target, bool first) override;
  void place_points(PointTerms& terms) const override;
  bool balance(const StepTarget& target, bool first, const PointTerms* terms) override;
  double residual_norm() const override { return residual_norm_; }
  ResidualSize residual_size(const StepTarget& target) const override;
  std::optional<double> potential(const StepTarget& target) const override;
  bool solve(const StepTarget& target) override;
  bool trusts_last_step() const override { return true; }
  void respond(std::span<const Vector3> forces, std::span<Vector3> moves) override;
  double slope() const override { return slope_; }
  std::optional<double> slope_ratio() override {
    gather_residual();
    return residual_.dot(change_) / slope_;
  }
  void advance(double fraction) override { trial_.advance(fraction, change_, axes_); }
  StepTrouble obstacle() const override;

  void set_densities(const std::vector<Material>& materials);
  [[nodiscard]] bool add_elastic(bool mean);
  StepReport advance(const StepTarget& target, PointLaw* law);
  StepReport step_damped(double time, double dt, PointLaw* law, int parts);
  void keep_spin(const StepTarget& target);
  void watch_motion();
  [[nodiscard]] double kinetic_energy(const CoupledShape& shape) const;
  [[nodiscard]] bool is_damped() const;

  enum class Unknowns { kAll, kFrames, kCoordinates };
  StepReport step_published(double time, double dt, PointLaw* law);
  StepTrouble solve_linear(const StepTarget& target, Unknowns unknowns, PointLaw* law);
  void add_fictitious(SiteForces& sum);
  bool factorize_published(const StepTarget& target, Unknowns unknowns);
  void add_separate_mass(const StepTarget& target);
  void separate(Unknowns unknowns);
  void gather_published(const StepTarget& target, Unknowns unknowns);
  void move_by(ConstVectorRef change, double dt, Unknowns unknowns);
  void support_published(const StepTarget& target);

  void begin(const StepTarget& target);
  StepReport find_equilibrium(PointLaw* law, const StepTarget& target);
  void finish(const StepTarget& target);
  void kick(const StepTarget& target);
  bool accelerate(const StepTarget& target);
  Vector6 anchored_momentum_rate(std::size_t domain);
  [[nodiscard]] double rounding_energy() const;
  void guard_energy(StepReport& report);

  Vector6 momenta_of(std::size_t domain, const CoupledShape& shape, VectorRef conjugate) const;
  void add_weight(const StepTarget& target);
  template <class Work>
  void for_each_domain(const Work& work) const;
  void keep_momenta();
  void add_momenta(std::size_t domain, const StepTarget& target);
  void add_full_momenta(const StepTarget& target);
  void add_kinetic_gradient(SiteForces& sum);
  void add_kinetic_gradient(std::size_t domain, SiteForces& sum);
  void add_damping(SiteForces& sum);
  enum class RigidPart { kOfRates, kOfForces };
  void split_rigid(const CoupledShape& stage, RigidPart take_off);
  [[nodiscard]] bool nothing_held() const;
  void gather_residual();
  void make_up_momenta(const Momenta& before, const Vector6& wrench);
  void solve_for(std::span<const Vector3> forces);
  [[nodiscard]] double norm_of(const SiteForces& forces) const;

  [[nodiscard]] MatrixX rest_mass(std::size_t domain) const;
  [[nodiscard]] Result<DenseEigen> dense_modes(const BlockCholesky& K, const std::vector<MatrixX>& masses,
                                               Index count) const;
  [[nodiscard]] Result<DenseEigen> sparse_modes(BlockCholesky& K, const std::vector<MatrixX>& masses,
                                                Index count, const Progress& progress) const;

  bool assemble(const StepTarget& target, bool projected);
  void add_mass(const StepTarget& target);
  bool assemble_damping();
  bool factorize(const StepTarget& target);
  bool factorize_unsymmetric();
  void solve_system(VectorRef x);
  [[nodiscard]] double mass_damping(std::size_t domain) const {
    return tuning_[domain].mass_damping.value_or(settings_.mass_damping);
  }
  [[nodiscard]] double stiffness_damping(std::size_t domain) const {
    return tuning_[domain].stiffness_damping.value_or(settings_.stiffness_damping);
  }
  [[nodiscard]] bool damps_by_stiffness() const;
  [[nodiscard]] double own_energy() const;
  /// The forces of a step are the means of those at both ends.
  [[nodiscard]] static bool averages(const StepTarget& target) {
    return target.scheme.stage == 1.0 && target.scheme.theta < 1.0;
  }

  std::shared_ptr<const CoupledBody> body_;
  CoupledLayout layout_;
  std::optional<Motion> motion_;
  Vector3 gravity_;
  StepSettings settings_;
  CoupledScheme scheme_;
  mutable CoupledForces forces_;
  mutable FullDomains full_;
  std::vector<DomainTuning> tuning_;
  std::vector<InertiaIntegrals> totals_;
  std::vector<MatrixX> held_coupling_;  // per domain, r × 6; zero for free ones

  CoupledState now_;    // between steps: the state
  CoupledState kept_;   // before the step, or before the present part of it
  CoupledState first_;  // before the step

  // Scratch of a step, meaningless between steps
  CoupledTrial trial_;
  std::vector<RigidFrame> anchors_;
  mutable std::vector<FrameInertia> inertia_;
  std::vector<RigidFactor> rigid_;                            // of the frames' inertia at the last residual
  Shares shares_;                                             // of the work on domains
  SiteForces elastic_, external_, other_, momentum_, total_;  // other_: −∂T/∂q and damping
  SiteForces before_;                                         // momenta at the beginning of the step
  VectorX residual_, change_, rates_, half_;
  std::vector<Vector3> pulls_;  // forces on the points: at the trial; after a step, those of the state
  const PointTerms* terms_ = nullptr;
  BlockCholesky system_;
  GeneralFactor general_;  // in its place where forces have no energy
  MatrixX whole_;
  std::vector<std::pair<Index, Index>> blocks_;  // of the system, first ≥ second
  std::vector<MatrixX> damping_;                 // β K in these blocks
  std::vector<double> ones_, betas_, factors_;
  std::vector<Vector3> centers_;
  std::vector<Matrix3> turns_;
  std::vector<Matrix3> axes_;  // of frames at the last factorisation: those of the system's rows
  double residual_norm_ = 0.0, last_norm_ = 0.0, slope_ = 0.0;
  double impulse_factor_ = 0.0;  // ca of the step ahead, for impulses
  bool factor_known_ = false, elastic_defined_ = true;
};

}  // namespace pliant
