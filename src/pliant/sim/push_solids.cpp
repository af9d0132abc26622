// The part of BodyContacts that pushes solids.
#include "pliant/math/rotation.hpp"
#include "pliant/sim/body_contacts.hpp"

#include <algorithm>

namespace pliant {

SolidResponse BodyContacts::solid_of(const Contact& c) const {
  return motion_->solids != nullptr ? motion_->solids->responses()[to_size(c.obstacle)] : SolidResponse{};
}

bool BodyContacts::reaches_solids() const {
  return motion_->solids != nullptr && std::any_of(contacts_.begin(), contacts_.end(),
                                                   [&](const Contact& c) { return solid_of(c).moves(); });
}

/// Impulses act on both at one point, so that the angular momenta balance: where the model balances its own,
/// in the middle of the step, or at its beginning for backward Euler. How they change with the velocities of
/// the solids follows from the contacts' stiffness K at the virtual end, lessened as the body gives way:
/// Gᵀ (K − K Δt² J A⁻¹ Jᵀ K) G, G = Δt [1, −r~], with A of the last solution, contacts included.
void BodyContacts::add_answer(Model& model, Solids::Answer& answer) {
  std::vector<Vector3> forces(x0_.size()), moves(x0_.size());
  std::vector<Index> met;  // solids
  const auto turn_at = [&](const Contact& c) -> Matrix3 {
    const Vector3 end = motion_->after[to_size(c.obstacle)].to_world(c.reached);
    const Vector3 center = motion_->solids->virtual_center(solid_of(c).number);
    return cross_matrix(end - center);
  };
  for (const Contact& c : contacts_) {
    const Index number = solid_of(c).number;
    if (number < 0 || c.force.force.isZero(0.0)) continue;
    const Vector3 impulse = -dt_ * c.force.force;
    const Vector3 on = terms.stage < 1.0 ? terms.place[c.point] : x0_[c.point];
    answer.impulses.segment<3>(6 * number) += impulse;
    answer.impulses.segment<3>(6 * number + 3) += on.cross(impulse);
    if (std::find(met.begin(), met.end(), number) == met.end()) met.push_back(number);
  }
  for (const Index number : met)
    for (Index axis = 0; axis < 6; ++axis) {
      const auto way = [&](const Contact& c) -> Vector3 {
        if (solid_of(c).number != number) return Vector3::Zero();
        if (axis < 3) return dt_ * Vector3::Unit(axis);
        return -dt_ * turn_at(c).col(axis - 3);
      };
      std::fill(forces.begin(), forces.end(), Vector3::Zero());
      for (const Contact& c : contacts_) forces[c.point] += c.force.stiffness * way(c);
      model.respond_to_impulses(forces, moves);
      for (const Contact& c : contacts_) {
        const Index other = solid_of(c).number;
        if (other < 0) continue;
        const Vector3 pulled = dt_ * (c.force.stiffness * (way(c) - dt_ * dt_ * moves[c.point]));
        answer.stiffness.block<3, 1>(6 * other, 6 * number + axis) += pulled;
        answer.stiffness.block<3, 1>(6 * other + 3, 6 * number + axis) += turn_at(c) * pulled;
      }
    }
}

}  // namespace pliant
