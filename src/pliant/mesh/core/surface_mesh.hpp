// mesh/core/surface_mesh.hpp — triangle surfaces, as they are drawn and displayed.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <vector>

namespace pliant {

struct SurfaceMesh {
  std::vector<Vector3> vertices;
  std::vector<Triangle> triangles;  // counter-clockwise seen from outside

  [[nodiscard]] Index vertex_count() const { return std::ssize(vertices); }
};

}  // namespace pliant
