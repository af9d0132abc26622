// model/modal/modal_dynamics.hpp — the equations of motion of a reduced body and their time steps, without
// any vertices.
//
//     M q̈ + I_qr V̇ + bias_q + f(q) + D q̇ = force       coordinates (Eq. O2)
//     I_rr V̇ + I_rq q̈ + bias_r          = wrench       frame (Eq. O3); only when it flies freely
//
// The move and turn of a free body's frame are six more unknowns of an implicit step. Its momenta are the
// state (reduced/free_flight.hpp).
#pragma once

#include "pliant/math/dense.hpp"
#include "pliant/model/modal/fade.hpp"
#include "pliant/model/modal/modal_state.hpp"
#include "pliant/model/reduced/free_flight.hpp"
#include "pliant/model/reduced/point_rows.hpp"
#include "pliant/model/reduced/reduced_loads.hpp"
#include "pliant/model/step_system.hpp"
#include "pliant/solve/block/reduced_factor.hpp"
#include "pliant/subspace/reduced_forces.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace pliant {

/// Coordinates q and frame of a reduced body, stepped in time.
class ModalDynamics final : private StepSystem {
 public:
  /// `blocks`: which coordinates are coupled; null: all.
  ModalDynamics(std::shared_ptr<const ReducedBody> body, std::unique_ptr<ReducedForces> forces,
                const std::vector<Material>& materials, std::optional<Motion> motion, const Vector3& gravity,
                ReducedLoads loads, const StepSettings& settings,
                std::shared_ptr<const CoordinateBlocks> blocks = nullptr);

  /// Starts from UᵀM of the displacements and velocities relative to the frame. A free body also takes over
  /// its linear and angular momentum (world axes, about the centre of mass).
  [[nodiscard]] StepReport start(double time, const VectorX& projected_shape,
                                 const VectorX& projected_velocity, const RigidFrame& frame,
                                 const Vector6& momentum);
  [[nodiscard]] StepReport step(double time, double dt, PointLaw* law);
  [[nodiscard]] StepReport step_static(double to);

