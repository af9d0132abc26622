#include "pliant/mesh/core/submesh.hpp"

#include <algorithm>
#include <utility>

namespace pliant {
namespace {

template <class Face>
void extract_faces(const std::vector<Face>& faces, const std::vector<Label>& labels, const SubMesh& part,
                   std::vector<Face>& own, std::vector<Label>& own_labels) {
  for (std::size_t f = 0; f < faces.size(); ++f) {
    Face face = faces[f];
    bool inside = true;
    for (VertexId& v : face) {
      v = part.local(v);
      inside = inside && v >= 0;
    }
    if (!inside) continue;
    own.push_back(face);
    own_labels.push_back(labels[f]);
  }
}

}  // namespace

VertexId SubMesh::local(VertexId vertex) const {
  const auto found = std::lower_bound(vertices.begin(), vertices.end(), vertex);
  return found != vertices.end() && *found == vertex ? static_cast<VertexId>(found - vertices.begin()) : -1;
}

SubMesh extract_elements(const VolumeMesh& mesh, std::vector<Index> elements, std::vector<VertexId> more) {
  SubMesh part;
  part.vertices = std::move(more);
  part.elements = std::move(elements);
  for (const Index e : part.elements)
    for (const VertexId v : mesh.element_vertices(e)) part.vertices.push_back(v);
  std::sort(part.vertices.begin(), part.vertices.end());
  part.vertices.erase(std::unique(part.vertices.begin(), part.vertices.end()), part.vertices.end());
  part.mesh.vertices.reserve(part.vertices.size());
  for (const VertexId v : part.vertices) part.mesh.vertices.push_back(mesh.vertices[to_size(v)]);
  const auto take = [&](auto element, Label label, auto& elements_of, auto& labels) {
    for (VertexId& v : element) v = part.local(v);
    elements_of.push_back(element);
    labels.push_back(label);
  };
  for (const Index e : part.elements) {
    const Label label = mesh.element_label(e);
    if (e < mesh.first_hex())
      take(mesh.tets[to_size(e)], label, part.mesh.tets, part.mesh.tet_labels);
    else if (e < mesh.first_tet10())
      take(mesh.hexes[to_size(e - mesh.first_hex())], label, part.mesh.hexes, part.mesh.hex_labels);
    else
      take(mesh.tet10s[to_size(e - mesh.first_tet10())], label, part.mesh.tet10s, part.mesh.tet10_labels);
  }
  extract_faces(mesh.triangles, mesh.triangle_labels, part, part.mesh.triangles, part.mesh.triangle_labels);
  extract_faces(mesh.quads, mesh.quad_labels, part, part.mesh.quads, part.mesh.quad_labels);
  part.mesh.region_names = mesh.region_names;
  part.mesh.face_names = mesh.face_names;
  return part;
}

}  // namespace pliant
