// serve/extras.hpp — what a session shows besides the scene itself: fields, natural modes, a ghost, a
// recording.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/draw/fields.hpp"
#include "pliant/serve/ghost.hpp"
#include "pliant/serve/recording.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace pliant::view {

/// Used by the thread that steps, and by no other.
class Extras {
 public:
  explicit Extras(std::unique_ptr<Ghost> ghost) : ghost_(std::move(ghost)) {}

  /// Bodies of the ghost come after the scene's own.
  void complete(Hello& hello) const;
  void complete(std::vector<std::shared_ptr<const Bytes>>& geometry) const;
  void complete(State& state) const;
  /// Grows when the ghost's geometry has changed.
  [[nodiscard]] std::uint32_t revision() const { return ghost_ ? ghost_->revision() : 0; }

  /// What a live ghost was built from.
  [[nodiscard]] std::optional<SceneDescription> ghost_scene() const;
  /// A live ghost that was built anew goes on where the old one is.
  Status renew_ghost(std::unique_ptr<Simulation> fresh);

  /// True for messages that answer() knows.
  [[nodiscard]] static bool knows(const PageMessage& message);
  /// The frame that answers a question. Errors are for whoever asked.
  Result<Bytes> answer(const Simulation& simulation, const PageMessage& message, std::uint32_t epoch,
                       bool at_rest);
  /// What finds the modes of a body on another thread, from a copy of the scene that it builds; none when
  /// they are known or found in no time.
  [[nodiscard]] std::function<Result<Bytes>(Progress&)> mode_finder(const Simulation& simulation,
                                                                    const AskMode& ask,
                                                                    const BuildOptions& build);
  /// Points of a body of the ghost; none: it is the scene's.
  [[nodiscard]] std::optional<std::vector<float>> positions(const Simulation& simulation,
                                                            std::uint32_t body) const;

  /// The scene has taken an edit.
  void after_edit(const Simulation& simulation, const PageMessage& message, const Progress& progress);
  /// The scene has made a step; something to tell people, or nothing.
  [[nodiscard]] std::string after_step(const Simulation& simulation, const Progress& progress);
  /// Bodies have been rebuilt: what was known of them is void. A recording goes on.
  void go_on();
  [[nodiscard]] bool records() const { return recording_.has_value(); }

 private:
  /// A body of the scene or of the ghost.
  struct Subject {
    const Model* model = nullptr;
    const DrawnBody* drawn = nullptr;
    const Simulation* owner = nullptr;
    std::size_t number = 0;  // of the body, in its owner
  };
  Result<Subject> subject(const Simulation& simulation, std::uint32_t body) const;
  Result<Bytes> answer(const Simulation& simulation, const AskField& ask, std::uint32_t epoch, bool at_rest);
  Result<Bytes> answer(const Simulation& simulation, const AskMode& ask);
  Result<Bytes> answer(const Simulation& simulation, const Record& ask);
  void forget_modes();
  void renew_modes(const Simulation& simulation);

  std::unique_ptr<Ghost> ghost_;
  FieldCache fields_;
  std::uint32_t modes_revision_ = 0;           // of the points that modes were found for
  std::map<std::uint32_t, ModeShapes> modes_;  // that this thread has found
  /// Those that another thread has found, shared with it.
  struct Shelf {
    std::mutex mutex;
    std::map<std::uint32_t, ModeShapes> modes;
  };
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
  std::optional<Recording> recording_;
  bool left_behind_ = false;  // the ghost, and people know
};

}  // namespace pliant::view
