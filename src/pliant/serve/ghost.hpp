// serve/ghost.hpp — a second version of the scene for comparison: another model that runs along, or a
// recorded run.
//
//     live      a second simulation that is stepped to the same time and gets the same edits and pulls
//     recorded  the frames that `pliant run --out FOLDER` wrote, interpolated linearly
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/edit/simulation.hpp"

#include <filesystem>
#include <memory>

namespace pliant::view {

/// What is drawn for comparison.
class Ghost {
 public:
  Ghost() = default;
  virtual ~Ghost() = default;
  Ghost(const Ghost&) = delete;
  Ghost& operator=(const Ghost&) = delete;

  /// A simulation that runs along.
  static std::unique_ptr<Ghost> live(std::unique_ptr<Simulation> simulation);
  /// A recorded run. Fails when the folder has no frames, or frames of another mesh.
  static Result<std::unique_ptr<Ghost>> recorded(const std::filesystem::path& folder,
                                                 const BuiltScene& scene);

  /// Advances to the time of the scene. If it fails, the ghost stays where it is.
  virtual Status follow(double time, const Progress& progress) = 0;
  /// Applies a message that was applied to the scene, if it makes sense here. `scene`: the simulation to
  /// which the numbers of points in the message refer.
  virtual void execute(const PageMessage& message, const Simulation& scene) = 0;

  /// Replaces the simulation by a new build, which continues where the old one is. If that fails, the old one
  /// stays.
  virtual Status renew(std::unique_ptr<Simulation> /*fresh*/) { return Done{}; }

  /// A short description of each body.
  [[nodiscard]] virtual std::vector<BodyInfo> infos() const = 0;
  /// The geometry of each body; the revision grows when it changes. The caller sets the body numbers.
  [[nodiscard]] virtual std::vector<Geometry> geometry() const = 0;
  [[nodiscard]] virtual std::uint32_t revision() const = 0;
  /// The present state of each body.
  [[nodiscard]] virtual std::vector<BodyState> states() const = 0;
  /// The simulation behind it; null for a recorded run.
  [[nodiscard]] virtual const Simulation* simulation() const { return nullptr; }
  /// The positions of all points of a body, as the page should compute them.
  [[nodiscard]] virtual std::vector<float> positions(std::size_t body) const = 0;
};

}  // namespace pliant::view
