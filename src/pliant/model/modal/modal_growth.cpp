// Coordinates that a reduced body gets while it runs, and those that it is about to lose.
#include "pliant/model/modal/modal_dynamics.hpp"

#include <algorithm>

namespace pliant {

void ModalDynamics::change_basis(std::shared_ptr<const ReducedBody> body, const std::vector<Index>& from,
                                 const std::vector<Material>& materials,
                                 const std::vector<Vector3>& vertices) {
  body_ = std::move(body);
  const Index r = body_->size();
  const auto carry = [&](VectorX& values) {
    const VectorX old = values;
    values = VectorX::Zero(r);
    for (Index i = 0; i < r; ++i)
      if (from[to_size(i)] >= 0) values[i] = old[from[to_size(i)]];
  };
  for (VectorX* v : {&now_.q, &now_.qd, &now_.qdd, &kept_.q, &kept_.qd, &kept_.qdd}) carry(*v);
  make_scratch();
  inertia_ = FrameInertia(r);
  cholesky_ = ReducedFactor(r, blocks_.get());
  eigen_ = SymmetricEigen(r);
  loads_ = ReducedLoads(std::vector<Load>(loads_.plan().loads), vertices, *body_);
  points_ = PointRows(points_.points(), vertices, *body_);
  take_materials(materials);
}

void ModalDynamics::fade(Fade fade) {
  fade.start = now_.time;
  fades_.push_back(std::move(fade));
}

/// From now on the coordinates are led over what is left of the time.
void ModalDynamics::begin_leading(Fade& fade, double dt) {
  fade.length = fade.start + fade.length - kept_.time;
  fade.start = kept_.time;
  fade.q = kept_.q.segment(fade.first, fade.count);
  fade.v = kept_.qd.segment(fade.first, fade.count);
  const double speed = fade.v.norm();
  const double way = speed > 0.0 ? fade.q.norm() / speed : 0.0;
  fade.settle = std::clamp(way, std::min(2.0 * dt, 0.1 * fade.length), 0.1 * fade.length);
}

/// residual += g K_ll q_l of coordinates that fade but are not led yet, q_l at the end of the step.
void ModalDynamics::add_fading(const StepTarget& target) {
  for (const Fade& fade : fades_) {
    if (fade.leads()) continue;
    auto end = work_.head(fade.count);
    end = kept_.q.segment(fade.first, fade.count);
    end += (now_.q.segment(fade.first, fade.count) - end) / target.scheme.stage;
    end *= fade.added_stiffness(target.end);
    residual_.segment(fade.first, fade.count).noalias() +=
        rest_stiffness_.block(fade.first, fade.first, fade.count, fade.count) * end;
  }
}

/// The derivative of the same.
void ModalDynamics::add_fading_gradient(const StepTarget& target) {
  for (const Fade& fade : fades_)
    if (!fade.leads())
      system_.block(fade.first, fade.first, fade.count, fade.count) +=
          (fade.added_stiffness(target.end) / target.scheme.stage) *
          rest_stiffness_.block(fade.first, fade.first, fade.count, fade.count);
}

void ModalDynamics::set_fades(std::vector<Fade> fades) { fades_ = std::move(fades); }

/// Where coordinates on their way out are at the stage of the step ahead.
void ModalDynamics::lead(const StepTarget& target) {
  if (!target.dynamic) return;
  const bool is_explicit = settings_.integrator == Integrator::kCentralDifferences;
  for (Fade& fade : fades_) {
    if (!fade.leads() && (is_explicit || fade.must_lead(target.end))) begin_leading(fade, target.dt);
    if (!fade.leads()) continue;
    fade.at(target.end, led_q_, led_qd_, led_qdd_);
    if (target.scheme.stage == 1.0) continue;
    // The equations hold between both ends: mean rates there.
    auto q = led_q_.segment(fade.first, fade.count);
    const auto before = kept_.q.segment(fade.first, fade.count);
    led_qdd_.segment(fade.first, fade.count) =
        (led_qd_.segment(fade.first, fade.count) - kept_.qd.segment(fade.first, fade.count)) / target.dt;
    led_qd_.segment(fade.first, fade.count) = (q - before) / target.dt;
    q = before + target.scheme.stage * (q - before);
  }
}

void ModalDynamics::follow_lead() {
  for (const Fade& fade : fades_) {
    if (!fade.leads()) continue;
    now_.q.segment(fade.first, fade.count) = led_q_.segment(fade.first, fade.count);
    now_.qd.segment(fade.first, fade.count) = led_qd_.segment(fade.first, fade.count);
    now_.qdd.segment(fade.first, fade.count) = led_qdd_.segment(fade.first, fade.count);
  }
}

/// Takes the equations of led coordinates out of the system.
void ModalDynamics::hold_led(MatrixX& system) {
  for (const Fade& fade : fades_)
    for (Index i = fade.first; fade.leads() && i < fade.first + fade.count; ++i) {
      system.row(i).setZero();
      system.col(i).setZero();
      system(i, i) = 1.0;
    }
}

void ModalDynamics::hold_led(VectorX& right) {
  for (const Fade& fade : fades_)
    if (fade.leads()) right.segment(fade.first, fade.count).setZero();
}

/// At the end of the step: exactly where they are led to.
void ModalDynamics::arrive(const StepTarget& target) {
  if (!target.dynamic) return;
  for (const Fade& fade : fades_)
    if (fade.leads()) fade.at(target.end, now_.q, now_.qd, now_.qdd);
}

}  // namespace pliant
