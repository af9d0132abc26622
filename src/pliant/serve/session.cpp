#include "pliant/serve/session.hpp"

#include "pliant/base/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <random>

namespace pliant::view {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::size_t kLettersKept = 1024;  // at most, in case pages never fetch them
constexpr double kPaceWindow = 0.5;         // s over which the pace is measured
constexpr double kLateness = 0.1;           // s: if it is farther behind, the clock is set back

/// Whether a message only updates the position of the same drag or pull.
bool follows(const PageMessage& before, const PageMessage& message) {
  if (const auto* drag = std::get_if<DragAnchor>(&message)) {
    const auto* last = std::get_if<DragAnchor>(&before);
    return last != nullptr && last->body == drag->body;
  }
  return std::holds_alternative<PullSpring>(before) && std::holds_alternative<PullSpring>(message);
}

/// Commands of the hand, which change no settings.
bool is_of_the_hand(const PageMessage& message) {
  return std::holds_alternative<PullSpring>(message) || std::holds_alternative<PullForce>(message) ||
         std::holds_alternative<Release>(message) || std::holds_alternative<DragAnchor>(message);
}

}  // namespace

Session::Session(std::unique_ptr<Simulation> simulation, const Options& options, std::unique_ptr<Ghost> ghost)
    : simulation_(std::move(simulation)),
      options_(options),
      session_(std::random_device{}()),
      hello_(simulation_->hello()),
      paused_(options.paused),
      extras_(std::move(ghost)) {
  extras_.complete(hello_);
  settings_seen_ = simulation_->settings_revision();
  settings_ = simulation_->settings();
  settings_.file = options_.scene_file ? 1 : 0;
  remember_geometry();
}

Session::~Session() { stop(); }

void Session::use(std::unique_ptr<Workshop> workshop) {
  workshop_ = std::move(workshop);
  workshop_->open({[this](std::uint32_t client, Bytes frame) { send(client, std::move(frame)); },
                   [this](Workshop::Offer made) {
                     {
                       const std::lock_guard lock(mutex_);
                       // An offer that was not taken yet is outdated; but if it was a reset, so is this one.
                       if (offered_.scene) made.how = std::max(made.how, offered_.how);
                       if (!made.ghost) made.ghost = std::move(offered_.ghost);
                       offered_ = std::move(made);
                     }
                     wake_.notify_all();
                   },
                   [this](const PageMessage& message) {
                     {
                       const std::lock_guard lock(mutex_);
                       failed_.push_back(message);
                     }
                     wake_.notify_all();
                   },
                   [this](std::unique_ptr<Simulation> ghost) {
                     {
                       const std::lock_guard lock(mutex_);
                       offered_ghost_ = std::move(ghost);
                     }
                     wake_.notify_all();
                   }},
                  extras_.ghost_scene());
}

void Session::run() {
  publish();
  thread_ = std::thread([this, threads = thread_count()] {
    const ThreadScope scope(threads);
    loop();
  });
}

void Session::begin() {
  {
    const std::lock_guard lock(mutex_);
    begun_ = true;
  }
  wake_.notify_all();
}

