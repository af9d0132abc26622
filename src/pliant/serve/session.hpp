// serve/session.hpp — a simulation on its own thread, in real time when it can; pages watch and one steers.
//
//     pages ──post──► bounded queue ──► [ commands │ step │ publish ] ──► newest frame ──► pages
//                                        simulation thread                (older ones are forgotten)
//
// Nobody can make the thread wait: a full queue refuses, and a frame that nobody has fetched is replaced.
#pragma once

#include "pliant/edit/simulation.hpp"
#include "pliant/edit/workshop.hpp"
#include "pliant/serve/extras.hpp"
#include "pliant/serve/step_times.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace pliant::view {

class Session {
 public:
  struct Options {
    double frame_rate =
        75.0;  // frames per second, at most: above 60, so that a late step costs a screen none
    std::size_t queue_limit = 256;  // commands that may wait
    bool paused = false;
    std::optional<std::filesystem::path> scene_file = std::nullopt;  // where the edited scene may be written
  };
  Session(std::unique_ptr<Simulation> simulation, const Options& options,
          std::unique_ptr<Ghost> ghost = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Long work goes there from now on; without one it is refused. Before run().
  void use(std::unique_ptr<Workshop> workshop);
  /// Starts the thread; the clock starts with the first begin().
  void run();
  /// Somebody watches: the clock runs from now on, whoever leaves.
  void begin();
  /// Ends the thread.
  void stop();

  /// Hands a command to the thread; false when too many wait already.
  [[nodiscard]] bool post(std::uint32_t client, PageMessage message);

  /// What a new page gets first; `client` is filled in.
  [[nodiscard]] Bytes hello(std::uint32_t client) const;
  /// And what it gets next: the settings that hold.
  [[nodiscard]] Bytes settings() const;
  /// Frames of all bodies.
  struct GeometryFrames {
    std::vector<std::shared_ptr<const Bytes>> frames;
    std::uint32_t revision = 0;
    std::uint32_t scene = 0;  // another number when bodies have been rebuilt: pages need a new hello
  };
  [[nodiscard]] GeometryFrames geometry() const;
  /// The newest state, and its number; none before the first.
  struct Newest {
    std::shared_ptr<const Bytes> frame;
    std::uint64_t number = 0;
    std::uint32_t revision = 0;  // of the geometry that it belongs to
  };
  [[nodiscard]] Newest newest() const;
  /// Answers and notices: for one page, or for all when `client` is 0. Each is given once.
  struct Letter {
    std::uint32_t client = 0;
    std::shared_ptr<const Bytes> frame;
  };
  [[nodiscard]] std::vector<Letter> take_letters();
  /// Called by the thread when there is something new; must not block.
  void on_news(std::function<void()> news) {
    const std::lock_guard lock(news_mutex_);
    news_ = std::move(news);
  }

  /// What runs; only while the thread does not.
  [[nodiscard]] const Simulation& simulation() const { return *simulation_; }
  /// Steps since the thread began, for whoever wants to know that it runs.
  [[nodiscard]] std::uint64_t steps_done() const { return steps_done_.load(); }

 private:
  using Clock = std::chrono::steady_clock;
  void loop();
  void carry_out_commands();
  void carry_out(std::uint32_t client, const PageMessage& message);
  void work(std::uint32_t client, const PageMessage& message);
  void take_offer();
  void give_up(const PageMessage& message);
  void want(const PageMessage& message);
  [[nodiscard]] const PageMessage* wanted(const PageMessage& like) const;
  void remember_geometry();
  [[nodiscard]] std::uint32_t geometry_revision() const;
  bool edit(std::uint32_t client, const PageMessage& message);
  bool change(std::uint32_t client, const PageMessage& message);
  void undo(std::uint32_t client, bool again);
  void ask_for_scene(std::uint32_t client, bool download);
  void write_scene(std::uint32_t client, bool download);
  void write_due_scenes();
  void build_anew(std::uint32_t client, const PageMessage& why);
  void reset(std::uint32_t client);
  void load(std::uint32_t client);
  void jumped();
  void answer_question(std::uint32_t client, const PageMessage& message);
  void step_once();
  void publish();
  void send(std::uint32_t client, Bytes frame);
  void notice(std::uint32_t client, std::uint8_t severity, std::string text);
  void send_settings();
  void tell_news();
  [[nodiscard]] bool wants_step() const;
  void restart_clock();
  void measure_pace();

  std::unique_ptr<Simulation> simulation_;
  Options options_;
  std::uint32_t session_;
  std::mutex news_mutex_;
  std::function<void()> news_;

  mutable std::mutex mutex_;  // of what follows, up to the thread's own
  std::condition_variable wake_;
  std::deque<std::pair<std::uint32_t, PageMessage>> queue_;
  Hello hello_;
  Settings settings_;
  GeometryFrames geometry_;
  Newest newest_;
  std::vector<Letter> letters_;
  Workshop::Offer offered_;          // takes over before the next step
  std::vector<PageMessage> failed_;  // what the workshop could not do
  std::vector<std::pair<std::uint32_t, bool>>
      scenes_due_;  // to be written: for whom, and whether to download
  std::atomic<bool> stopping_{false};
  std::atomic<bool> begun_{false};
  std::atomic<std::uint64_t> steps_done_{0};

  // the thread's own
  Progress until_stopped_{&stopping_};  // of steps that take long
  bool paused_ = false;
  bool ended_ = false;      // paused because there was nothing left to do: a reset goes on
  Index steps_wanted_ = 0;  // beyond the pause
  double speed_ = 1.0;
  std::uint32_t epoch_ = 0;
  std::uint32_t settings_seen_ = 0;  // which the page has been told
  Clock::time_point clock_start_;    // when the simulated time was clock_base_
  double clock_base_ = 0.0;
  Clock::time_point next_publish_{};
  Clock::time_point pace_start_{};
  double pace_base_ = 0.0;
  double ratio_ = 0.0;
  bool changed_ = true;  // since the last frame
  EditList edits_;
  std::vector<PageMessage>
      wanted_;                   // edits by building anew: of each thing the last, which may be in the making
  bool resetting_ = false;       // the workshop builds everything anew
  bool loading_ = false;         // and then the state that was kept is taken
  Index steps_after_reset_ = 0;  // that were asked for meanwhile
  Extras extras_;
  StepTimes times_;
  std::array<StepTimes, 4> part_times_;  // bodies, hand, ghost and recording, making a state
  std::thread thread_;
  std::unique_ptr<Workshop> workshop_;  // ends first: it calls us
};

}  // namespace pliant::view
