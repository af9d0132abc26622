// The time steps of [WuMukherjeeWang2015] §4.3, for comparison: backward Euler, linearised where the step
// begins, for all unknowns at once (one-step) or for frames, then for coordinates (two-step). Fictitious
// forces act as they are at the beginning; of the inertia, frames and coordinates do not share any
// (docs/theory/coupled.md, "The published steps").
#include "pliant/math/rotation.hpp"
#include "pliant/model/coupled/coupled_dynamics.hpp"
#include "pliant/model/newton.hpp"

#include <algorithm>

namespace pliant {

StepReport CoupledDynamics::step_published(double time, double dt, PointLaw* law) {
  if (law != nullptr) law->terms.resize(point_count());
  first_ = kept_ = now_;
  StepSettings settings = settings_;
  settings.integrator = Integrator::kBackwardEuler;
  const StepTarget target = dynamic_target(settings, time, dt);
  StepReport report;
  const auto solve = [&](Unknowns unknowns) {
    if (report.healthy()) report.trouble = solve_linear(target, unknowns, law);
    ++report.iterations;
    ++report.evaluations;
  };
  if (scheme_ == CoupledScheme::kTwoStep) {
    solve(Unknowns::kFrames);
    solve(Unknowns::kCoordinates);
  } else {
    solve(Unknowns::kAll);
  }
  if (!report.healthy()) {
    now_ = first_;
    return report;
  }
  now_.time = target.end;
  now_.gravity_scale = target.gravity_scale;
  kept_ = first_;
  support_published(target);
  guard_energy(report);
  if (!report.healthy()) now_ = first_;
  return report;
}

/// [WuMukherjeeWang2015] Eq. 9, 10 as (M/dt² + D/dt + K) δ = M ξ/dt + F with δ = dt ξ'.
StepTrouble CoupledDynamics::solve_linear(const StepTarget& target, Unknowns unknowns, PointLaw* law) {
  trial_.stand(now_.shape);
  terms_ = nullptr;
  std::fill(pulls_.begin(), pulls_.end(), Vector3::Zero());
  if (law != nullptr) {
    place_points(law->terms);
    law->act(target.scheme.velocity_factor, law->terms);
    terms_ = &law->terms;
    std::copy(law->terms.force.begin(), law->terms.force.end(), pulls_.begin());
  }
  clear(elastic_);
  clear(other_);
  clear(external_);
  if (!forces_.add_elastic(trial_, elastic_)) return StepTrouble::kInadmissible;
  if (damps_by_stiffness() && !assemble_damping()) return StepTrouble::kInadmissible;
  add_fictitious(other_);
  add_weight(target);
  forces_.add_external(target.time, target.clock, trial_, pulls_, external_);
  if (!factorize_published(target, unknowns)) return StepTrouble::kNotDefinite;
  gather_published(target, unknowns);
  change_ = residual_;
  if (unknowns == Unknowns::kAll)
    solve_system(change_);
  else
    system_.solve(change_);
  if (!change_.allFinite()) return StepTrouble::kNonFinite;
  move_by(change_, target.dt, unknowns);
  return StepTrouble::kNone;
}

/// Eq. 3 on the coordinates; the Euler force with the angular acceleration of the last step. Leaves the
/// inertia of the present shape in inertia_.
void CoupledDynamics::add_fictitious(SiteForces& sum) {
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Index begin = layout_.q_starts[d], r = layout_.size(d);
    const RigidFrame& frame = now_.shape.frames[d];
    inertia_[d].evaluate(totals_[d], now_.shape.q.segment(begin, r), now_.shape.qd.segment(begin, r),
                         frame.twist.tail<3>());
    sum.q.segment(begin, r) += inertia_[d].bias_q;
    if (layout_.frame_size[d] > 0)
      sum.q.segment(begin, r) += inertia_[d].rq.bottomRows<3>().transpose() * frame.rate.tail<3>();
  }
}

bool CoupledDynamics::factorize_published(const StepTarget& target, Unknowns unknowns) {
  for (std::size_t d = 0; d < axes_.size(); ++d) axes_[d] = now_.shape.frames[d].rotation;
  for (const bool projected : {false, true}) {
    system_.set_zero();
    if (!forces_.add_stiffness(now_.shape, projected, 1.0, ones_, system_)) return false;
    add_separate_mass(target);
    for (std::size_t k = 0; k < damping_.size(); ++k)
      system_.block(blocks_[k].first, blocks_[k].second) += target.scheme.velocity_factor * damping_[k];
    if (terms_ != nullptr) forces_.points().add_stiffness(now_.shape, *terms_, system_);
    if (forces_.has_kinds() && unknowns == Unknowns::kAll) return factorize_unsymmetric();
    separate(unknowns);
    if (system_.factorize()) return true;
  }
  for (const auto& [i, j] : blocks_)
    if (!system_.block(i, j).allFinite()) return false;
  return system_.factorize_modified();
}