void Session::stop() {
  if (workshop_) workshop_->close();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Session::post(std::uint32_t client, PageMessage message) {
  {
    const std::lock_guard lock(mutex_);
    // Only the last position of a moving hand matters.
    if (!queue_.empty() && queue_.back().first == client && follows(queue_.back().second, message)) {
      queue_.back().second = std::move(message);
      return true;
    }
    if (queue_.size() >= options_.queue_limit) return false;
    queue_.emplace_back(client, std::move(message));
  }
  wake_.notify_all();
  return true;
}

Bytes Session::hello(std::uint32_t client) const {
  const std::lock_guard lock(mutex_);
  Hello hello = hello_;
  hello.session = session_;
  hello.client = client;
  return encode(hello);
}

Bytes Session::settings() const {
  const std::lock_guard lock(mutex_);
  return encode(settings_);
}

Session::GeometryFrames Session::geometry() const {
  const std::lock_guard lock(mutex_);
  return geometry_;
}

Session::Newest Session::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

std::vector<Session::Letter> Session::take_letters() {
  const std::lock_guard lock(mutex_);
  return std::exchange(letters_, {});
}

// --- the thread -----------------------------------------------------------------------------------------

bool Session::wants_step() const { return simulation_->healthy() && (!paused_ || steps_wanted_ > 0); }

void Session::restart_clock() {
  clock_start_ = pace_start_ = Clock::now();
  clock_base_ = pace_base_ = simulation_->time();
}

void Session::loop() {
  bool running = false;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      const auto called = [&] {
        return stopping_ || !queue_.empty() || offered_.scene || offered_ghost_ || !failed_.empty() ||
               !scenes_due_.empty();
      };
      if (!begun_ || !wants_step()) {
        running = false;
        wake_.wait(lock, [&] { return called() || (begun_ && wants_step()); });
      } else if (steps_wanted_ == 0 && !simulation_->is_static()) {
        if (!std::exchange(running, true)) restart_clock();
        // Wait until the next step is due, or until there is something else to do.
        const double ahead = simulation_->time() + simulation_->dt() - clock_base_;
        wake_.wait_until(lock,
                         clock_start_ + std::chrono::duration_cast<Clock::duration>(Seconds(ahead / speed_)),
                         called);
      }
      if (stopping_) return;
    }
    carry_out_commands();
    take_offer();
    take_ghost();
    write_due_scenes();
    if (begun_ && wants_step()) step_once();
    const bool idle = !wants_step();
    if (changed_ && (idle || Clock::now() >= next_publish_)) publish();
  }
}

void Session::step_once() {
  const auto begin = Clock::now();
  // A command may have woken the thread before the step is due.
  if (steps_wanted_ == 0 && !simulation_->is_static()) {
    const double due = (simulation_->time() + simulation_->dt() - clock_base_) / speed_;
    if (begin + std::chrono::microseconds(50) <
        clock_start_ + std::chrono::duration_cast<Clock::duration>(Seconds(due)))
      return;
  }
  const bool moved = simulation_->advance(until_stopped_);
  const auto end = Clock::now();
  changed_ = true;
  if (!moved) {
    paused_ = true;
    ended_ = simulation_->healthy();
    steps_wanted_ = 0;
    if (!simulation_->healthy()) notice(0, 1, simulation_->trouble());
    return;
  }
  if (std::string warning = simulation_->take_warning(); !warning.empty()) notice(0, 0, std::move(warning));
  times_.add(Seconds(end - begin).count());
  part_times_[0].add(Seconds(end - begin).count() - simulation_->hand_seconds());
  part_times_[1].add(simulation_->hand_seconds());
  ++steps_done_;
  if (steps_wanted_ > 0) --steps_wanted_;
  if (std::string words = extras_.after_step(*simulation_, until_stopped_); !words.empty())
    notice(0, 1, std::move(words));
  part_times_[2].add(Seconds(Clock::now() - end).count());
  if (geometry_revision() != geometry_.revision) {
    const std::lock_guard lock(mutex_);
    remember_geometry();
  }
  if (simulation_->settings_revision() != settings_seen_) send_settings();  // changed by an event
  measure_pace();
}

/// Measures simulated time over wall clock time. A simulation that is late does not try to catch up.
void Session::measure_pace() {
  const auto now = Clock::now();
  const double wall = Seconds(now - pace_start_).count();
  if (wall >= kPaceWindow) {
    ratio_ = (simulation_->time() - pace_base_) / wall;
    pace_start_ = now;
    pace_base_ = simulation_->time();
  }
  const double due = (simulation_->time() - clock_base_) / speed_;
  if (Seconds(now - clock_start_).count() - due > kLateness) {
    clock_start_ = now;
    clock_base_ = simulation_->time();
  }
}

void Session::carry_out_commands() {
  std::deque<std::pair<std::uint32_t, PageMessage>> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(queue_);
  }
  for (const auto& [client, message] : commands) carry_out(client, message);
}

void Session::remember_geometry() {
  geometry_.frames = simulation_->geometry();
  extras_.complete(geometry_.frames);
  geometry_.revision = geometry_revision();
}

std::uint32_t Session::geometry_revision() const {
  return simulation_->geometry_revision() + extras_.revision();
}

void Session::work(std::uint32_t client, const PageMessage& message) {
  if (!workshop_) return notice(client, 1, "nothing can be rebuilt in this session");
  if (!workshop_->post(client, message)) notice(client, 1, "too much work waits already");
}