  void set_gravity(const Vector3& gravity) { gravity_ = gravity; }
  void set_damping(double mass, double stiffness) {
    settings_.mass_damping = mass;
    settings_.stiffness_damping = stiffness;
  }
  /// Sets the points that laws act on. `vertices`: all vertices of the rest shape.
  void set_points(const std::vector<CarriedPoint>& points, const std::vector<Vector3>& vertices) {
    points_ = PointRows(points, vertices, *body_);
    pulls_.assign(points.size(), Vector3::Zero());
  }
  [[nodiscard]] std::size_t point_count() const { return points_.size(); }
  /// Steps may lower the potential of their equations instead of the residual, where they have one: for
  /// bodies that start far from any solution, crushed or inside out.
  void seek_minima() { seeks_minima_ = true; }
  [[nodiscard]] bool respond(double time, double dt, std::span<const Vector3> forces,
                             std::span<Vector3> moves);
  /// As in Model.
  void place_points(std::span<Vector3> places, std::span<Vector3> velocities) const {
    points_.place(now_.frame, now_.q, now_.qd, places, velocities);
  }
  [[nodiscard]] bool begin_impulses(double time, double dt);
  void respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes);
  void strike(std::span<const Vector3> impulses);
  void set_materials(const std::vector<Material>& materials);
  /// The body has other coordinates from now on. `from`: the old number of each; −1: it is new and begins at
  /// zero, without velocity or acceleration. Fades must be set again.
  void change_basis(std::shared_ptr<const ReducedBody> body, const std::vector<Index>& from,
                    const std::vector<Material>& materials, const std::vector<Vector3>& vertices);
  /// Takes coordinates (first, count, length of `fade`) to zero from now on.
  void fade(Fade fade);
  [[nodiscard]] const std::vector<Fade>& fades() const { return fades_; }
  void set_fades(std::vector<Fade> fades);
  /// UᵀM R_held of Eq. O10: the six rigid motions of the held vertices alone (r × 6, about the origin).
  void set_held_coupling(const MatrixX& coupling) { held_coupling_ = coupling; }
  void restore(const ModalState& state) { now_ = state; }

  [[nodiscard]] const ModalState& state() const { return now_; }
  /// The load on one vertex at the last step, frame axes.
  [[nodiscard]] Vector3 load_on(VertexId vertex) const {
    return loads_.force_on(vertex) + now_.frame.rotation.transpose() * points_.force_on(vertex, pulls_);
  }
  [[nodiscard]] double mass() const { return total_.mass; }
  /// Centre of mass of the rest shape, from the frame's origin: zero until densities are edited.
  [[nodiscard]] Vector3 rest_center() const { return total_.first / total_.mass; }
  /// Whether the frame never moves.
  [[nodiscard]] bool stands() const { return carrier_ == Carrier::kStanding; }
  /// The frame of a held or driven body at a time.
  [[nodiscard]] RigidFrame frame_at(double time) const;

  [[nodiscard]] Energies energies() const;
  [[nodiscard]] Momenta momenta() const;
  /// The wrench of all supports together on the body, about the frame's origin, frame axes: now, or its mean
  /// over the last step if the equations hold in the middle of steps.
  [[nodiscard]] Vector6 support_wrench() const { return now_.support ? *now_.support : stage_wrench(); }
  /// Acceleration of a vertex minus gravity, frame axes.
  [[nodiscard]] Vector3 felt_acceleration(VertexId vertex, const VectorX& rest_positions) const;
  /// K ψ = ω² M ψ at rest; false when the eigensolver fails.
  [[nodiscard]] bool natural_modes(VectorX& squared, MatrixX& vectors) const;

 private:
  enum class Carrier { kStanding, kDriven, kFree };

  bool place(const StepTarget& target, bool first) override;
  void place_points(PointTerms& terms) const override {
    points_.place(now_.frame, now_.q, now_.qd, terms.place, terms.velocity);
  }
  bool balance(const StepTarget& target, bool first, const PointTerms* terms) override;
  double residual_norm() const override { return std::hypot(residual_.norm(), frame_norm(frame_residual_)); }
  ResidualSize residual_size(const StepTarget& target) const override;
  std::optional<double> potential(const StepTarget& target) const override;
  bool solve(const StepTarget& target) override;
  double slope() const override { return slope_; }
  std::optional<double> slope_ratio() override;
  void advance(double fraction) override {
    now_.q = base_ - fraction * delta_;
    if (carrier_ == Carrier::kFree) flight_.advance(fraction, 1.0);
  }
  void respond(std::span<const Vector3> forces, std::span<Vector3> moves) override;
  StepTrouble obstacle() const override;

  StepReport find_equilibrium(PointLaw* law, const StepTarget& target);
  StepReport step_explicit(PointLaw* law, const StepTarget& target);
  void begin(const StepTarget& target);
  void choose_guess(PointLaw* law, const StepTarget& target);
  void make_scratch();
  void take_materials(const std::vector<Material>& materials);
  void lead(const StepTarget& target);
  void begin_leading(Fade& fade, double dt);
  void add_fading(const StepTarget& target);
  void add_fading_gradient(const StepTarget& target);
  void follow_lead();
  void hold_led(MatrixX& system);
  void hold_led(VectorX& right);
  void arrive(const StepTarget& target);
  bool evaluate_forces();
  bool evaluate_mean(const StepTarget& target);
  void finish_step(const StepTarget& target);
  [[nodiscard]] Vector6 stage_wrench() const;
  [[nodiscard]] Vector6 solve_for(std::span<const Vector3> forces);
  void rates_of_trial(const StepTarget& target);
  void carry_freely(const StepTarget& target, const VectorX& qd);
  void external_forces(const StepTarget& target, const VectorX& qd);
  void add_damping(const VectorX& qd);
  void assemble(const StepTarget& target);
  void add_damping_gradient(double dt, double beta);
  void eliminate_frame(const StepTarget& target);
  bool factorize_and_solve(const VectorX& right);
  bool accelerate(const StepTarget& target, double ahead);
  bool kick(const StepTarget& target);
  [[nodiscard]] bool has_potential(const StepTarget& target) const;
  [[nodiscard]] double inertial_potential(const StepTarget& target) const;
  void take_momenta();
  [[nodiscard]] double own_energy() const;
  [[nodiscard]] double longest_stable_step() const;
  [[nodiscard]] double force_scale() const;
  [[nodiscard]] Flyer flyer(const VectorX& qd) const { return {inertia_.rr, inertia_.rq * qd, 1.0, 1.0}; }
  /// The norm of a wrench on the frame, scaled to be comparable with forces on the coordinates: √(m W·I⁻¹W),
  /// m the mean diagonal entry of M.
  [[nodiscard]] double way_scale(const StepTarget& target) const;
  [[nodiscard]] double frame_norm(const Vector6& wrench) const;

  std::shared_ptr<const ReducedBody> body_;
  std::unique_ptr<ReducedForces> forces_;
  InertiaIntegrals total_;  // at the present densities
  Carrier carrier_;
  std::optional<Motion> motion_;
  Vector3 gravity_;
  mutable ReducedLoads loads_;
  StepSettings settings_;
  double stable_step_ = -1.0;  // limit of explicit steps, s; negative: not known yet
  MatrixX rest_stiffness_;     // K(0)
  double rest_norm_ = 0.0;     // its Frobenius norm

  ModalState now_;   // between steps: the state; in a step: the iterate
  ModalState kept_;  // the state before the step
  std::vector<Fade> fades_;

  // Scratch of a step, meaningless between steps
  mutable FrameInertia inertia_;
  VectorX known_;  // the q of strain_, elastic_ and K_: a step begins where the last one ended
  bool forces_known_ = false;
  bool seeks_minima_ = false;
  double strain_ = 0.0;
  VectorX elastic_, external_, inertial_, residual_, right_, delta_, base_, end_;
  VectorX led_q_, led_qd_, led_qdd_;        // of coordinates on their way out, at the trial
  double slope_ = 0.0;                      // residual · delta
  double whole_slope_ = 0.0;                // the same with the frame's part
  double impulse_factor_ = 0.0;             // ca of the step ahead, for impulses
  Vector6 frame_change_ = Vector6::Zero();  // the full step of the frame
  mutable VectorX scratch_, work_;
  Vector6 wrench_;
  FlightTrial flight_;      // of a free body's frame
  Vector6 frame_residual_;  // of its six equations; zero unless the body is free
  PointRows points_;
  std::vector<Vector3> pulls_;         // forces on the points: at the trial; after a step, those of the state
  const PointTerms* terms_ = nullptr;  // of the trial; null: nothing acts
  MatrixX K_, system_, shifted_, gradient_;
  MatrixX held_coupling_;  // r × 6
  Matrix6X coupling_;      // I_rr⁻¹ I_rq, or of the step's system
  Matrix6X frame_rows_;    // 6 × r, of the step's system
  Matrix6 frame_system_;   // 6 × 6, likewise
  std::shared_ptr<const CoordinateBlocks> blocks_;
  ReducedFactor cholesky_;
  SymmetricEigen eigen_;
};

}  // namespace pliant
