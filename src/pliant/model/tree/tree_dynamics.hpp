// model/tree/tree_dynamics.hpp — time steps of a tree of domains, without any vertices.
//
// The unknowns of a step are the accelerations A of all coordinates and the frames of the free roots. Sweeps
// compute the residual of A and the change of A that removes it, without the derivatives of inertia, frames
// and joints. Newton's method iterates (docs/theory/tree.md, Eq. T13–T16). A tree that flies conserves its
// momenta to rounding, as `modal` does (reduced/free_flight.hpp).
#pragma once

#include "pliant/model/step_system.hpp"
#include "pliant/model/tree/mixing.hpp"
#include "pliant/model/tree/tree_points.hpp"
#include "pliant/model/tree/tree_state.hpp"
#include "pliant/model/tree/tree_sweeps.hpp"

namespace pliant {

/// Where the coordinates of each domain are in a TreeState.
struct TreeSlots {
  std::vector<Index> offset, size;  // per domain
  std::vector<Index> root_domains;  // of TreeState::roots
};

/// Coordinates and root frames of a tree, stepped in time.
class TreeDynamics final : private StepSystem {
 public:
  TreeDynamics(std::shared_ptr<const TreeBody> body, TreeInertia inertia, const std::vector<Load>& loads,
               const Vector3& gravity, std::optional<Motion> motion, bool held, const StepSettings& settings);

  /// Projects a field z over the body on each node: sets node.force = −UᵀM z and node.force_rigid =
  /// −∫ρ (z, y×z), with z in own axes and class lengths. z is the way to the target positions, or a velocity.
  using Field = std::function<void(TreeSweeps&)>;
  /// Fits shape and velocity to the fields in the mass norm; then finds the accelerations.
  [[nodiscard]] StepReport start(double time, const std::vector<RigidFrame>& root_frames,
                                 const Field& missing, const Field& velocity);
  [[nodiscard]] StepReport step(double time, double dt, PointLaw* law = nullptr);
  [[nodiscard]] StepReport step_static(double to);

  void set_gravity(const Vector3& gravity) { gravity_ = gravity; }
  void set_materials(const std::vector<Material>& materials);
  /// One per domain, in the order of the TreeBody.
  void tune(const std::vector<DomainTuning>& tuning);
  /// Detaches a domain from its parent. Nothing moves at that moment.
  void detach(Index domain);

  /// The points that laws act on.
  void set_points(const std::vector<TreePoints::Place>& places) {
    points_.set(places, sweeps_.body(), sweeps_.layout());
  }
  [[nodiscard]] std::size_t point_count() const { return points_.size(); }
  /// As Model::respond(). L1 and L2 answer with the exact inertia.
  [[nodiscard]] bool respond(double time, double dt, std::span<const Vector3> forces,
                             std::span<Vector3> moves);
  /// As in Model.
  void place_points(std::span<Vector3> places, std::span<Vector3> velocities) const {
    refresh();
    points_.place(sweeps_.layout(), now_.q, now_.qd, places, velocities);
  }
  [[nodiscard]] bool begin_impulses(double time, double dt);
  void respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes);
  void strike(std::span<const Vector3> impulses);

  [[nodiscard]] const TreeState& state() const { return now_; }
  [[nodiscard]] TreeSlots slots() const;
  /// Continues from the state of another tree of the same domains. The coordinates of the domain `fitted` are
  /// `fit` times its old ones. Then finds the accelerations.
  void take_over(const TreeState& state, const TreeSlots& slots, Index fitted, const MatrixX& fit);
  void restore(const TreeState& state);
  [[nodiscard]] RigidFrame frame_at(double time) const;
  [[nodiscard]] bool stands() const { return !motion_ && held_; }

  [[nodiscard]] Energies energies() const;
  [[nodiscard]] Momenta momenta() const;
  /// The wrench of the supports on the root, about its frame's origin, frame axes; N and N m.
  [[nodiscard]] Vector6 support_wrench() const;
  /// The nodes, placed at the present state.
  [[nodiscard]] const TreeSweeps& placed() const;
  [[nodiscard]] TreeSweeps& sweeps() { return sweeps_; }

