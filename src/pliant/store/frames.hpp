// store/frames.hpp — what a run looks like: frames for ParaView and an animated glTF.
//
//     observer of the world ─► add(): NAME_0000.vtu, NAME_0001.vtu, ... and the .pvd that lists them so far
//                           └► finish(): animation.glb
//
// The points of a .vtu are the deformed ones; displacement, velocity (per vertex), von Mises stress and label
// (per element) come along. A .pvd is rewritten with each frame, so that an interrupted run can be looked at.
// One body: it is called scene.pvd; several: one NAME.pvd each.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/carried_surface.hpp"
#include "pliant/sim/world.hpp"
#include "pliant/store/gltf.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// Writes the frames of a run into one folder.
class FrameWriter {
 public:
  /// `surfaces`: one per body; a body without one shows its boundary. A model that draws a surface itself
  /// shows that. The folder must exist.
  FrameWriter(std::filesystem::path folder, const World& world, std::vector<const CarriedSurface*> surfaces);

  /// A frame of the present state, numbered by `frame`.
  Status add(const World& world, Index frame, double t);
  /// Lists a frame that an earlier part of the run has written, when its files are there.
  void take_up(Index frame, double t);
  /// Writes the animation.
  Status finish();

  /// What a reader should open: .pvd files, then the animation.
  [[nodiscard]] std::vector<std::filesystem::path> entry_points() const;
  [[nodiscard]] Index frame_count() const { return frames_; }

 private:
  struct Track {
    std::string stem;  // of file names
    const CarriedSurface* surface = nullptr;
    std::vector<std::pair<double, std::string>> files;  // time, name
    VectorX carried;                                    // displacements of the carried or drawn surface
    std::vector<float> drawn;                           // places of the surface that the model draws
    Index vertices = 0;                                 // of what was shown last
  };
  /// Displacements of what is shown of a body.
  [[nodiscard]] static std::span<const double> shape_of(const Body& body, Track& track);
  /// What is shown of a body at rest, unless it has as many vertices as before.
  [[nodiscard]] static std::optional<SurfaceMesh> new_surface(const Body& body, Track& track);
  [[nodiscard]] std::filesystem::path pvd_path(const Track& track) const;
  Status write_body(const Body& body, Track& track, Index frame, double t);

  std::filesystem::path folder_;
  std::vector<Track> tracks_;
  GltfAnimation animation_;
  Index frames_ = 0;
  bool finished_ = false;
};

/// A body's name as a file name: letters, digits, - and _; others become _.
[[nodiscard]] std::string file_stem(const std::string& name);

/// One for each body, all different: `-2`, `-3`, ... follow where an earlier body has the same, or where it
/// is `reserved`.
[[nodiscard]] std::vector<std::string> file_stems(const std::vector<Body>& bodies,
                                                  std::string_view reserved = {});

}  // namespace pliant
