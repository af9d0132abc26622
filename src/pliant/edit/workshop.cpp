#include "pliant/edit/workshop.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/edit/refuse.hpp"
#include "pliant/edit/written_scene.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/pulls_file.hpp"
#include "pliant/scene/load_mesh.hpp"
#include "pliant/scene/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace pliant::view {
namespace {

constexpr std::ptrdiff_t kMostJobs = 16;         // may wait; each may hold a scene
constexpr double kReportInterval = 0.1;          // s
constexpr std::size_t kLargestFile = 1U << 28U;  // bytes of a file that is sent to a browser

}  // namespace

bool is_work(const PageMessage& message) {
  return std::holds_alternative<OpenSketch>(message) || std::holds_alternative<SketchPoint>(message) ||
         std::holds_alternative<ClearPulls>(message) || std::holds_alternative<AddPull>(message) ||
         std::holds_alternative<SolveSketch>(message) || std::holds_alternative<WritePulls>(message) ||
         std::holds_alternative<OpenCut>(message) || std::holds_alternative<PaintCut>(message) ||
         std::holds_alternative<NameCut>(message) || std::holds_alternative<SplitCut>(message) ||
         std::holds_alternative<CheckCut>(message) || std::holds_alternative<ApplyCut>(message) ||
         std::holds_alternative<WriteCut>(message) || std::holds_alternative<RepeatCut>(message) ||
         std::holds_alternative<SetModel>(message) || std::holds_alternative<SetGhost>(message) ||
         std::holds_alternative<CancelWork>(message);
}

/// Reports the progress of a job to all pages, at most ten times a second, and its result.
class Workshop::Report final : public Progress {
 public:
  Report(const Workshop& workshop, std::uint8_t task)
      : Progress(&workshop.cancelled_), replies_(workshop.replies_), task_(task) {}

  void begin(std::string_view stage, Index total) override {
    stage_ = stage;
    total_ = total;
    tell(total > 0 ? 0.0F : -1.0F, false);
  }
  void update(Index done) override {
    if (total_ > 0) tell(static_cast<float>(done) / static_cast<float>(total_), true);
  }
  void finish(const Result<std::string>& outcome) {
    std::string text;
    if (outcome)
      text = outcome.value();
    else
      for (const Diagnostic& problem : outcome.errors())
        text += (text.empty() ? "" : "\n") + to_string(problem);
    if (!outcome && outcome.error().code == ErrorCode::kCancelled) text = "cancelled";
    replies_.send(0,
                  encode(Work{task_, 0, static_cast<std::uint8_t>(outcome ? 0 : 1), 1.0F, std::move(text)}));
  }

 private:
  using Clock = std::chrono::steady_clock;
  void tell(float share, bool may_skip) {
    const auto now = Clock::now();
    if (may_skip && std::chrono::duration<double>(now - told_).count() < kReportInterval) return;
    told_ = now;
    replies_.send(0, encode(Work{task_, 1, 0, share, stage_}));
  }

  const Replies& replies_;
  std::uint8_t task_;
  std::string stage_;
  Index total_ = 0;
  Clock::time_point told_{};
};

Workshop::Workshop(SceneDescription scene, Options options, const Simulation& running)
    : scene_(std::move(scene)), options_(std::move(options)) {
  take_pieces(running);
}

Workshop::~Workshop() { close(); }

void Workshop::take_pieces(const Simulation& running) {
  pieces_.clear();
  most_.resize(scene_.bodies.size(), 0);
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    pieces_.push_back(work_piece(running, b));
    const std::optional<BasisReport>& basis = running.scene().reports[b].basis;
    if (basis && !scene_.bodies[b].modal.modes_used) most_[b] = basis->size;
  }
}

void Workshop::open(Replies replies, std::optional<SceneDescription> ghost) {
  replies_ = std::move(replies);
  ghost_ = std::move(ghost);
  thread_ = std::thread([this, threads = thread_count()] {
    const ThreadScope scope(threads);
    loop();
  });
}

void Workshop::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    cancelled_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Workshop::post(std::uint32_t client, PageMessage message) {
  if (std::holds_alternative<CancelWork>(message)) {
    cancel();
    return true;
  }
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= options_.queue_limit) return false;
    queue_.push_back({client, std::move(message), {}});
  }
  wake_.notify_all();
  return true;
}