/// Of frames and of coordinates, but none that they share.
void CoupledDynamics::add_separate_mass(const StepTarget& target) {
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const double factor = target.scheme.acceleration_factor + target.scheme.velocity_factor * mass_damping(d);
    const Index frame = layout_.frame_size[d], r = layout_.size(d);
    auto block = system_.block(static_cast<Index>(d), static_cast<Index>(d));
    block.bottomRightCorner(r, r) += factor * totals_[d].shape_mass;
    if (frame > 0) block.topLeftCorner<6, 6>() += factor * inertia_[d].rr;
  }
}

/// Rows of unknowns that stand become those of the identity.
void CoupledDynamics::separate(Unknowns unknowns) {
  if (unknowns == Unknowns::kAll) return;
  for (const auto& [i, j] : blocks_) {
    const Index fi = layout_.frame_size[to_size(i)], fj = layout_.frame_size[to_size(j)];
    auto block = system_.block(i, j);
    const Index ri = block.rows() - fi, rj = block.cols() - fj;
    block.bottomLeftCorner(ri, fj).setZero();
    block.topRightCorner(fi, rj).setZero();
    const bool frames = unknowns == Unknowns::kFrames;
    auto standing = frames ? block.block(fi, fj, ri, rj) : block.block(0, 0, fi, fj);
    standing.setZero();
    if (i == j) standing.diagonal().setOnes();
  }
}

/// The right side, in the axes of the domains.
void CoupledDynamics::gather_published(const StepTarget& target, Unknowns unknowns) {
  total_ = external_;
  total_.wrench -= elastic_.wrench + other_.wrench;
  total_.q -= elastic_.q + other_.q;
  gather_residual();
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Index frame = layout_.frame_size[d], r = layout_.size(d);
    auto frames = residual_.segment(layout_.starts[d], frame);
    auto coordinates = residual_.segment(layout_.starts[d] + frame, r);
    if (frame > 0) frames += inertia_[d].rr * now_.shape.frames[d].twist / target.dt;
    coordinates += totals_[d].shape_mass * now_.shape.qd.segment(layout_.q_starts[d], r) / target.dt;
    if (unknowns == Unknowns::kFrames) coordinates.setZero();
    if (unknowns == Unknowns::kCoordinates) frames.setZero();
  }
}

/// Moves the unknowns that do not stand by their δ, and sets their rates to δ/dt.
void CoupledDynamics::move_by(ConstVectorRef change, double dt, Unknowns unknowns) {
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Index frame = layout_.frame_size[d], r = layout_.size(d);
    const Index begin = layout_.q_starts[d];
    if (unknowns != Unknowns::kFrames) {
      const auto way = change.segment(layout_.starts[d] + frame, r);
      now_.shape.q.segment(begin, r) += way;
      now_.shape.qd.segment(begin, r) = way / dt;
    }
    if (unknowns == Unknowns::kCoordinates || frame == 0) continue;
    RigidFrame& own = now_.shape.frames[d];
    const Vector3 turn = change.segment<3>(layout_.starts[d] + 3);
    const Vector3 move = own.rotation * change.segment<3>(layout_.starts[d]);
    own.rate.tail<3>() = (turn / dt - own.twist.tail<3>()) / dt;
    own.position += move;
    own.rotation = own.rotation * rotation_from_vector(turn);
    own.twist.head<3>() = own.rotation.transpose() * move / dt;
    own.twist.tail<3>() = turn / dt;
  }
}

/// What supports exert, as in finish().
void CoupledDynamics::support_published(const StepTarget& target) {
  half_.setZero();
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const auto column = static_cast<Index>(d);
    now_.support.col(column).setZero();
    if (layout_.frame_size[d] > 0) continue;
    auto unused = half_.segment(layout_.q_starts[d], layout_.size(d));
    const Vector6 change = momenta_of(d, now_.shape, unused) - momenta_of(d, kept_.shape, unused);
    now_.support.col(column) = change / target.dt + elastic_.wrench.col(column) + other_.wrench.col(column) -
                               external_.wrench.col(column);
  }
}

}  // namespace pliant
