// store/gltf.hpp — deforming surfaces as one animated glTF 2.0 file (.glb).
//
// glTF has no vertex cache. A deforming mesh is stored as one morph target per key frame and an animation of
// their weights, in which key frame k gives weight 1 to target k and 0 to all others. Between key frames the
// viewer blends linearly.
//
//     add_body ─► add_frame* (thinned as they come: memory is bounded) ─► write ─► bytes of the file
//
// Thinning: when there are more key frames than allowed, every other one is dropped, and from then on only
// every second frame is taken, so that the key frames stay evenly spaced. The last frame is always kept. The
// limit follows from a number of frames and a number of bytes, whichever is lower.
//
// Vertices are split where the rest surface has a crease, so that boxes keep sharp edges under smooth
// normals. In Pliant the z axis points up, in glTF the y axis: a node above all bodies rotates them.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"

#include <span>
#include <string>
#include <vector>

namespace pliant {

/// How large the animation may become.
struct GltfLimits {
  Index key_frames = 120;         // at least 2
  Index bytes = Index{64} << 20;  // of morph targets of all bodies; two frames are always kept
};

/// Collects frames while a run goes on, then writes the file.
class GltfAnimation {
 public:
  explicit GltfAnimation(const GltfLimits& limits = {}) : limits_(limits) {}

  /// The surface of a body; call before the first frame. Triangles may use only some of the vertices, as the
  /// boundary of a volume mesh does, and only those are stored. Vertex numbers must be valid.
  void add_body(std::string name, const std::vector<Triangle>& triangles,
                const std::vector<Vector3>& rest_positions);

  /// From the next frame on the body has another surface (it was torn, for example), with these displacements
  /// now. Earlier frames are adapted: a vertex that has the same rest position as an old vertex follows it
  /// (of several, the one that was nearest last); any other vertex follows the nearest point of the old
  /// surface.
  void change_body(std::size_t body, const std::vector<Triangle>& triangles,
                   const std::vector<Vector3>& rest_positions, std::span<const double> displacements);

  /// Displacements of all vertices given to add_body() (3n, m), one span per body. Times must ascend. Frames
  /// with numbers that are not finite (a run that diverged) are left out.
  void add_frame(double t, std::span<const std::span<const double>> displacements);

  /// Number of key frames that the file will have.
  [[nodiscard]] Index key_frame_count() const;

  /// The bytes of the .glb file. Without a frame it shows the rest shape, with one frame that shape,
  /// otherwise an animation.
  [[nodiscard]] Result<std::string> write(const std::string& file_name) const;

 private:
  struct Surface {
    std::string name;
    std::vector<Triangle> triangles;  // over the split vertices
    std::vector<VertexId> origin;     // for each split vertex, the caller's vertex
    std::vector<float> rest;          // 3 per split vertex
    Index caller_vertices = 0;
  };
  struct Frame {
    double t = 0.0;
    std::vector<std::vector<float>> displacements;  // [body], 3 per split vertex
  };

  [[nodiscard]] static Surface make_surface(std::string name, const std::vector<Triangle>& triangles,
                                            const std::vector<Vector3>& rest_positions);
  [[nodiscard]] Index frame_limit() const;
  [[nodiscard]] std::vector<const Frame*> key_frames() const;

  GltfLimits limits_;
  std::vector<Surface> surfaces_;
  std::vector<Frame> frames_;  // every `stride_`-th frame
  Frame last_;                 // the latest frame, whether kept in frames_ or not
  Index seen_ = 0;             // number of frames added so far
  Index stride_ = 1;
};

}  // namespace pliant