/// Replaces the simulation by what the workshop has built.
void Session::take_offer() {
  Workshop::Offer made;
  std::vector<PageMessage> failed;
  {
    const std::lock_guard lock(mutex_);
    made = std::exchange(offered_, {});
    // Failures are handled after the offer has taken over, i.e. next time: give_up() compares with what runs.
    if (!made.scene) failed = std::exchange(failed_, {});
  }
  for (const PageMessage& message : failed) give_up(message);
  const Simulation::Succession how = made.how;
  if (made.scene && how == Simulation::Succession::kReset) resetting_ = false;
  if (!resetting_) steps_wanted_ += std::exchange(steps_after_reset_, 0);
  if (!made.scene) return;
  if (const Status taken = made.scene->take_over(*simulation_, how); !taken)
    return notice(0, 1, to_string(taken.error()));
  simulation_ = std::move(made.scene);
  if (made.ghost)
    if (const Status taken = extras_.renew_ghost(std::move(made.ghost)); !taken)
      notice(0, 1, "the ghost stays as it was: " + to_string(taken.error()));
  extras_.go_on();
  if (how == Simulation::Succession::kBodies) {
    edits_.forget_parts();
    std::erase_if(wanted_, [](const PageMessage& one) { return std::holds_alternative<SetModes>(one); });
  }
  changed_ = true;
  if (how == Simulation::Succession::kReset) {
    const Index wanted = steps_wanted_;
    jumped();
    steps_wanted_ = wanted;
    if (!std::exchange(loading_, false) || !change(0, LoadState{}))
      extras_.after_edit(*simulation_, Reset{}, until_stopped_);
  }
  {
    const std::lock_guard lock(mutex_);
    ++geometry_.scene;
  }
  restart_clock();
  send_settings();
}

/// Takes a ghost that the workshop has built, or lets the present one go.
void Session::take_ghost() {
  std::optional<std::unique_ptr<Simulation>> offered;
  {
    const std::lock_guard lock(mutex_);
    offered = std::exchange(offered_ghost_, std::nullopt);
  }
  if (!offered) return;
  if (*offered)
    if (const Status taken = (*offered)->take_over(*simulation_, Simulation::Succession::kBodies); !taken)
      return notice(0, 1, "the ghost cannot be where the scene is: " + to_string(taken.error()));
  extras_.set_ghost(*offered ? Ghost::live(std::move(*offered)) : nullptr);
  changed_ = true;
  {
    const std::lock_guard lock(mutex_);
    ++geometry_.scene;
  }
  send_settings();
}

/// The workshop could not carry out a message: the scene stays as it was, and the edit is removed from the
/// list.
void Session::give_up(const PageMessage& message) {
  if (std::holds_alternative<Reset>(message) || std::holds_alternative<LoadState>(message)) {
    resetting_ = loading_ = false;
    return;
  }
  if (const std::optional<PageMessage> holds = simulation_->present(message)) {
    edits_.revoke(message, *holds);
    if (const PageMessage* last = wanted(message); last != nullptr && same_edit(*last, message)) want(*holds);
  }
  send_settings();
}

void Session::want(const PageMessage& message) {
  std::erase_if(wanted_, [&](const PageMessage& one) { return same_subject(one, message); });
  wanted_.push_back(message);
}

const PageMessage* Session::wanted(const PageMessage& like) const {
  const auto found = std::find_if(wanted_.begin(), wanted_.end(),
                                  [&](const PageMessage& one) { return same_subject(one, like); });
  return found == wanted_.end() ? nullptr : &*found;
}

