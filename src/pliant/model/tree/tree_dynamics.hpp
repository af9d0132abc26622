// model/tree/tree_dynamics.hpp — steps of a tree of domains in time; no vertex in sight.
//
// The unknowns of a step are the accelerations A of all coordinates at its end. One pass of the sweeps solves
// the equations linearised about the last A; passes are repeated until they agree, so that what is integrated
// is the implicit scheme itself (docs/theory/tree.md, Eq. T13–T16). A tree that flies keeps its momenta
// exactly, as `modal` does.
#pragma once

#include "pliant/model/time_scheme.hpp"
#include "pliant/model/tree/tree_state.hpp"
#include "pliant/model/tree/tree_sweeps.hpp"

namespace pliant {

/// Where the coordinates of each domain are in a TreeState.
struct TreeSlots {
  std::vector<Index> offset, size;  // per domain
  std::vector<Index> root_domains;  // of TreeState::roots
};

class TreeDynamics {
 public:
  TreeDynamics(std::shared_ptr<const TreeBody> body, TreeInertia inertia, const std::vector<Load>& loads,
               const Vector3& gravity, std::optional<Motion> motion, bool held, const StepSettings& settings);

  /// The fields seen from each node: fills node.force and node.force_rigid with −UᵀM z and −∫ρ (z, y×z), z in
  /// own axes and class lengths: of places (what is missing to the target) or of velocities.
  using Field = std::function<void(TreeSweeps&)>;
  /// Fits shape and velocity to fields, by mass; then balances.
  [[nodiscard]] StepReport start(double time, const std::vector<RigidFrame>& root_frames,
                                 const Field& missing, const Field& velocity);
  [[nodiscard]] StepReport step(double time, double dt);
  [[nodiscard]] StepReport step_static(double to);

  void set_gravity(const Vector3& gravity) { gravity_ = gravity; }
  void set_materials(const std::vector<Material>& materials);
  /// One per domain, in the order of the TreeBody.
  void tune(const std::vector<DomainTuning>& tuning);
  /// Cuts a domain off its parent; nothing moves at that moment.
  void detach(Index domain);

  [[nodiscard]] const TreeState& state() const { return now_; }
  [[nodiscard]] TreeSlots slots() const;
  /// Goes on from the state of another tree of the same domains, but that `fit` gives those coordinates of
  /// one of them; then balances.
  void take_over(const TreeState& state, const TreeSlots& slots, Index fitted, const MatrixX& fit);
  void restore(const TreeState& state);
  [[nodiscard]] RigidFrame frame_at(double time) const;
  [[nodiscard]] bool stands() const { return !motion_ && held_; }

  [[nodiscard]] Energies energies() const;
  [[nodiscard]] Momenta momenta() const;
  /// What the supports do to the root, about its frame's origin, frame axes; N and N m.
  [[nodiscard]] Vector6 support_wrench() const;
  /// All nodes at the present state.
  [[nodiscard]] const TreeSweeps& placed() const;
  [[nodiscard]] TreeSweeps& sweeps() { return sweeps_; }

  /// K ψ = ω² M ψ at rest, ascending; rigid modes of free roots left out. Columns of `vectors` are rates of
  /// the coordinates, followed by the twists of the free roots (6 each). False when the eigensolver fails.
  [[nodiscard]] bool natural_modes(Index count, VectorX& squared, MatrixX& vectors) const;
  /// All nodes at rest, moving at a column of such vectors.
  [[nodiscard]] const TreeSweeps& moving_at_rest(const VectorX& rates) const;

 private:
  struct Target {
    double time = 0.0, dt = 0.0;
    double theta = 0.5;
    double shape = 0.0, rate = 0.0;  // ∂q/∂A, ∂q̇/∂A
    bool euler = false;
    bool midpoint = false;  // equations in the middle of the step: free roots
  };
  StepReport attempt(double time, double dt);
  bool pass(const Target& target, const VectorX* A, VectorX& next);
  void predict(const Target& target, const VectorX& A);
  void finish_midpoint(const Target& target);
  void place(const Target& target);
  void carry_freely(const Target& target, RootState& root);
  void drive(double time);
  void spend(const TreeState& before, double dt, StepReport& report);
  void kick(const Target& target);
  bool balance(double delay = 0.0);
  void take_momenta(RootState& root);
  void take_forces(RootState& root);
  [[nodiscard]] double residual(const VectorX& change) const;
  [[nodiscard]] double force_scale(const VectorX& A) const;
  [[nodiscard]] double rounding_floor() const;
  [[nodiscard]] double own_energy() const;
  [[nodiscard]] double energy_of_nodes() const;
  void static_gradient(double factor, const VectorX& q, VectorX& gradient);
  void refresh() const;

  mutable TreeSweeps sweeps_;
  std::optional<Motion> motion_;
  bool held_;
  Vector3 gravity_;
  StepSettings settings_;
  std::vector<DomainTuning> tuning_;
  TreeState now_, kept_, before_;  // present; beginning of a part of a step, and of the step
  mutable bool placed_ = false;
  VectorX trial_, next_, change_;
  VectorX shift_, rate_shift_;  // of the present shape and rates: TreeSweeps::Factors
  double trial_energy_ = 0.0;
};

}  // namespace pliant
