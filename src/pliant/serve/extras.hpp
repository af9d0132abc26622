// serve/extras.hpp — what a session offers besides the scene itself: fields, natural modes, a ghost, a
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

/// Fields, modes, ghost and recording of a session. Used only by the thread that steps.
class Extras {
 public:
  explicit Extras(std::unique_ptr<Ghost> ghost) : ghost_(std::move(ghost)) {}

  /// Appends the bodies of the ghost after those of the scene.
  void complete(Hello& hello) const;
  void complete(std::vector<std::shared_ptr<const Bytes>>& geometry) const;
  void complete(State& state) const;
  /// Grows when the ghost's geometry has changed.
  [[nodiscard]] std::uint32_t revision() const { return ghosts_ + (ghost_ ? ghost_->revision() : 0); }
  /// Another ghost from now on; null: none.
  void set_ghost(std::unique_ptr<Ghost> ghost);

  /// The description from which a live ghost was built; none without one.
  [[nodiscard]] std::optional<SceneDescription> ghost_scene() const;
  /// Replaces a live ghost by a new build, which continues where the old one is.
  Status renew_ghost(std::unique_ptr<Simulation> fresh);

  /// True for messages that answer() handles.
  [[nodiscard]] static bool knows(const PageMessage& message);
  /// The encoded answer to a question, or an error for the page that asked.
  Result<Bytes> answer(const Simulation& simulation, const PageMessage& message, std::uint32_t epoch,
                       bool at_rest);
  /// A job that finds the modes of a body on another thread, with a copy of the scene that it builds. Empty
  /// when they are known, quick to find or not defined.
  [[nodiscard]] std::function<Result<Bytes>(Progress&)> mode_finder(const Simulation& simulation,
                                                                    const AskMode& ask,
                                                                    const BuildOptions& build);
  /// Positions of the points of a body of the ghost; none if the body belongs to the scene.
  [[nodiscard]] std::optional<std::vector<float>> positions(const Simulation& simulation,
                                                            std::uint32_t body) const;

  /// To be called after the scene has carried out an edit.
  void after_edit(const Simulation& simulation, const PageMessage& message, const Progress& progress);
  /// To be called after each step of the scene. Returns a message for the user, or an empty text.
  [[nodiscard]] std::string after_step(const Simulation& simulation, const Progress& progress);
  /// Forgets fields and modes after bodies have been rebuilt. A recording continues.
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
  std::uint32_t ghosts_ = 0;  // beyond the last revision of the ghosts before
  FieldCache fields_;
  std::uint32_t modes_revision_ = 0;           // revision of the points for which modes were found
  std::map<std::uint32_t, ModeShapes> modes_;  // found by this thread
  /// Modes that another thread has found, shared with it.
  struct Shelf {
    std::mutex mutex;
    std::map<std::uint32_t, ModeShapes> modes;
  };
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
  std::optional<Recording> recording_;
  bool left_behind_ = false;  // the ghost cannot follow, which has been reported
};

}  // namespace pliant::view
