// serve/session.hpp — a simulation on its own thread, in real time if possible. Pages watch, and one steers.
//
//     pages ──post──► bounded queue ──► [ commands │ step │ publish ] ──► newest frame ──► pages
//                                        simulation thread                (older ones are forgotten)
//
// No page can make the thread wait: a full queue refuses commands, and a frame that no page has fetched is
// replaced by the next.
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

/// The thread that steps a simulation, and its queues.
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

  /// Sets the workshop for long jobs; without one they are refused. To be called before run().
  void use(std::unique_ptr<Workshop> workshop);
  /// Starts the thread. The clock starts with the first begin().
  void run();
  /// Starts the clock, when the first page has connected. It runs on when all pages have left.
  void begin();
  /// Ends the thread.
  void stop();

  /// Queues a command for the thread. False when too many are waiting.
  [[nodiscard]] bool post(std::uint32_t client, PageMessage message);

  /// The first message to a new page, with its number `client`.
  [[nodiscard]] Bytes hello(std::uint32_t client) const;
  /// The second message to a new page: the present settings.
  [[nodiscard]] Bytes settings() const;
  /// The encoded geometry of all bodies.
  struct GeometryFrames {
    std::vector<std::shared_ptr<const Bytes>> frames;
    std::uint32_t revision = 0;
    std::uint32_t scene = 0;  // grows when bodies have been rebuilt: pages then need a new hello
  };
  [[nodiscard]] GeometryFrames geometry() const;
  /// The newest state and its number; null before the first.
  struct Newest {
    std::shared_ptr<const Bytes> frame;
    std::uint64_t number = 0;
    std::uint32_t revision = 0;  // of the geometry that it belongs to
  };
  [[nodiscard]] Newest newest() const;
  /// An answer or a notice, for one page or, when `client` is 0, for all. Each is delivered once.
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

  /// The simulation; may be used only while the thread does not run.
  [[nodiscard]] const Simulation& simulation() const { return *simulation_; }
  /// Number of steps since the thread was started, to see that it runs.
  [[nodiscard]] std::uint64_t steps_done() const { return steps_done_.load(); }

 private:
  using Clock = std::chrono::steady_clock;
  void loop();
  void carry_out_commands();
  void carry_out(std::uint32_t client, const PageMessage& message);
  void work(std::uint32_t client, const PageMessage& message);
  void take_offer();
  void take_ghost();
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

  mutable std::mutex mutex_;  // guards the members that follow, up to those of the thread
  std::condition_variable wake_;
  std::deque<std::pair<std::uint32_t, PageMessage>> queue_;
  Hello hello_;
  Settings settings_;
  GeometryFrames geometry_;
  Newest newest_;
  std::vector<Letter> letters_;
  Workshop::Offer offered_;  // a finished build, which takes over before the next step
  std::optional<std::unique_ptr<Simulation>> offered_ghost_;  // likewise; null in it: no ghost any more
  std::vector<PageMessage> failed_;  // messages that the workshop could not carry out
  std::vector<std::pair<std::uint32_t, bool>>
      scenes_due_;  // to be written: for whom, and whether to download
  std::atomic<bool> stopping_{false};
  std::atomic<bool> begun_{false};
  std::atomic<std::uint64_t> steps_done_{0};

  // Used by the thread only
  Progress until_stopped_{&stopping_};  // cancels long steps
  bool paused_ = false;
  bool ended_ = false;      // paused because a static scene was finished; a reset ends this pause
  Index steps_wanted_ = 0;  // single steps to be made although it is paused
  double speed_ = 1.0;
  std::uint32_t epoch_ = 0;
  std::uint32_t settings_seen_ = 0;  // revision that was sent to the pages
  Clock::time_point clock_start_;    // wall clock when the simulated time was clock_base_
  double clock_base_ = 0.0;
  Clock::time_point next_publish_{};
  Clock::time_point pace_start_{};
  double pace_base_ = 0.0;
  double ratio_ = 0.0;
  bool changed_ = true;  // since the last frame
  EditList edits_;
  std::vector<PageMessage>
      wanted_;                   // edits that need a build: the last of each thing, perhaps not finished yet
  bool resetting_ = false;       // the workshop builds the scene for a reset
  bool loading_ = false;         // after that build the kept state is loaded
  Index steps_after_reset_ = 0;  // steps that were requested meanwhile
  Extras extras_;
  StepTimes times_;
  std::array<StepTimes, 4> part_times_;  // bodies, hand, ghost and recording, making a state
  std::thread thread_;
  std::unique_ptr<Workshop> workshop_;  // destroyed first: its thread calls this object
};

}  // namespace pliant::view