void Session::carry_out(std::uint32_t client, const PageMessage& message) {
  if (is_work(message)) {
    if (workshop_ && std::holds_alternative<WriteCut>(message)) workshop_->know(simulation_->changes());
    return work(client, message);
  }
  if (Extras::knows(message)) return answer_question(client, message);
  changed_ = true;
  if (std::holds_alternative<Undo>(message) || std::holds_alternative<Redo>(message))
    return undo(client, std::holds_alternative<Redo>(message));
  if (const auto* write = std::get_if<WriteScene>(&message))
    return ask_for_scene(client, write->download != 0);
  if (std::holds_alternative<Reset>(message)) return reset(client);
  if (std::holds_alternative<LoadState>(message)) return load(client);
  if (is_edit(message)) {
    (void)edit(client, message);
    return send_settings();
  }
  if (const auto* ask = std::get_if<AskPositions>(&message)) {
    Result<std::vector<float>> found = simulation_->positions(ask->body);
    if (std::optional<std::vector<float>> other = extras_.positions(*simulation_, ask->body))
      found = std::move(*other);
    if (!found) return notice(client, 1, found.error().what);
    return send(client, encode(Positions{ask->request, ask->body,
                                         static_cast<std::uint32_t>(simulation_->step_index()),
                                         std::move(found).value()}));
  }
  if (const auto* pause = std::get_if<Pause>(&message)) {
    paused_ = pause->on != 0;
    ended_ = false;
    steps_wanted_ = 0;
    restart_clock();
    return;
  }
  if (const auto* step = std::get_if<Step>(&message)) {
    if (step->count < 1 || step->count > 100000) return notice(client, 1, "steps must lie in [1, 100000]");
    if (!simulation_->healthy() && !resetting_) return notice(client, 1, simulation_->trouble());
    paused_ = true;
    (resetting_ ? steps_after_reset_ : steps_wanted_) += step->count;
    return;
  }
  (void)change(client, message);
  if (!is_of_the_hand(message)) send_settings();
}

/// Carries out a message that needs no new build.
bool Session::change(std::uint32_t client, const PageMessage& message) {
  const Status done = simulation_->execute(message);
  if (!done) notice(client, 1, to_string(done.error()));
  if (done) extras_.after_edit(*simulation_, message, until_stopped_);
  return done.ok();
}

/// To be called after the simulated time has jumped.
void Session::jumped() {
  ++epoch_;
  steps_wanted_ = 0;
  if (std::exchange(ended_, false)) paused_ = false;
  restart_clock();
}

/// Lets the workshop build the scene for a reset or a load. If several are requested, the last one counts.
void Session::build_anew(std::uint32_t client, const PageMessage& why) {
  if (!resetting_ && !workshop_->post(client, why)) return notice(client, 1, "too much work waits already");
  resetting_ = true;
  loading_ = std::holds_alternative<LoadState>(why);
  steps_wanted_ = steps_after_reset_ = 0;
}

void Session::reset(std::uint32_t client) {
  if (resetting_ || (simulation_->reset_builds() && workshop_)) return build_anew(client, Reset{});
  (void)change(client, Reset{});
  jumped();
  send_settings();
}

void Session::load(std::uint32_t client) {
  if (resetting_ || (simulation_->load_builds() && workshop_)) return build_anew(client, LoadState{});
  if (change(client, LoadState{})) jumped();
  send_settings();
}

/// Carries out an edit, at once or by a new build, and stores the message that undoes it.
bool Session::edit(std::uint32_t client, const PageMessage& message) {
  const PageMessage* known = wanted(message);
  const std::optional<PageMessage> before =
      known != nullptr ? std::optional<PageMessage>(*known) : simulation_->present(message);
  const bool rebuilds = std::holds_alternative<SetWind>(message) || std::holds_alternative<SetModes>(message);
  if (const auto* clock = std::get_if<SetClock>(&message)) {
    if (!(clock->speed >= 1e-3 && clock->speed <= 100.0))
      return notice(client, 1, "the pace must lie in [0.001, 100]"), false;
    speed_ = clock->speed;
  }
  if (before && same_edit(*before, message)) {
    if (std::holds_alternative<SetClock>(message)) restart_clock();
    return true;
  }
  if (rebuilds) {
    const Status fine = simulation_->check(message);
    if (!fine) return notice(client, 1, to_string(fine.error())), false;
    if (!workshop_) return notice(client, 1, "nothing can be rebuilt in this session"), false;
    work(client, message);
    want(message);
  } else if (!change(client, message)) {
    return false;
  }
  if (std::holds_alternative<SetClock>(message))
    restart_clock();
  else if (!rebuilds && simulation_->is_static() && simulation_->time() > 0.0)
    reset(client);  // another equilibrium, which is found anew
  if (before) edits_.add(message, *before, simulation_->subject(message), Clock::now());
  return true;
}

