// How a tree answers to forces and impulses on its points.
#include "pliant/model/newton.hpp"
#include "pliant/model/tree/tree_dynamics.hpp"

#include <algorithm>
#include <limits>

namespace pliant {

void TreeDynamics::respond(std::span<const Vector3> forces, std::span<Vector3> moves) {
  points_.unbalance(forces, now_.q, sweeps_.layout());
  std::fill(moves.begin(), moves.end(), Vector3::Constant(std::numeric_limits<double>::quiet_NaN()));
  if (!sweeps_.eliminate(factors_, false)) return;
  hold_roots();
  sweeps_.accelerate(delta_);
  points_.moves(sweeps_.layout(), now_.q, delta_, factors_.shape, moves);
}

bool TreeDynamics::respond(double time, double dt, std::span<const Vector3> forces,
                           std::span<Vector3> moves) {
  const StepTarget target = target_of(time, dt);
  const TreeState state = now_;
  begin(target);
  const bool solved = evaluate(*this, nullptr, target, true) && solve(target);
  if (solved) respond(forces, moves);
  for (Vector3& move : moves) move /= target.scheme.stage;
  now_ = state;
  placed_ = false;
  return solved && std::all_of(moves.begin(), moves.end(), [](const Vector3& m) { return m.allFinite(); });
}

bool TreeDynamics::begin_impulses(double time, double dt) {
  const StepTarget target = target_of(time, dt);
  const TreeState state = now_;
  begin(target);
  const bool solved = evaluate(*this, nullptr, target, true) && solve(target);
  now_ = state;
  placed_ = false;
  return solved;
}

/// The unknowns of a step are accelerations, so its matrix is A already.
void TreeDynamics::respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes) {
  respond(impulses, changes);
  for (Vector3& change : changes) change /= factors_.shape;
}

void TreeDynamics::strike(std::span<const Vector3> impulses) {
  refresh();
  points_.unbalance(impulses, now_.q, sweeps_.layout());
  if (!sweeps_.eliminate(factors_, false)) return;
  hold_roots();
  sweeps_.accelerate(delta_);
  now_.qd += delta_;
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) root.frame.twist += sweeps_.node(root.node).change;
  placed_ = false;
  refresh();
  take_momenta();
}

}  // namespace pliant