bool Workshop::run(std::function<void(Progress&)> job) {
  {
    const std::lock_guard lock(mutex_);
    const auto jobs =
        std::count_if(queue_.begin(), queue_.end(), [](const Item& item) { return item.job != nullptr; });
    if (jobs >= kMostJobs) return false;
    queue_.push_back({0, {}, std::move(job)});
  }
  wake_.notify_all();
  return true;
}

void Workshop::know(SceneChanges changes) {
  const std::lock_guard lock(mutex_);
  changes_ = std::move(changes);
}

bool Workshop::idle() {
  const std::lock_guard lock(mutex_);
  return !busy_ && queue_.empty();
}

/// Whether a newer edit of the same thing is waiting: sliders move faster than builds finish.
bool Workshop::is_superseded(const PageMessage& message) {
  const std::lock_guard lock(mutex_);
  return std::any_of(queue_.begin(), queue_.end(), [&](const Item& item) {
    return !item.job && is_edit(item.message) && same_subject(item.message, message);
  });
}

void Workshop::loop() {
  Progress silent(&cancelled_);
  for (;;) {
    Item next;
    {
      std::unique_lock lock(mutex_);
      busy_ = false;
      wake_.wait(lock, [&] { return closing_ || !queue_.empty(); });
      busy_ = true;
      if (closing_) return;
      next = std::move(queue_.front());
      queue_.pop_front();
      cancelled_ = false;  // under the lock, so that the cancellation by close() is not lost
    }
    if (next.job)
      next.job(silent);
    else
      carry_out(next.client, next.message);
  }
}

void Workshop::carry_out(std::uint32_t client, const PageMessage& message) {
  const Status done = std::visit(
      [&](const auto& one) -> Status {
        if constexpr (requires { this->handle(client, one); })
          return this->handle(client, one);
        else
          return Done{};
      },
      message);
  if (!done) replies_.send(client, encode(Notice{1, to_string(done.error())}));
}

Result<std::string> Workshop::rebuild(std::uint32_t body, BodyText text, Report& report) {
  SceneDescription scene = scene_;
  scene.bodies[body] = std::move(text);
  auto made = build(scene, report);
  if (!made) return made.errors();
  std::unique_ptr<Simulation> fresh = std::move(made).value();
  std::string words;
  const Model& model = *fresh->scene().world->bodies()[body].model;
  if (const std::optional<BasisReport>& basis = fresh->scene().reports[body].basis) {
    words = fmt::format("{} shapes", basis->size);
    if (basis->sketch)
      words += fmt::format(" from {} of {} loads", basis->sketch->kept, basis->sketch->recorded);
  } else if (const Domains* domains = model.domains()) {
    words = fmt::format("{} domains, {} coordinates", domains->names().size(), model.dof_count());
  }
  for (const Diagnostic& note : fresh->scene().notes) replies_.send(0, encode(Notice{0, to_string(note)}));
  offer(std::move(scene), {std::move(fresh), nullptr, Simulation::Succession::kBodies});
  return words;
}

Result<std::unique_ptr<Simulation>> Workshop::build(const SceneDescription& described, Report& report) {
  auto scene = std::make_shared<SceneDescription>(described);
  if (wind_) blow(*scene, *wind_);
  // Only the first build reports its progress. Later calls come from resets, when `report` no longer exists.
  const auto first = std::make_shared<Progress*>(&report);
  auto made = Simulation::make(
      *scene, [scene, first, build = options_.build] { return build_scene(*scene, **first, build); },
      options_.numbers);
  *first = &no_progress();
  if (!made) return made.errors();
  if (cancelled_) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  return made;
}

void Workshop::offer(SceneDescription scene, Offer made) {
  scene_ = std::move(scene);
  take_pieces(*made.scene);
  replies_.offer(std::move(made));
}

// --- the whole scene ------------------------------------------------------------------------------------

bool Workshop::rebuild_all(SceneDescription scene, const PageMessage& why) {
  Report report(*this, 3);
  Result<std::unique_ptr<Simulation>> made = build(scene, report), ghost = std::unique_ptr<Simulation>();
  if (made && ghost_ && std::holds_alternative<SetWind>(why)) ghost = build(*ghost_, report);
  const bool fine = made && ghost;
  report.finish(fine ? Result<std::string>(std::string())
                     : Result<std::string>(made ? ghost.errors() : made.errors()));
  if (!fine) {
    replies_.failed(why);
    return false;
  }
  const bool reset = std::holds_alternative<Reset>(why) || std::holds_alternative<LoadState>(why);
  offer(std::move(scene), {std::move(made).value(), std::move(ghost).value(),
                           reset ? Simulation::Succession::kReset : Simulation::Succession::kEdit});
  return true;
}