void Session::undo(std::uint32_t client, bool again) {
  std::optional<PageMessage> message = again ? edits_.redo() : edits_.undo();
  if (!message)
    return notice(client, 0,
                  again ? "nothing was undone"
                  : simulation_->changes().detached.empty()
                      ? "there is nothing to undo"
                      : "there is nothing to undo; what came off is back after a reset or with a kept state");
  if (std::holds_alternative<SetWind>(*message) || std::holds_alternative<SetModes>(*message)) {
    work(client, *message);
    want(*message);
  } else {
    (void)change(client, *message);
    restart_clock();
  }
  send_settings();
}

/// Answers at once, or lets the workshop compute what takes long.
void Session::answer_question(std::uint32_t client, const PageMessage& message) {
  if (const auto* ask = std::get_if<AskMode>(&message); ask != nullptr && workshop_) {
    if (auto finder = extras_.mode_finder(*simulation_, *ask, workshop_->options().build)) {
      const bool taken = workshop_->run([this, client, find = std::move(finder)](Progress& progress) {
        Result<Bytes> found = find(progress);
        if (found)
          send(client, std::move(found).value());
        else
          notice(client, 1, to_string(found.error()));
      });
      if (!taken) notice(client, 1, "too much work waits already");
      return;
    }
  }
  Result<Bytes> answer = extras_.answer(*simulation_, message, epoch_, !wants_step());
  if (!answer)
    notice(client, 1, to_string(answer.error()));
  else
    send(client, std::move(answer).value());
  if (std::holds_alternative<Record>(message)) send_settings();
}

void Session::send_settings() {
  settings_seen_ = simulation_->settings_revision();
  Settings settings = simulation_->settings();
  settings.speed = speed_;
  settings.edits = edits_.list();
  settings.file = options_.scene_file ? 1 : 0;
  settings.recording = extras_.records() ? 1 : 0;
  if (const PageMessage* last = wanted(SetWind{})) {
    const auto& wind = std::get<SetWind>(*last);
    settings.wind_on = wind.on;
    settings.wind = wind.velocity;
    settings.gust = wind.gust;
    settings.gust_period = wind.gust_period;
  }
  {
    const std::lock_guard lock(mutex_);
    settings_ = settings;
    hello_ = simulation_->hello();
    extras_.complete(hello_);
    remember_geometry();
  }
  send(0, encode(settings));
}

void Session::publish() {
  const auto begin = Clock::now();
  State state = simulation_->state();
  extras_.complete(state);
  state.epoch = epoch_;
  state.paused = paused_ && steps_wanted_ == 0 ? 1 : 0;
  state.ratio = static_cast<float>(ratio_);
  state.step_p50 = static_cast<float>(times_.quantile(0.5));
  state.step_p99 = static_cast<float>(times_.quantile(0.99));
  for (const StepTimes& part : part_times_)
    for (const double share : {0.5, 0.99})
      state.part_times.push_back(static_cast<float>(part.quantile(share)));
  auto frame = std::make_shared<const Bytes>(encode(state));
  part_times_[3].add(Seconds(Clock::now() - begin).count());
  {
    const std::lock_guard lock(mutex_);
    newest_ = {std::move(frame), newest_.number + 1, geometry_.revision};
  }
  // The next frame is due one period after this one was due, not after it was made: this keeps the mean rate.
  const auto period = std::chrono::duration_cast<Clock::duration>(Seconds(1.0 / options_.frame_rate));
  const auto now = Clock::now();
  next_publish_ = std::clamp(next_publish_ + period, now - period / 2, now + period);
  changed_ = false;
  tell_news();
}

void Session::tell_news() {
  const std::lock_guard lock(news_mutex_);
  if (news_) news_();
}

void Session::send(std::uint32_t client, Bytes frame) {
  {
    const std::lock_guard lock(mutex_);
    if (letters_.size() >= kLettersKept) letters_.erase(letters_.begin());
    letters_.push_back({client, std::make_shared<const Bytes>(std::move(frame))});
  }
  tell_news();
}

void Session::notice(std::uint32_t client, std::uint8_t severity, std::string text) {
  send(client, encode(Notice{severity, std::move(text)}));
}

}  // namespace pliant::view
