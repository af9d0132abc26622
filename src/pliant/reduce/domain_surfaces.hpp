// reduce/domain_surfaces.hpp — what is drawn of a tree: the surface of each class, and how surfaces meet.
//
//     surface, embedded in the whole body ──make_domain_surfaces──► DomainSurfaces ──► a frame: TreeSurface
//
// A point of the surface belongs to one domain and moves as x = p + s Q (X + U q). Its rows of U are
// interpolated once, and all copies of a class share them. Where domains meet, their shapes do not agree
// exactly ([BarbicZhao2011] §5). A blend replaces points near joints by a fixed combination of themselves and
// of a few *samples*, which are points of the domains on both sides:
//
//     x ← keep x + Σ weight · sample
//
// C⁰ moves the copies of an interface vertex to their mean. C¹ is a moving least squares fit through the
// vertices on both sides that takes over towards the joint, so that tangents meet as well
// (docs/theory/tree.md, "Drawing"). Everything here is plain arrays of float, ready to be sent elsewhere.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/reduce/tree_body.hpp"

#include <cstdint>

namespace pliant {

/// How the surfaces of domains meet.
enum class SurfaceBlend {
  kNone,  // each domain as it is, with gaps
  kC0,    // without gaps
  kC1,    // without gaps and creases
};

/// The surface of a class (or of one domain, if that differs from the others of its class): point i has
/// rest[3i…] and, for each of its three coordinates, r numbers of shapes.
struct ClassSurface {
  Index points = 0;
  Index size = 0;                   // r
  std::vector<float> rest;          // 3n, from the frame's origin
  std::vector<float> shapes;        // 3n × r, row by row
  std::vector<Triangle> triangles;  // of its own points; empty if the surface runs across domains
};

/// Points of domains that blends refer to, domain by domain.
struct BlendSamples {
  std::vector<Index> starts;        // first sample of each domain, and the end
  std::vector<Index> shape_starts;  // first number of each domain in `shapes`
  std::vector<float> rest;          // 3 per sample
  std::vector<float> shapes;        // 3 × r per sample, r that of its domain
  [[nodiscard]] Index count() const { return starts.empty() ? 0 : starts.back(); }
};

/// Points that are blended, domain by domain.
struct BlendRows {
  std::vector<Index> domain_starts;   // first row of each domain, and the end
  std::vector<std::int32_t> points;   // per row: the point, counted within its domain
  std::vector<float> keep;            // per row: weight of the point itself
  std::vector<Index> starts{0};       // first entry of each row, and the end
  std::vector<std::int32_t> samples;  // per entry
  std::vector<float> weights;         // per entry
  [[nodiscard]] Index count() const { return std::ssize(points); }
};

struct DomainSurfaces {
  SurfaceMesh surface;            // at rest in the world; points sorted by domain
  std::vector<Index> origin;      // per point: its number in the given surface
  std::vector<Index> starts;      // first point of each domain, and the end
  std::vector<Index> classes_of;  // per domain: index into `classes`
  std::vector<ClassSurface> classes;
  bool across = false;  // some triangles have corners in several domains
  BlendSamples samples;
  BlendRows rows;

  [[nodiscard]] Index point_count() const { return starts.back(); }
};

/// `embedding`: that of the surface's vertices in the mesh of the whole body. `cut`: flags of the domains
/// that have come off their parents (empty: none).
[[nodiscard]] DomainSurfaces make_domain_surfaces(const TreeBody& body, const SurfaceMesh& surface,
                                                  const Embedding& embedding, SurfaceBlend blend,
                                                  const std::vector<char>& cut,
                                                  Progress& progress = no_progress());

}  // namespace pliant