Result<std::pair<SceneDescription, std::unique_ptr<Simulation>>> Workshop::with_model(
    const std::string& model) {
  const auto& models = available_models();
  if (std::find(models.begin(), models.end(), model) == models.end())
    return Diagnostic{ErrorCode::kOutOfRange, {}, "there is no model \"" + model + "\"", ""};
  Overrides overrides;
  overrides.model = model;
  Result<SceneDescription> scene = read_scene(scene_.source, scene_.file, overrides);
  if (!scene) return scene.errors();
  Report report(*this, 3);
  auto made = build(scene.value(), report);
  report.finish(made ? Result<std::string>(model + " is built") : Result<std::string>(made.errors()));
  if (!made) return made.errors();
  return std::pair(std::move(scene).value(), std::move(made).value());
}

/// The bodies continue with another model, in the shape of theirs that is nearest to the present one.
Status Workshop::handle(std::uint32_t /*client*/, const SetModel& message) {
  auto made = with_model(message.model);
  if (!made) {
    replies_.failed(message);
    return made.error().code == ErrorCode::kCancelled ? Status(Done{}) : Status(made.errors());
  }
  auto& [scene, fresh] = made.value();
  offer(std::move(scene), {std::move(fresh), nullptr, Simulation::Succession::kBodies});
  return Done{};
}

Status Workshop::handle(std::uint32_t /*client*/, const SetGhost& message) {
  if (message.model.empty()) {
    ghost_.reset();
    replies_.ghost(nullptr);
    return Done{};
  }
  auto made = with_model(message.model);
  if (!made) return made.error().code == ErrorCode::kCancelled ? Status(Done{}) : Status(made.errors());
  ghost_ = std::move(made.value().first);
  replies_.ghost(std::move(made.value().second));
  return Done{};
}

Status Workshop::handle(std::uint32_t /*client*/, const SetWind& message) {
  if (is_superseded(message)) return Done{};
  const std::optional<SetWind> before = wind_;
  wind_ = message;
  if (same_edit(PageMessage(wind_of(scene_)), PageMessage(message))) wind_.reset();  // that of the file
  if (!rebuild_all(scene_, message)) wind_ = before;
  return Done{};
}

Status Workshop::handle(std::uint32_t /*client*/, const SetModes& message) {
  if (is_superseded(message)) return Done{};
  if (message.body >= scene_.bodies.size()) return refuse("there is no body " + text(Index{message.body}));
  SceneDescription scene = scene_;
  scene.bodies[message.body].modal.modes_used = Index{message.count};
  if (most_[message.body] == Index{message.count}) scene.bodies[message.body].modal.modes_used.reset();
  (void)rebuild_all(std::move(scene), message);
  return Done{};
}

Status Workshop::handle(std::uint32_t /*client*/, const Reset& message) {
  (void)rebuild_all(scene_, message);
  return Done{};
}

Status Workshop::handle(std::uint32_t /*client*/, const LoadState& message) {
  (void)rebuild_all(scene_, message);
  return Done{};
}

// --- sketch ---------------------------------------------------------------------------------------------

Result<SketchDesk*> Workshop::sketch_of(std::uint32_t body) {
  if (!sketch_ || sketch_body_ != body) return refuse("no sketch of this body has been begun");
  return sketch_.get();
}

Status Workshop::handle(std::uint32_t client, const OpenSketch& message) {
  if (message.body >= pieces_.size()) return refuse("there is no body " + text(Index{message.body}));
  Report report(*this, 1);
  auto desk = SketchDesk::make(scene_.bodies[message.body], pieces_[message.body], report);
  report.finish(desk ? Result<std::string>(std::string()) : Result<std::string>(desk.errors()));
  if (!desk) return desk.errors();
  sketch_ = std::move(desk).value();
  sketch_body_ = message.body;
  const ModalText& modal = scene_.bodies[message.body].modal;
  replies_.send(client,
                encode(SketchStart{message.body, modal.separation, static_cast<std::uint32_t>(modal.modes),
                                   static_cast<std::uint8_t>(options_.pulls_file ? 1 : 0)}));
  return Done{};
}

Status Workshop::handle(std::uint32_t client, const SketchPoint& message) {
  const Result<SketchDesk*> desk = sketch_of(message.body);
  if (!desk) return desk.errors();
  Result<SketchShapes> shapes = desk.value()->shapes(message.point);
  if (!shapes) return shapes.errors();
  shapes.value().body = message.body;
  replies_.send(client, encode(shapes.value()));
  return Done{};
}

