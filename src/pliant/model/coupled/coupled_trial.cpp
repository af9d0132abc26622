#include "pliant/model/coupled/coupled_trial.hpp"

#include "pliant/math/rotation.hpp"

namespace pliant {

CoupledTrial::CoupledTrial(const CoupledLayout& layout, const CoupledShape& shape)
    : layout_(&layout), stage_(shape), end_(shape), ways_(shape.frames.size()), base_q_(shape.q) {}

void CoupledTrial::begin(const CoupledShape& before, const std::vector<RigidFrame>& anchors,
                         const StepTarget& target) {
  before_ = &before;
  dt_ = target.dt;
  dynamic_ = target.dynamic;
  fraction_ = target.scheme.stage;
  doubles_ = target.scheme.stage * target.scheme.theta < 1.0;
  stage_ = before;
  end_ = before;
  const double ahead = dynamic_ ? time_to_stage() : 0.0;
  stage_.q = before.q + ahead * before.qd;
  for (std::size_t d = 0; d < ways_.size(); ++d) {
    const RigidFrame& frame = before.frames[d];
    ways_[d].shift = ahead * (frame.rotation * frame.twist.head<3>());
    ways_[d].turn = ahead * frame.twist.tail<3>();
    if (layout_->frame_size[d] > 0) continue;
    stage_.frames[d] = end_.frames[d] = anchors[d];
    if (dynamic_ && !ends_at_stage()) place_driven(d);
  }
}

void CoupledTrial::stand(const CoupledShape& shape) {
  before_ = &shape;
  stage_ = shape;
  end_ = shape;
  dt_ = 0.0;
  fraction_ = 1.0;
}

/// A driven frame at the stage: half-way along the straight line and the shortest turn.
void CoupledTrial::place_driven(std::size_t domain) {
  const RigidFrame &from = before_->frames[domain], &to = end_.frames[domain];
  const Vector3 turn = vector_from_rotation(from.rotation.transpose() * to.rotation);
  RigidFrame& middle = stage_.frames[domain];
  middle.position = (1.0 - fraction_) * from.position + fraction_ * to.position;
  middle.rotation = from.rotation * rotation_from_vector(fraction_ * turn);
  middle.twist.head<3>() = middle.rotation.transpose() * (to.position - from.position) / dt_;
  middle.twist.tail<3>() = turn / dt_;
}

void CoupledTrial::place_free(std::size_t domain) {
  const RigidFrame& from = before_->frames[domain];
  const Way& way = ways_[domain];
  const Vector3 shift = way.shift / fraction_, turn = way.turn / fraction_;
  RigidFrame &middle = stage_.frames[domain], &end = end_.frames[domain];
  middle.position = from.position + way.shift;
  middle.rotation = from.rotation * rotation_from_vector(way.turn);
  end.position = from.position + shift;
  end.rotation = from.rotation * rotation_from_vector(turn);
  if (!dynamic_) return;
  middle.twist.head<3>() = middle.rotation.transpose() * shift / dt_;
  middle.twist.tail<3>() = turn / dt_;  // its axis does not turn
  Vector3 velocity = shift / dt_;       // world
  Vector3 spin = turn / dt_;            // axes of `from`
  if (doubles_) {
    velocity = 2.0 * velocity - from.rotation * from.twist.head<3>();
    spin = 2.0 * spin - from.twist.tail<3>();
  }
  end.twist.head<3>() = end.rotation.transpose() * velocity;
  end.twist.tail<3>() = rotation_from_vector(-turn) * spin;
  if (ends_at_stage()) middle.twist = end.twist;
}

bool CoupledTrial::place() {
  end_.q = before_->q + (stage_.q - before_->q) / fraction_;
  if (!end_.q.allFinite()) return false;
  if (dynamic_) {
    stage_.qd = (end_.q - before_->q) / dt_;
    end_.qd = stage_.qd;
    if (doubles_) end_.qd = 2.0 * stage_.qd - before_->qd;
    if (ends_at_stage()) stage_.qd = end_.qd;
  } else {
    stage_.qd.setZero();
    end_.qd.setZero();
  }
  for (std::size_t d = 0; d < ways_.size(); ++d) {
    if (layout_->frame_size[d] == 0) continue;
    place_free(d);
    if (!end_.frames[d].position.allFinite() || !end_.frames[d].rotation.allFinite()) return false;
  }
  return true;
}

void CoupledTrial::set_base() {
  base_ = ways_;
  base_q_ = stage_.q;
}

void CoupledTrial::advance(double fraction, ConstVectorRef change, const std::vector<Matrix3>& axes) {
  for (std::size_t d = 0; d < ways_.size(); ++d) {
    const Index begin = layout_->starts[d] + layout_->frame_size[d];
    const Index r = layout_->size(d);
    stage_.q.segment(layout_->q_starts[d], r) =
        base_q_.segment(layout_->q_starts[d], r) + fraction * change.segment(begin, r);
    if (layout_->frame_size[d] == 0) continue;
    const Vector3 move = fraction * (axes[d] * change.segment<3>(layout_->starts[d]));
    const Vector3 turn = fraction * (axes[d] * change.segment<3>(layout_->starts[d] + 3));
    ways_[d].shift = base_[d].shift + move;
    const Matrix3 base = rotation_from_vector(base_[d].turn);
    const Vector3 own = (before_->frames[d].rotation * base).transpose() * turn;
    ways_[d].turn = vector_from_rotation(base * rotation_from_vector(own));
  }
}

}  // namespace pliant
