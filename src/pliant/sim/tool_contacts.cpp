// The part of BodyContacts in which a tool finds its place against the points of the body.
#include "pliant/sim/body_contacts.hpp"

namespace pliant {

/// With the body's points fixed, the tool goes where it balances the contacts. Then the force on point i
/// changes by −K_i (δx_i − J_i C Σ J_jᵀ K_j δx_j): rows L_i = K_i J_i.
void BodyContacts::settle_tool(double ahead, double factor, PointTerms& points) {
  bool any = false;
  const auto all = [&](const Pose& pose, ToolTerms& pressing) {
    for (Contact& c : contacts_) {
      if (!on_tool(c)) continue;
      any = true;
      const Vector3 end = end_of(c, ahead, points);
      press(c, end, pose);
      if (c.force.force.isZero(0.0) && c.force.stiffness.isZero(0.0)) continue;
      pressing.add(end - pose.position, c.force.force, c.force.stiffness);
    }
  };
  tool_->settle(std::ref(all));  // by reference: nothing is allocated
  if (!any) return;
  SharedStiffness& shared = points.shared;
  const Index first = shared.add(points.force.size(), 6);
  shared.compliance.block<6, 6>(first, first) = factor * tool_->compliance();
  const Pose& pose = tool_->trial();
  for (const Contact& c : contacts_) {
    if (!on_tool(c)) continue;
    points.force[c.point] += c.force.force;
    points.stiffness[c.point] += factor * c.force.stiffness;
    shared.rows.block<3, 6>(3 * static_cast<Index>(c.point), first) +=
        c.force.stiffness * tool_rows(end_of(c, ahead, points) - pose.position);
  }
}

}  // namespace pliant