Status Workshop::handle(std::uint32_t /*client*/, const ClearPulls& message) {
  const Result<SketchDesk*> desk = sketch_of(message.body);
  if (!desk) return desk.errors();
  desk.value()->clear();
  return Done{};
}

Status Workshop::handle(std::uint32_t /*client*/, const AddPull& message) {
  const Result<SketchDesk*> desk = sketch_of(message.body);
  if (!desk) return desk.errors();
  return desk.value()->add(message);
}

Status Workshop::handle(std::uint32_t /*client*/, const SolveSketch& message) {
  const Result<SketchDesk*> desk = sketch_of(message.body);
  if (!desk) return desk.errors();
  if (desk.value()->empty()) return refuse("there are no pulls", "pull the body first");
  if (message.modes < 1 || message.modes > 200) return refuse("a basis has 1 to 200 shapes");
  if (!(message.separation >= 1e-6 && message.separation <= 0.99))
    return refuse("the separation must lie in (0, 1)");
  BodyText body = scene_.bodies[message.body];
  body.modal.pulls = std::make_shared<const std::vector<Pull>>(desk.value()->rows());
  body.modal.separation = message.separation;
  body.modal.modes = Index{message.modes};
  body.modal.shapes.clear();
  body.modal.sketch.reset();
  body.modal.modes_used.reset();
  body.modal.patches.clear();
  Report report(*this, 1);
  report.finish(rebuild(message.body, std::move(body), report));
  return Done{};
}

Status Workshop::handle(std::uint32_t client, const WritePulls& message) {
  const Result<SketchDesk*> desk = sketch_of(message.body);
  if (!desk) return desk.errors();
  if (desk.value()->empty()) return refuse("there are no pulls");
  std::string rows = write_pulls(desk.value()->rows());
  if (message.download != 0) {
    replies_.send(client, encode(File{"pulls.txt", std::move(rows)}));
    return Done{};
  }
  if (!options_.pulls_file) return refuse("no file was named for pulls", "pliant view --pulls FILE");
  if (Status written = write_file(*options_.pulls_file, rows); !written) return written;
  replies_.send(client, encode(Notice{0, "written: " + options_.pulls_file->filename().string()}));
  return Done{};
}

// --- cut ------------------------------------------------------------------------------------------------

Result<CutDesk*> Workshop::cut_of(std::uint32_t body) {
  if (!cut_ || cut_body_ != body) return refuse("no cut of this body has been begun");
  return cut_.get();
}

void Workshop::send_cut(std::uint32_t client, std::uint32_t body, std::uint32_t request, Cut cut) {
  cut.body = body;
  cut.request = request;
  replies_.send(client, encode(cut));
}

Status Workshop::handle(std::uint32_t client, const OpenCut& message) {
  if (message.body >= pieces_.size()) return refuse("there is no body " + text(Index{message.body}));
  auto desk = CutDesk::make(scene_.bodies[message.body], pieces_[message.body]);
  if (!desk) return desk.errors();
  cut_ = std::move(desk).value();
  cut_body_ = message.body;
  CutSurface surface = cut_->surface();
  surface.body = message.body;
  replies_.send(client, encode(surface));
  send_cut(client, message.body, 0, cut_->look(false));
  return Done{};
}

Status Workshop::handle(std::uint32_t /*client*/, const PaintCut& message) {
  const Result<CutDesk*> desk = cut_of(message.body);
  if (!desk) return desk.errors();
  return desk.value()->paint(message.domain, message.elements);
}

Status Workshop::handle(std::uint32_t /*client*/, const NameCut& message) {
  const Result<CutDesk*> desk = cut_of(message.body);
  if (!desk) return desk.errors();
  return desk.value()->name(message);
}

Status Workshop::handle(std::uint32_t client, const SplitCut& message) {
  const Result<CutDesk*> desk = cut_of(message.body);
  if (!desk) return desk.errors();
  if (Status split = desk.value()->split(message.count); !split) return split;
  send_cut(client, message.body, 0, desk.value()->look(false));
  return Done{};
}

Status Workshop::handle(std::uint32_t client, const CheckCut& message) {
  const Result<CutDesk*> desk = cut_of(message.body);
  if (!desk) return desk.errors();
  const bool same = desk.value()->checksum() == message.checksum;
  Cut cut = desk.value()->look(message.merge != 0);
  // Labels that the page already has are not sent back.
  if (same && desk.value()->checksum() == message.checksum) cut.labels.clear();
  send_cut(client, message.body, message.request, std::move(cut));
  return Done{};
}

