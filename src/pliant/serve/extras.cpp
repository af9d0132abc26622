#include "pliant/serve/extras.hpp"

#include <cstring>
#include <utility>

namespace pliant::view {
namespace {

constexpr Index kModes = 12;  // number of modes that are found at once

Result<Bytes> mode_frame(const ModeShapes& shapes, const AskMode& ask) {
  if (static_cast<Index>(ask.mode) >= shapes.count())
    return Diagnostic{ErrorCode::kOutOfRange, {}, "there is no mode " + std::to_string(ask.mode + 1), ""};
  Mode mode = shapes.mode(ask.mode);
  mode.body = ask.body;
  return encode(mode);
}

std::size_t own_bodies(const Simulation& simulation) { return simulation.scene().world->bodies().size(); }

}  // namespace

void Extras::complete(Hello& hello) const {
  if (!ghost_) return;
  for (BodyInfo& info : ghost_->infos()) {
    info.ghost = 1;
    hello.bodies.push_back(std::move(info));
  }
}

void Extras::complete(std::vector<std::shared_ptr<const Bytes>>& geometry) const {
  if (!ghost_) return;
  for (Geometry& body : ghost_->geometry()) {
    body.body = static_cast<std::uint32_t>(geometry.size());
    geometry.push_back(std::make_shared<const Bytes>(encode(body)));
  }
}

void Extras::complete(State& state) const {
  if (!ghost_) return;
  for (BodyState& body : ghost_->states()) state.bodies.push_back(std::move(body));
}

bool Extras::knows(const PageMessage& message) {
  return std::holds_alternative<AskField>(message) || std::holds_alternative<AskMode>(message) ||
         std::holds_alternative<Record>(message);
}

Result<Bytes> Extras::answer(const Simulation& simulation, const PageMessage& message, std::uint32_t epoch,
                             bool at_rest) {
  if (const auto* field = std::get_if<AskField>(&message)) return answer(simulation, *field, epoch, at_rest);
  if (const auto* mode = std::get_if<AskMode>(&message)) return answer(simulation, *mode);
  return answer(simulation, std::get<Record>(message));
}

Result<Extras::Subject> Extras::subject(const Simulation& simulation, std::uint32_t body) const {
  const Simulation* owner = &simulation;
  std::size_t number = body;
  if (number >= own_bodies(simulation)) {
    number -= own_bodies(simulation);
    owner = ghost_ ? ghost_->simulation() : nullptr;
  }
  if (owner == nullptr || number >= own_bodies(*owner))
    return Diagnostic{ErrorCode::kOutOfRange, {}, "there is no simulated body " + std::to_string(body), ""};
  return Subject{owner->scene().world->bodies()[number].model.get(), &owner->drawn(number), owner, number};
}

Result<Bytes> Extras::answer(const Simulation& simulation, const AskField& ask, std::uint32_t epoch,
                             bool at_rest) {
  if (ask.quantity != static_cast<std::uint8_t>(FieldKind::kDisplacement) &&
      ask.quantity != static_cast<std::uint8_t>(FieldKind::kVonMises))
    return Diagnostic{ErrorCode::kOutOfRange, {}, "there is no such field", ""};
  const Result<Subject> found = subject(simulation, ask.body);
  if (!found) return found.errors();
  return encode(fields_.get(*found.value().model, *found.value().drawn, ask.body,
                            static_cast<FieldKind>(ask.quantity), epoch,
                            static_cast<std::uint32_t>(simulation.step_index()),
                            found.value().owner->geometry_revision(), at_rest));
}

/// Forgets the modes when the drawn points have changed.
void Extras::renew_modes(const Simulation& simulation) {
  const std::uint32_t now = simulation.geometry_revision() + revision();
  if (std::exchange(modes_revision_, now) != now) forget_modes();
}

Result<Bytes> Extras::answer(const Simulation& simulation, const AskMode& ask) {
  renew_modes(simulation);
  const Result<Subject> found = subject(simulation, ask.body);
  if (!found) return found.errors();
  if (found.value().owner->in_pieces(found.value().number))
    return Diagnostic{ErrorCode::kUnsupported, {}, "a body in pieces has no modes", "reset it"};
  {
    const std::lock_guard lock(shelf_->mutex);
    if (const auto there = shelf_->modes.find(ask.body); there != shelf_->modes.end())
      return mode_frame(there->second, ask);
  }
  auto known = modes_.find(ask.body);
  if (known == modes_.end()) {
    Result<ModeShapes> shapes = ModeShapes::find(*found.value().model, *found.value().drawn, kModes);
    if (!shapes) return shapes.errors();
    known = modes_.emplace(ask.body, std::move(shapes).value()).first;
  }
  return mode_frame(known->second, ask);
}

std::function<Result<Bytes>(Progress&)> Extras::mode_finder(const Simulation& simulation, const AskMode& ask,
                                                            const BuildOptions& build) {
  renew_modes(simulation);
  const Result<Subject> found = subject(simulation, ask.body);
  // A single basis yields its modes at once, and a body in pieces has none.
  if (!found || found.value().model->type() == "modal") return {};
  if (found.value().owner->in_pieces(found.value().number)) return {};
  {
    const std::lock_guard lock(shelf_->mutex);
    if (shelf_->modes.count(ask.body) > 0) return {};
  }
  const Simulation& owner = *found.value().owner;
  auto scene = std::make_shared<const SceneDescription>(owner.description());
  return [scene, ask, build, edits = owner.differences(), volume = owner.volume(),
          number = found.value().number, shelf = shelf_](Progress& progress) -> Result<Bytes> {
    {
      const std::lock_guard lock(shelf->mutex);
      if (const auto known = shelf->modes.find(ask.body); known != shelf->modes.end())
        return mode_frame(known->second, ask);
    }
    auto copy = Simulation::make(
        *scene, [scene, build, &progress] { return build_scene(*scene, progress, build); },
        TableNumbers::kFloat);
    if (!copy) return copy.errors();
    for (const PageMessage& edit : edits)
      if (Status done = copy.value()->execute(edit); !done) return done.errors();
    if (Status shown = copy.value()->show(volume); !shown) return shown.errors();
    Result<ModeShapes> shapes = ModeShapes::find(*copy.value()->scene().world->bodies()[number].model,
                                                 copy.value()->drawn(number), kModes, progress);
    if (!shapes) return shapes.errors();
    const std::lock_guard lock(shelf->mutex);
    return mode_frame(shelf->modes.insert_or_assign(ask.body, std::move(shapes).value()).first->second, ask);
  };
}

Result<Bytes> Extras::answer(const Simulation& simulation, const Record& ask) {
  if (ask.on != 0) {
    Result<Recording> begun = Recording::begin(simulation);
    if (!begun) return begun.errors();
    recording_ = std::move(begun).value();
    return encode(Notice{0, "recording"});
  }
  if (!recording_) return Diagnostic{ErrorCode::kMissing, {}, "nothing has been recorded", ""};
  const std::string name = simulation.hello().scene + ".glb";
  const Result<std::string> file = recording_->finish(name);
  recording_.reset();
  if (!file) return file.errors();
  Recorded recorded;
  recorded.name = name;
  recorded.bytes = static_cast<std::uint32_t>(file.value().size());
  recorded.words.resize((file.value().size() + 3) / 4);
  std::memcpy(recorded.words.data(), file.value().data(), file.value().size());
  return encode(recorded);
}

std::optional<std::vector<float>> Extras::positions(const Simulation& simulation, std::uint32_t body) const {
  const std::size_t own = own_bodies(simulation);
  if (!ghost_ || body < own || body - own >= ghost_->infos().size()) return std::nullopt;
  return ghost_->positions(body - own);
}

std::optional<SceneDescription> Extras::ghost_scene() const {
  const Simulation* live = ghost_ ? ghost_->simulation() : nullptr;
  return live != nullptr ? std::optional<SceneDescription>(live->description()) : std::nullopt;
}

void Extras::set_ghost(std::unique_ptr<Ghost> ghost) {
  ghosts_ = revision() + 1;
  ghost_ = std::move(ghost);
  left_behind_ = false;
  go_on();
}

Status Extras::renew_ghost(std::unique_ptr<Simulation> fresh) {
  return ghost_ ? ghost_->renew(std::move(fresh)) : Status(Done{});
}

void Extras::after_edit(const Simulation& simulation, const PageMessage& message, const Progress& progress) {
  if (std::holds_alternative<SetMaterial>(message) || std::holds_alternative<Detach>(message) ||
      std::holds_alternative<TuneDomain>(message) || std::holds_alternative<Reset>(message) ||
      std::holds_alternative<LoadState>(message))
    forget_modes();
  if (std::holds_alternative<Reset>(message)) left_behind_ = false;
  if (recording_ && (std::holds_alternative<Reset>(message) || std::holds_alternative<LoadState>(message)))
    recording_->jump(simulation);
  if (!ghost_) return;
  ghost_->execute(message, simulation);
  if (std::holds_alternative<Reset>(message) || std::holds_alternative<LoadState>(message))
    (void)ghost_->follow(simulation.time(), progress);
}

std::string Extras::after_step(const Simulation& simulation, const Progress& progress) {
  if (recording_) recording_->add(simulation);
  if (!ghost_) return {};
  const Status moved = ghost_->follow(simulation.time(), progress);
  if (moved || left_behind_) return {};
  left_behind_ = true;
  return to_string(moved.error());
}

void Extras::go_on() {
  fields_.clear();
  forget_modes();
}

/// A job that is still looking for old modes keeps the old shelf, which is no longer read.
void Extras::forget_modes() {
  modes_.clear();
  shelf_ = std::make_shared<Shelf>();
}

}  // namespace pliant::view
