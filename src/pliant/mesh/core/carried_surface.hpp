// mesh/core/carried_surface.hpp — a surface that a body carries along and that is displayed; finer than its
// elements.
#pragma once

#include "pliant/mesh/core/embedding.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"

namespace pliant {

struct CarriedSurface {
  SurfaceMesh rest;
  Embedding embedding;  // of its vertices, in the mesh of the body
};

}  // namespace pliant
