// serve/recording.hpp — what runs on the page, as an animated glTF for the browser to keep.
//
// Frames are taken at even distances of the scene's time. Memory is bounded: the writer drops every other
// frame when there are too many (store/gltf.hpp). Surfaces are recorded, whatever the page shows of a body;
// they may be drawn anew meanwhile, as those of one that was torn are.
#pragma once

#include "pliant/edit/simulation.hpp"
#include "pliant/store/gltf.hpp"

namespace pliant::view {

class Recording {
 public:
  /// Begins with the present state.
  static Result<Recording> begin(const Simulation& simulation);
  /// After a step: takes a frame when one is due.
  void add(const Simulation& simulation);
  /// The scene's clock has jumped: the next frame follows the last one all the same.
  void jump(const Simulation& simulation);
  /// The bytes of a .glb file.
  [[nodiscard]] Result<std::string> finish(const std::string& name) const { return animation_.write(name); }

 private:
  explicit Recording(double start) : start_(start), next_(start) {}
  void take(const Simulation& simulation);
  Status draw(const Simulation& simulation);

  GltfAnimation animation_;
  std::vector<std::vector<double>> displacements_;  // of each body; kept for their memory
  double start_ = 0.0;
  double last_ = 0.0;                // s, of the scene's clock: when a frame was taken
  double next_ = 0.0;                // when one is due
  std::vector<DrawnBody> surfaces_;  // of each body
  std::uint32_t revision_ = 0;       // of the surfaces
};

}  // namespace pliant::view
