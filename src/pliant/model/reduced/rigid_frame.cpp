#include "pliant/model/reduced/rigid_frame.hpp"

#include "pliant/math/svd3.hpp"

namespace pliant {

Vector6 RigidFrame::to_world(const Vector6& wrench, const Vector3& about) const {
  Vector6 world;
  world.head<3>() = rotation * wrench.head<3>();
  world.tail<3>() = rotation * wrench.tail<3>() + (position - about).cross(world.head<3>());
  return world;
}

RigidFrame driven_frame(const Motion& motion, double time, const Vector3& origin) {
  const DrivenPoint point = motion.at(time, origin);
  RigidFrame frame;
  frame.position = origin + point.displacement;
  frame.rotation = motion.turn(time);
  const Matrix3 to_frame = frame.rotation.transpose();
  frame.twist << to_frame * point.velocity, to_frame * motion.spin(time);
  frame.rate << to_frame * point.acceleration, Vector3::Zero();  // keys turn at constant speed
  return frame;
}

Matrix3 best_rotation(ConstVectorRef weighted, ConstVectorRef rest, const Vector3& origin) {
  Matrix3 covariance = Matrix3::Zero();
  for (Index i = 0; i < rest.size(); i += 3)
    covariance += weighted.segment<3>(i) * (rest.segment<3>(i) - origin).transpose();
  const Svd3 svd = svd_rotations(covariance);
  return svd.U * svd.V.transpose();
}

Vector6 kick_between(const RigidFrame& from, const RigidFrame& to, double theta, double dt) {
  Vector6 kick;
  for (const Index part : {Index{0}, Index{3}}) {
    const Vector3 before =
        from.rotation * (from.twist.segment<3>(part) + (1.0 - theta) * dt * from.rate.segment<3>(part));
    kick.segment<3>(part) =
        to.twist.segment<3>(part) - theta * dt * to.rate.segment<3>(part) - to.rotation.transpose() * before;
  }
  return kick;
}

}  // namespace pliant
