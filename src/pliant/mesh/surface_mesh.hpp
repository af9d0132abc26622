// mesh/surface_mesh.hpp — triangle surfaces: what artists draw and what people look at.
#pragma once

#include "pliant/mesh/volume_mesh.hpp"

#include <vector>

namespace pliant {

struct SurfaceMesh {
  std::vector<Vector3> vertices;
  std::vector<Triangle> triangles;  // counter-clockwise seen from outside

  [[nodiscard]] Index vertex_count() const { return std::ssize(vertices); }
};

}  // namespace pliant
