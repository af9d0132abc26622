#include "pliant/sim/contacts.hpp"

#include <algorithm>

namespace pliant {

Contacts::Contacts(ContactScene scene)
    : scene_(std::move(scene)),
      bodies_(scene_.surfaces.size()),
      before_(scene_.obstacles.size()),
      after_(scene_.obstacles.size()) {
  const bool any = std::any_of(scene_.obstacles.begin(), scene_.obstacles.end(),
                               [](const Obstacle& obstacle) { return obstacle.density > 0.0; });
  if (any)
    solids_ =
        std::make_unique<Solids>(scene_.obstacles, scene_.obstacle_pairs, scene_.gravity, scene_.at_end);
  refer();
}

void Contacts::refer() {
  pairs_ = scene_.pairs;
  motions_.clear();
  for (std::size_t b = 0; b < bodies_.size(); ++b) motions_.push_back(motion_of(b));
}

Status Contacts::attach(std::size_t body, const Model& model, const std::vector<char>& cut) {
  if (!scene_.surfaces[body]) return Done{};
  if (!model.takes_impulses())
    return Diagnostic{ErrorCode::kUnsupported,
                      {},
                      "bodies with the model \"" + std::string(model.type()) + "\" cannot touch anything yet",
                      "take another model, or contact = { enabled = false }"};
  const Domains* domains = model.domains();
  if (domains == nullptr || std::count(cut.begin(), cut.end(), char{0}) == std::ssize(cut)) {
    bodies_[body] = std::make_unique<BodyContacts>(
        *scene_.surfaces[body], model, scene_.obstacles.size(), cut,
        body < scene_.flexibilities.size() ? scene_.flexibilities[body] : nullptr);
    return Done{};
  }
  const Result<CarriedSurface> torn = domains->torn(*scene_.surfaces[body], cut);
  if (!torn) return torn.errors();
  bodies_[body] = std::make_unique<BodyContacts>(torn.value(), model, scene_.obstacles.size(), cut);
  return Done{};
}

ObstacleMotion Contacts::motion_of(std::size_t body) const {
  const std::size_t count = scene_.obstacles.size();
  return {scene_.obstacles, std::span(pairs_).subspan(body * count, count), before_, after_, solids_.get()};
}

bool Contacts::drives() const {
  return std::any_of(scene_.obstacles.begin(), scene_.obstacles.end(),
                     [](const Obstacle& obstacle) { return obstacle.moves(); });
}

Pose Contacts::place(std::size_t obstacle, double time) const {
  return tool_ && obstacle == tool_obstacle_ ? tool_->pose() : scene_.obstacles[obstacle].at(time);
}

/// Poses at both ends of a step, and the settings that hold during it. The poses of solids are theirs to set.
void Contacts::pose(double before, double after) {
  const double now = before + 1e-9 * (after - before);
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
    if (!(scene_.obstacles[o].density > 0.0) || before == after) {
      before_[o] = place(o, before);
      after_[o] = tool_ && o == tool_obstacle_ ? tool_->trial() : scene_.obstacles[o].at(after);
    }
    const std::vector<ObstacleChange>& changes = scene_.obstacles[o].changes;
    if (changes.empty()) continue;
    for (std::size_t at = o; at < pairs_.size(); at += scene_.obstacles.size())
      pairs_[at] = scene_.pairs[at].after(changes, now);
  }
}

void Contacts::begin_solids(double time, double dt) {
  pose(time, time + dt);
  solids_->begin(dt, before_, after_);
}

bool Contacts::begin(std::size_t body, Model& model, double time, double dt, double gravity,
                     const CarriedPoint* extra) {
  pose(time, time + dt);
  bodies_[body]->set_tool(tool_ && !tool_->accepted() ? &*tool_ : nullptr,
                          static_cast<Index>(tool_obstacle_));
  return bodies_[body]->begin(model, motions_[body], time, dt, gravity, extra);
}

std::optional<BodyContacts::Inside> Contacts::deepest(std::size_t body, const Model& model, double time,
                                                      double least) {
  if (!bodies_[body]) return std::nullopt;
  pose(time, time);
  if (tool_) after_[tool_obstacle_] = tool_->pose();
  return bodies_[body]->deepest(model, motions_[body], least);
}

ContactRow Contacts::row(std::span<const Model* const> models, double time) {
  ContactRow row;
  row.force.assign(scene_.obstacles.size(), Vector3::Zero());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!bodies_[b]) continue;
    const BodyContacts& body = *bodies_[b];
    row.count += body.touching();
    row.stored += body.stored_energy();
    row.lost += body.friction_work();
    for (std::size_t o = 0; o < row.force.size(); ++o) row.force[o] += body.forces()[o];
    if (const auto inside = deepest(b, *models[b], time, 0.0))
      row.penetration = std::max(row.penetration, inside->depth);
  }
  if (solids_) {
    row.count += solids_->touching();
    row.stored += solids_->stored_energy();
    row.lost += solids_->friction_work();
    row.solids = solids_->rows();
  }
  return row;
}

void Contacts::forget() {
  for (const auto& body : bodies_)
    if (body) body->forget();
}

}  // namespace pliant
