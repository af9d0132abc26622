// scene/fill.hpp — a surface file filled with elements, by either mesher; shared by scenes and `pliant mesh`.
#pragma once

#include "pliant/mesh/core/surface_mesh.hpp"
#include "pliant/mesh/fill/mesher.hpp"

#include <string>

namespace pliant {

/// Fills with tets by isosurface stuffing or with hexes by voxels. Problems and notes name `file`.
Result<MesherOutput> fill_surface(const SurfaceMesh& surface, const std::string& file, Index resolution,
                                  bool hexes, Progress& progress);

}  // namespace pliant
