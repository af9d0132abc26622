// model/modal/modal_dynamics.hpp — the equations of a reduced body and their steps in time; no vertex in
// sight.
//
//     M q̈ + I_qr V̇ + bias_q + f(q) + D q̇ = force       coordinates
//     I_rr V̇ + I_rq q̈ + bias_r          = wrench       frame: nothing to do when it stands or is driven
//
// A free body's linear and angular momentum are its unknowns instead of its twist: the twist follows from
// them, so both are kept to rounding whatever the step (docs/theory/modal.md).
#pragma once

#include "pliant/math/dense.hpp"
#include "pliant/math/dense_cholesky.hpp"
#include "pliant/model/modal/modal_state.hpp"
#include "pliant/model/reduced/reduced_loads.hpp"
#include "pliant/model/step_system.hpp"
#include "pliant/subspace/reduced_forces.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace pliant {

class ModalDynamics final : private StepSystem {
 public:
  ModalDynamics(std::shared_ptr<const ReducedBody> body, std::unique_ptr<ReducedForces> forces,
                const std::vector<Material>& materials, std::optional<Motion> motion, const Vector3& gravity,
                ReducedLoads loads, const StepSettings& settings);

  /// `projected_shape` and `projected_velocity` are UᵀM of the fields relative to the frame; free bodies also
  /// get their linear and angular momentum (world axes, about the centre of mass).
  [[nodiscard]] StepReport start(double time, const VectorX& projected_shape,
                                 const VectorX& projected_velocity, const RigidFrame& frame,
                                 const Vector6& momentum);
  [[nodiscard]] StepReport step(double time, double dt);
  [[nodiscard]] StepReport step_static(double to);

  void set_gravity(const Vector3& gravity) { gravity_ = gravity; }
  void set_damping(double mass, double stiffness) {
    settings_.mass_damping = mass;
    settings_.stiffness_damping = stiffness;
  }
  /// Dead forces beside the loads; `vertices`: all of the rest shape.
  void set_forces(const std::vector<PointForce>& forces, const std::vector<Vector3>& vertices) {
    loads_.set_forces(forces, vertices, *body_);
  }
  void set_materials(const std::vector<Material>& materials);
  /// UᵀM of the six rigid motions of the held vertices alone (r × 6, about the origin).
  void set_held_coupling(const MatrixX& coupling) { held_coupling_ = coupling; }
  void restore(const ModalState& state) { now_ = state; }

  [[nodiscard]] const ModalState& state() const { return now_; }
  [[nodiscard]] const ReducedLoads& loads() const { return loads_; }
  [[nodiscard]] double mass() const { return total_.mass; }
  /// Of the rest shape, from the frame's origin: zero until densities are edited.
  [[nodiscard]] Vector3 rest_center() const { return total_.first / total_.mass; }
  /// The frame never moves.
  [[nodiscard]] bool stands() const { return carrier_ == Carrier::kStanding; }
  /// Where the frame is at a time when nothing flies.
  [[nodiscard]] RigidFrame frame_at(double time) const;

  [[nodiscard]] Energies energies() const;
  [[nodiscard]] Momenta momenta() const;
  /// What all supports together do to the body, about the frame's origin, frame axes.
  [[nodiscard]] Vector6 support_wrench() const;
  /// Acceleration of a vertex less gravity, frame axes.
  [[nodiscard]] Vector3 felt_acceleration(VertexId vertex, const VectorX& rest_positions) const;
  /// K ψ = ω² M ψ at rest; false when the eigensolver fails.
  [[nodiscard]] bool natural_modes(VectorX& squared, MatrixX& vectors) const;

 private:
  enum class Carrier { kStanding, kDriven, kFree };

  bool evaluate(const StepTarget& target, bool first) override;
  double residual_norm() const override { return residual_.norm(); }
  ResidualSize residual_size(const StepTarget& target) const override;
  std::optional<double> potential(const StepTarget& target) const override;
  bool solve(const StepTarget& target) override;
  double slope() const override { return slope_; }
  void advance(double fraction) override { now_.q = base_ - fraction * delta_; }
  StepTrouble obstacle() const override;

  StepReport find_equilibrium(const StepTarget& target);
  StepReport step_explicit(const StepTarget& target);
  void choose_guess(const StepTarget& target);
  bool evaluate_forces();
  void rates_of_trial(const StepTarget& target);
  void carry_freely(const StepTarget& target, const VectorX& qd);
  void external_forces(const StepTarget& target, const VectorX& qd);
  void add_damping(const VectorX& qd);
  void assemble(const StepTarget& target);
  bool factorize_and_solve();
  bool balance(const StepTarget& target, double ahead);
  bool kick(const StepTarget& target);
  void take_momenta();
  [[nodiscard]] double own_energy() const;
  [[nodiscard]] double longest_stable_step() const;
  [[nodiscard]] double force_scale() const;

  std::shared_ptr<const ReducedBody> body_;
  std::unique_ptr<ReducedForces> forces_;
  InertiaIntegrals total_;  // at the present densities
  Carrier carrier_;
  std::optional<Motion> motion_;
  Vector3 gravity_;
  mutable ReducedLoads loads_;
  StepSettings settings_;
  double stable_step_ = -1.0;  // of explicit integration; negative: not known yet
  MatrixX rest_stiffness_;     // K(0)
  double rest_norm_ = 0.0;     // its Frobenius norm

  ModalState now_;   // between steps: the state; in a step: the iterate
  ModalState kept_;  // the state before the step

  // Scratch of a step, meaningless between steps
  mutable FrameInertia inertia_;
  VectorX known_;  // the q of strain_, elastic_ and K_: the end of a step is the beginning of the next
  bool forces_known_ = false;
  double strain_ = 0.0;
  VectorX elastic_, external_, inertial_, residual_, delta_, base_;
  double slope_ = 0.0;  // residual · delta
  mutable VectorX scratch_;
  Vector6 wrench_;
  MatrixX K_, system_, shifted_;
  MatrixX held_coupling_;  // r × 6
  Matrix6X coupling_;      // I_rr⁻¹ I_rq
  DenseCholesky cholesky_;
  SymmetricEigen eigen_;
};

}  // namespace pliant
