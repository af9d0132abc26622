// serve/recording.hpp — records the running scene as an animated glTF file, for download by the browser.
//
// Frames are taken at equal intervals of simulated time. Memory is bounded: the writer drops every other
// frame when there are too many (store/gltf.hpp). Surfaces are recorded, even while the page shows elements.
// They are drawn again when a body is torn.
#pragma once

#include "pliant/edit/simulation.hpp"
#include "pliant/store/gltf.hpp"

namespace pliant::view {

/// A recording in progress.
class Recording {
 public:
  /// Begins with the present state.
  static Result<Recording> begin(const Simulation& simulation);
  /// To be called after each step: takes a frame when one is due.
  void add(const Simulation& simulation);
  /// The simulated time has jumped. The recording continues without a gap.
  void jump(const Simulation& simulation);
  /// The bytes of a .glb file.
  [[nodiscard]] Result<std::string> finish(const std::string& name) const { return animation_.write(name); }

 private:
  explicit Recording(double start) : start_(start), next_(start) {}
  void take(const Simulation& simulation);
  Status draw(const Simulation& simulation);

  GltfAnimation animation_;
  std::vector<std::vector<double>> displacements_;  // of each body; members, so that frames do not allocate
  double start_ = 0.0;
  double last_ = 0.0;                // simulated time of the last frame, s
  double next_ = 0.0;                // simulated time at which the next frame is due, s
  std::vector<DrawnBody> surfaces_;  // of each body
  std::uint32_t revision_ = 0;       // of the surfaces
};

}  // namespace pliant::view
