// mesh/core/surface_report.hpp — counts, defects and measures of a triangle surface.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"

namespace pliant {

/// Edges are identified by vertex numbers: coincident vertices are not joined, and triangles that use a
/// vertex twice have no edges.
struct SurfaceReport {
  Index vertices = 0;
  Index triangles = 0;
  Index components = 0;            // parts connected through vertices; unused vertices do not count
  bool watertight = false;         // every edge belongs to exactly two triangles
  bool manifold = false;           // no non-manifold edge or vertex
  Index open_edges = 0;            // edges of one triangle
  Index nonmanifold_edges = 0;     // edges of three or more triangles
  Index nonmanifold_vertices = 0;  // vertices whose triangles are not all connected through edges at it
  Index misoriented_edges = 0;     // edges of two triangles that run along it in the same direction
  Index zero_area_triangles = 0;
  Index duplicate_vertices = 0;  // vertices at exactly the place of an earlier one
  Index unused_vertices = 0;
  Index self_intersections = 0;    // pairs of triangles, see self_intersection.hpp
  Vector3 low = Vector3::Zero();   // bounding box of the vertices              m
  Vector3 high = Vector3::Zero();  //                                           m
  double area = 0.0;               //                                           m²
  double volume = 0.0;             // enclosed, by the divergence theorem; meaningful if watertight  m³
};

/// Examines a surface; the search for self-intersections takes nearly all of the time.
[[nodiscard]] SurfaceReport report(const SurfaceMesh& mesh, Progress& progress = no_progress());

/// Number of triangles whose height is below 1e-12 of their longest edge (or that use a vertex twice).
[[nodiscard]] Index zero_area_triangles(const SurfaceMesh& mesh);

}  // namespace pliant
