// store/gltf.hpp — deforming surfaces as one animated glTF 2.0 file (.glb).
//
// glTF has no vertex cache; the way to store a deforming mesh is one morph target per key frame and an
// animation of their weights, in which key frame k gives weight 1 to target k alone. Between key frames the
// viewer blends linearly.
//
//     add_body ─► add_frame* (thinned as they come: memory is bounded) ─► write ─► bytes of the file
//
// Thinning: when the key frames exceed the limit, every other one is dropped and from then on only every
// second is taken, so that those kept stay evenly spaced. The last frame is always kept. The limit follows
// from a number of frames and of bytes, whichever is less.
//
// Vertices are split where the rest surface has a crease, so that boxes look like boxes under smooth normals.
// Pliant's z axis points up, glTF's y axis does: a node above all bodies turns them.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/surface_mesh.hpp"

#include <span>
#include <string>
#include <vector>

namespace pliant {

/// How large the animation may become.
struct GltfLimits {
  Index key_frames = 120;         // at least 2
  Index bytes = Index{64} << 20;  // of morph targets, all bodies together; two frames are always kept
};

/// Collects frames while a run goes on, then writes the file.
class GltfAnimation {
 public:
  explicit GltfAnimation(const GltfLimits& limits = {}) : limits_(limits) {}

  /// A body's surface, before the first frame. Triangles may use a part of the vertices only, as the boundary
  /// of a volume mesh does; only those are stored. Vertex numbers must be in range.
  void add_body(std::string name, const std::vector<Triangle>& triangles,
                const std::vector<Vector3>& rest_positions);

  /// The body has another surface from the next frame on, as one that was torn has, and these displacements
  /// now. Frames so far show it closed: a vertex is where that was which has its place at rest and, of
  /// several, was nearest last; a new one where the surface was.
  void change_body(std::size_t body, const std::vector<Triangle>& triangles,
                   const std::vector<Vector3>& rest_positions, std::span<const double> displacements);

  /// Displacements of all vertices that add_body() was given (3n, m), one span per body. Times must ascend. A
  /// frame with numbers that are not finite (a run that diverged) is left out.
  void add_frame(double t, std::span<const std::span<const double>> displacements);

  /// Key frames that the file will have.
  [[nodiscard]] Index key_frame_count() const;

  /// The bytes of the .glb file. No frame: the rest shape; one: that shape; more: an animation.
  [[nodiscard]] Result<std::string> write(const std::string& file_name) const;

 private:
  struct Surface {
    std::string name;
    std::vector<Triangle> triangles;  // over the split vertices
    std::vector<VertexId> origin;     // the caller's vertex of each split vertex
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
  std::vector<Frame> frames_;  // taken every `stride_` frames
  Frame last_;                 // the latest frame, whether taken or not
  Index seen_ = 0;             // frames added so far
  Index stride_ = 1;
};

}  // namespace pliant
