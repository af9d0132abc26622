// store/frames.hpp — pictures of a run: frames for ParaView and an animated glTF file.
//
//     observer of the world ─► add(): NAME_0000.vtu, NAME_0001.vtu, ... and the .pvd that lists them so far
//                           └► finish(): animation.glb
//
// The points of a .vtu file are the deformed ones, with displacement and velocity per point, von Mises stress
// and label per cell. Cells are the elements, or (by default) only the boundary faces, with the stress and
// label of the element behind each. The .pvd file is rewritten with each frame, so that an interrupted run
// can be viewed. It is called scene.pvd for one body, and NAME.pvd for each of several. A thread of its own
// encodes and writes the files, while the run goes on.
#pragma once

#include "pliant/base/background.hpp"
#include "pliant/base/result.hpp"
#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/sim/world.hpp"
#include "pliant/store/gltf.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// What a frame shows of a body. Points of kSurface are the vertices of the boundary, and those that carry
/// the surface of the body; all vertices if a domain of the body comes off, since inner faces come to light
/// then.
enum class FrameContent { kSurface, kVolume };

/// Writes the frames of a run into one folder.
class FrameWriter {
 public:
  /// `surfaces`: one per body; a body without one shows its boundary. If a model draws a surface of its own,
  /// that is shown instead. The folder must exist.
  FrameWriter(std::filesystem::path folder, const World& world, std::vector<const CarriedSurface*> surfaces,
              FrameContent content = FrameContent::kSurface);

  /// Writes a frame of the present state with the number `frame`, soon. Trouble with an earlier frame comes
  /// back here, or from finish().
  Status add(const World& world, Index frame, double t);
  /// Lists a frame that an earlier part of the run has written, if its files exist.
  void take_up(Index frame, double t);
  /// Waits for the frames, and writes the animation.
  Status finish();

  /// The files to open: .pvd files, then the animation.
  [[nodiscard]] std::vector<std::filesystem::path> entry_points() const;
  [[nodiscard]] Index frame_count() const { return frames_; }

 private:
  struct Shown;  // what the frames of a body share
  struct Track {
    std::string stem;  // of file names
    const CarriedSurface* surface = nullptr;
    std::vector<std::pair<double, std::string>> files;  // time, name
    VectorX carried;                                    // displacements of the carried or drawn surface
    std::vector<float> drawn;                           // positions of the surface that the model draws
    Index vertices = 0;                                 // number of vertices shown last
    bool whole = false;                                 // all vertices are points
    std::shared_ptr<const Shown> shown;
  };
  /// Displacements of the surface that is shown of a body.
  [[nodiscard]] static std::span<const double> shape_of(const Body& body, Track& track);
  /// The rest shape of the surface that is shown of a body, unless its number of vertices is the same as
  /// before.
  [[nodiscard]] static std::optional<SurfaceMesh> new_surface(const Body& body, Track& track);
  [[nodiscard]] std::filesystem::path pvd_path(const Track& track) const;
  [[nodiscard]] std::shared_ptr<const Shown> what_is_shown(const VolumeMesh& mesh, const Track& track) const;
  Status write_body(const Body& body, Track& track, Index frame, double t);

  void add_obstacles(const World& world);
  void move_obstacles(const World& world, double t, std::vector<std::span<const double>>& shapes);

  struct ObstacleTrack {
    std::vector<Vector3> own, rest;  // in axes of its own; in the world at the start
    VectorX moved;                   // since then
  };
  std::filesystem::path folder_;
  FrameContent content_;
  std::vector<Track> tracks_;
  std::vector<ObstacleTrack> obstacles_;
  GltfAnimation animation_;
  Background writing_;
  Index frames_ = 0;
  bool finished_ = false;
};

/// The name of a body as a file name: letters, digits, - and _ stay, others become _.
[[nodiscard]] std::string file_stem(const std::string& name);

/// One name per body, all different: `-2`, `-3`, … are appended if an earlier body has the same name, or if
/// it is `reserved`.
[[nodiscard]] std::vector<std::string> file_stems(const std::vector<Body>& bodies,
                                                  std::string_view reserved = {});

}  // namespace pliant