Status Workshop::handle(std::uint32_t /*client*/, const ApplyCut& message) {
  const Result<CutDesk*> desk = cut_of(message.body);
  if (!desk) return desk.errors();
  if (desk.value()->checksum() != message.checksum)
    return refuse("the page shows another cut", "look again, then apply");
  Report report(*this, 2);
  Result<BodyText> body = desk.value()->apply(message.merge != 0, message.linear_modes);
  if (!body) {
    report.finish(body.errors());
    return Done{};
  }
  report.finish(rebuild(message.body, std::move(body).value(), report));
  return Done{};
}

/// The text of the scene with all edits and then with the cut.
Result<std::string> Workshop::cut_scene(std::uint32_t body, const BodyText& cut, SceneChanges changes,
                                        const std::string& mesh_file) {
  SceneDescription scene = scene_;
  if (wind_) blow(scene, *wind_);
  const Result<SceneDescription> described = read_scene(scene.source, scene.file);
  if (!described) return described.errors();
  // Of this body only the edits of material and wind are kept. The cut replaces its model and domains.
  BodyText plain = described.value().bodies[body];
  plain.loads = scene.bodies[body].loads;
  scene.bodies[body] = std::move(plain);
  if (body < changes.tuning.size()) changes.tuning[body].clear();
  std::erase_if(changes.detached, [&](const Detachment& one) { return one.body == body; });
  const Result<WrittenScene> edited = write_edited_scene(scene, changes, scene.file);
  if (!edited) return edited.errors();
  if (edited.value().left_out)
    replies_.send(0, encode(Notice{0, "cuts and sketches of other bodies are not in this file"}));
  return write_cut_scene(edited.value().text, scene.file, body, cut, mesh_file);
}

Status Workshop::handle(std::uint32_t client, const WriteCut& message) {
  const Result<CutDesk*> desk = cut_of(message.body);
  if (!desk) return desk.errors();
  if (desk.value()->checksum() != message.checksum)
    return refuse("the page shows another cut", "look again, then write");
  Result<BodyText> body = desk.value()->apply(message.merge != 0, message.linear_modes);
  if (!body) return body.errors();
  SceneChanges changes;
  {
    const std::lock_guard lock(mutex_);
    changes = changes_;
  }
  // Domains of the same name keep their frequency scale and damping.
  if (message.body < changes.tuning.size())
    for (const auto& edited : changes.tuning[message.body])
      for (DomainText& domain : body.value().domains)
        if (domain.name == edited.first) {
          domain.frequency_scale = edited.second.frequency_scale;
          domain.mass_damping = edited.second.mass_damping;
          domain.stiffness_damping = edited.second.stiffness_damping;
        }
  Result<VolumeMesh> mesh = desk.value()->labelled(body.value());
  if (!mesh) return mesh.errors();
  // Undo the transform: the scene file applies it again.
  const Placement where = placement(body.value().transform);
  for (Vector3& x : mesh.value().vertices) x = where.unplace(x);
  const std::string stem =
      scene_.file.stem().string() + (scene_.bodies.size() > 1 ? "-" + body.value().name : "") + "-domains";
  Result<std::string> text = write_msh(mesh.value(), MshVersion::k41, false, stem + ".msh");
  if (!text) return text.errors();
  if (text.value().size() > kLargestFile)
    return refuse("the mesh is too large for a browser to keep", "pliant decompose -o writes it");
  Result<std::string> scene = cut_scene(message.body, body.value(), changes, stem + ".msh");
  if (!scene) return scene.errors();
  replies_.send(client, encode(File{stem + ".msh", std::move(text).value()}));
  replies_.send(client, encode(File{stem + ".toml", std::move(scene).value()}));
  return Done{};
}

Status Workshop::handle(std::uint32_t client, const RepeatCut& message) {
  const Result<CutDesk*> desk = cut_of(message.body);
  if (!desk) return desk.errors();
  const Result<Index> found = desk.value()->repeat(message.domain);
  if (!found) return found.errors();
  send_cut(client, message.body, 0, desk.value()->look(false));
  replies_.send(client, encode(Notice{0, found.value() == 1 ? "one copy found"
                                                            : text(found.value()) + " copies found"}));
  return Done{};
}

}  // namespace pliant::view
