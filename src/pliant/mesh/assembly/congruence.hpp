// mesh/assembly/congruence.hpp — which connected parts of a surface are copies of one another.
//
// Artists draw a leaf once and place it a thousand times; the file contains a thousand leaves. Here parts are
// recognised that agree up to rotation, translation and uniform scale, so that one model serves them all
// ([BarbicZhao2011] §5). The order of vertices and triangles does not matter.
//
//   size      root mean square distance of the vertices from their mean: the scale
//   frame     the mean, and two vertices of the class that are as distinctive as possible (few others are as
//             far from the mean). In the part, every pair with the same measures is tried. Principal axes
//             are not used: those of symmetric parts are not unique
//   proof     every vertex within the tolerance of its image, one to one
//
// Triangles are only counted, because exporters split the quads of different leaves along different
// diagonals. A part may be the mirror image of its class. For an isotropic material that makes no difference,
// but no rotation brings the two together, so such copies are marked.
#pragma once

#include "pliant/mesh/core/placement.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"

#include <vector>

namespace pliant {

/// Triangles that are connected by shared vertices.
struct SurfacePart {
  std::vector<VertexId> vertices;  // ascending
  std::vector<Index> triangles;    // ascending
};

/// The parts, in the order of their first triangles. Vertices without triangles belong to no part.
[[nodiscard]] std::vector<SurfacePart> connected_parts(const SurfaceMesh& surface);

/// Vertices and triangles of a part, renumbered in their order.
[[nodiscard]] SurfaceMesh extract_part(const SurfaceMesh& surface, const SurfacePart& part);

/// The mirror image in the plane x = 0, with triangles turned over so that they still face outwards.
[[nodiscard]] SurfaceMesh mirror_image(SurfaceMesh surface);

struct PartCopy {
  Index class_index = 0;
  bool mirrored = false;  // the placed shape is the mirror image of the class (mirror_image)
  Placement placement;    // of the class, whose coordinates are those of its original part
  double error = 0.0;     // largest distance of a vertex from its image                    m
};

struct Congruence {
  std::vector<SurfacePart> parts;
  std::vector<PartCopy> copies;  // one per part
  std::vector<Index> originals;  // per class: the part from which it was made

  [[nodiscard]] Index class_count() const { return std::ssize(originals); }
};

/// Distances up to `tolerance` times the diameter of the part (plus the rounding of coordinates in single
/// precision) count as zero. A thousandth is one pixel when the part fills a picture. In our samples copies
/// that were placed by hand differ by 6e-4, different parts by at least 2e-3.
[[nodiscard]] Congruence find_copies(const SurfaceMesh& surface, double tolerance = 1e-3);

}  // namespace pliant