  /// Solves K ψ = ω² M ψ at rest, ascending, without the rigid modes of free roots. Columns of `vectors` are
  /// rates of the coordinates, followed by the twists of the free roots (6 each). False when the eigensolver
  /// fails or is cancelled.
  [[nodiscard]] bool natural_modes(Index count, VectorX& squared, MatrixX& vectors,
                                   const Progress& progress) const;
  /// The nodes in the rest shape, moving with a column of these vectors.
  [[nodiscard]] const TreeSweeps& moving_at_rest(const VectorX& rates) const;

 private:
  bool place(const StepTarget& target, bool first) override;
  void place_points(PointTerms& terms) const override {
    points_.place(sweeps_.layout(), now_.q, now_.qd, terms.place, terms.velocity);
  }
  bool balance(const StepTarget& target, bool first, const PointTerms* terms) override;
  double residual_norm() const override;
  ResidualSize residual_size(const StepTarget& target) const override;
  std::optional<double> potential(const StepTarget& /*target*/) const override { return std::nullopt; }
  bool solve(const StepTarget& target) override;
  bool trusts_last_step() const override { return true; }
  double slope() const override { return 0.0; }
  std::optional<double> slope_ratio() override { return whole_slope() / base_slope_; }
  void advance(double fraction) override;
  void take(double fraction) override { mixing_.take(fraction); }
  void respond(std::span<const Vector3> forces, std::span<Vector3> moves) override;
  StepTrouble obstacle() const override;

  [[nodiscard]] StepTarget target_of(double time, double dt) const;
  void begin(const StepTarget& target);
  void begin_mixing();
  void predict(const StepTarget& target, const VectorX& A);
  void finish(const StepTarget& target);
  void spend(double dt, StepReport& report);
  void kick(double theta, double dt);
  bool accelerate(double delay = 0.0);
  void hold_roots();
  [[nodiscard]] double whole_slope() const;
  [[nodiscard]] bool flies() const;
  [[nodiscard]] Flyer flyer(const RootState& root) const;
  [[nodiscard]] Matrix6 inertia_of(const RootState& root) const;
  void take_momenta();
  [[nodiscard]] double frame_norm(const RootState& root, const Vector6& wrench) const;
  [[nodiscard]] double force_scale(const VectorX& A) const;
  [[nodiscard]] double rounding_floor() const;
  [[nodiscard]] double own_energy() const;
  [[nodiscard]] double least_energy() const;
  [[nodiscard]] double energy_of_nodes() const;
  void static_gradient(double factor, const VectorX& q, VectorX& gradient);
  void refresh() const;

  mutable TreeSweeps sweeps_;
  std::optional<Motion> motion_;
  bool held_;
  Vector3 gravity_;
  StepSettings settings_;
  std::vector<DomainTuning> tuning_;
  TreeState now_, kept_;  // present; beginning of the step
  mutable bool placed_ = false;
  // Scratch of a step, meaningless between steps
  VectorX trial_, base_, delta_, residual_;  // A, the A that δ starts from, δ, r
  VectorX shift_, rate_shift_;               // of TreeSweeps::Factors, before the first solve
  bool moves_on_ = true;                     // whether the first solve is about the shape that q̇ leads to
  double solved_norm_ = 0.0;                 // of the residual at the last solve of the step
  mutable double scale_ = 0.0;               // of the last residual_size()
  TreeSweeps::Factors factors_;              // of the step
  Mixing mixing_;                            // of δ and the changes of the roots' frames
  VectorX step_, weights_;                   // δ and those changes, as mixing_ sees them
  std::vector<FlightTrial> flights_;         // per root
  std::vector<Vector6> frame_residuals_;     // per root
  mutable TreePoints points_;
  double trial_energy_ = 0.0;
  double base_slope_ = 0.0;  // of the last solve
  bool mixes_ = true;
};

}  // namespace pliant
