// mesh/congruence.hpp — which connected parts of a surface are copies of one another.
//
// Artists draw a leaf once and place it a thousand times; the file keeps a thousand leaves. Parts that agree
// up to rotation, translation and uniform scale are found again here, so that a model of one serves them all
// [BarbicZhao2011] §5. Nothing is asked of the order of vertices or triangles.
//
//   size      root mean square distance of the vertices from their mean: the scale
//   frame     mean, and two vertices of the class that are as peculiar as can be (few others are as far from
//             the mean). In the part, each pair with the same measures is tried. This needs no principal
//             axes, which symmetric parts do not have
//   proof     every vertex within the tolerance of its image, one to one
//
// Triangles are only counted: exporters cut the quads of one leaf along one diagonal and those of another
// along the other. A part may be the mirror image of its class. Isotropic matter does not mind, but no
// rotation brings the two together, so such copies are marked.
#pragma once

#include "pliant/mesh/placement.hpp"
#include "pliant/mesh/surface_mesh.hpp"

#include <vector>

namespace pliant {

/// Triangles that hang together by shared vertices.
struct SurfacePart {
  std::vector<VertexId> vertices;  // ascending
  std::vector<Index> triangles;    // ascending
};

/// In the order of their first triangles. Vertices without triangles belong to no part.
[[nodiscard]] std::vector<SurfacePart> connected_parts(const SurfaceMesh& surface);

/// Vertices and triangles of a part, renumbered in their order.
[[nodiscard]] SurfaceMesh extract_part(const SurfaceMesh& surface, const SurfacePart& part);

/// The mirror image in the plane x = 0; triangles are turned over with it, so that they still face outwards.
[[nodiscard]] SurfaceMesh mirror_image(SurfaceMesh surface);

struct PartCopy {
  Index class_index = 0;
  bool mirrored = false;  // the placed shape is the class's mirror image (mirror_image)
  Placement placement;    // of the class, whose coordinates are those of its first part
  double error = 0.0;     // largest distance of a vertex from its image                    m
};

struct Congruence {
  std::vector<SurfacePart> parts;
  std::vector<PartCopy> copies;  // one per part
  std::vector<Index> originals;  // of each class: the part that it was made from

  [[nodiscard]] Index class_count() const { return std::ssize(originals); }
};

/// Distances up to `tolerance` times the part's diameter (and the rounding of coordinates in single
/// precision) count as none. A thousandth is a pixel of a picture that the part fills; hand-placed copies
/// differ by 6e-4 in our samples, different parts by 2e-3 at least.
[[nodiscard]] Congruence find_copies(const SurfaceMesh& surface, double tolerance = 1e-3);

}  // namespace pliant
