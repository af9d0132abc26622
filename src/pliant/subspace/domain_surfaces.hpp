// subspace/domain_surfaces.hpp — what is drawn of a tree: the surface of each class, and how copies meet.
//
//     surface, embedded in the whole body ──make_domain_surfaces──► DomainSurfaces ──► a frame: TreeSurface
//
// A point of the surface belongs to one domain, and moves as x = p + s Q (X + U q), with its rows of U
// interpolated once; all copies of a class share them. Where domains meet, their shapes do not agree exactly
// [BarbicZhao2011] §5. A blend replaces points near joints by a fixed combination of themselves and of a few
// *samples*, points of the domains on either side:
//
//     x ← keep x + Σ weight · sample
//
// C⁰ makes copies of an interface vertex one, in their middle; C¹ is a moving least squares fit through the
// vertices on both sides, faded in towards the joint, so that tangents meet as well (docs/theory/tree.md,
// "Drawing"). Everything here is plain arrays of float, ready to be sent elsewhere.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <cstdint>

namespace pliant {

/// How the surfaces of domains meet.
enum class SurfaceBlend {
  kNone,  // each domain as it is
  kC0,    // without gaps
  kC1,    // without gaps and creases
};

/// The surface of a class (or of one domain, if it differs from the others): point i has rest[3i…] and, for
/// each of its coordinates, r numbers of shapes.
struct ClassSurface {
  Index points = 0;
  Index size = 0;                   // r
  std::vector<float> rest;          // 3n, from the frame's origin
  std::vector<float> shapes;        // 3n × r, row by row
  std::vector<Triangle> triangles;  // of its own points; none when the surface runs across domains
};

/// Points of domains that blends refer to, in the order of the domains.
struct BlendSamples {
  std::vector<Index> starts;        // of each domain, and the end
  std::vector<Index> shape_starts;  // of each domain, in shapes
  std::vector<float> rest;          // 3 per sample
  std::vector<float> shapes;        // 3 × r per sample, r that of its domain
  [[nodiscard]] Index count() const { return starts.empty() ? 0 : starts.back(); }
};

/// Points that are blended, in the order of the domains.
struct BlendRows {
  std::vector<Index> domain_starts;   // rows of each domain, and the end
  std::vector<std::int32_t> points;   // of each row: point of its domain
  std::vector<float> keep;            // of each row
  std::vector<Index> starts{0};       // entries of each row
  std::vector<std::int32_t> samples;  // of each entry
  std::vector<float> weights;         // likewise
  [[nodiscard]] Index count() const { return std::ssize(points); }
};

struct DomainSurfaces {
  SurfaceMesh surface;            // at rest in the world; the points of each domain together
  std::vector<Index> origin;      // of each point: its number in the surface that was given
  std::vector<Index> starts;      // first point of each domain, and the end
  std::vector<Index> classes_of;  // of each domain: place in `classes`
  std::vector<ClassSurface> classes;
  bool across = false;  // triangles run across domains
  BlendSamples samples;
  BlendRows rows;

  [[nodiscard]] Index point_count() const { return starts.back(); }
};

/// `embedding`: of the surface's vertices in the mesh of the whole body. `cut`: domains that have come off
/// their parents (empty: none).
[[nodiscard]] DomainSurfaces make_domain_surfaces(const TreeBody& body, const SurfaceMesh& surface,
                                                  const Embedding& embedding, SurfaceBlend blend,
                                                  const std::vector<char>& cut,
                                                  Progress& progress = no_progress());

}  // namespace pliant
