// view/workshop.hpp — long work beside a running simulation: sketches become bases, cuts become trees.
//
//     pages ──► session ──post──► bounded queue ──► [ desks │ build ] ──offer──► session: between two steps
//                                                   workshop's thread            the new one takes over
//
// The simulation runs on while a new one is built from an edited scene; when that is done it goes on where
// the old one is. One job at a time, and it can be cancelled alone.
#pragma once

#include "pliant/view/decomposing.hpp"
#include "pliant/view/sketching.hpp"

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

class Workshop {
 public:
  struct Options {
    BuildOptions build;
    TableNumbers numbers = TableNumbers::kFloat;
    std::optional<std::filesystem::path> pulls_file;  // where pulls may be written
    std::size_t queue_limit = 1024;                   // messages that may wait
  };
  /// Where results go; both are called by the workshop's thread and must not block.
  struct Replies {
    std::function<void(std::uint32_t client, Bytes frame)> send;  // 0: to all
    std::function<void(std::unique_ptr<Simulation>)> offer;
  };

  /// `running` was built from `scene`, and is not looked at later.
  Workshop(SceneDescription scene, Options options, const Simulation& running);
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  /// Starts the thread.
  void open(Replies replies);
  /// Cancels what is being done and ends the thread.
  void close();
  /// Hands over a message; false when too many wait already.
  [[nodiscard]] bool post(std::uint32_t client, PageMessage message);
  /// Stops the long work, and nothing else.
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

  Result<SketchDesk*> sketch_of(std::uint32_t body);
  Result<CutDesk*> cut_of(std::uint32_t body);
  /// The same scene with one other body, built and offered. How it went, in words.
  Result<std::string> rebuild(std::uint32_t body, BodyText text, Report& report);
  void send_cut(std::uint32_t client, std::uint32_t body, std::uint32_t request, Cut cut);
  void take_pieces(const Simulation& running);

  SceneDescription scene_;
  Options options_;
  Replies replies_;
  std::vector<WorkPiece> pieces_;  // per body
  std::unique_ptr<SketchDesk> sketch_;
  std::unique_ptr<CutDesk> cut_;
  std::uint32_t sketch_body_ = 0, cut_body_ = 0;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<std::uint32_t, PageMessage>> queue_;
  bool closing_ = false;
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

}  // namespace pliant::view
