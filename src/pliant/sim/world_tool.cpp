// The part of World in which a device leads a tool, and obstacles begin to touch.
#include "pliant/sim/contacts.hpp"
#include "pliant/sim/world.hpp"

namespace pliant {

Status World::take_tool(std::size_t obstacle, const ToolCoupling& coupling) {
  const auto refused = [](std::string what, std::string remedy) {
    return Diagnostic{ErrorCode::kUnsupported, {}, std::move(what), std::move(remedy)};
  };
  if (!contacts_) return refused("a tool needs a scene in which bodies touch", "add [contact] to it");
  if (is_static()) return refused("a tool needs a scene that moves", "take another integrator than static");
  if (settings_.substeps > 1)
    return refused("a tool needs steps in one piece", "take substeps = 1 and a shorter dt");
  if (std::holds_alternative<ContactPlane>(contacts_->obstacles()[obstacle].shape))
    return refused("a plane is no tool", "take a sphere, capsule, box, cylinder or mesh");
  contacts_->take_tool(obstacle, coupling);
  for (Body& body : bodies_) body.closed = false;  // the tool does work
  return Done{};
}

void World::lead_tool(const Pose& device, const Vector3& velocity, const Vector3& spin) {
  if (contacts_ && contacts_->tool() != nullptr) contacts_->tool()->lead(device, velocity, spin);
}

const Tool* World::tool() const { return contacts_ ? std::as_const(*contacts_).tool() : nullptr; }

double World::obstacle_radius(std::size_t obstacle) const {
  const ContactShape& shape = contacts_->obstacles()[obstacle].shape;
  if (std::holds_alternative<ContactPlane>(shape)) return 0.0;
  Eigen::AlignedBox3d box;
  for (const Vector3& x : surface_of(shape, 1.0).vertices) box.extend(x);
  return 0.5 * box.diagonal().norm();
}

/// Before the bodies step. False: an obstacle that begins to touch has a body inside.
bool World::begin_tool() {
  if (!contacts_) return true;
  if (Tool* tool = contacts_->tool()) tool->begin(settings_.dt);
  std::string trouble;
  std::size_t body = 0;
  if (!contacts_->any_enables(time_, settings_.dt)) return true;
  trouble = contacts_->caught(models(), sizes_, time_, settings_.dt, body);
  if (trouble.empty()) return true;
  fail(time_, "body \"" + bodies_[body].name + "\" " + trouble);
  return false;
}

/// A tool that has met no body moves on by itself.
void World::end_tool(bool healthy) {
  Tool* tool = contacts_ ? contacts_->tool() : nullptr;
  if (tool == nullptr) return;
  if (!healthy) return tool->reject();
  if (!tool->accepted()) tool->accept();
}

}  // namespace pliant
