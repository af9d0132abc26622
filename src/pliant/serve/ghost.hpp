// serve/ghost.hpp — the same scene once more, to see the difference: another model that runs along, or a run
// that was recorded.
//
//     live      a second simulation that is stepped to the same time, and takes the same edits and pulls
//     recorded  the frames that `pliant run --out FOLDER` wrote, between two of them along a straight line
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/edit/simulation.hpp"

#include <filesystem>
#include <memory>

namespace pliant::view {

class Ghost {
 public:
  Ghost() = default;
  virtual ~Ghost() = default;
  Ghost(const Ghost&) = delete;
  Ghost& operator=(const Ghost&) = delete;

  /// What runs along with `scene`.
  static std::unique_ptr<Ghost> live(std::unique_ptr<Simulation> simulation);
  /// What lies in a folder. Errors: no frames there, or frames of another mesh.
  static Result<std::unique_ptr<Ghost>> recorded(const std::filesystem::path& folder,
                                                 const BuiltScene& scene);

  /// Comes to the time of the scene. Errors: it cannot, and stays where it is; kCancelled.
  virtual Status follow(double time, const Progress& progress) = 0;
  /// What was done to the scene is done to it, where it has a meaning. `scene` is where points were named.
  virtual void execute(const PageMessage& message, const Simulation& scene) = 0;

  /// The same scene, built anew, goes on where this one is. Errors: it cannot, and this one stays.
  virtual Status renew(std::unique_ptr<Simulation> /*fresh*/) { return Done{}; }

  /// In few words, body by body.
  [[nodiscard]] virtual std::vector<BodyInfo> infos() const = 0;
  /// What is drawn, body by body; another revision when it has changed. Body numbers are the caller's.
  [[nodiscard]] virtual std::vector<Geometry> geometry() const = 0;
  [[nodiscard]] virtual std::uint32_t revision() const = 0;
  /// Where it is now, body by body.
  [[nodiscard]] virtual std::vector<BodyState> states() const = 0;
  /// The simulation behind it; null: a recorded run.
  [[nodiscard]] virtual const Simulation* simulation() const { return nullptr; }
  /// All points of a body, as the page should find them.
  [[nodiscard]] virtual std::vector<float> positions(std::size_t body) const = 0;
};

}  // namespace pliant::view
