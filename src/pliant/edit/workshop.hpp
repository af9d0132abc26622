// edit/workshop.hpp — long jobs beside a running simulation: bases from sketches, trees from cuts, new
// builds.
//
//     pages ──► session ──post──► bounded queue ──► [ desks │ build ] ──offer──► session: between two steps
//                                                   workshop's thread            the new one takes over
//
// The simulation continues to run while a new one is built from an edited scene. When the build is finished,
// the new one continues where the old one is. There is one job at a time, and it can be cancelled.
#pragma once

#include "pliant/edit/decomposing.hpp"
#include "pliant/edit/scene_edits.hpp"
#include "pliant/edit/sketching.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

namespace pliant::view {

/// Whether a message is for the workshop.
[[nodiscard]] bool is_work(const PageMessage& message);

/// A queue of long jobs with a thread of its own.
class Workshop {
 public:
  struct Options {
    BuildOptions build;
    TableNumbers numbers = TableNumbers::kFloat;
    std::optional<std::filesystem::path> pulls_file;  // where pulls may be written
    std::size_t queue_limit = 1024;                   // messages that may wait
  };
  /// A finished build.
  struct Offer {
    std::unique_ptr<Simulation> scene;
    std::unique_ptr<Simulation> ghost;  // null: the present ghost stays
    Simulation::Succession how = Simulation::Succession::kEdit;
  };
  /// The receivers of results. The workshop's thread calls them; they must not block.
  struct Replies {
    std::function<void(std::uint32_t client, Bytes frame)> send;  // 0: to all
    std::function<void(Offer)> offer;
    std::function<void(const PageMessage&)> failed;  // an edit or a reset that could not be built
    /// Another ghost; null: none from now on.
    std::function<void(std::unique_ptr<Simulation>)> ghost = [](std::unique_ptr<Simulation>) {};
  };

  /// `running` was built from `scene`. It is used by the constructor only.
  Workshop(SceneDescription scene, Options options, const Simulation& running);
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  /// Starts the thread. `ghost`: the scene of a ghost that runs along and gets the same wind.
  void open(Replies replies, std::optional<SceneDescription> ghost = std::nullopt);
  /// Cancels the present job and ends the thread.
  void close();
  /// Queues a message. False when too many are waiting.
  [[nodiscard]] bool post(std::uint32_t client, PageMessage message);
  /// Queues any other job, which can be cancelled through its Progress. False when too many are waiting.
  [[nodiscard]] bool run(std::function<void(Progress&)> job);
  /// How simulations are built here.
  [[nodiscard]] const Options& options() const { return options_; }
  /// Stores the changes of the running scene, for the next file that is written.
  void know(SceneChanges changes);
  /// Whether no job runs or waits.
  [[nodiscard]] bool idle();
  /// Cancels the present job only.
  void cancel() { cancelled_ = true; }

 private:
  class Report;
  void loop();
  void carry_out(std::uint32_t client, const PageMessage& message);
  Status handle(std::uint32_t client, const OpenSketch& message);
  Status handle(std::uint32_t client, const SketchPoint& message);
  Status handle(std::uint32_t client, const ClearPulls& message);
  Status handle(std::uint32_t client, const AddPull& message);
  Status handle(std::uint32_t client, const SolveSketch& message);
  Status handle(std::uint32_t client, const WritePulls& message);
  Status handle(std::uint32_t client, const OpenCut& message);
  Status handle(std::uint32_t client, const PaintCut& message);
  Status handle(std::uint32_t client, const NameCut& message);
  Status handle(std::uint32_t client, const SplitCut& message);
  Status handle(std::uint32_t client, const CheckCut& message);
  Status handle(std::uint32_t client, const ApplyCut& message);
  Status handle(std::uint32_t client, const WriteCut& message);
  Status handle(std::uint32_t client, const RepeatCut& message);
  Status handle(std::uint32_t client, const SetModel& message);
  Status handle(std::uint32_t client, const SetGhost& message);
  Status handle(std::uint32_t client, const SetWind& message);
  Status handle(std::uint32_t client, const SetModes& message);
  Status handle(std::uint32_t client, const Reset& message);
  Status handle(std::uint32_t client, const LoadState& message);

  Result<SketchDesk*> sketch_of(std::uint32_t body);
  Result<CutDesk*> cut_of(std::uint32_t body);
  /// Builds the scene with one body replaced, and offers it. Returns a short description of the result.
  Result<std::string> rebuild(std::uint32_t body, BodyText text, Report& report);
  /// Builds a scene with the present wind.
  Result<std::unique_ptr<Simulation>> build(const SceneDescription& scene, Report& report);
  void offer(SceneDescription scene, Offer made);
  /// Reads the scene again with another model for all bodies, and builds it.
  Result<std::pair<SceneDescription, std::unique_ptr<Simulation>>> with_model(const std::string& model);
  /// Builds the whole scene again because of a message. If that fails, reports it and returns false.
  bool rebuild_all(SceneDescription scene, const PageMessage& why);
  [[nodiscard]] bool is_superseded(const PageMessage& message);
  Result<std::string> cut_scene(std::uint32_t body, const BodyText& cut, SceneChanges changes,
                                const std::string& mesh_file);
  void send_cut(std::uint32_t client, std::uint32_t body, std::uint32_t request, Cut cut);
  void take_pieces(const Simulation& running);

  SceneDescription scene_;       // with the wind of its file
  std::optional<SetWind> wind_;  // replaces the wind of the file
  std::optional<SceneDescription> ghost_;
  Options options_;
  Replies replies_;
  std::vector<WorkPiece> pieces_;  // per body
  std::vector<Index> most_;        // per body: shapes of its whole basis, as far as known
  std::unique_ptr<SketchDesk> sketch_;
  std::unique_ptr<CutDesk> cut_;
  std::uint32_t sketch_body_ = 0, cut_body_ = 0;

  std::mutex mutex_;
  std::condition_variable wake_;
  struct Item {
    std::uint32_t client = 0;
    PageMessage message;
    std::function<void(Progress&)> job;  // instead of a message
  };
  std::deque<Item> queue_;
  SceneChanges changes_;
  bool busy_ = false;
  bool closing_ = false;
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

}  // namespace pliant::view
