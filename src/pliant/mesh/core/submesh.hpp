// mesh/core/submesh.hpp — some elements of a mesh as a mesh of its own.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

namespace pliant {

/// Some elements of a mesh with their vertices, in the order of the whole mesh. Labels and region names are
/// kept, and so are labelled faces all of whose vertices belong to it.
struct SubMesh {
  VolumeMesh mesh;
  std::vector<VertexId> vertices;  // of the whole mesh, ascending
  std::vector<Index> elements;     // of the whole mesh, ascending

  /// Number of a vertex within this mesh, −1 if it does not belong to it.
  [[nodiscard]] VertexId local(VertexId vertex) const;
};

/// `elements` must be ascending. `more` are vertices that it gets although no element of it may use them.
[[nodiscard]] SubMesh extract_elements(const VolumeMesh& mesh, std::vector<Index> elements,
                                       std::vector<VertexId> more = {});

}  // namespace pliant
