// scene/fill.hpp — a surface file filled with elements, by either mesher; shared by scenes and `pliant mesh`.
#pragma once

#include "pliant/mesh/core/surface_mesh.hpp"
#include "pliant/mesh/fill/mesher.hpp"

#include <string>

namespace pliant {

struct FillOptions {
  Index resolution = 40;   // cells along the longest side
  bool hexes = false;      // voxels instead of isosurface stuffing
  bool largest = false;    // of several separate parts only the largest stays
  bool quadratic = false;  // tets with midside vertices, those of the boundary on the surface; not with hexes
};

/// Fills with tets by isosurface stuffing, linear or quadratic, or with hexes by voxels. Problems and notes
/// name `file`.
Result<MesherOutput> fill_surface(const SurfaceMesh& surface, const std::string& file,
                                  const FillOptions& options, Progress& progress);

}  // namespace pliant
